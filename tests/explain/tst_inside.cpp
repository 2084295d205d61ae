// What happened inside an event: the chain of an attempt, an observer's update, the moves of the histogram search.
#include "explain/chosen_range.h"
#include "explain/inside.h"
#include "explained.h"
#include "recipes.h"

using namespace gb;
using namespace gb::test;
using explain::InnerStep;
using ir::Node;
using ir::Tensor;
using trace::EventKind;

namespace {

std::string spec(const char* observer, const char* args = "{}", const char* scheme = "per_tensor_affine")
{
    std::string out = kInt8;
    const auto put = [&out](const std::string& what, const std::string& by) {
        out.replace(out.find(what), what.size(), by);
    };
    put("MinMaxObserver", observer);
    put("\"observer_args\": {}", std::string("\"observer_args\": ") + args);
    put("per_tensor_affine", scheme);
    return out;
}

Explained relu(const std::string& recipe, const std::vector<std::vector<float>>& batches)
{
    Model m;
    m.output({m.call("aten.relu.default", {ref(m.input("x"))})});
    std::vector<engine::Batch> all;
    for (const auto& values : batches)
        all.push_back({Tensor::fromVector(values, {static_cast<std::int64_t>(values.size())})});
    return explained(m.module, recipe, {}, all);
}

std::string observing(const std::string& observed)
{
    std::string out = inputRule("[\"aten.relu.default\"]");
    out.replace(out.find(kInt8), kInt8.size(), observed);
    return out;
}

/// The nth event of a kind.
int eventOf(const Explained& run, EventKind kind, int nth = 0)
{
    for (std::size_t i = 0; i < run.recording->events.size(); ++i)
        if (run.recording->events[i].kind == kind && nth-- == 0)
            return static_cast<int>(i);
    return -1;
}

std::vector<std::string> inside(const Explained& run, EventKind kind, int nth = 0)
{
    std::vector<std::string> out;
    for (const InnerStep& step : explain::Insides(run.recording).of(eventOf(run, kind, nth)))
        out.push_back(step.sentence.text());
    return out;
}

using Lines = std::vector<std::string>;

} // namespace

