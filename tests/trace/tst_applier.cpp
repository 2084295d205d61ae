#include "trace/applier.h"

#include <QTest>

using namespace gb;
using namespace gb::trace;

namespace {

NodeAdded added(ir::NodeId id, const char* name, std::vector<ir::NodeId> inputs = {}, ir::NodeId before = ir::kNoNode)
{
    NodeAdded e;
    e.row.id = id;
    e.row.name = name;
    e.row.op = inputs.empty() ? ir::Op::Placeholder : ir::Op::CallFunction;
    for (const ir::NodeId input : inputs)
        e.row.args.push_back(ir::Argument::node(input));
    e.before = before;
    return e;
}

Event eventOf(std::vector<Edit> edits)
{
    Event e;
    e.kind = EventKind::Rewrite;
    e.edits = std::move(edits);
    return e;
}

std::string order(const Workings& graphs)
{
    std::string out;
    for (const ir::Node* n = graphs.at("").graph->first(); n; n = n->next())
        out += (out.empty() ? "" : " ") + n->name();
    return out;
}

} // namespace

class ApplierTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEventIsTakenBackWithTheGraphThatItBrought()
    {
        Workings graphs;
        const Event event = eventOf({added(0, "x"), added(1, "relu", {0})});
        const auto undo = applyEvent(graphs, event);
        QVERIFY(undo.ok());
        QCOMPARE(undo->edits.size(), std::size_t{2});
        QCOMPARE(order(graphs), std::string("x relu"));
        takeBackEvent(graphs, event, *undo);
        QVERIFY(graphs.empty());
    }

    void anErasedNodeComesBackAsItWas()
    {
        Workings graphs;
        QVERIFY(applyEvent(graphs, eventOf({added(0, "x"), added(1, "a", {0}), added(2, "b", {0}), added(3, "c", {0})}))
                    .ok());
        ir::Graph& graph = *graphs.at("").graph;
        const auto label = std::make_shared<const ir::Annotation>();
        graph.setAnnotation(graph.find(2), label);
        const Event event = eventOf({NodeErased{"", 2}});
        const auto undo = applyEvent(graphs, event);
        QCOMPARE(order(graphs), std::string("x a c"));
        takeBackEvent(graphs, event, *undo);
        QCOMPARE(order(graphs), std::string("x a b c"));
        QCOMPARE(graph.find(2)->annotation(), label);
        const auto& users = graph.find(ir::NodeId{0})->users();
        QCOMPARE(users.size(), std::size_t{3});
        QCOMPARE(users[1]->name(), std::string("b")); // not at the end
    }

    void whatSomebodyLooksAtIsCopied()
    {
        Workings graphs;
        QVERIFY(applyEvent(graphs, eventOf({added(0, "x")})).ok());
        QVERIFY(!graphs.at("").isShared(0));
        const std::shared_ptr<const GraphMoment> looked = graphs.at("").facts;
        QVERIFY(graphs.at("").isShared(0));
        QVERIFY(!graphs.at("").isShared(1)); // by the one moment that is known of
        QVERIFY(applyEvent(graphs, eventOf({added(1, "relu", {0})})).ok());
        QCOMPARE(looked->graph->size(), std::size_t{1});
        QCOMPARE(graphs.at("").graph->size(), std::size_t{2});
        QVERIFY(graphs.at("").facts->graph == graphs.at("").graph);
        QVERIFY(!graphs.at("").isShared(0));
    }

    void factsAloneAreCopiedWithoutTheGraph()
    {
        Workings graphs;
        QVERIFY(applyEvent(graphs, eventOf({added(0, "x")})).ok());
        const std::shared_ptr<const GraphMoment> looked = graphs.at("").facts;
        const Event event = eventOf({ModuleChanged{"", "obs", std::make_shared<const ObserverInfo>()}});
        const auto undo = applyEvent(graphs, event);
        QVERIFY(looked->observers.empty());
        QCOMPARE(graphs.at("").facts->observers.size(), std::size_t{1});
        QCOMPARE(looked->graph.get(), graphs.at("").graph.get());
        takeBackEvent(graphs, event, *undo);
        QVERIFY(graphs.at("").facts->observers.empty());
    }

    void aRecordGivesWayToTheOneBefore()
    {
        Workings graphs;
        std::vector<Event> events(2);
        std::vector<EventUndo> undos;
        for (std::size_t i = 0; i < events.size(); ++i) {
            auto record = std::make_shared<ObserverRecord>();
            record->target = "obs";
            record->state.batches = static_cast<std::int64_t>(i) + 1;
            events[i].record = std::move(record);
            undos.push_back(applyEvent(graphs, events[i]).value());
        }
        const auto batches = [&] { return graphs.at("").facts->observerRecords.at("obs")->state.batches; };
        QCOMPARE(batches(), std::int64_t{2});
        takeBackEvent(graphs, events[1], undos[1]);
        QCOMPARE(batches(), std::int64_t{1});
    }

    void aNameThatIsTakenIsRefused()
    {
        Workings graphs;
        QVERIFY(applyEvent(graphs, eventOf({added(0, "x"), added(1, "relu", {0})})).ok());
        QVERIFY(!applyEvent(graphs, eventOf({NameChanged{"", 1, "x"}})).ok());
        QVERIFY(!applyEvent(graphs, eventOf({added(1, "again")})).ok());
        QVERIFY(!applyEvent(graphs, eventOf({NodeErased{"", 0}})).ok());         // relu uses it
        QVERIFY(applyEvent(graphs, eventOf({NameChanged{"", 1, "relu"}})).ok()); // its own
    }

    /// A broken recording may name a node before it is there.
    void anInputThatComesLaterDoesNotEndTheProgram()
    {
        Workings graphs;
        const Event first = eventOf({added(1, "early", {5}), added(5, "late")});
        const auto undo = applyEvent(graphs, first);
        QVERIFY(undo.ok());
        const Event second = eventOf({InputsChanged{"", 1, {ir::Argument::node(5)}, {}}});
        const auto then = applyEvent(graphs, second);
        QVERIFY(then.ok());
        takeBackEvent(graphs, second, *then);
        takeBackEvent(graphs, first, *undo);
        QVERIFY(graphs.empty());
    }
};

QTEST_GUILESS_MAIN(ApplierTest)
#include "tst_applier.moc"
