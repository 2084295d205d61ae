#include "layout/layout.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>

using namespace gb;
using namespace gb::views;

namespace {

LayoutInput diamond()
{
    LayoutInput in;
    in.boxes = {{100, 40}, {200, 80}, {60, 30}, {120, 60}};
    in.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}};
    return in;
}

/// A chain with skips: what a residual network looks like.
LayoutInput residual(int count)
{
    LayoutInput in;
    std::mt19937 random(7);
    for (int i = 0; i < count; ++i)
        in.boxes.push_back({60.0 + static_cast<double>(random() % 200), 30.0 + static_cast<double>(random() % 60)});
    for (int i = 1; i < count; ++i) {
        in.edges.push_back({i - 1, i});
        if (i > 5 && i % 3 == 0)
            in.edges.push_back({i - 5, i});
    }
    return in;
}

void verifyRelations(const LayoutInput& in, const LayoutResult& out)
{
    QCOMPARE(out.boxes.size(), in.boxes.size());
    QCOMPARE(out.edges.size(), in.edges.size());
    for (std::size_t a = 0; a < out.boxes.size(); ++a) {
        QCOMPARE(out.boxes[a].width, in.boxes[a].width);
        QVERIFY(out.boxes[a].x >= -0.01 && out.boxes[a].right() <= out.width + 0.01);
        QVERIFY(out.boxes[a].y >= -0.01 && out.boxes[a].bottom() <= out.height + 0.01);
    }
    for (std::size_t i = 0; i < in.edges.size(); ++i) {
        const Rect& from = out.boxes[static_cast<std::size_t>(in.edges[i].from)];
        const Rect& to = out.boxes[static_cast<std::size_t>(in.edges[i].to)];
        QVERIFY2(from.bottom() <= to.y, "a producer stands above its consumer");
        const Curve& c = out.edges[i];
        QVERIFY(c.size() >= 4 && (c.size() - 1) % 3 == 0);
        QCOMPARE(c.front(), (Point{from.center().x, from.bottom()}));
        QCOMPARE(c.back(), (Point{to.center().x, to.y}));
        for (std::size_t k = 1; k < c.size(); ++k)
            QVERIFY2(c[k].y >= c[k - 1].y - 0.01, "a line runs downwards");
    }
}

bool anyOverlap(const LayoutResult& out)
{
    for (std::size_t a = 0; a < out.boxes.size(); ++a)
        for (std::size_t b = a + 1; b < out.boxes.size(); ++b)
            if (out.boxes[a].overlaps(out.boxes[b]))
                return true;
    return false;
}

/// Points along an edge that lie inside a box that it does not touch.
int crossedBoxes(const LayoutInput& in, const LayoutResult& out)
{
    int crossed = 0;
    for (std::size_t e = 0; e < in.edges.size(); ++e)
        for (std::size_t b = 0; b < out.boxes.size(); ++b) {
            if (static_cast<int>(b) == in.edges[e].from || static_cast<int>(b) == in.edges[e].to)
                continue;
            for (std::size_t k = 0; k < out.edges[e].size(); k += 3) {
                const Point p = out.edges[e][k];
                const Rect& r = out.boxes[b];
                crossed += p.x > r.x + 1 && p.x < r.right() - 1 && p.y > r.y + 1 && p.y < r.bottom() - 1;
            }
        }
    return crossed;
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsFine()
    {
        const auto out = layout({});
        QVERIFY(out.ok());
        QCOMPARE(out->boxes.size(), std::size_t(0));
    }

    void relationsHold_data()
    {
        QTest::addColumn<int>("boxes");
        QTest::newRow("dot, small") << 12;
        QTest::newRow("dot, larger") << 120;
        QTest::newRow("ranks") << 2000;
    }
    void relationsHold()
    {
        QFETCH(int, boxes);
        const LayoutInput in = residual(boxes);
        const auto out = layout(in);
        QVERIFY(out.ok());
        verifyRelations(in, *out);
        QVERIFY(!anyOverlap(*out));
        QCOMPARE(crossedBoxes(in, *out), 0);
        QCOMPARE(out->note.empty(), dotCost(in) <= kDotLevelCost);
    }

    void sameInputSameResult_data() { relationsHold_data(); }
    void sameInputSameResult()
    {
        QFETCH(int, boxes);
        const LayoutInput in = residual(boxes);
        const auto a = layout(in);
        const auto b = layout(in);
        QVERIFY(a->boxes == b->boxes);
        QVERIFY(a->edges == b->edges);
    }

    void inputsKeepTheirOrder()
    {
        // x, weight, bias above one op stand in argument order
        LayoutInput in;
        in.boxes = {{80, 30}, {80, 30}, {80, 30}, {300, 60}};
        in.edges = {{0, 3}, {1, 3}, {2, 3}};
        const auto out = layout(in);
        QVERIFY(out->boxes[0].x < out->boxes[1].x);
        QVERIFY(out->boxes[1].x < out->boxes[2].x);
    }

    void parallelEdgesAreKept()
    {
        LayoutInput in;
        in.boxes = {{80, 30}, {80, 30}};
        in.edges = {{0, 1}, {0, 1}};
        const auto out = layout(in);
        QCOMPARE(out->edges.size(), std::size_t(2));
        QVERIFY(!out->edges[0].empty() && !out->edges[1].empty());
    }

    void cyclesDoNotHang()
    {
        LayoutInput in = residual(700);
        in.edges.push_back({699, 3});
        in.edges.push_back({5, 5});
        const auto out = layout(in);
        QVERIFY(out.ok());
        QVERIFY(!anyOverlap(*out));
    }

    void tenThousandNodesTakeSeconds()
    {
        const LayoutInput in = residual(10000);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(layout(in).ok());
        QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
    }

    void refusesABoxWithoutSize()
    {
        LayoutInput in = diamond();
        in.boxes[2].height = 0;
        const auto out = layout(in);
        QVERIFY(!out.ok());
        QCOMPARE(out.error().place, std::string("box 2"));
    }

    void refusesAnEdgeToNoBox()
    {
        LayoutInput in = diamond();
        in.edges.push_back({0, 4});
        const auto out = layout(in);
        QVERIFY(!out.ok());
        QCOMPARE(out.error().sentence, std::string("joins boxes 0 and 4 of 4"));
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        for (const int count : {10, 1000}) {
            const auto out = layout(residual(count), source.get_token());
            QVERIFY(!out.ok());
            QCOMPARE(out.error().code, base::ErrorCode::Cancelled);
        }
    }
};

QTEST_GUILESS_MAIN(LayoutTest)
#include "tst_layout.moc"
