#include "picture/sharing.h"

#include "sample_run.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

ir::Argument place(std::initializer_list<ir::NodeId> nodes)
{
    std::vector<ir::Argument> items;
    for (const ir::NodeId node : nodes)
        items.push_back(ir::Argument::node(node));
    return ir::Argument::list(std::move(items));
}

trace::Event group(int number, std::vector<ir::Argument> members)
{
    trace::Event e;
    e.kind = trace::EventKind::Group;
    e.fields = {{"group", ir::Argument(number)}, {"members", ir::Argument::list(std::move(members))}};
    return e;
}

trace::Event share(ir::Argument a, ir::Argument b, const char* how)
{
    trace::Event e;
    e.kind = trace::EventKind::Share;
    e.fields = {{"a", std::move(a)}, {"b", std::move(b)}, {"how", ir::Argument(how)}};
    return e;
}

trace::Event observer(int number, int instance)
{
    trace::Event e;
    e.kind = trace::EventKind::Observer;
    e.fields = {{"group", ir::Argument(number)}, {"observer", ir::Argument(instance)}};
    return e;
}

} // namespace

class SharingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupsComeFromTheEvents()
    {
        trace::Recording r;
        r.events = {share(place({1}), place({1, 2}), "explicit"),
                    share(place({5}), place({5, 6}), "same_tensor"),
                    group(0, {place({9})}),
                    group(1, {place({1}), place({1, 2}), place({3, 4})}),
                    group(2, {place({5}), place({5, 6})}),
                    observer(1, 7),
                    observer(0, 8)};
        const Sharing s = Sharing::of(r, "");
        QCOMPARE(s.at({1, 2}).number, 1);
        QCOMPARE(s.at({1, 2}).size, 3);
        QVERIFY(s.at({3, 4}).isExplicit);
        QVERIFY(!s.at({5, ir::kNoNode}).isExplicit);
        QCOMPARE(s.ofObserver(7).number, 1);
    }

    void aGroupOfOneSharesWithNobody()
    {
        trace::Recording r;
        r.events = {group(0, {place({9})}), observer(0, 8)};
        const Sharing s = Sharing::of(r, "");
        QCOMPARE(s.at({9, ir::kNoNode}).number, -1);
        QCOMPARE(s.ofObserver(8).number, -1);
        QCOMPARE(s.ofObserver(99).number, -1);
    }

    void otherGraphsAreNotMixedIn()
    {
        trace::Recording r;
        r.events = {group(0, {place({1}), place({1, 2})})};
        QVERIFY(Sharing::of(r, "body").empty());
    }

    void brokenFieldsAreSkipped()
    {
        trace::Recording r;
        trace::Event noMembers;
        noMembers.kind = trace::EventKind::Group;
        trace::Event text = group(0, {ir::Argument("x"), place({}), place({1, 2, 3})});
        text.fields[0].second = ir::Argument("seven");
        r.events = {noMembers, text, group(4, {ir::Argument(3), place({}), place({1, 2, 3})})};
        QVERIFY(Sharing::of(r, "").empty());
    }

    void labelsAloneMakeGroups()
    {
        const auto run = test::makeSampleRun();
        const auto moment = test::momentAt(run.recording, "annotated");
        const Sharing s = Sharing::ofLabels(*moment->top().graph);
        QCOMPARE(s.at({run.add, run.cat}).number, 1);
        QCOMPARE(s.at({run.x, run.cat}).number, 1);
        QCOMPARE(s.at({run.x, run.cat}).size, 2);
        QCOMPARE(s.at({run.x, run.conv}).number, -1);
    }

    void aLoopOfSharedSpecsEnds()
    {
        ir::Graph graph(std::make_shared<ir::NodeIds>(), "");
        ir::Node* a = graph.append({ir::Op::Placeholder, "a", {}, {}, "a", {}});
        ir::Node* b =
            graph.append({ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(a->id())}, {}, "b", {}});
        ir::Annotation annotation;
        annotation.inputs = {{a->id(), ir::makeSpec(ir::SharedQuantizationSpec{{b->id(), ir::kNoNode}})}};
        annotation.output = ir::makeSpec(ir::SharedQuantizationSpec{{a->id(), b->id()}});
        graph.setAnnotation(b, std::make_shared<const ir::Annotation>(annotation));
        const Sharing s = Sharing::ofLabels(graph);
        QCOMPARE(s.at({a->id(), b->id()}).size, 2);
    }
};

QTEST_GUILESS_MAIN(SharingTest)
#include "tst_sharing.moc"
