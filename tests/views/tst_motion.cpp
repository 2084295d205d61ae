// How a step is shown: what went fades out, what stays moves where places are new, what came fades in. No test waits:
// the clock is turned by hand.
#include "picture/between.h"
#include "shown.h"

#include <QTest>

#include <cmath>

using namespace gb;
using namespace gb::views;

class MotionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_run = test::makeSampleRun();
        m_scene = makeScene(m_run.recording).value();
        m_wide = test::pictureAt(m_scene, m_run.recording, "prepared");
        const int event = m_run.recording->stageEvent("prepared");
        const ScenePtr compact = makeScene(m_run.recording, {}, {}, {false, event}).value();
        m_compact = test::pictureAt(compact, m_run.recording, "prepared");
    }

    void theWayBeginsAndEndsAtTheTwoPictures()
    {
        const QPointF shift(13, -40);
        const Picture first = between(*m_wide, *m_compact, shift, 0);
        const Picture last = between(*m_wide, *m_compact, shift, 1);
        QVERIFY(first.nodes.size() > 5);
        QCOMPARE(first.nodes.size(), last.nodes.size());
        for (const NodeItem& node : last.nodes) {
            const NodeItem& after = *m_compact->find(node.id);
            QCOMPARE(node.box, after.box);
            QCOMPARE(node.strip, after.strip);
            QCOMPARE(first.find(node.id)->box.topLeft(), m_wide->find(node.id)->box.topLeft() + shift);
        }
    }

    void aBoxMovesAsOne()
    {
        const Picture half = between(*m_wide, *m_compact, {}, 0.5);
        const NodeItem& conv = *half.find(m_run.conv);
        const NodeItem& was = *m_wide->find(m_run.conv);
        const NodeItem& is = *m_compact->find(m_run.conv);
        QVERIFY(was.box.top() > is.box.top()); // it does move
        QCOMPARE(conv.box.topLeft(), (was.box.topLeft() + is.box.topLeft()) / 2);
        QCOMPARE(conv.strip.top(), conv.box.bottom());
        QCOMPARE(conv.texts[0].rect.topLeft() - conv.box.topLeft(), is.texts[0].rect.topLeft() - is.box.topLeft());
        QCOMPARE(conv.labels[0].rect.topLeft() - conv.box.topLeft(), is.labels[0].rect.topLeft() - is.box.topLeft());
    }

    void linesKeepTheirEnds()
    {
        const Picture half = between(*m_wide, *m_compact, {}, 0.5);
        QVERIFY(!half.edges.empty());
        for (const EdgeItem& edge : half.edges) {
            const auto after = std::find_if(m_compact->edges.begin(), m_compact->edges.end(), [&](const EdgeItem& e) {
                return e.from == edge.from && e.to == edge.to && e.argument == edge.argument;
            });
            QVERIFY(after != m_compact->edges.end());
            const auto kept = [&](QPointF now, QPointF then, ir::NodeId node) {
                const QPointF way = half.find(node)->box.topLeft() - m_compact->find(node)->box.topLeft();
                return std::hypot((now - then - way).x(), (now - then - way).y()) < 1e-6;
            };
            QVERIFY(kept(edge.curve.front(), after->curve.front(), edge.from));
            QVERIFY(kept(edge.curve.back(), after->curve.back(), edge.to));
        }
    }

    void whatIsInOnePictureOnlyIsNotOnTheWay()
    {
        const auto annotated = test::pictureAt(m_scene, m_run.recording, "annotated");
        const Picture way = between(*annotated, *m_wide, {}, 0.5);
        QVERIFY(way.find(m_run.conv) && !way.find(m_run.reluObserver));
        for (const EdgeItem& edge : way.edges)
            QVERIFY(way.find(edge.from) && way.find(edge.to));
    }

    void aStepEndsWithTheNewPicture()
    {
        const auto annotated = test::pictureAt(m_scene, m_run.recording, "annotated");
        test::CanvasSetUp shown(annotated, {700, 900});
        GraphCanvas& canvas = shown.canvas;
        prepare(canvas);
        const QImage before = canvas.grab().toImage();
        canvas.setSettings(still());
        canvas.setPicture(m_wide);
        QVERIFY(!canvas.fade().running()); // reduced motion
        const QImage after = canvas.grab().toImage();
        canvas.setPicture(annotated);
        canvas.setSettings({});
        canvas.setPicture(m_wide);
        QVERIFY(canvas.fade().running() && !canvas.fade().moves());
        QCOMPARE(canvas.grab().toImage(), before);
        canvas.fade().advance(StepFade::kOut / 2);
        const QImage going = canvas.grab().toImage();
        canvas.fade().advance(StepFade::kOut / 2 + StepFade::kIn / 2);
        const QImage coming = canvas.grab().toImage();
        QVERIFY(coming != before && coming != after && going != after);
        canvas.fade().advance(StepFade::kIn);
        QVERIFY(!canvas.fade().running());
        QCOMPARE(canvas.grab().toImage(), after);
    }

    void aMoveEndsWithTheNewPicture()
    {
        test::CanvasSetUp shown(m_wide, {700, 900});
        GraphCanvas& canvas = shown.canvas;
        prepare(canvas);
        const QImage before = canvas.grab().toImage();
        const QPointF shift(0, -30);
        shown.camera.set(shown.camera.center() + shift, shown.camera.zoom());
        move(canvas, m_compact, still(), shift);
        QVERIFY(!canvas.fade().running());
        const QImage after = canvas.grab().toImage();
        shown.camera.set(shown.camera.center() - shift, shown.camera.zoom());
        move(canvas, m_wide, still(), -shift);
        shown.camera.set(shown.camera.center() + shift, shown.camera.zoom());
        move(canvas, m_compact, {}, shift);
        QVERIFY(canvas.fade().running() && canvas.fade().moves());
        QCOMPARE(canvas.grab().toImage(), before); // it begins where all stood
        canvas.fade().advance(StepFade::kOut + StepFade::kMove / 2);
        const QImage half = canvas.grab().toImage();
        QVERIFY(half != before && half != after);
        canvas.fade().advance(StepFade::kMove / 2 + StepFade::kIn);
        QVERIFY(!canvas.fade().running());
        QCOMPARE(canvas.grab().toImage(), after);
    }

    void compactModeMovesUnlessMotionIsReduced_data()
    {
        QTest::addColumn<bool>("animate");
        QTest::newRow("animated") << true;
        QTest::newRow("reduced") << false;
    }
    void compactModeMovesUnlessMotionIsReduced()
    {
        QFETCH(bool, animate);
        test::PanesSetUp shown(m_run.recording, m_scene, "exported");
        shown.area.setCanvasSettings({false, true, animate});
        GraphCanvas& canvas = shown.canvas(0);
        int moves = 0;
        connect(&canvas.fade(), &StepFade::frame, &canvas, [&] { moves += canvas.fade().moves() ? 1 : 0; });
        const QRectF wide = canvas.picture()->bounds;
        shown.area.setCompact(true);
        QTRY_VERIFY(canvas.picture()->bounds.height() < wide.height());
        QCOMPARE(moves > 0, animate);
        moves = 0;
        shown.area.setCompact(false);
        QTRY_COMPARE(canvas.picture()->bounds, wide);
        QCOMPARE(moves > 0, animate);
        moves = 0;
        shown.session.toStage(QStringLiteral("prepared")); // places are kept: nothing moves
        QCOMPARE(moves, 0);
    }

private:
    static CanvasSettings still() { return {false, true, false}; }

    /// Shown, with what is painted aside away.
    static void prepare(GraphCanvas& canvas)
    {
        canvas.show();
        QVERIFY(QTest::qWaitForWindowActive(&canvas)); // its focus ring is there from the start
        canvas.fitAll();
        canvas.showMinimap(false);
    }

    static void move(GraphCanvas& canvas, const PicturePtr& to, const CanvasSettings& settings, QPointF shift)
    {
        auto grid = std::make_shared<SpatialGrid>();
        grid->build(*to);
        canvas.setSettings(settings);
        canvas.setPicture(to, grid, shift);
    }

    test::SampleRun m_run;
    ScenePtr m_scene;
    PicturePtr m_wide;
    PicturePtr m_compact;
};

QTEST_MAIN(MotionTest)
#include "tst_motion.moc"