class TestInside : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAttemptIsItsChainAndTheConditionThatFailed()
    {
        Model m;
        Node* abs = m.call("aten.abs.default", {ref(m.input("x"))});
        m.output({m.call("aten.relu.default", {ref(abs)}), m.call("aten.neg.default", {ref(abs)})});
        const Explained run = explained(m.module, outputRule(R"(["aten.abs.default", "aten.relu.default"])"));
        const Lines lines = inside(run, EventKind::Attempt);
        QVERIFY(lines.size() >= 2);
        QCOMPARE(lines.front(), std::string("abs_1 is aten.abs.default: rule r begins at this op"));
        QVERIFY(lines.back().starts_with("condition ") && lines.back().ends_with("refused (R6)"));
        QVERIFY(lines.back().find("found 2 users of abs_1") != std::string::npos);
    }

    void aMatchIsItsMembers()
    {
        const Explained run = relu(observing(spec("MinMaxObserver")), {{1, 2}});
        QCOMPARE(inside(run, EventKind::Match), (Lines{"relu is aten.relu.default: rule r begins at this op"}));
        QVERIFY(inside(run, EventKind::Stage).empty());
        QVERIFY(explain::Insides(run.recording).of(-1).empty());
        QVERIFY(explain::Insides(run.recording).of(100000).empty());
    }

    void aRangeBeginsMovesAndStays()
    {
        const Explained run = relu(observing(spec("MinMaxObserver")), {{-1, 2}, {-3, 1}});
        QCOMPARE(inside(run, EventKind::Observe),
                 (Lines{"it is given values from -1 to 2", "the range begins: -1 to 2"}));
        QCOMPARE(inside(run, EventKind::Observe, 1),
                 (Lines{"it is given values from -3 to 1", "min moves from -1 to -3", "max stays 2"}));
    }

    void aMovingAverageIsItsEquation()
    {
        const Explained run =
            relu(observing(spec("MovingAverageMinMaxObserver", R"({"averaging_constant": 0.5})")), {{-1, 2}, {-3, 4}});
        const Lines lines = inside(run, EventKind::Observe, 1);
        QCOMPARE(lines[1], std::string("min = -1 + 0.5 x (-3 - -1) = -2"));
        QCOMPARE(lines[2], std::string("max = 2 + 0.5 x (4 - 2) = 3"));
    }

    void aHistogramIsFilledAndRebinned()
    {
        const Explained run = relu(observing(spec("HistogramObserver")), {{-1, 1}, {-1, 3, 2}});
        const Lines first = inside(run, EventKind::Observe);
        QCOMPARE(first.back(), std::string("the histogram begins: 2048 bins from -1 to 1, each 0.0009766 wide"));
        const Lines second = inside(run, EventKind::Observe, 1);
        QVERIFY(second[second.size() - 2].starts_with("the counts move into wider bins: 0.0009766 wide before"));
        QCOMPARE(second.back(), std::string("the counts grow from 2 to 5"));
    }

    void eachMoveOfTheSearchIsAStep()
    {
        std::vector<float> values;
        for (int i = 0; i < 400; ++i)
            values.push_back(static_cast<float>(i % 20) / 20);
        values.push_back(-50);
        const Explained run = relu(observing(spec("HistogramObserver")), {values});
        const int event = eventOf(run, EventKind::QParams);
        const auto steps = explain::Insides(run.recording).of(event);
        const auto& state = run.recording->events[static_cast<std::size_t>(event)].record->state;
        quant::ObserverSettings settings;
        settings.dtype = ir::DType::Int8;
        const auto chosen = explain::chosenRange(state, settings);
        QVERIFY(chosen && chosen->search && chosen->search->moves.size() > 1);
        const auto moves = std::ranges::count_if(steps, [](const InnerStep& s) { return s.move.has_value(); });
        QCOMPARE(static_cast<std::size_t>(moves), chosen->search->moves.size());
        QVERIFY(steps.front().sentence.text().starts_with("the search begins with all 2048 bins, -50 to 0.95"));
        QVERIFY(steps[1].sentence.text().starts_with("move 1: "));
        // what the search chose is what the scale is made of
        const auto& zero = steps.back().sentence.text();
        QVERIFY(zero.starts_with("zero point = -128 - round("));
        QVERIFY(zero.ends_with("= " + std::to_string(static_cast<std::int64_t>(state.qparams->zeroPoint.at(0)))));
        const double scale = (std::max(chosen->max, 0.0) - std::min(chosen->min, 0.0)) / 255;
        QVERIFY(std::abs(scale - state.qparams->scale.at(0)) < 1e-6 * scale);
    }

    void theFormulaSaysWhereZeroAndEpsCameIn()
    {
        const Explained run = relu(observing(spec("MinMaxObserver")), {{1, 3}});
        QCOMPARE(inside(run, EventKind::QParams),
                 (Lines{"0 has to be in the range: 1 to 3 becomes 0 to 3", "scale = (3 - 0) / (127 - -128) = 0.01176",
                        "zero point = -128 - round(0 / 0.01176) = -128"}));
        const Explained zeros = relu(observing(spec("MinMaxObserver", R"({"eps": 0.25})")), {{0, 1}});
        const Lines lines = inside(zeros, EventKind::QParams);
        QVERIFY(std::ranges::find(lines, "that is below eps: the scale is 0.25") != lines.end());
        const Explained symmetric = relu(observing(spec("MinMaxObserver", "{}", "per_tensor_symmetric")), {{-1, 3}});
        QCOMPARE(inside(symmetric, EventKind::QParams),
                 (Lines{"scale = 3 / ((127 - -128) / 2) = 0.02353", "symmetric: the zero point is 0"}));
    }

    void channelsThatKeepTheirRangeAreCounted()
    {
        Model m;
        Node* w = m.attribute("w", Tensor::fromVector(std::vector<float>{1, 2, 3, -4, 5, 6}, {2, 3}));
        m.output({m.call("aten.linear.default", {ref(m.input("x")), ref(w)})});
        const std::vector<engine::Batch> twice{oneBatch()[0], oneBatch()[0]};
        const Explained run = explained(m.module, kXnnpackPerChannel, {}, twice);
        // observers of a batch report in graph order; the weight's is the per-channel one
        Lines begins;
        Lines keeps;
        for (int nth = 0; eventOf(run, EventKind::Observe, nth) >= 0; ++nth) {
            const Lines lines = inside(run, EventKind::Observe, nth);
            if (lines.back() == "channel 1: -4 to 6")
                begins = lines;
            if (lines.back() == "2 channels keep their range")
                keeps = lines;
        }
        QVERIFY(!begins.empty());
        QVERIFY(!keeps.empty());
    }
};

QTEST_GUILESS_MAIN(TestInside)
#include "tst_inside.moc"
