#include "numbers/history.h"

#include "case_run.h"

#include "trace/recorder.h"

#include <algorithm>

using namespace gb;
using numbers::History;

namespace {

/// Four batches through one observer of a hand-made recording.
trace::RecordingPtr averagingRun()
{
    trace::Recorder recorder({});
    auto info = std::make_shared<trace::ObserverInfo>();
    info->instance = 0;
    info->type = "MovingAverageMinMaxObserver";
    info->settings.averagingConstant = 0.5;
    trace::Event made;
    made.kind = trace::EventKind::Insert;
    made.edits = {trace::ModuleChanged{"", "obs", info},
                  trace::NodeAdded{"", {7, "obs", ir::Op::CallModule, "obs", {}, {}, {}}}};
    recorder.say(made);
    float max = 0;
    for (int b = 0; b < 4; ++b) {
        const auto seen = static_cast<float>(b + 1);
        max = b == 0 ? seen : max + 0.5F * (seen - max);
        trace::Event batch;
        batch.kind = trace::EventKind::Batch;
        batch.fields = {{"index", ir::Argument(b)}};
        const auto scope = recorder.open(batch);
        trace::Event e;
        e.kind = trace::EventKind::Observe;
        e.nodes = {7};
        e.fields = {{"low", ir::Argument(-1.0)}, {"high", ir::Argument(static_cast<double>(seen))}};
        quant::ObserverState state;
        state.minVal = ir::Tensor::scalar(-1.0F);
        state.maxVal = ir::Tensor::scalar(max);
        state.batches = b + 1;
        e.record = std::make_shared<trace::ObserverRecord>(trace::ObserverRecord{"", "obs", state});
        recorder.say(e);
    }
    return recorder.publish();
}

const History* historyOf(const std::vector<History>& all, const char* name)
{
    const auto found = std::ranges::find(all, name, &History::name);
    return found == all.end() ? nullptr : &*found;
}

} // namespace

class TestHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The third batch of the corpus is three times as wide: it widens, and the histogram goes into new bins.
    void theWideBatchWidens()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(material);
        const auto histories = numbers::historiesOf(*material->recording);
        QCOMPARE(histories.size(), std::size_t(3));
        const History* x = historyOf(histories, "activation_post_process_0");
        QVERIFY(x);
        QCOMPARE(x->steps.size(), std::size_t(4));
        QVERIFY(!x->steps[1].widenedMin && !x->steps[1].widenedMax && !x->steps[1].rebinned);
        const auto& wide = x->steps[2];
        QCOMPARE(wide.batch, std::int64_t(2));
        QVERIFY(wide.widenedMin && wide.widenedMax);
        const double before = x->steps[1].range->max - x->steps[1].range->min;
        QCOMPARE(*wide.rebinned, (wide.range->max - wide.range->min) / before);
        QCOMPARE(wide.seen->min, wide.range->min);
        QCOMPARE(x->lastChange(), 2);
        QVERIFY(!x->converged());
    }

    /// What each batch brought is its own smallest and largest value.
    void seenIsTheBatchsOwn()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(material);
        const auto histories = numbers::historiesOf(*material->recording);
        const History* x = historyOf(histories, "activation_post_process_0");
        for (std::size_t b = 0; b < 4; ++b) {
            const auto values = material->calibration[b][0].tensor()->toDoubles();
            QCOMPARE(x->steps[b].seen->min, std::ranges::min(values));
            QCOMPARE(x->steps[b].seen->max, std::ranges::max(values));
        }
    }

    void aWeightConverges()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        const auto histories = numbers::historiesOf(*material->recording);
        const History* weight = historyOf(histories, "activation_post_process_1");
        QVERIFY(weight);
        QVERIFY(weight->converged());
        QCOMPARE(weight->lastChange(), 0);
    }

    void equationOneHasItsNumbers()
    {
        const auto recording = averagingRun();
        const auto histories = numbers::historiesOf(*recording);
        QCOMPARE(histories.size(), std::size_t(1));
        QVERIFY(numbers::averagingSentences(histories[0], 0).empty());
        const auto sentences = numbers::averagingSentences(histories[0], 2);
        QCOMPARE(sentences.size(), std::size_t(2));
        QCOMPARE(sentences[1].text(), std::string("max = 1.5 + 0.5 (3 - 1.5) = 2.25"));
        QVERIFY(!histories[0].steps[2].widenedMax); // an average does not widen
    }

    void theSheetHasARowABatch()
    {
        const auto recording = averagingRun();
        const auto sheet = numbers::historySheet(numbers::historiesOf(*recording));
        QCOMPARE(sheet.rows.size(), std::size_t(4));
        QCOMPARE(numbers::cellText(sheet.rows[3].cells[2]), std::string("3"));
        QCOMPARE(sheet.notes.size(), std::size_t(1)); // not settled
    }

    void aRunWithoutBatchesHasNone() { QVERIFY(numbers::historiesOf(trace::Recording()).empty()); }
};

QTEST_GUILESS_MAIN(TestHistory)
#include "tst_history.moc"
