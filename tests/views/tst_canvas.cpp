#include "canvas/graph_canvas.h"
#include "canvas/graph_pane.h"

#include "picture/scene.h"
#include "sample_run.h"

#include <QElapsedTimer>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace gb;
using namespace gb::views;

namespace {

PicturePtr grid(int count)
{
    auto picture = std::make_shared<Picture>();
    constexpr int kColumns = 100;
    for (int i = 0; i < count; ++i) {
        NodeItem node;
        node.id = static_cast<ir::NodeId>(i);
        node.name = QStringLiteral("n%1").arg(i);
        node.box = QRectF(i % kColumns * 200.0, i / kColumns * 120.0, 150, 60);
        picture->index[node.id] = picture->nodes.size();
        picture->nodes.push_back(node);
        if (i >= kColumns) {
            EdgeItem edge;
            edge.from = static_cast<ir::NodeId>(i - kColumns);
            edge.to = node.id;
            const QPointF to(node.box.center().x(), node.box.top());
            edge.curve = {to - QPointF(0, 60), to - QPointF(0, 40), to - QPointF(0, 20), to};
            edge.bounds = QRectF(edge.curve.front(), edge.curve.back()).normalized();
            picture->edges.push_back(edge);
        }
    }
    picture->bounds = QRectF(-20, -20, kColumns * 200.0 + 20, (count / kColumns) * 120.0 + 40);
    return picture;
}

} // namespace

class CanvasTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_run = test::makeSampleRun();
        m_scene = makeScene(m_run.recording).value();
        m_camera = std::make_unique<Camera>();
        m_selection = std::make_unique<Selection>();
        m_canvas = std::make_unique<GraphCanvas>(m_camera.get(), m_selection.get());
        m_canvas->resize(900, 700);
        m_canvas->setPicture(picture("annotated"));
        m_canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
    }
    void cleanup() { m_canvas.reset(); }

    void theStartIsReadableAndFitShowsAll()
    {
        const QRectF bounds = m_canvas->picture()->bounds;
        QVERIFY(m_camera->zoom() >= GraphCanvas::kReadable || shows(bounds));
        QVERIFY(shows(m_canvas->picture()->find(m_run.x)->box));
        m_canvas->fitAll();
        QVERIFY(m_camera->zoom() <= 1.0);
        QVERIFY(shows(bounds));
    }

    void aSecondPictureLeavesTheCamera()
    {
        m_camera->set({10, 20}, 0.7);
        m_canvas->setPicture(picture("converted"));
        QCOMPARE(m_camera->center(), QPointF(10, 20));
        QCOMPARE(m_camera->zoom(), 0.7);
    }

    void wheelPansAndCtrlWheelZoomsAtTheCursor()
    {
        const QPointF at(200, 150);
        const QPointF before = m_canvas->toScene(at);
        const double zoom = m_camera->zoom();
        wheel(at, {0, 120}, Qt::ControlModifier);
        QVERIFY(m_camera->zoom() > zoom);
        const QPointF after = m_canvas->toScene(at);
        QVERIFY(std::hypot(after.x() - before.x(), after.y() - before.y()) < 0.01);
        const QPointF center = m_camera->center();
        wheel(at, {0, -120}, Qt::NoModifier);
        QVERIFY(m_camera->center().y() > center.y());
        QCOMPARE(m_camera->center().x(), center.x());
        wheel(at, {0, -120}, Qt::ShiftModifier);
        QVERIFY(m_camera->center().x() > center.x());
    }

    void dragPans()
    {
        const QPointF center = m_camera->center();
        QTest::mousePress(m_canvas.get(), Qt::LeftButton, {}, {5, 5});
        drag({60, 45});
        drag({105, 55});
        QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, {}, {105, 55});
        QVERIFY(m_camera->center().x() < center.x());
    }

    void clickSelectsANode()
    {
        QSignalSpy clicked(m_canvas.get(), &GraphCanvas::nodeClicked);
        click(m_canvas->picture()->find(m_run.relu)->box.center());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(m_selection->current().node, m_run.relu);
        QVERIFY(m_canvas->accessibleDescription().startsWith(QStringLiteral("relu")));
    }

    void clickOnALabelSelectsTheEdge()
    {
        QSignalSpy clicked(m_canvas.get(), &GraphCanvas::labelClicked);
        const NodeItem* conv = m_canvas->picture()->find(m_run.conv);
        click(conv->labels[1].rect.center());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(m_selection->current().label, (ir::Position{m_run.weight, m_run.conv}));
    }

    void clickOnALineSelectsItsLabel()
    {
        const PicturePtr shown = m_canvas->picture();
        for (const EdgeItem& e : shown->edges)
            if (e.from == m_run.conv && e.to == m_run.relu) {
                m_camera->set(e.bounds.center(), 1);
                click(e.bounds.center());
            }
        QCOMPARE(m_selection->current().kind, Selected::Kind::Label);
        QCOMPARE(m_selection->current().label, (ir::Position{m_run.conv, m_run.relu}));
    }

    void clickOnAnObserverSaysSo()
    {
        m_canvas->setPicture(picture("calibrated"));
        QSignalSpy clicked(m_canvas.get(), &GraphCanvas::observerClicked);
        click(m_canvas->picture()->find(m_run.xObserver)->box.center());
        QCOMPARE(clicked.size(), 1);
    }

    void theBadgeAsksWhy()
    {
        QSignalSpy why(m_canvas.get(), &GraphCanvas::whyRequested);
        m_camera->set(m_canvas->picture()->find(m_run.add)->box.center(), 1);
        click(m_canvas->picture()->find(m_run.add)->badgeRect.center());
        QCOMPARE(why.size(), 1);
        QTest::keyClick(m_canvas.get(), Qt::Key_W);
        QCOMPARE(why.size(), 2);
    }

    void arrowsWalkAlongEdges()
    {
        m_selection->selectNode(m_run.conv);
        QTest::keyClick(m_canvas.get(), Qt::Key_Down);
        QCOMPARE(m_selection->current().node, m_run.relu);
        QTest::keyClick(m_canvas.get(), Qt::Key_Up);
        QCOMPARE(m_selection->current().node, m_run.conv);
        m_selection->clear();
        QTest::keyClick(m_canvas.get(), Qt::Key_Right);
        QVERIFY(m_selection->current().node != ir::kNoNode);
    }

    void keysOfTheView()
    {
        m_camera->set({0, 0}, 0.3);
        QTest::keyClick(m_canvas.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(m_camera->zoom(), 1.0);
        QTest::keyClick(m_canvas.get(), Qt::Key_Equal, Qt::ControlModifier);
        QVERIFY(m_camera->zoom() > 1);
        QTest::keyClick(m_canvas.get(), Qt::Key_Minus, Qt::ControlModifier);
        QVERIFY(std::abs(m_camera->zoom() - 1) < 1e-9);
        m_selection->selectNode(m_run.cat);
        QTest::keyClick(m_canvas.get(), Qt::Key_F);
        QCOMPARE(m_camera->center(), m_canvas->picture()->find(m_run.cat)->area().center());
        QTest::keyClick(m_canvas.get(), Qt::Key_Space);
        QCOMPARE(m_camera->center(), m_canvas->picture()->bounds.center());
        QTest::keyClick(m_canvas.get(), Qt::Key_Escape);
        QCOMPARE(m_selection->current().kind, Selected::Kind::Nothing);
        m_selection->selectNode(m_run.cat);
        QSignalSpy activated(m_canvas.get(), &GraphCanvas::nodeActivated);
        QTest::keyClick(m_canvas.get(), Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
    }

    void hoverLightsAndExplains()
    {
        const QPoint at = m_canvas->toWidget(m_canvas->picture()->find(m_run.conv)->labels[0].rect.center()).toPoint();
        const QImage before = m_canvas->grab().toImage();
        QTest::mouseMove(m_canvas.get(), at);
        QVERIFY(m_canvas->grab().toImage() != before);
        QTRY_VERIFY_WITH_TIMEOUT(QToolTip::text().contains(QStringLiteral("input x: int8")), 3000);
    }

    void revealPansOnlyWhenNeeded()
    {
        m_canvas->fitAll();
        const QPointF center = m_camera->center();
        m_canvas->reveal(m_run.conv);
        QCOMPARE(m_camera->center(), center);
        m_camera->set({-5000, -5000}, 1);
        m_canvas->reveal(m_run.conv);
        QCOMPARE(m_camera->center(), m_canvas->picture()->find(m_run.conv)->area().center());
    }

    void canvasesThatShareACameraAreLinked()
    {
        GraphCanvas other(m_camera.get(), m_selection.get());
        other.resize(m_canvas->size());
        m_camera->set({123, 45}, 2);
        QCOMPARE(other.toScene({450, 350}), m_canvas->toScene({450, 350}));
        Camera own;
        other.setCamera(&own);
        m_camera->set({0, 0}, 1);
        QCOMPARE(own.zoom(), 1.0);
    }

    void selectionSurvivesAChangeOfStage()
    {
        m_selection->selectNode(m_run.conv);
        m_canvas->setPicture(picture("converted"));
        QCOMPARE(m_selection->current().node, m_run.conv);
        QVERIFY(m_canvas->accessibleDescription().startsWith(QStringLiteral("conv2d")));
        m_canvas->setPicture(nullptr);
        QVERIFY(m_canvas->accessibleDescription().isEmpty());
        m_canvas->grab();
    }

    void everyThemeAndZoomPaints()
    {
        for (const ThemeKind kind : kThemeKinds)
            for (const double zoom : {0.1, 0.4, 0.8, 1.0, 3.0}) {
                m_canvas->setTheme(kind);
                m_camera->set(m_canvas->picture()->bounds.center(), zoom);
                QVERIFY(!m_canvas->grab().isNull());
            }
    }

    void tenThousandNodesPaintFast()
    {
        m_canvas->setPicture(grid(10000));
        m_camera->set({2000, 2000}, 1);
        m_canvas->grab();
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 10; ++i) {
            m_camera->set({2000.0 + i * 50, 2000}, 1);
            m_canvas->grab();
        }
        QVERIFY2(timer.elapsed() < 2500, qPrintable(QString::number(timer.elapsed())));
    }

    void theGridFindsWhatTouches()
    {
        const PicturePtr p = grid(1000);
        SpatialGrid g;
        QVERIFY(g.nodesIn(p->bounds).empty());
        g.build(*p);
        QCOMPARE(g.nodesIn(p->bounds).size(), std::size_t(1000));
        const auto near = g.nodesIn(QRectF(205, 5, 10, 10));
        QVERIFY(std::find(near.begin(), near.end(), std::size_t(1)) != near.end());
        QVERIFY(near.size() < 60);
        QVERIFY(g.nodesIn(QRectF(-9000, -9000, 10, 10)).empty());
    }

    void theHeaderChoosesAStage()
    {
        GraphPane pane(m_camera.get(), m_selection.get());
        pane.setStages({QStringLiteral("exported"), QStringLiteral("annotated")});
        QCOMPARE(pane.stage(), QString());
        pane.setStage(QStringLiteral("annotated"));
        QCOMPARE(pane.stage(), QStringLiteral("annotated"));
        QSignalSpy chosen(&pane, &GraphPane::stageChosen);
        pane.setStages({QStringLiteral("exported"), QStringLiteral("annotated"), QStringLiteral("prepared")});
        QCOMPARE(pane.stage(), QStringLiteral("annotated"));
        QCOMPARE(chosen.size(), 0);
        auto* box = pane.findChild<QComboBox*>();
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("prepared"));
    }

private:
    PicturePtr picture(const char* stage)
    {
        return makePicture(*m_scene, *test::momentAt(m_run.recording, stage), m_run.recording->stageEvent(stage));
    }

    bool shows(const QRectF& scene) const
    {
        const QRectF seen(m_canvas->toWidget(scene.topLeft()), m_canvas->toWidget(scene.bottomRight()));
        return QRectF(m_canvas->rect()).adjusted(-1, -1, 1, 1).contains(seen);
    }

    void click(QPointF scene)
    {
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, m_canvas->toWidget(scene).toPoint());
    }

    void drag(QPoint to)
    {
        QMouseEvent move(QEvent::MouseMove, to, m_canvas->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(m_canvas.get(), &move);
    }

    void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(at, m_canvas->mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_canvas.get(), &event);
    }

    test::SampleRun m_run;
    ScenePtr m_scene;
    std::unique_ptr<Camera> m_camera;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<GraphCanvas> m_canvas;
};

QTEST_MAIN(CanvasTest)
#include "tst_canvas.moc"
