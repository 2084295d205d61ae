#include "trace/recorder.h"

#include <QTest>

using namespace gb;
using namespace gb::trace;

namespace {

Event makeEvent(EventKind kind, const char* name)
{
    Event e;
    e.kind = kind;
    e.name = name;
    e.sentence = base::message("{0} happened", name);
    return e;
}

} // namespace

class RecorderTest : public QObject {
    Q_OBJECT

private slots:
    void kindsHaveTheirWord()
    {
        for (int i = 0; i <= static_cast<int>(EventKind::Note); ++i)
            QCOMPARE(eventKindFromName(name(static_cast<EventKind>(i))), std::optional(static_cast<EventKind>(i)));
        QVERIFY(!eventKindFromName("nothing"));
    }

    void scopesNest()
    {
        Recorder r({});
        {
            const Scope pass = r.open(makeEvent(EventKind::Pass, "annotate"));
            {
                const Scope rule = r.open(makeEvent(EventKind::Rule, "conv"));
                r.say(makeEvent(EventKind::Attempt, "a"));
                r.say(makeEvent(EventKind::Attempt, "b"));
            }
            r.say(makeEvent(EventKind::Note, "after"));
        }
        r.stage("annotated", base::message("done"));
        const auto recording = r.publish();
        const auto& e = recording->events;
        QCOMPARE(e.size(), std::size_t{6});
        QCOMPARE(e[0].parent, -1);
        QCOMPARE(e[0].last, 4);
        QCOMPARE(e[1].parent, 0);
        QCOMPARE(e[1].last, 3);
        QCOMPARE(e[2].parent, 1);
        QCOMPARE(e[2].last, 2);
        QCOMPARE(e[4].parent, 0);
        QCOMPARE(e[5].parent, -1);
        QCOMPARE(recording->stageEvent("annotated"), 5);
        QCOMPARE(recording->stageEvent("prepared"), -1);
        QCOMPARE(recording->stages(), std::vector<std::string>{"annotated"});
    }

    void editsLandInTheEventThatAnnouncedThem()
    {
        auto ids = std::make_shared<ir::NodeIds>();
        ir::GraphModule m(ids, "");
        ir::Node* x = m.graph().append({ir::Op::Placeholder, "x", {}, {}, "x"});
        Recorder r({});
        m.setListener(&r);
        const Scope pass = r.open(makeEvent(EventKind::Pass, "annotate"));
        {
            const Scope match = r.open(makeEvent(EventKind::Match, "relu"));
            r.say(makeEvent(EventKind::Annotate, "x"));
            m.graph().setAnnotation(x, std::make_shared<const ir::Annotation>());
        }
        m.graph().setTarget(x, "y"); // the match is over: the pass did this
        const auto& e = r.recording().events;
        QCOMPARE(e[2].edits.size(), std::size_t{1});
        QVERIFY(std::holds_alternative<AnnotationChanged>(e[2].edits[0]));
        QVERIFY(e[1].edits.empty());
        QCOMPARE(e[0].edits.size(), std::size_t{1});
        QVERIFY(e[2].changesSomething() && !e[1].changesSomething());
    }

    void anEditBeforeTheFirstEventIsNotLost()
    {
        auto ids = std::make_shared<ir::NodeIds>();
        ir::GraphModule m(ids, "");
        Recorder r({});
        m.setListener(&r);
        m.graph().append({ir::Op::Placeholder, "x"});
        QCOMPARE(r.recording().events.size(), std::size_t{1});
        QCOMPARE(r.recording().events[0].edits.size(), std::size_t{1});
    }

    void failureIsKeptWithItsPythonName()
    {
        Recorder r({});
        r.fail({base::ErrorCode::ValueError, "two outputs", "node conv2d"});
        const auto recording = r.publish();
        QVERIFY(recording->failure.has_value());
        QCOMPARE(recording->failure->type, std::string("ValueError"));
        QCOMPARE(recording->failure->message, std::string("node conv2d: two outputs"));
        QCOMPARE(recording->events.back().kind, EventKind::Error);
        QCOMPARE(recording->events.back().text("type"), std::string("ValueError"));
    }

    void publishingClosesOpenScopes()
    {
        Recorder r({});
        Scope pass = r.open(makeEvent(EventKind::Pass, "calibrate"));
        Scope batch = r.open(makeEvent(EventKind::Batch, "0"));
        r.say(makeEvent(EventKind::Observe, "o"));
        const auto recording = r.publish();
        QCOMPARE(recording->events[0].last, 2);
        QCOMPARE(recording->events[1].last, 2);
        batch.close(); // after publish: nothing happens
        pass.close();
        QCOMPARE(recording->events.size(), std::size_t{3});
    }

    void sameObserverHasTheSameNumber()
    {
        Recorder r({});
        const ir::Module a;
        const ir::Module b;
        QCOMPARE(r.instanceOf(&a), std::int64_t{0});
        QCOMPARE(r.instanceOf(&b), std::int64_t{1});
        QCOMPARE(r.instanceOf(&a), std::int64_t{0});
    }

    void fieldsAreFoundByName()
    {
        Event e = makeEvent(EventKind::Attempt, "conv");
        e.fields = {{"code", "R6"}, {"found", 2}};
        QCOMPARE(e.text("code"), std::string("R6"));
        QCOMPARE(e.text("found"), std::string()); // there, but no text
        QVERIFY(e.field("found") && !e.field("expected"));
    }
};

QTEST_GUILESS_MAIN(RecorderTest)
#include "tst_recorder.moc"
