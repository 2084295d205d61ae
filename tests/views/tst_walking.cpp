// Tracing, walking, bookmarks, folding and the outline: how one gets around in a graph.
#include "canvas/neighbourhood.h"
#include "canvas/outline_model.h"
#include "canvas/view_history.h"
#include "shown.h"
#include "transformer.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace gb;
using namespace gb::views;

class WalkingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_run = test::makeSampleRun();
        m_scene = makeScene(m_run.recording).value();
        m_picture = makePicture(*m_scene, *test::momentAt(m_run.recording, "exported"),
                                m_run.recording->stageEvent("exported"));
        m_large = test::makeTransformer({320, true, true, -1});
    }

    void stepsGoAlongLines()
    {
        QCOMPARE(within(*m_picture, {m_run.relu}, Direction::Up, 1), (NodeSet{m_run.relu, m_run.conv}));
        QCOMPARE(within(*m_picture, {m_run.relu}, Direction::Down, 1), (NodeSet{m_run.relu, m_run.add}));
        QCOMPARE(within(*m_picture, {m_run.relu}, Direction::Both, 0), NodeSet{m_run.relu});
    }

    void tracingGoesToTheEnds()
    {
        QCOMPARE(reachable(*m_picture, {m_run.conv}, Direction::Up),
                 (NodeSet{m_run.conv, m_run.x, m_run.weight, m_run.bias}));
        const NodeSet down = reachable(*m_picture, {m_run.conv}, Direction::Down);
        QVERIFY(down.contains(m_run.output) && down.contains(m_run.cat) && !down.contains(m_run.x));
    }

    void siblingsGoAround()
    {
        const NodeItem* first = m_picture->find(m_run.x);
        const NodeItem* second = sibling(*m_picture, *first, true);
        QVERIFY(second && second != first);
        QCOMPARE(sibling(*m_picture, *second, false), first);
    }

    void anOpenModuleStandsForWhatIsInIt()
    {
        const auto scene = makeScene(m_large, {}, {}, {true, -1}).value();
        const auto p = makePicture(*scene, *test::momentAt(m_large, "exported"), m_large->stageEvent("exported"));
        const int mlp = moduleTree(*scene).find("layers.3.mlp");
        const NodeSet around = within(*p, {groupId(mlp)}, Direction::Both, 0);
        QVERIFY(around.size() > 10);
        for (const NodeItem& node : p->nodes)
            if (node.module == mlp)
                QVERIFY(around.contains(node.id));
    }

    void historyGoesBackAndForward()
    {
        ViewHistory h;
        const View a{{1, 1}, 1, 1};
        const View b{{2, 2}, 2, 2};
        const View c{{3, 3}, 3, 3};
        QVERIFY(!h.back(a));
        h.leave(a);
        h.leave(b);
        QCOMPARE(h.back(c), b);
        QCOMPARE(h.back(b), a);
        QVERIFY(!h.back(a));
        QCOMPARE(h.forward(a), b);
        QCOMPARE(h.forward(b), c);
        QVERIFY(!h.forward(c));
        h.back(c);
        h.leave(a); // what lay ahead is forgotten
        QVERIFY(!h.forward(a));
    }

    void bookmarksHaveNumbers()
    {
        ViewHistory h;
        for (int i = 1; i <= 9; ++i)
            QCOMPARE(h.bookmark({{double(i), 0}, 1, 0}), i);
        QCOMPARE(h.bookmark({{10, 0}, 1, 0}), 1); // the oldest makes room
        QCOMPARE(h.bookmarked(1)->center.x(), 10.0);
        QCOMPARE(h.bookmarked(2)->center.x(), 2.0);
        QVERIFY(!h.bookmarked(0) && !h.bookmarked(10));
    }

    void theOutlineIsATreeOfModules()
    {
        const auto scene = makeScene(m_large).value();
        OutlineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setGraph(scene, test::momentAt(m_large, "prepared")->graphs.at(""));
        QCOMPARE(model.rowCount(), 3); // x, the layers, output
        const QModelIndex layers = model.index(1, 0);
        QCOMPARE(layers.data().toString(), QStringLiteral("layers.0 … 9"));
        QCOMPARE(layers.siblingAtColumn(1).data().toString(), QStringLiteral("DecoderLayer × 10"));
        QCOMPARE(model.rowCount(layers), 10);
        const trace::MomentPtr prepared = test::momentAt(m_large, "prepared");
        const ir::Node* add = prepared->top().graph->find("add_3");
        const QModelIndex row = model.indexOfNode(add->id());
        QCOMPARE(model.nodeAt(row), add->id());
        QCOMPARE(row.parent().data().toString(), QStringLiteral("layers.1"));
        QVERIFY(row.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("aten.add.Tensor")));
        model.setGraph(nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void theOutlineStaysWhereAStepAddsNoNode()
    {
        const trace::RecordingPtr run = test::makeTransformer({320, true, true, -1, true});
        const auto scene = makeScene(run).value();
        OutlineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setGraph(scene, test::momentAt(run, "exported")->graphs.at(""));
        QCOMPARE(resets.count(), 1);
        const int rows = model.rowCount();
        model.setGraph(scene, test::momentAt(run, "annotated")->graphs.at("")); // labels alone
        QCOMPARE(resets.count(), 1);
        const ir::NodeId observer =
            test::momentAt(run, "prepared")->top().graph->find("activation_post_process_0")->id();
        QVERIFY(!model.indexOfNode(observer).isValid());
        model.setGraph(scene, test::momentAt(run, "prepared")->graphs.at(""));
        QCOMPARE(resets.count(), 2);
        QCOMPARE(model.indexOfNode(observer).data().toString(), QStringLiteral("activation_post_process_0"));
        QCOMPARE(model.rowCount(), rows);
    }

    void doubleClickUnfoldsInPlace()
    {
        test::PanesSetUp shown(m_large, makeScene(m_large).value(), "annotated");
        auto& [session, selection, area] = shown;
        GraphCanvas* canvas = area.pane(0)->canvas();
        const ir::NodeId layers = groupId(group(area, "layers.0…layers.9"));
        const auto box = [&] { return canvas->picture()->find(layers)->box; };
        const QPointF before = canvas->toWidget(box().topLeft());
        QTest::mouseDClick(canvas, Qt::LeftButton, {}, canvas->toWidget(box().center()).toPoint());
        QTRY_COMPARE(canvas->picture()->find(layers)->container, Container::Open);
        const QPointF after = canvas->toWidget(box().topLeft());
        QVERIFY(std::abs(before.y() - after.y()) < 1); // the camera goes along
        // linked: the other pane is folded alike
        QCOMPARE(area.pane(1)->canvas()->picture()->find(layers)->container, Container::Open);
        selection.selectNode(layers);
        QTest::keyClick(canvas, Qt::Key_Return);
        QTRY_COMPARE(canvas->picture()->find(layers)->container, Container::Folded);
    }

    void aSearchOpensTheModulesAround()
    {
        test::PanesSetUp shown(m_large, makeScene(m_large).value(), "annotated");
        auto& [session, selection, area] = shown;
        const ir::NodeId add = session.moment()->top().graph->find("add_5")->id();
        QVERIFY(!area.pane(0)->canvas()->picture()->find(add));
        area.showNode(add);
        QTRY_VERIFY(area.pane(0)->canvas()->picture()->find(add));
        QCOMPARE(selection.current().node, add);
        selection.selectNode(add);
        QTest::keyClick(area.pane(0)->canvas(), Qt::Key_Backspace);
        QCOMPARE(selection.current().node, groupId(group(area, "layers.2")));
    }

    void foldingCanBeUnlinked()
    {
        test::PanesSetUp shown(m_large, makeScene(m_large).value(), "annotated");
        auto& [session, selection, area] = shown;
        area.setFoldsLinked(false);
        const int layers = group(area, "layers.0…layers.9");
        area.foldState(1)->toggle(layers);
        QTRY_COMPARE(area.pane(1)->canvas()->picture()->find(groupId(layers))->container, Container::Open);
        QCOMPARE(area.pane(0)->canvas()->picture()->find(groupId(layers))->container, Container::Folded);
    }

    void theStartViewFollowsTheNumberOfPanes()
    {
        test::PanesSetUp shown(m_run.recording, m_scene, "annotated");
        auto& [session, selection, area] = shown;
        const auto middle = [&] {
            const GraphCanvas& canvas = shown.canvas(0);
            return std::abs(canvas.toWidget(canvas.picture()->find(m_run.x)->box.center()).x() - canvas.width() / 2.0)
                   < canvas.width() / 4.0;
        };
        QTRY_VERIFY(middle());
        area.setPaneCount(4);
        QTRY_VERIFY(shown.canvas(0).width() < 320 && shown.canvas(3).picture());
        QTRY_VERIFY(middle());
        shown.canvas(0).camera()->set(QPointF(-500, 0), 1); // somebody looks elsewhere
        area.setPaneCount(1);
        QTRY_VERIFY(shown.canvas(0).width() > 1000);
        QCOMPARE(shown.canvas(0).camera()->center(), QPointF(-500, 0));
    }

    void compactKeepsNoRoomForWhatIsGone()
    {
        test::PanesSetUp shown(m_run.recording, m_scene, "exported");
        auto& [session, selection, area] = shown;
        const QRectF wide = area.pane(0)->canvas()->picture()->bounds;
        area.setCompact(true);
        QTRY_VERIFY(area.pane(0)->canvas()->picture()->bounds.height() < wide.height());
        area.setCompact(false);
        QTRY_COMPARE(area.pane(0)->canvas()->picture()->bounds, wide);
    }

    void keysMarkAndFade()
    {
        test::CanvasSetUp shown(m_picture, {800, 600});
        auto& [camera, selection, canvas] = shown;
        selection.selectNode(m_run.relu);
        QTest::keyClick(&canvas, Qt::Key_I);
        QCOMPARE(selection.marked(), (NodeSet{m_run.relu, m_run.conv}));
        QTest::keyClick(&canvas, Qt::Key_O, Qt::ShiftModifier);
        QVERIFY(selection.marked().contains(m_run.output));
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(selection.marked().empty());
        selection.selectNode(m_run.output);
        const QImage plain = canvas.grab().toImage();
        QTest::keyClick(&canvas, Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(canvas.focusMode());
        QVERIFY(canvas.grab().toImage() != plain);
    }

    void rectanglesZoomAndMark()
    {
        test::CanvasSetUp shown(m_picture, {800, 600});
        auto& [camera, selection, canvas] = shown;
        canvas.show();
        const QRectF relu = m_picture->find(m_run.relu)->area();
        const auto drag = [&](Qt::KeyboardModifiers modifiers) {
            const QPoint a = canvas.toWidget(relu.topLeft()).toPoint() - QPoint(4, 4);
            const QPoint b = canvas.toWidget(relu.bottomRight()).toPoint() + QPoint(4, 4);
            for (const auto& [type, at, button, held] :
                 {std::tuple{QEvent::MouseButtonPress, a, Qt::LeftButton, Qt::LeftButton},
                  std::tuple{QEvent::MouseMove, b, Qt::NoButton, Qt::LeftButton},
                  std::tuple{QEvent::MouseButtonRelease, b, Qt::LeftButton, Qt::NoButton}}) {
                QMouseEvent event(type, QPointF(at), canvas.mapToGlobal(QPointF(at)), button, held, modifiers);
                QCoreApplication::sendEvent(&canvas, &event);
            }
        };
        drag(Qt::ShiftModifier);
        QVERIFY(selection.marked().contains(m_run.relu));
        QVERIFY(!selection.marked().contains(m_run.x));
        const double before = camera.zoom();
        drag(Qt::ControlModifier);
        QVERIFY(camera.zoom() > 1.5 * before);
        QVERIFY(std::abs(camera.center().x() - relu.center().x()) < 20);
        QTest::keyClick(&canvas, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(camera.zoom(), before);
    }

    void theMinimapLooksAround()
    {
        test::CanvasSetUp shown(m_picture, {800, 600});
        auto& [camera, selection, canvas] = shown;
        canvas.show();
        QTest::keyClick(&canvas, Qt::Key_M);
        auto* map = canvas.findChild<Minimap*>();
        QVERIFY(map->isVisible());
        const QPoint spot(map->width() / 2, map->height() - 12);
        QTest::mouseClick(map, Qt::LeftButton, {}, spot);
        QVERIFY(QLineF(camera.center(), map->toScene(spot)).length() < 1);
    }

private:
    static int group(const PaneArea& area, const char* key) { return moduleTree(*area.scene()).find(key); }

    test::SampleRun m_run;
    ScenePtr m_scene;
    PicturePtr m_picture;
    trace::RecordingPtr m_large;
};

QTEST_MAIN(WalkingTest)
#include "tst_walking.moc"
