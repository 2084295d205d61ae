#include "picture/scene.h"

#include "picture/painter.h"
#include "picture/text_measure.h"
#include "sample_run.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace gb;
using namespace gb::views;

namespace {

constexpr std::array kStages{"exported", "annotated", "prepared", "calibrated", "converted"};

QString text(const LabelItem& label)
{
    QStringList out;
    for (const TextItem& t : label.texts)
        if (t.from == Detail::Full)
            out << plainText(t.runs);
    return out.join(QLatin1Char(' '));
}

QStringList lines(const NodeItem& node)
{
    QStringList out;
    for (const TextItem& t : node.texts)
        if (t.from == Detail::Full)
            out << plainText(t.runs);
    return out;
}

QStringList labels(const NodeItem& node)
{
    QStringList out;
    for (const LabelItem& label : node.labels)
        out << text(label);
    return out;
}

/// Every text stays inside the room that it was given, and inside the node.
void verifyInside(const NodeItem& node)
{
    const auto check = [&](const TextItem& t, const QRectF& room) {
        const double width = runsWidth(t.runs, {t.font, t.scale, t.italic});
        QVERIFY2(width <= t.rect.width() + 0.5, qPrintable(node.name + QLatin1Char(' ') + plainText(t.runs)));
        QVERIFY2(room.adjusted(-0.5, -2.5, 0.5, 2.5).contains(t.rect),
                 qPrintable(node.name + QLatin1Char(' ') + plainText(t.runs)));
    };
    for (const TextItem& t : node.texts)
        if (t.from == Detail::Full)
            check(t, node.box);
    for (const LabelItem& label : node.labels) {
        QVERIFY(node.strip.contains(label.rect));
        for (const TextItem& t : label.texts)
            check(t, node.strip);
    }
}

} // namespace

class PictureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_run = test::makeSampleRun();
        m_scene = makeScene(m_run.recording).value();
    }

    void relationsHold_data() { stages(); }
    void relationsHold()
    {
        QFETCH(QString, stage);
        const PicturePtr p = picture(stage);
        for (std::size_t a = 0; a < p->nodes.size(); ++a) {
            QVERIFY(p->bounds.contains(p->nodes[a].area()));
            verifyInside(p->nodes[a]);
            for (std::size_t b = a + 1; b < p->nodes.size(); ++b)
                QVERIFY2(!p->nodes[a].area().intersects(p->nodes[b].area()),
                         qPrintable(p->nodes[a].name + QStringLiteral(" on ") + p->nodes[b].name));
        }
        for (const EdgeItem& e : p->edges) {
            const NodeItem& from = *p->find(e.from);
            const NodeItem& to = *p->find(e.to);
            QVERIFY(e.curve.size() >= 4);
            if (e.intoSide) {
                QVERIFY(from.box.right() <= to.box.left());
                continue;
            }
            QVERIFY2(from.area().bottom() <= to.box.top(), qPrintable(e.tooltip));
            QVERIFY(std::abs(e.curve.front().y() - from.area().bottom()) < 0.01);
            QVERIFY(e.curve.front().x() > from.box.left() && e.curve.front().x() < from.box.right());
            QVERIFY(std::abs(e.curve.back().y() - to.box.top()) < 0.01);
            QVERIFY(e.curve.back().x() > to.box.left() && e.curve.back().x() < to.box.right());
        }
    }

    void nodesKeepTheirPlace()
    {
        std::map<ir::NodeId, QPointF> places;
        for (const char* stage : kStages) {
            const PicturePtr p = picture(QLatin1String(stage));
            for (const NodeItem& node : p->nodes) {
                if (node.form != Form::Box)
                    continue;
                const auto [known, isNew] = places.try_emplace(node.id, node.box.topLeft());
                QVERIFY2(isNew || known->second == node.box.topLeft(), qPrintable(node.name));
            }
        }
        const QPointF observer = picture(QStringLiteral("prepared"))->find(m_run.xObserver)->box.center();
        const PicturePtr converted = picture(QStringLiteral("converted"));
        QVERIFY(std::abs(converted->find(m_run.xQuantize)->box.center().x() - observer.x()) < 1);
        QCOMPARE(converted->find(m_run.foldedWeight)->box.topLeft(),
                 picture(QStringLiteral("prepared"))->find(m_run.weight)->box.topLeft());
    }

    void everyInputHasItsLine()
    {
        const PicturePtr p = picture(QStringLiteral("annotated"));
        QCOMPARE(labels(*p->find(m_run.conv)),
                 (QStringList{QStringLiteral("x: i8 aff·T Hist"),
                              QStringLiteral("conv_weight: i8 sym·C0 [−127,127] PCMinMax"),
                              QStringLiteral("conv_bias: None")}));
        QCOMPARE(labels(*p->find(m_run.relu)),
                 (QStringList{QStringLiteral("conv2d: —"), QStringLiteral("output: i8 aff·T Hist")}));
        QCOMPARE(labels(*p->find(m_run.cat)),
                 (QStringList{QStringLiteral("add: i8 aff·T Hist ⛓1"), QStringLiteral("x: i8 aff·T ⛓1 =add→cat")}));
        QCOMPARE(labels(*p->find(m_run.add)), (QStringList{QStringLiteral("relu (twice): —")}));
    }

    void labelsStayBelowTheNodeAfterConvert()
    {
        const PicturePtr p = picture(QStringLiteral("converted"));
        QCOMPARE(labels(*p->find(m_run.conv)),
                 (QStringList{QStringLiteral("x: i8 aff·T Hist"),
                              QStringLiteral("conv_weight: i8 sym·C0 [−127,127] PCMinMax"),
                              QStringLiteral("conv_bias: None")}));
    }

    void noLabelsBeforeAnnotate()
    {
        const PicturePtr p = picture(QStringLiteral("exported"));
        for (const NodeItem& node : p->nodes) {
            QVERIFY(node.labels.empty());
            QVERIFY(!node.hatched);
        }
    }

    void notRecordedIsAQuestionMark()
    {
        ContentOptions options;
        options.annotationsRecorded = false;
        const auto moment = test::momentAt(m_run.recording, "annotated");
        const auto p = makePicture(*m_scene, *moment, m_run.recording->stageEvent("annotated"), options);
        QCOMPARE(labels(*p->find(m_run.add)), (QStringList{QStringLiteral("relu (twice): ?")}));
        QVERIFY(!p->find(m_run.add)->hatched);
    }

    void linesTellTheKindsApart()
    {
        const PicturePtr p = picture(QStringLiteral("annotated"));
        std::map<std::pair<ir::NodeId, int>, LabelKind> kinds;
        for (const EdgeItem& e : p->edges)
            kinds[{e.to, e.argument}] = e.kind;
        QCOMPARE((kinds[{m_run.conv, 0}]), LabelKind::Quantization);
        QCOMPARE((kinds[{m_run.conv, 2}]), LabelKind::None);
        QCOMPARE((kinds[{m_run.relu, 0}]), LabelKind::Absent);
        QCOMPARE((kinds[{m_run.cat, 1}]), LabelKind::Shared);
    }

    void notAnnotatedAsksWhy()
    {
        const PicturePtr p = picture(QStringLiteral("annotated"));
        QVERIFY(p->find(m_run.add)->hatched);
        QCOMPARE(p->find(m_run.add)->badge, QStringLiteral("why?"));
        QVERIFY(!p->find(m_run.conv)->hatched);
        QVERIFY(!p->find(m_run.x)->hatched);
    }

    void parallelEdgesEndApart()
    {
        const PicturePtr p = picture(QStringLiteral("exported"));
        std::vector<QPointF> ends;
        for (const EdgeItem& e : p->edges)
            if (e.to == m_run.add)
                ends.push_back(e.curve.back());
        QCOMPARE(ends.size(), std::size_t(2));
        QVERIFY(std::abs(ends[0].x() - ends[1].x()) >= 10);
    }

    void observersSayWhatTheySaw()
    {
        const PicturePtr prepared = picture(QStringLiteral("prepared"));
        const NodeItem& before = *prepared->find(m_run.xObserver);
        QCOMPARE(before.role, NodeRole::Observer);
        QCOMPARE(before.form, Form::Stadium);
        QVERIFY(before.doubled && before.dashed);
        QCOMPARE(lines(before)[0], QStringLiteral("◔ obs 0 · Histogram"));
        QCOMPARE(lines(before)[1], QStringLiteral("no data"));
        const PicturePtr calibrated = picture(QStringLiteral("calibrated"));
        const NodeItem& after = *calibrated->find(m_run.xObserver);
        QVERIFY(!after.dashed);
        QVERIFY(lines(after)[1].contains(QStringLiteral("1 batch")));
        QVERIFY(!after.sparkline.empty());
        QCOMPARE(*std::max_element(after.sparkline.begin(), after.sparkline.end()), 1.0F);
        QVERIFY(lines(*calibrated->find(m_run.weightObserver))[1].startsWith(QStringLiteral("8 channels")));
    }

    void qdqSayTheirNumbers()
    {
        const PicturePtr p = picture(QStringLiteral("converted"));
        const NodeItem& q = *p->find(m_run.xQuantize);
        QCOMPARE(q.form, Form::Narrowing);
        QCOMPARE(p->find(m_run.xDequantize)->form, Form::Widening);
        QCOMPARE(lines(q)[0], QStringLiteral("quantize per_tensor"));
        QCOMPARE(lines(q)[1], QStringLiteral("s 0.05  z −3"));
        QCOMPARE(lines(q)[2], QStringLiteral("[−128,127] i8"));
        QCOMPARE(lines(*p->find(m_run.foldedWeight))[1], QStringLiteral("i8 weight (folded), 8 scales"));
    }

    void whatVanishedIsAGhost()
    {
        test::SampleOptions options;
        options.dropsAdd = true;
        const auto run = test::makeSampleRun(options);
        const auto scene = makeScene(run.recording).value();
        const auto moment = test::momentAt(run.recording, "converted");
        const int event = run.recording->stageEvent("converted");
        const auto p = makePicture(*scene, *moment, event);
        QVERIFY(p->find(run.add));
        QVERIFY(p->find(run.add)->ghost);
        QVERIFY(p->find(run.add)->tooltip.contains(QStringLiteral("no longer in the graph")));
        QVERIFY(!p->find(run.conv)->ghost);
        ContentOptions none;
        none.ghosts = false;
        QVERIFY(!makePicture(*scene, *moment, event, none)->find(run.add));
    }

    void theEventsNodesAreMarked()
    {
        int event = 0;
        for (std::size_t i = 0; i < m_run.recording->events.size(); ++i)
            if (m_run.recording->events[i].kind == trace::EventKind::Annotate
                && m_run.recording->events[i].nodes[0] == m_run.relu)
                event = static_cast<int>(i);
        trace::Replay replay(m_run.recording);
        const auto p = makePicture(*m_scene, *replay.at(event).value(), event);
        QCOMPARE(p->touched, (std::vector<ir::NodeId>{m_run.relu}));
        QVERIFY(p->find(m_run.relu)->fresh);
        QVERIFY(!p->find(m_run.conv)->fresh);
        // the quantizer has not reached cat yet, which is not a verdict on it
        QCOMPARE(labels(*p->find(m_run.cat)), (QStringList{QStringLiteral("add: —"), QStringLiteral("x: —")}));
    }

    void accessibleTextHasTheWords()
    {
        const QString words = picture(QStringLiteral("annotated"))->find(m_run.conv)->accessible;
        QVERIFY(words.contains(QStringLiteral("input x: int8, affine, per tensor, histogram observer")));
        QVERIFY(words.contains(QStringLiteral("input conv_bias: annotated as not quantized (None)")));
    }

    void sameRunSamePicture()
    {
        const auto again = makeScene(m_run.recording).value();
        const auto moment = test::momentAt(m_run.recording, "converted");
        const auto a = makePicture(*m_scene, *moment, 0);
        const auto b = makePicture(*again, *moment, 0);
        QCOMPARE(a->bounds, b->bounds);
        for (std::size_t i = 0; i < a->edges.size(); ++i)
            QCOMPARE(a->edges[i].curve, b->edges[i].curve);
    }

    void longNamesAreElidedInTheMiddle()
    {
        const QString name = QStringLiteral("encoder_layers_0_self_attention_query_projection_weight_that_is_long");
        const TextStyle style{FontRole::NodeName, 1, false};
        const QString cut = elided(name, style, 200);
        QVERIFY(textWidth(cut, style) <= 200);
        QVERIFY(cut.startsWith(QStringLiteral("enc")) && cut.endsWith(QStringLiteral("ong")));
        bool wasCut = false;
        (void)elided({{Glyph::Chain, {}}, {Glyph::None, name}}, style, 200, &wasCut);
        QVERIFY(wasCut);
    }

    void refusesAGraphThatIsNotThere()
    {
        const auto scene = makeScene(m_run.recording, "no.such.graph");
        QVERIFY(!scene.ok());
        QCOMPARE(scene.error().code, base::ErrorCode::NotFound);
        QVERIFY(!makeScene(nullptr).ok());
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        const auto scene = makeScene(m_run.recording, {}, {source.get_token()});
        QVERIFY(!scene.ok());
        QCOMPARE(scene.error().code, base::ErrorCode::Cancelled);
    }

    void detailFollowsTheZoom()
    {
        QCOMPARE(detailAt(1.0), Detail::Full);
        QCOMPARE(detailAt(0.7), Detail::Brief);
        QCOMPARE(detailAt(0.5), Detail::Chips);
        QCOMPARE(detailAt(0.2), Detail::Blocks);
    }

    void glyphsFillTheirBox()
    {
        for (const Glyph g : {Glyph::Chain, Glyph::ChainDashed, Glyph::Lock, Glyph::Gauge, Glyph::Bar}) {
            const QRectF box(10, 10, 20, 20);
            const QRectF drawn = glyphPath(g, box).boundingRect();
            QVERIFY(box.adjusted(-1, -1, 1, 1).contains(drawn));
            QVERIFY(drawn.width() >= 10);
        }
        QVERIFY(glyphPath(Glyph::None, QRectF(0, 0, 5, 5)).isEmpty());
    }

private:
    static void stages()
    {
        QTest::addColumn<QString>("stage");
        for (const char* stage : kStages)
            QTest::newRow(stage) << QString::fromLatin1(stage);
    }

    PicturePtr picture(const QString& stage)
    {
        const auto moment = test::momentAt(m_run.recording, qPrintable(stage));
        return makePicture(*m_scene, *moment, m_run.recording->stageEvent(stage.toStdString()));
    }

    test::SampleRun m_run;
    ScenePtr m_scene;
};

QTEST_MAIN(PictureTest)
#include "tst_picture.moc"
