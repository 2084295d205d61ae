#include "session/session.h"
#include "small_run.h"

#include <QSignalSpy>
#include <QTest>

using namespace gb;
using gb::views::Session;

class SessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutARecordingThereIsNothingToStepThrough()
    {
        Session s;
        s.stepForward();
        s.toLast();
        QCOMPARE(s.cursor(), -1);
        QVERIFY(!s.current() && !s.canStepBack() && !s.canStepForward());
        QVERIFY(s.moment());
        QCOMPARE(s.moment()->top().graph->size(), std::size_t{0});
        QVERIFY(!s.momentOfStage(QStringLiteral("annotated")));
    }

    void opensOnTheStageThatIsAskedForOrAtTheEnd()
    {
        Session s;
        s.setRecording(test::smallRun(), QStringLiteral("annotated"));
        QCOMPARE(s.cursor(), 9);
        s.setRecording(test::smallRun(), QStringLiteral("converted"));
        QCOMPARE(s.cursor(), 12);
    }

    void stepsStopOnlyWhereSomethingChanged()
    {
        Session s;
        s.setRecording(test::smallRun());
        s.toFirst();
        QList<int> seen{s.cursor()};
        while (s.canStepForward()) {
            s.stepForward();
            seen << s.cursor();
        }
        QCOMPARE(seen, (QList<int>{0, 1, 8, 9, 11, 12}));
        QList<int> back;
        while (s.canStepBack()) {
            s.stepBack();
            back << s.cursor();
        }
        QCOMPARE(back, (QList<int>{11, 9, 8, 1, 0}));
        QCOMPARE(s.stepCount(), 6);
        QCOMPARE(s.stepNumber(), 1);
    }

    void inertEventsAreStoppedAtWhenWanted()
    {
        Session s;
        s.setRecording(test::smallRun());
        s.setStepInert(true);
        QCOMPARE(s.stepCount(), 13);
        s.setCursor(3);
        s.stepForward();
        QCOMPARE(s.cursor(), 4);
        s.setStepInert(false);
        s.stepForward();
        QCOMPARE(s.cursor(), 8);
    }

    void overAndOutLeaveScopes()
    {
        Session s;
        s.setRecording(test::smallRun());
        s.setCursor(2); // the annotate pass
        s.stepOver();
        QCOMPARE(s.cursor(), 9);
        s.setCursor(8); // inside match, inside rule
        s.stepOut();
        QCOMPARE(s.cursor(), 9);
        s.setCursor(4); // an attempt: out of the rule conv
        s.stepOut();
        QCOMPARE(s.cursor(), 8);
    }

    void intoEntersAScopeThatHasNoEffectAndWalksThroughIt()
    {
        Session s;
        s.setRecording(test::smallRun());
        s.setCursor(3); // the rule conv: nothing in it has an effect
        s.stepInto();
        QCOMPARE(s.cursor(), 4);
        s.stepInto();
        QCOMPARE(s.cursor(), 5);
        s.stepInto(); // its end: the next stop
        QCOMPARE(s.cursor(), 8);
        s.setCursor(2); // what has an effect comes first, the rest stays folded
        s.stepInto();
        QCOMPARE(s.cursor(), 8);
        s.toLast();
        QVERIFY(!s.canStepInto());
        s.stepInto();
        QCOMPARE(s.cursor(), 12);
    }

    void intoGoesInsideAnEventAndOutOfItAgain()
    {
        Session s;
        s.setRecording(test::observedRun());
        QSignalSpy inner(&s, &Session::innerChanged);
        s.setCursor(1); // the observer's second update
        QCOMPARE(s.inside().size(), std::size_t{2});
        QCOMPARE(s.sentence(), QStringLiteral("second happened"));
        s.stepInto();
        QCOMPARE(s.cursor(), 1);
        QCOMPARE(s.inner(), 0);
        QCOMPARE(s.sentence(), QStringLiteral("min moves from 0 to -1"));
        s.stepOver(); // the next line of the same place
        QCOMPARE(s.inner(), 1);
        s.stepBack();
        QCOMPARE(s.inner(), 0);
        s.stepBack();
        QCOMPARE(s.inner(), -1);
        QCOMPARE(s.cursor(), 1);
        QCOMPARE(inner.count(), 4);
        s.stepInto();
        s.stepOut();
        QCOMPARE(s.cursor(), 2);
        QCOMPARE(s.inner(), -1);
        s.setCursor(1);
        s.setInner(7); // there is none
        QCOMPARE(s.inner(), -1);
        s.setInner(1);
        s.stepInto(); // nothing is left inside
        QCOMPARE(s.cursor(), 2);
        QVERIFY(s.inside().empty());
    }

    void stagesAreReachedInBothDirections()
    {
        Session s;
        s.setRecording(test::smallRun());
        s.toPreviousStage();
        QCOMPARE(s.cursor(), 9);
        s.toPreviousStage();
        QCOMPARE(s.cursor(), 1);
        s.toPreviousStage();
        QCOMPARE(s.cursor(), 1);
        s.toNextStage();
        QCOMPARE(s.cursor(), 9);
        s.toStage(QStringLiteral("prepared"));
        QCOMPARE(s.cursor(), 12);
        s.toStage(QStringLiteral("no such stage"));
        QCOMPARE(s.cursor(), 12);
        QCOMPARE(s.stageAt(11), QStringLiteral("annotated"));
        QCOMPARE(s.stageAt(0), QString());
    }

    void momentsShowTheGraphAtTheCursor()
    {
        Session s;
        s.setRecording(test::smallRun());
        QCOMPARE(s.moment()->top().graph->size(), std::size_t{3});
        s.setCursor(1);
        QCOMPARE(s.moment()->top().graph->size(), std::size_t{2});
        QVERIFY(!s.moment()->top().graph->find("relu")->isAnnotated());
        QVERIFY(s.momentOfStage(QStringLiteral("annotated"))->top().graph->find("relu")->isAnnotated());
        QCOMPARE(s.cursor(), 1);
    }

    void changesAreTold()
    {
        Session s;
        QSignalSpy recordings(&s, &Session::recordingChanged);
        QSignalSpy cursors(&s, &Session::cursorChanged);
        s.setRecording(test::smallRun());
        QCOMPARE(recordings.count(), 1);
        QCOMPARE(cursors.count(), 1);
        s.setCursor(12); // it is there already
        QCOMPARE(cursors.count(), 1);
        s.setCursor(1000);
        QCOMPARE(s.cursor(), 12);
        s.setCursor(-5);
        QCOMPARE(s.cursor(), -1);
        QCOMPARE(cursors.count(), 2);
    }

    void aBrokenRecordingIsSaidAndDoesNotStopTheProgram()
    {
        trace::Recording broken;
        trace::Event e = test::made(trace::EventKind::Rewrite, "rewrite");
        e.edits.push_back(trace::NodeErased{"", 5});
        broken.events.push_back(e);
        Session s;
        QSignalSpy failed(&s, &Session::failed);
        s.setRecording(std::make_shared<const trace::Recording>(broken));
        QVERIFY(s.moment());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("event 0")));
    }

    void stagesHaveTitles()
    {
        QCOMPARE(views::stageNames().size(), 6);
        QCOMPARE(views::stageTitle(QStringLiteral("folded")), QStringLiteral("BN folded"));
        QCOMPARE(views::stageTitle(QStringLiteral("other")), QStringLiteral("other"));
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
