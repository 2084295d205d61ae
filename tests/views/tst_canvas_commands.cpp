// What a canvas asks of the window, what it hides and brings back, and what it says to a screen reader.
#include "canvas/canvas_accessible.h"
#include "canvas/edge_hint.h"
#include "panes/keep_place.h"
#include "picture_checks.h"
#include "shown.h"
#include "transformer.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace gb;
using namespace gb::views;

class CanvasCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        installCanvasAccessibility();
        qRegisterMetaType<CanvasCommand>();
    }

    void init()
    {
        m_run = test::makeSampleRun();
        m_scene = makeScene(m_run.recording).value();
    }

    void lettersAreCommandsUnlessSwitchedOff()
    {
        test::CanvasSetUp shown(picture("prepared"));
        auto& [camera, selection, canvas] = shown;
        QSignalSpy asked(&canvas, &GraphCanvas::commandRequested);
        for (const Qt::Key key : {Qt::Key_B, Qt::Key_N, Qt::Key_V, Qt::Key_L, Qt::Key_G, Qt::Key_D, Qt::Key_H,
                                  Qt::Key_S, Qt::Key_U, Qt::Key_Question})
            QTest::keyClick(&canvas, key);
        QCOMPARE(asked.size(), 10);
        QCOMPARE(asked.at(1).at(0).value<CanvasCommand>(), CanvasCommand::StepForward);
        canvas.setSettings({false, false, true});
        QTest::keyClick(&canvas, Qt::Key_N);
        selection.selectNode(m_run.relu);
        QTest::keyClick(&canvas, Qt::Key_I);
        QCOMPARE(asked.size(), 10);
        QVERIFY(selection.marked().empty());
        QTest::keyClick(&canvas, Qt::Key_Down); // no letter
        QVERIFY(selection.current().node != m_run.relu);
    }

    void theWheelCanZoom()
    {
        test::CanvasSetUp shown(picture("prepared"), {400, 300});
        auto& [camera, selection, canvas] = shown;
        const double before = camera.zoom();
        const auto turn = [&] {
            QWheelEvent wheel({200, 150}, canvas.mapToGlobal(QPointF(200, 150)), {}, {0, 120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&canvas, &wheel);
        };
        turn();
        QCOMPARE(camera.zoom(), before);
        canvas.setSettings({true, true, true});
        turn();
        QVERIFY(camera.zoom() > before);
    }

    void aClickOnTheChainSelectsTheGroup()
    {
        test::CanvasSetUp shown(picture("annotated"), {1600, 1200});
        auto& [camera, selection, canvas] = shown;
        for (const NodeItem& node : canvas.picture()->nodes)
            for (const LabelItem& label : node.labels)
                if (label.kind == LabelKind::Shared && label.group.number >= 0) {
                    camera.set(label.rect.center(), 1.0);
                    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.toWidget(label.chipRect.center()).toPoint());
                    QCOMPARE(selection.current().kind, Selected::Kind::Group);
                    QCOMPARE(selection.current().group, label.group.number);
                    return;
                }
        QFAIL("no shared label in the sample");
    }

    void arrowsPointToChangesOutOfSight()
    {
        auto shown = std::make_shared<Picture>(*picture("prepared"));
        shown->touched = {m_run.x, m_run.cat};
        const NodeItem& relu = *shown->find(m_run.relu);
        const QRectF view = relu.area().adjusted(-5, -5, 5, 5);
        const std::vector<EdgeHint> hints = edgeHints(*shown, view, {800, 600});
        QVERIFY(!hints.empty());
        int count = 0;
        for (const EdgeHint& hint : hints) {
            count += hint.count;
            QVERIFY(QRectF(0, 0, 800, 600).contains(hint.rect));
            QVERIFY(hint.rect.height() >= 24);
        }
        QCOMPARE(count, 2);
        QVERIFY(edgeHints(*shown, shown->bounds, {800, 600}).empty());
        // the minimap covers none of them
        for (const EdgeHint& hint : hints) {
            const QRectF covered(hint.rect.left() - 10, hint.rect.top() - 10, 800, 600);
            for (const EdgeHint& clear : edgeHints(*shown, view, {800, 600}, covered))
                QVERIFY(!clear.rect.intersects(covered));
        }
    }

    void whatIsLookedAtStaysWhenAllPlacesChange()
    {
        const PicturePtr before = picture("prepared");
        auto after = std::make_shared<Picture>(*before);
        for (NodeItem& node : after->nodes) {
            const QPointF by = node.id == m_run.relu ? QPointF(40, 300) : QPointF(-7, 500);
            node.box.translate(by);
            node.strip.translate(by);
        }
        const QRectF atRelu = before->find(m_run.relu)->area();
        QCOMPARE(keptPlace(*before, *after, atRelu, ir::kNoNode), QPointF(40, 300));
        QCOMPARE(keptPlace(*before, *after, before->bounds, m_run.conv), QPointF(-7, 500)); // what is selected first
        QCOMPARE(keptPlace(*before, *after, atRelu, m_run.conv), QPointF(40, 300));         // unless it is out of sight
        QCOMPARE(keptPlace(*before, Picture(), atRelu, m_run.conv), QPointF());
    }

    void aFoldedNodeIsFollowedToItsModule()
    {
        Picture before;
        NodeItem module;
        module.id = groupId(1);
        module.container = Container::Open;
        module.box = QRectF(0, 0, 300, 900);
        module.strip = QRectF(0, 0, 300, 20);
        NodeItem node;
        node.id = 7;
        node.module = 1;
        node.box = QRectF(50, 600, 100, 40);
        before.nodes = {module, node};
        before.index = {{module.id, 0}, {node.id, 1}};
        Picture after;
        module.container = Container::Folded;
        module.strip = {};
        module.box = QRectF(10, 30, 100, 50);
        after.nodes = {module};
        after.index = {{module.id, 0}};
        QCOMPARE(keptPlace(before, after, node.area(), 7), QPointF(60 - 100, 30 - 600));
    }

    void boxesAreAccessibleChildren()
    {
        test::CanvasSetUp shown(picture("annotated"), {900, 700});
        auto& [camera, selection, canvas] = shown;
        canvas.show();
        QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(&canvas);
        QVERIFY(whole && whole->childCount() == static_cast<int>(canvas.nodesInView().size()));
        const int at = [&] {
            const auto nodes = canvas.nodesInView();
            return static_cast<int>(std::find(nodes.begin(), nodes.end(), m_run.conv) - nodes.begin());
        }();
        QAccessibleInterface* conv = whole->child(at);
        QVERIFY(conv && conv->isValid());
        QVERIFY(conv->text(QAccessible::Name).contains(QStringLiteral("conv2d")));
        QCOMPARE(whole->indexOfChild(conv), at);
        QCOMPARE(conv->parent(), whole);
        const QPoint middle = conv->rect().center();
        QCOMPARE(whole->childAt(middle.x(), middle.y()), conv);
        selection.selectNode(m_run.conv);
        QVERIFY(conv->state().selected);
        QCOMPARE(whole->focusChild(), conv);
        camera.set(QPointF(1e6, 1e6), 1);
        QCOMPARE(whole->childCount(), 0);
        canvas.setPicture(nullptr);
        QVERIFY(!conv->isValid());
    }

    void whatIsHiddenComesBack()
    {
        test::PanesSetUp shown(m_run.recording, m_scene, "annotated");
        auto& [session, selection, area] = shown;
        GraphCanvas* canvas = area.pane(0)->canvas();
        QTRY_VERIFY(canvas->picture() && canvas->picture()->find(m_run.relu));
        selection.selectNode(m_run.relu);
        area.hideChosen();
        QTRY_VERIFY(!canvas->picture()->find(m_run.relu));
        QVERIFY(canvas->picture()->find(m_run.conv));
        QCOMPARE(test::whatIsWrong(*canvas->picture()), QString());
        area.undoView();
        QTRY_VERIFY(canvas->picture()->find(m_run.relu));
        area.redoView();
        QTRY_VERIFY(!canvas->picture()->find(m_run.relu));
        area.unhide();
        QTRY_VERIFY(canvas->picture()->find(m_run.relu));
    }

    void changesSinceTheStageBeforeAreMarked()
    {
        ContentOptions options;
        options.before = test::momentAt(m_run.recording, "annotated");
        const auto shown = picture("prepared", options);
        QCOMPARE(shown->find(m_run.reluObserver)->change, Change::Added);
        QCOMPARE(shown->find(m_run.relu)->change, Change::None);
        options.before = test::momentAt(m_run.recording, "prepared");
        const auto converted = picture("converted", options);
        QCOMPARE(converted->find(m_run.xQuantize)->change, Change::Added);
        const auto has = [&](Change change) {
            return std::any_of(converted->nodes.begin(), converted->nodes.end(),
                               [&](const NodeItem& n) { return n.change == change; });
        };
        QVERIFY(has(Change::Added));
        options.before = test::momentAt(m_run.recording, "exported");
        const auto annotated = picture("annotated", options);
        QCOMPARE(annotated->find(m_run.conv)->change, Change::Changed);
    }

    void largePicturesAreMadeAside()
    {
        const auto large = test::makeTransformer({2000, true, true, -1});
        test::PanesSetUp shown(large, makeScene(large, {}, {}, {true, -1}).value(), "annotated");
        auto& [session, selection, area] = shown;
        QVERIFY(area.busy()); // the call does not wait for it
        QTRY_VERIFY_WITH_TIMEOUT(!area.busy(), 60000);
        GraphCanvas* canvas = area.pane(0)->canvas();
        QVERIFY(canvas->picture()->nodes.size() > 1000);
        QVERIFY(canvas->camera()->zoom() >= GraphCanvas::kOverview);
        // the newest wish wins
        session.toStage(QStringLiteral("exported"));
        session.toStage(QStringLiteral("prepared"));
        QTRY_VERIFY_WITH_TIMEOUT(!area.busy(), 60000);
        QCOMPARE(canvas->picture()->event, large->stageEvent("prepared"));
    }

    void aStoppedPictureIsNone()
    {
        std::stop_source source;
        source.request_stop();
        ContentOptions options;
        options.stop = source.get_token();
        QVERIFY(!picture("prepared", options));
    }

private:
    PicturePtr picture(const char* stage, const ContentOptions& options = {}) const
    {
        return test::pictureAt(m_scene, m_run.recording, stage, options);
    }

    test::SampleRun m_run;
    ScenePtr m_scene;
};

QTEST_MAIN(CanvasCommandsTest)
#include "tst_canvas_commands.moc"
