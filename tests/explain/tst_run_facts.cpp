// What explain collects of a run before it judges: the rules that ran, and what observers saw.
#include "explain/known_rules.h"
#include "explain/seen.h"

#include <QtTest>

using namespace gb;
using namespace gb::explain;
using trace::Event;
using trace::EventKind;

namespace {

ir::Argument listOf(std::initializer_list<const char*> texts)
{
    std::vector<ir::Argument> items;
    for (const char* text : texts)
        items.emplace_back(std::string(text));
    return ir::Argument::list(std::move(items));
}

Event ruleEvent(const char* name, const char* quantizer, const char* place, std::initializer_list<const char*> targets,
                const char* graph = "")
{
    Event e;
    e.kind = EventKind::Rule;
    e.name = name;
    e.graph = graph;
    e.fields = {{"quantizer", ir::Argument(std::string(quantizer))},
                {"place", ir::Argument(std::string(place))},
                {"targets", listOf(targets)}};
    return e;
}

Event observeEvent(ir::NodeId observer, trace::Fields fields)
{
    Event e;
    e.kind = EventKind::Observe;
    e.nodes = {observer};
    e.fields = std::move(fields);
    return e;
}

Event placed(EventKind kind, std::vector<ir::NodeId> nodes, std::vector<ir::NodeId> position)
{
    Event e;
    e.kind = kind;
    e.nodes = std::move(nodes);
    std::vector<ir::Argument> items;
    for (const ir::NodeId id : position)
        items.push_back(ir::Argument::node(id));
    e.fields = {{"position", ir::Argument::list(std::move(items))}};
    return e;
}

RunView viewOfEvents(std::vector<Event> events)
{
    auto recording = std::make_shared<trace::Recording>();
    recording->events = std::move(events);
    RunView run;
    for (std::size_t i = 0; i < recording->events.size(); ++i)
        if (recording->events[i].kind == EventKind::Rule)
            run.rules.push_back(static_cast<int>(i));
    run.recording = std::move(recording);
    return run;
}

} // namespace

class RunFactsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rulesLookAtTheirOpsInTheirGraphAndPlace()
    {
        const RunView run = viewOfEvents({ruleEvent("conv", "xnnpack", "0", {"aten.conv2d.default"}),
                                          ruleEvent("embedding", "embedding", "1", {"aten.embedding.default"}),
                                          ruleEvent("conv", "xnnpack", "0", {"aten.conv2d.default"}, "body")});
        const KnownRules rules(run, {});
        QCOMPARE(rules.ran().size(), std::size_t{3});
        QVERIFY(rules.looksAt("aten.conv2d.default", ""));
        QVERIFY(rules.looksAt("aten.conv2d.default", "body"));
        QVERIFY(!rules.looksAt("aten.embedding.default", "body"));
        const std::string first = "0";
        const std::string second = "1";
        QVERIFY(rules.looksAt("aten.conv2d.default", "", &first));
        QVERIFY(!rules.looksAt("aten.conv2d.default", "", &second));
        QCOMPARE(rules.quantizers(), std::string("xnnpack and embedding")); // each once
        QVERIFY(!rules.elsewhere("aten.linear.default")); // a recipe without a quantizer has no other rules
    }

    void anotherModeOfTheSameQuantizerIsKnown()
    {
        quantizers::Recipe recipe;
        recipe.quantizer = "xnnpack";
        recipe.global = quantizers::ConfigArguments{{{"is_dynamic", ir::Argument(true)}}};
        recipe.operatorType = {{"aten.linear", {}}};
        const KnownRules rules(viewOfEvents({}), recipe);
        const auto conv = rules.elsewhere("aten.conv2d.default"); // dynamic has linear alone
        QVERIFY(conv);
        QVERIFY(conv->otherMode);
        QCOMPARE(conv->quantizer, std::string("xnnpack"));
        const auto linear = rules.elsewhere("aten.linear.default");
        QVERIFY(linear && !linear->otherMode);
        QVERIFY(!rules.elsewhere("aten.sort.default"));
        // the name of an overload packet stands for its overloads, but not for what only begins like it
        QCOMPARE(rules.unreadSettingFor("aten.linear.default"), std::string("operator_type aten.linear"));
        QCOMPARE(rules.unreadSettingFor("aten.linearize"), std::string());
    }

    void rangesUniteOverBatches()
    {
        const RunView run =
            viewOfEvents({observeEvent(7, {{"low", ir::Argument(-1.0)}, {"high", ir::Argument(2.0)}}),
                          observeEvent(7, {{"low", ir::Argument(-3.0)},
                                           {"high", ir::Argument(1.0)},
                                           {"nonfinite", ir::Argument(std::int64_t{4})}}),
                          observeEvent(8, {}), observeEvent(9, {{"nonfinite", ir::Argument(std::int64_t{2})}})});
        const auto seen = seenByObserver(run);
        QCOMPARE(seen.size(), std::size_t{2}); // 8 said nothing
        QCOMPARE(seen.at(7).low, -3.0);
        QCOMPARE(seen.at(7).high, 2.0);
        QCOMPARE(seen.at(7).nonFinite, std::int64_t{4});
        QCOMPARE(seen.at(9).nonFinite, std::int64_t{2});
    }

    void aReusedObserverStandsForAllItsLabels()
    {
        const RunView run = viewOfEvents({placed(EventKind::Reuse, {5, 7}, {3, 5}), // said before what it reuses
                                          placed(EventKind::Insert, {7, 3}, {3}),
                                          placed(EventKind::Reuse, {6, 7}, {}), // a label without a position
                                          observeEvent(7, {{"low", ir::Argument(0.0)}, {"high", ir::Argument(6.0)}})});
        const auto positions = positionsOf(run);
        QCOMPARE(positions.size(), std::size_t{1});
        QCOMPARE(positions.at(7), (std::vector<ir::Position>{{3, ir::kNoNode}, {3, 5}})); // who asked for it first
        const auto seen = seenByPosition(run);
        QCOMPARE(seen.size(), std::size_t{2});
        QCOMPARE(seen.at({3, 5}).high, 6.0);
    }

    void longListsAreCut()
    {
        QCOMPARE(listText({}), std::string());
        QCOMPARE(listText({"a"}), std::string("a"));
        QCOMPARE(listText({"a", "b", "c"}), std::string("a, b and c"));
        QCOMPARE(listText({"a", "b", "c", "d"}, 3), std::string("a, b and 2 more"));
    }
};

QTEST_GUILESS_MAIN(RunFactsTest)
#include "tst_run_facts.moc"
