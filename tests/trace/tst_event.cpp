// Events: the words of their kinds, their fields, and whether they change something.
#include "trace/event.h"
#include "trace/recording.h"

#include <QTest>

#include <set>

using namespace gb;
using trace::Event;
using trace::EventKind;

class EventTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasAWordOfItsOwn()
    {
        std::set<std::string> words;
        for (int i = 0; i <= static_cast<int>(EventKind::Note); ++i) {
            const auto kind = static_cast<EventKind>(i);
            const char* word = trace::name(kind);
            QVERIFY2(words.insert(word).second, word);
            QCOMPARE(trace::eventKindFromName(word), std::optional(kind));
        }
        QCOMPARE(trace::eventKindFromName("nothing"), std::optional<EventKind>());
        QCOMPARE(trace::eventKindFromName(""), std::optional<EventKind>());
    }

    void fieldsAreFoundByName()
    {
        Event e;
        e.fields = {{"code", ir::Argument("R5")}, {"count", ir::Argument(3)}};
        QCOMPARE(e.text("code"), std::string("R5"));
        QCOMPARE(e.text("count"), std::string()); // a number is no text
        QCOMPARE(e.text("other"), std::string());
        QVERIFY(e.field("count") && *e.field("count")->as<std::int64_t>() == 3);
        QVERIFY(!e.field("other"));
    }

    void whatStepsShowIsWhatChangesSomething()
    {
        Event e;
        e.kind = EventKind::Attempt;
        QVERIFY(!e.changesSomething());
        e.edits.push_back(trace::NodeErased{"", 1});
        QVERIFY(e.changesSomething());
        e.edits.clear();
        e.record = std::make_shared<const trace::ObserverRecord>();
        QVERIFY(e.changesSomething());
        e.record.reset();
        for (const EventKind kind : {EventKind::Stage, EventKind::Error, EventKind::Compare}) {
            e.kind = kind;
            QVERIFY(e.changesSomething());
        }
        for (const EventKind kind : {EventKind::Rule, EventKind::Match, EventKind::Group, EventKind::Share}) {
            e.kind = kind;
            QVERIFY(!e.changesSomething());
        }
    }

    void stagesAreThoseOfTheTopGraph()
    {
        trace::Recording recording;
        const auto stage = [&](const char* name, const char* graph) {
            Event e;
            e.kind = EventKind::Stage;
            e.name = name;
            e.graph = graph;
            recording.events.push_back(e);
        };
        stage("exported", "");
        stage("annotated", "body");
        stage("annotated", "");
        QCOMPARE(recording.stageEvent("annotated"), 2);
        QCOMPARE(recording.stageEvent("converted"), -1);
        QCOMPARE(recording.stages(), (std::vector<std::string>{"exported", "annotated"}));
    }
};

QTEST_GUILESS_MAIN(EventTest)
#include "tst_event.moc"
