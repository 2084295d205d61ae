#include "layout/union_graph.h"

#include "sample_run.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

UnionGraph unionOf(const test::SampleRun& run)
{
    UnionGraph u;
    for (const char* stage : {"exported", "annotated", "prepared", "converted"})
        u.add(test::momentAt(run.recording, stage)->top().graph);
    u.finish();
    return u;
}

} // namespace

class UnionGraphTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_run = test::makeSampleRun();
        m_union = unionOf(m_run);
    }

    void qdqTakeTheObserversSlot()
    {
        const int slot = m_union.cellOf(m_run.xObserver);
        QVERIFY(m_union.cells()[static_cast<std::size_t>(slot)].slot);
        QCOMPARE(m_union.cellOf(m_run.xQuantize), slot);
        QCOMPARE(m_union.cellOf(m_run.xDequantize), slot);
    }

    void aFoldedWeightTakesTheWeightsPlace()
    {
        QCOMPARE(m_union.cellOf(m_run.foldedWeight), m_union.cellOf(m_run.weight));
        QCOMPARE(m_union.cellOf(m_run.weightDequantize), m_union.cellOf(m_run.weightObserver));
    }

    void scalesStandInTheSlot() { QCOMPARE(m_union.cellOf(m_run.weightScale), m_union.cellOf(m_run.weightDequantize)); }

    void aRouteRunsThroughTheSlotBeforeAnObserverIsThere()
    {
        const auto moment = test::momentAt(m_run.recording, "exported");
        const ir::Graph& graph = *moment->top().graph;
        const std::vector<int> route = m_union.route(*graph.find(m_run.x), *graph.find(m_run.conv), 0);
        QCOMPARE(route, (std::vector<int>{m_union.cellOf(m_run.x), m_union.cellOf(m_run.xObserver),
                                          m_union.cellOf(m_run.conv)}));
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const Port port = i + 2 == route.size() ? Port{m_run.conv, 0} : Port{};
            QVERIFY(m_union.edgeBetween(route[i], route[i + 1], port) >= 0);
        }
    }

    void anEdgeWithoutObserverIsDirect()
    {
        const auto moment = test::momentAt(m_run.recording, "prepared");
        const ir::Graph& graph = *moment->top().graph;
        QCOMPARE(m_union.route(*graph.find(m_run.conv), *graph.find(m_run.relu), 0).size(), std::size_t(2));
    }

    void bothArgumentsOfOneProducerHaveAnEdge()
    {
        const int slot = m_union.cellOf(m_run.reluObserver);
        const int add = m_union.cellOf(m_run.add);
        const int first = m_union.edgeBetween(slot, add, {m_run.add, 0});
        const int second = m_union.edgeBetween(slot, add, {m_run.add, 1});
        QVERIFY(first >= 0 && second >= 0);
        QVERIFY(first != second);
    }

    void argumentsInListsCount()
    {
        const auto moment = test::momentAt(m_run.recording, "exported");
        QCOMPARE(argumentNodes(*moment->top().graph->find(m_run.cat)), (std::vector<ir::NodeId>{m_run.add, m_run.x}));
        QCOMPARE(argumentNodes(*moment->top().graph->find(m_run.add)),
                 (std::vector<ir::NodeId>{m_run.relu, m_run.relu}));
    }

    void kindsOfHelpers()
    {
        const auto moment = test::momentAt(m_run.recording, "converted");
        const ir::Graph& graph = *moment->top().graph;
        QCOMPARE(helperKind(*graph.find(m_run.xQuantize)), Helper::Quantize);
        QCOMPARE(helperKind(*graph.find(m_run.xDequantize)), Helper::Dequantize);
        QCOMPARE(helperKind(*graph.find(m_run.relu)), Helper::No);
        QVERIFY(isQParamConstant(*graph.find(m_run.weightScale)));
        QVERIFY(!isQParamConstant(*graph.find(m_run.foldedWeight)));
        QCOMPARE(baseOf(graph.find(m_run.xDequantize))->id(), m_run.x);
    }

    void observersInACircleEnd()
    {
        // only a broken recording file can say so
        auto graph = std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), "");
        ir::Node* a = graph->append({ir::Op::CallModule, "obs_a", {}, {}, "a", {}});
        ir::Node* b = graph->append({ir::Op::CallModule, "obs_b", {ir::Argument::node(a->id())}, {}, "b", {}});
        ir::Node* relu =
            graph->append({ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(b->id())}, {}, "relu", {}});
        graph->setArgs(a, {ir::Argument::node(b->id())});
        UnionGraph u;
        u.add(graph);
        u.finish();
        QVERIFY(u.cellOf(a->id()) >= 0 && u.cellOf(b->id()) >= 0);
        QVERIFY(u.route(*b, *relu, 0).size() >= 2);
        QVERIFY(UnionGraph().cellOf(*a) == -1);
    }

    void aNodeThatNobodyAddedHasNoPlace() { QCOMPARE(m_union.cellOf(ir::NodeId(9999)), -1); }

private:
    test::SampleRun m_run;
    UnionGraph m_union;
};

QTEST_GUILESS_MAIN(UnionGraphTest)
#include "tst_union_graph.moc"
