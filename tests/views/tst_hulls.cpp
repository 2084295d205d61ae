// Sharing groups as hulls: whom they hold, and that they are seen.
#include "shown.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

LabelItem labelOf(int group, int size, const QRectF& rect)
{
    LabelItem out;
    out.group = {group, size, true};
    out.rect = rect;
    return out;
}

/// Two labels of group 3 far apart, one of a group of its own, and a box between the two.
Picture apart()
{
    Picture picture;
    for (const auto& [x, group, size] : {std::tuple(0.0, 3, 2), std::tuple(400.0, 3, 2), std::tuple(200.0, 4, 1)}) {
        NodeItem node;
        node.id = static_cast<ir::NodeId>(picture.nodes.size());
        node.box = QRectF(x, 0, 100, 40);
        node.labels.push_back(labelOf(group, size, QRectF(x, 40, 100, 14)));
        picture.nodes.push_back(node);
    }
    return picture;
}

} // namespace

class HullsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHullHoldsItsMembersAndTheWayBetweenThem()
    {
        const std::vector<Hull> hulls = hullsOf(apart());
        QCOMPARE(hulls.size(), std::size_t{1}); // a label that shares with nobody has none
        QCOMPARE(hulls[0].group, 3);
        QCOMPARE(hulls[0].members.size(), std::size_t{2});
        for (const QRectF& member : hulls[0].members)
            QVERIFY(hulls[0].outline.contains(member));
        QVERIFY(hulls[0].outline.contains(QPointF(250, 47)));
        QVERIFY(!hulls[0].outline.contains(QPointF(250, 20))); // the node between them is no member
        QVERIFY(hulls[0].bounds.contains(QRectF(0, 40, 500, 14)));
    }

    void anObserverIsAMemberAndAGhostIsNone()
    {
        Picture picture = apart();
        picture.nodes[2].labels.clear();
        picture.nodes[2].group = 3;
        QCOMPARE(hullsOf(picture)[0].members.size(), std::size_t{3});
        picture.nodes[2].ghost = true;
        QCOMPARE(hullsOf(picture)[0].members.size(), std::size_t{2});
        picture.nodes[1].ghost = true;
        QVERIFY(hullsOf(picture).empty());
    }

    void manyMembersStillGiveOneShape()
    {
        Picture picture;
        for (int i = 0; i < 60; ++i) {
            NodeItem node;
            node.labels.push_back(labelOf(1, 60, QRectF(i * 120.0, 0, 100, 14)));
            picture.nodes.push_back(node);
        }
        const std::vector<Hull> hulls = hullsOf(picture);
        QCOMPARE(hulls.size(), std::size_t{1});
        QVERIFY(hulls[0].outline.contains(QPointF(59 * 120.0 + 50, 7)));
    }

    void aModuleDoesNotCoverThem()
    {
        Picture picture = apart();
        NodeItem module;
        module.id = groupId(1);
        module.container = Container::Open;
        module.box = QRectF(-50, -50, 700, 200);
        picture.nodes.insert(picture.nodes.begin(), module);
        picture.bounds = module.box;
        const std::vector<Hull> hulls = hullsOf(picture);
        const Theme& theme = Theme::of(ThemeKind::Light);
        QImage image(picture.bounds.size().toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.translate(-picture.bounds.topLeft());
        PaintOptions options;
        options.hulls = &hulls;
        paint(painter, picture, theme, options);
        painter.end();
        const auto at = [&](double x, double y) {
            return image.pixelColor((QPointF(x, y) - picture.bounds.topLeft()).toPoint());
        };
        QVERIFY(at(350, 47) != at(350, 90)); // the band between the members, and the module's own fill
    }

    void aNameIsPartOfItsHull()
    {
        const Hull hull = hullsOf(apart())[0];
        QVERIFY(hull.bounds.right() > hull.outline.boundingRect().left() + 100);
        QVERIFY(hull.bounds.contains(hull.outline.boundingRect()));
        Picture narrow = apart();
        narrow.nodes[1].labels[0].rect.moveTo(0, 400); // below: the name stands right of both
        const Hull tall = hullsOf(narrow)[0];
        QVERIFY(tall.bounds.right() > tall.outline.boundingRect().right() + 20);
    }

    void theCanvasShowsThemWhenAsked()
    {
        const test::SampleRun run = test::makeSampleRun();
        const ScenePtr scene = makeScene(run.recording).value();
        test::CanvasSetUp shown(test::pictureAt(scene, run.recording, "annotated"), {800, 600});
        auto& [camera, selection, canvas] = shown;
        QVERIFY(canvas.hulls().empty());
        canvas.fitAll();
        const QImage before = canvas.grab().toImage();
        canvas.showHulls(true);
        QVERIFY(!canvas.hulls().empty());
        QVERIFY(canvas.grab().toImage() != before);
        canvas.setPicture(test::pictureAt(scene, run.recording, "exported"));
        QVERIFY(canvas.hulls().empty()); // no labels yet
        canvas.setPicture(test::pictureAt(scene, run.recording, "annotated"));
        QVERIFY(!canvas.hulls().empty());
        canvas.showHulls(false);
        QCOMPARE(canvas.grab().toImage(), before);
    }
};

QTEST_MAIN(HullsTest)
#include "tst_hulls.moc"
