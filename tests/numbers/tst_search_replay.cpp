#include "numbers/search_replay.h"

#include "case_run.h"

#include <cmath>
#include <limits>

using namespace gb;

namespace {

std::shared_ptr<quant::Observer> observerNamed(const numbers::Material& material, const char* target)
{
    return std::dynamic_pointer_cast<quant::Observer>(material.calibrated->module->module(target));
}

} // namespace

class TestSearchReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The range that the replay ends with gives the observer's own scale and zero point.
    void theReplayEndsWhereTheObserverDid()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(material);
        const auto observer = observerNamed(*material, "activation_post_process_0");
        const auto state = observer->state();
        const auto replay = numbers::replaySearch(observer->settings(), state);
        QVERIFY(replay);
        const double low = std::min(0.0, static_cast<double>(replay->result.min));
        const double high = std::max(0.0, static_cast<double>(replay->result.max));
        const float scale = static_cast<float>(high - low) / 255.0F;
        QVERIFY(std::fabs(scale - state.qparams->scale.at(0)) < 1e-6 * scale);
    }

    void eachKeptMoveLowersTheNorm()
    {
        const auto material = test::materialOfCase("tiny.xnnpack");
        QVERIFY(material);
        int searched = 0;
        for (const auto& [target, module] : material->calibrated->module->modules()) {
            const auto observer = std::dynamic_pointer_cast<quant::Observer>(module);
            const auto replay = numbers::replaySearch(observer->settings(), observer->state());
            if (!replay)
                continue;
            ++searched;
            double last = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < replay->moves.size(); ++i) {
                const auto& move = replay->moves[i];
                QVERIFY(move.kept || i + 1 == replay->moves.size());
                QCOMPARE(move.kept, !(move.norm > last));
                last = move.norm;
                QVERIFY(replay->lowOf(move) < replay->highOf(move));
            }
            QVERIFY(!replay->stop.empty());
            QCOMPARE(numbers::searchSheet(*replay).rows.size(), replay->moves.size());
        }
        QVERIFY(searched > 3);
    }

    void withoutAHistogramThereIsNoSearch()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        const auto weight = observerNamed(*material, "activation_post_process_1");
        QVERIFY(!numbers::replaySearch(weight->settings(), weight->state()));
        QVERIFY(!numbers::replaySearch({}, {}));
    }
};

QTEST_GUILESS_MAIN(TestSearchReplay)
#include "tst_search_replay.moc"
