// Breakpoints: what they stop at, how they are written, and what is wrong with a text that is none.
#include "trace/breakpoints.h"

#include <QtTest>

using namespace gb;
using trace::Breakpoint;
using trace::BreakpointFinder;
using trace::Event;
using trace::EventKind;

namespace {

Event said(EventKind kind, std::vector<ir::NodeId> nodes, trace::Fields fields = {})
{
    Event e;
    e.kind = kind;
    e.nodes = std::move(nodes);
    e.fields = std::move(fields);
    return e;
}

trace::NodeAdded node(ir::NodeId id, const std::string& name, const std::string& target)
{
    trace::NodeAdded out;
    out.row.id = id;
    out.row.name = name;
    out.row.target = target;
    return out;
}

Event saw(ir::NodeId observer, float low, float scale, std::int64_t batches)
{
    Event e = said(EventKind::Observe, {observer});
    trace::ObserverRecord record;
    record.target = "obs_0";
    record.state.minVal = ir::Tensor::scalar(low);
    record.state.qparams = quant::QParams{ir::Tensor::scalar(scale), ir::Tensor::scalar(std::int64_t{3})};
    record.state.batches = batches;
    e.record = std::make_shared<const trace::ObserverRecord>(record);
    return e;
}

/// 0 load, 1 rule conv, 2 attempt on conv2d, 3 label on relu, 4 to 6 observations, 7 fold
trace::RecordingPtr recording()
{
    auto out = std::make_shared<trace::Recording>();
    Event load = said(EventKind::Load, {1, 2, 3});
    load.edits = {node(1, "conv2d", "aten.conv2d.default"), node(2, "relu", "aten.relu.default"),
                  node(3, "activation_post_process_0", "obs_0")};
    Event rule = said(EventKind::Rule, {});
    rule.name = "conv";
    out->events = {load,
                   rule,
                   said(EventKind::Attempt, {1}, {{"rule", "conv"}, {"code", "R5"}}),
                   said(EventKind::Annotate, {2}, {{"rule", "relu"}}),
                   saw(3, -1.0F, 0.5F, 1),
                   saw(3, -2.0F, 0.1F, 2),
                   saw(3, -2.0F, 0.05F, 3),
                   said(EventKind::Fold, {1})};
    return out;
}

std::vector<int> hits(const char* text)
{
    const auto b = Breakpoint::parse(text);
    if (!b)
        qWarning("%s", b.error().text().c_str());
    return b ? BreakpointFinder(recording()).hits(*b) : std::vector<int>{-2};
}

} // namespace

class TestBreakpoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stopsWhereItsEventIs()
    {
        QCOMPARE(hits("node:conv2d"), (std::vector<int>{2, 7}));
        QCOMPARE(hits("op:re*"), std::vector<int>{3});
        QCOMPARE(hits("op:aten.conv2d.default"), (std::vector<int>{2, 7}));
        QCOMPARE(hits("rule:conv"), (std::vector<int>{1, 2}));
        QCOMPARE(hits("event:fold"), std::vector<int>{7});
        QCOMPARE(hits("reason:R5"), std::vector<int>{2});
        QCOMPARE(hits("labelled:relu"), std::vector<int>{3});
        QCOMPARE(hits("labelled:conv2d"), std::vector<int>());
        QCOMPARE(hits("unlabelled:conv2d"), std::vector<int>{2});
    }

    void aNodeThatIsLeftWithoutALabelStopsAtTheEndOfItsStage()
    {
        const auto run = std::make_shared<trace::Recording>(*recording());
        Event stage = said(EventKind::Stage, {});
        stage.name = "annotated";
        run->events.push_back(stage);
        const auto stops = [&](const char* text) { return BreakpointFinder(run).hits(*Breakpoint::parse(text)); };
        QCOMPARE(stops("unlabelled:conv2d"), (std::vector<int>{2, 8})); // refused, and then it stays so
        QCOMPARE(stops("unlabelled:activation*"), std::vector<int>{8}); // no rule ever looked at it
        QCOMPARE(stops("unlabelled:relu"), std::vector<int>());
        run->events.back().graph = "submod"; // another graph's labels
        QCOMPARE(stops("unlabelled:conv2d"), std::vector<int>{2});
    }

    void aNumberStopsWhereItBecomesTrue()
    {
        QCOMPARE(hits("scale<0.2"), std::vector<int>{5});
        QCOMPARE(hits("scale<1"), std::vector<int>{4});
        QCOMPARE(hits("min<=-2"), std::vector<int>{5});
        QCOMPARE(hits("max>0"), std::vector<int>());
        QCOMPARE(hits("zp=3"), std::vector<int>{4});
        QCOMPARE(hits("batches>=3 obs:activation_post_process_0"), std::vector<int>{6});
        QCOMPARE(hits("batches>=3 obs:other"), std::vector<int>());
    }

    void theNearestEnabledOneCounts()
    {
        const BreakpointFinder finder(recording());
        Breakpoint far = *Breakpoint::parse("event:fold");
        Breakpoint near = *Breakpoint::parse("reason:R5");
        QCOMPARE(finder.next({far, near}, 0), 2);
        QCOMPARE(finder.next({far, near}, 2), 7);
        QCOMPARE(finder.next({far, near}, 7), -1);
        QCOMPARE(finder.next({far, near}, 7, false), 2);
        QCOMPARE(finder.next({far, near}, 2, false), -1);
        near.enabled = false;
        QCOMPARE(finder.next({far, near}, 0), 7);
    }

    void textsReadBackTheSame()
    {
        for (const char* text : {"node:conv2d", "event:fold", "scale<=0.001", "zp=3 obs:activation_post_process_0"}) {
            const auto b = Breakpoint::parse(text);
            QVERIFY(b.ok());
            QCOMPARE(b->toText(), std::string(text));
        }
    }

    void errorsSayWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("no condition") << QByteArray("conv2d") << QByteArray("column 1: \"conv2d\" found");
        QTest::newRow("empty") << QByteArray(" ") << QByteArray("column 1: \"\" found");
        QTest::newRow("unknown word") << QByteArray("nod:x") << QByteArray("column 1: \"nod:\" found");
        QTest::newRow("nothing behind") << QByteArray("node:") << QByteArray("column 6: nothing found behind node:");
        QTest::newRow("unknown event") << QByteArray("event:x") << QByteArray("column 7: no kind of event \"x\"");
        QTest::newRow("unknown number") << QByteArray("sum<1") << QByteArray("column 1: no number \"sum\"");
        QTest::newRow("no number") << QByteArray("scale<x") << QByteArray("column 7: \"x\" found, a number");
        QTest::newRow("nothing after") << QByteArray("scale<") << QByteArray("column 7: \"\" found, a number");
        QTest::newRow("comparison") << QByteArray("scale<>1") << QByteArray("column 6: \"<>\" found");
        QTest::newRow("what is this") << QByteArray("scale<1 x") << QByteArray("column 9: \"x\" found, obs:");
    }
    void errorsSayWhere()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        const auto b = Breakpoint::parse(text.toStdString());
        QVERIFY(!b.ok());
        QVERIFY2(QByteArray::fromStdString(b.error().text()).startsWith(error), b.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(TestBreakpoints)
#include "tst_breakpoints.moc"
