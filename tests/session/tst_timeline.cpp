#include "small_run.h"
#include "timeline/timeline.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

class TimelineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsStandInOrderInsideTheWidget()
    {
        Session session;
        Timeline line(&session);
        line.resize(800, line.sizeHint().height());
        session.setRecording(test::smallRun());
        double last = -1;
        for (const int step : {0, 1, 8, 9, 11, 12}) {
            const double x = line.positionOf(step);
            QVERIFY2(x > last, qPrintable(QString::number(step)));
            QVERIFY(x > 0 && x < line.width());
            last = x;
        }
    }

    void aClickMovesTheCursorToTheNearestStep()
    {
        Session session;
        Timeline line(&session);
        line.resize(800, line.sizeHint().height());
        session.setRecording(test::smallRun());
        QTest::mouseClick(&line, Qt::LeftButton, {}, QPoint(qRound(line.positionOf(8)) + 1, 10));
        QCOMPARE(session.cursor(), 8);
        QTest::mouseClick(&line, Qt::LeftButton, {}, QPoint(799, 10));
        QCOMPARE(session.cursor(), 12);
    }

    void keysStep()
    {
        Session session;
        Timeline line(&session);
        session.setRecording(test::smallRun());
        QTest::keyClick(&line, Qt::Key_Home);
        QCOMPARE(session.cursor(), 0);
        QTest::keyClick(&line, Qt::Key_Right);
        QCOMPARE(session.cursor(), 1);
        QTest::keyClick(&line, Qt::Key_PageDown);
        QCOMPARE(session.cursor(), 9);
        QTest::keyClick(&line, Qt::Key_Left);
        QCOMPARE(session.cursor(), 8);
        QTest::keyClick(&line, Qt::Key_PageUp);
        QCOMPARE(session.cursor(), 1);
        QTest::keyClick(&line, Qt::Key_End);
        QCOMPARE(session.cursor(), 12);
    }

    void theSentenceIsThereForScreenReaders()
    {
        Session session;
        Timeline line(&session);
        session.setRecording(test::smallRun());
        session.setCursor(8);
        QCOMPARE(line.accessibleDescription(), QStringLiteral("relu happened"));
    }

    void aBreakpointIsADot()
    {
        Session session;
        Timeline line(&session);
        line.resize(640, line.sizeHint().height());
        session.setRecording(test::smallRun());
        const auto reds = [&line] {
            const QImage image = line.grab().toImage();
            const QColor wanted = Theme::of(ThemeKind::Light).ink(Ink::Error);
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixelColor(x, y) == wanted;
            return count;
        };
        QCOMPARE(reds(), 0);
        line.setStops({8});
        QVERIFY(reds() > 4);
        line.setStops({});
        QCOMPARE(reds(), 0);
    }

    void paintsWithoutARecordingAndInEveryTheme()
    {
        Session session;
        Timeline line(&session);
        line.resize(640, line.sizeHint().height());
        QVERIFY(!line.grab().isNull());
        session.setRecording(test::smallRun());
        for (const ThemeKind kind : kThemeKinds) {
            line.setTheme(Theme::of(kind));
            const QImage image = line.grab().toImage();
            QCOMPARE(image.pixelColor(2, 2), Theme::of(kind).ink(Ink::Panel));
            // the cursor is painted where it stands
            bool found = false;
            const int x = qRound(line.positionOf(session.cursor()));
            for (int dx = -1; dx <= 1; ++dx)
                found = found || image.pixelColor(x + dx, image.height() / 2) == Theme::of(kind).ink(Ink::Selection);
            QVERIFY(found);
        }
    }
};

QTEST_MAIN(TimelineTest)
#include "tst_timeline.moc"
