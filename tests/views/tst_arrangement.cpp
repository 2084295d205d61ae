#include "layout/arrangement.h"

#include "layout/ports.h"
#include "picture/scene.h"
#include "picture_checks.h"
#include "sample_run.h"
#include "transformer.h"

#include <QTest>

#include <cmath>

using namespace gb;
using namespace gb::views;

namespace {

PicturePtr pictureOf(const trace::RecordingPtr& recording, const Scene& scene, const char* stage,
                     const ArrangementPtr& at = {})
{
    ContentOptions options;
    options.arrangement = at;
    return makePicture(scene, *test::momentAt(recording, stage), recording->stageEvent(stage), options);
}

const NodeItem* byName(const Picture& picture, const char* name)
{
    for (const NodeItem& node : picture.nodes)
        if (node.name == QString::fromUtf8(name))
            return &node;
    return nullptr;
}

} // namespace

class ArrangementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void relationsHoldUnfolded_data()
    {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<bool>("modules");
        QTest::newRow("modules") << 300 << true;
        QTest::newRow("flat") << 300 << false;
        QTest::newRow("10,000 nodes") << 10000 << true;
        QTest::newRow("10,000 nodes, flat") << 10000 << false;
    }
    void relationsHoldUnfolded()
    {
        QFETCH(int, nodes);
        QFETCH(bool, modules);
        const auto recording = test::makeTransformer({nodes, true, modules, -1});
        const auto scene = makeScene(recording, {}, {}, {true, -1});
        QVERIFY(scene.ok());
        for (const char* stage : nodes > 1000 ? std::vector{"prepared"} : std::vector{"exported", "prepared"}) {
            const PicturePtr p = pictureOf(recording, **scene, stage);
            QVERIFY(p->nodes.size() > static_cast<std::size_t>(nodes) * 9 / 10);
            QCOMPARE(test::whatIsWrong(*p), QString());
        }
    }

    void twentyThousandNodesAreFewBoxesAtFirst()
    {
        const auto recording = test::makeTransformer({20000, true, true, -1});
        const auto scene = makeScene(recording).value();
        const PicturePtr p = pictureOf(recording, *scene, "prepared");
        QVERIFY(p->nodes.size() <= kFirstBoxes);
        QCOMPARE(test::whatIsWrong(*p), QString());
        const NodeItem* layers = byName(*p, "layers.0 … 624");
        QVERIFY(layers);
        QCOMPARE(layers->container, Container::Folded);
        QVERIFY(layers->tooltip.contains(QStringLiteral("8750 obs")));
    }

    void anOddLayerBreaksTheFold()
    {
        const auto recording = test::makeTransformer({640, true, true, 9});
        const auto scene = makeScene(recording).value();
        const PicturePtr p = pictureOf(recording, *scene, "prepared");
        QVERIFY(byName(*p, "layers.0 … 8"));
        QVERIFY(byName(*p, "layers.9"));
        QVERIFY(byName(*p, "layers.10 … 19"));
    }

    void unfoldingShowsWhatIsInside()
    {
        const auto recording = test::makeTransformer({640, true, true, -1});
        const auto scene = makeScene(recording).value();
        const ModuleTree& tree = moduleTree(*scene);
        Folding folding = firstArrangement(*scene)->folding;
        const int repeat = tree.find("layers.0…layers.19");
        const int layer = tree.find("layers.3");
        QVERIFY(repeat > 0 && layer > 0);
        folding.unfolded[static_cast<std::size_t>(repeat)] = true;
        folding.unfolded[static_cast<std::size_t>(layer)] = true;
        const auto at = arrange(*scene, folding);
        QVERIFY(at.ok());
        const PicturePtr p = pictureOf(recording, *scene, "prepared", *at);
        QCOMPARE(test::whatIsWrong(*p), QString());
        QCOMPARE(p->find(groupId(layer))->container, Container::Open);
        QCOMPARE(p->find(groupId(tree.find("layers.4")))->container, Container::Folded);
        QVERIFY(byName(*p, "add_6"));
        QVERIFY(!byName(*p, "add_8"));
        QCOMPARE(byName(*p, "add_6")->module, layer);
    }

    void linesOfAFoldedModuleStandForItsValues()
    {
        const auto recording = test::makeTransformer({96, true, true, -1});
        const auto scene = makeScene(recording).value();
        const ModuleTree& tree = moduleTree(*scene);
        Folding folding = allUnfolded(tree);
        const int mlp = tree.find("layers.1.mlp");
        QVERIFY(mlp > 0);
        folding.unfolded[static_cast<std::size_t>(mlp)] = false;
        const PicturePtr p = pictureOf(recording, *scene, "exported", arrange(*scene, folding).value());
        int into = 0;
        int outOf = 0;
        for (const EdgeItem& e : p->edges) {
            into += e.to == groupId(mlp);
            outOf += e.from == groupId(mlp);
            if (e.to == groupId(mlp))
                QCOMPARE(e.values, 2); // gate and up take the same value
        }
        QCOMPARE(into, 1);
        QCOMPARE(outOf, 1);
    }

    void constantsStandBesideTheirUser()
    {
        const auto run = test::makeSampleRun();
        const auto scene = makeScene(run.recording).value();
        const PicturePtr p = pictureOf(run.recording, *scene, "prepared");
        const QRectF conv = p->find(run.conv)->box;
        const QRectF weight = p->find(run.weight)->box;
        const QRectF observer = p->find(run.weightObserver)->box;
        const QRectF bias = p->find(run.bias)->box;
        QVERIFY(weight.bottom() < observer.top() && observer.bottom() < conv.top());
        QVERIFY(conv.top() - observer.bottom() < 60);
        QVERIFY(weight.right() < bias.left());
    }

    void constantsCanBeHidden()
    {
        const auto run = test::makeSampleRun();
        const auto scene = makeScene(run.recording).value();
        Folding folding = allUnfolded(moduleTree(*scene));
        folding.constants = false;
        const auto at = arrange(*scene, folding).value();
        const PicturePtr p = pictureOf(run.recording, *scene, "prepared", at);
        QVERIFY(!p->find(run.weight) && !p->find(run.weightObserver) && !p->find(run.bias));
        QVERIFY(p->find(run.conv) && p->find(run.xObserver));
        QVERIFY(at->height < firstArrangement(*scene)->height);
        QCOMPARE(test::whatIsWrong(*p), QString());
    }

    void foldingBackCostsNoLayout()
    {
        const auto recording = test::makeTransformer({640, true, true, -1});
        const auto scene = makeScene(recording).value();
        const auto again = arrange(*scene, firstArrangement(*scene)->folding).value();
        QCOMPARE(again->edges, firstArrangement(*scene)->edges);
        QVERIFY(again->cells == firstArrangement(*scene)->cells);
    }

    void sameInputSameArrangement()
    {
        const auto recording = test::makeTransformer({1000, true, true, 4});
        const auto a = makeScene(recording, {}, {}, {true, -1}).value();
        const auto b = makeScene(recording, {}, {}, {true, -1}).value();
        QVERIFY(firstArrangement(*a)->cells == firstArrangement(*b)->cells);
        QVERIFY(firstArrangement(*a)->edges == firstArrangement(*b)->edges);
    }

    void aLevelTooBigForDotSaysSo()
    {
        LayoutInput in;
        for (int i = 0; i < 150; ++i)
            in.boxes.push_back({80, 30, Pin::No});
        for (int a = 0; a < 150; ++a)
            for (int b = a + 1; b < 150; b += 3)
                in.edges.push_back({a, b});
        QVERIFY(dotCost(in) > kDotLevelCost);
        const auto out = layout(in).value();
        QVERIFY(QString::fromStdString(out.note).contains(QStringLiteral("150 boxes")));
    }

    void pinsAreTheFirstAndTheLastLayer_data()
    {
        QTest::addColumn<double>("limit");
        QTest::newRow("dot") << kDotLevelCost;
        QTest::newRow("ranks") << 0.0;
    }
    void pinsAreTheFirstAndTheLastLayer()
    {
        QFETCH(double, limit);
        LayoutInput in;
        in.boxes = {{80, 30, Pin::No}, {80, 30, Pin::No}, {10, 1, Pin::Top}, {10, 1, Pin::Bottom}, {80, 30, Pin::No}};
        in.edges = {{4, 0}, {0, 1}, {2, 1}, {0, 3}};
        const auto out = layout(in, {}, limit).value();
        for (const int i : {0, 1, 4}) {
            QVERIFY(out.boxes[2].bottom() < out.boxes[static_cast<std::size_t>(i)].y);
            QVERIFY(out.boxes[3].y > out.boxes[static_cast<std::size_t>(i)].bottom());
        }
    }

    void linesLeaveAndArriveWhereAsked()
    {
        LayoutInput in;
        in.boxes = {{200, 30, Pin::No}, {100, 30, Pin::No}};
        in.edges = {{0, 1, -80, 30}, {0, 1, 80, -30}};
        const auto out = layout(in).value();
        QCOMPARE(out.edges[0].front().x, out.boxes[0].center().x - 80);
        QCOMPARE(out.edges[1].back().x, out.boxes[1].center().x - 30);
        in.edges[0].toX = 51;
        QCOMPARE(layout(in).error().code, base::ErrorCode::Usage);
    }

    void boxesWithoutLinesArePacked()
    {
        LayoutInput in;
        for (int i = 0; i < 100; ++i)
            in.boxes.push_back({100, 30, Pin::No});
        const auto out = layout(in).value();
        QVERIFY(out.width < 3000 && out.height > 200);
        for (std::size_t a = 0; a < out.boxes.size(); ++a)
            for (std::size_t b = a + 1; b < out.boxes.size(); ++b)
                QVERIFY(!out.boxes[a].overlaps(out.boxes[b]));
    }

    void portsStandApartAndInside()
    {
        const auto places = spreadPorts({50, 50, 50, 400}, 0, 100);
        for (std::size_t i = 0; i < places.size(); ++i) {
            QVERIFY(places[i] > 0 && places[i] < 100);
            QVERIFY(i == 0 || places[i] - places[i - 1] >= 10);
        }
        QCOMPARE(spreadPorts({7}, 0, 100), std::vector<double>{50});
    }

    void stopsWhenAsked()
    {
        const auto recording = test::makeTransformer({1000, false, true, -1});
        const auto scene = makeScene(recording).value();
        std::stop_source source;
        source.request_stop();
        const auto at = arrange(*scene, allUnfolded(moduleTree(*scene)), {source.get_token()});
        QCOMPARE(at.error().code, base::ErrorCode::Cancelled);
    }
};

QTEST_MAIN(ArrangementTest)
#include "tst_arrangement.moc"
