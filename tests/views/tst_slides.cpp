// Pages, selections, legends, and the graph for Model Explorer.
#include "export/clipboard.h"
#include "export/export_diagram.h"
#include "export/page.h"
#include "picture/scene.h"
#include "picture/scene_selection.h"
#include "picture/text_measure.h"
#include "picture_checks.h"
#include "sample_run.h"
#include "theme/theme.h"
#include "transformer.h"

#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace gb;
using namespace gb::views;

class SlidesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = test::makeSampleRun(); }

    void pagesAreKnownByName()
    {
        QCOMPARE(pageSize(QStringLiteral("16:9")).value(), QSizeF(1280, 720));
        QCOMPARE(pageSize(QStringLiteral("4:3")).value(), QSizeF(960, 720));
        QVERIFY(std::abs(pageSize(QStringLiteral("a4"))->width() - 1122.5) < 0.1);
        QCOMPARE(pageSize(QStringLiteral("254x127")).value(), QSizeF(960, 480));
        for (const char* wrong : {"A5", "10x10", "100", "axb", "100x", "9000x100"})
            QCOMPARE(pageSize(QLatin1String(wrong)).error().code, base::ErrorCode::Usage);
    }

    void contentIsFittedIntoTheMiddle()
    {
        const Fit fit = fitInto(QRectF(100, 100, 400, 200), QRectF(0, 0, 200, 200));
        QCOMPARE(fit.scale, 0.5);
        QCOMPARE(QPointF(300, 200) * fit.scale + fit.offset, QPointF(100, 100));
        QCOMPARE(fitInto(QRectF(0, 0, 10, 10), QRectF(0, 0, 1000, 1000)).scale, 2.0);
    }

    void aPageHasItsSizeInEveryFormat()
    {
        DiagramOptions options;
        options.page = pageSize(QStringLiteral("16:9")).value();
        options.scale = 1;
        options.legend = true;
        QCOMPARE(QImage::fromData(one(DiagramFormat::Png, options).bytes).size(), QSize(1280, 720));
        QVERIFY(one(DiagramFormat::Svg, options).bytes.contains("width=\"1280\" height=\"720\""));
        QVERIFY(one(DiagramFormat::Pdf, options).bytes.contains("/MediaBox [0 0 960"));
    }

    void smallTextIsSaid()
    {
        DiagramOptions options;
        QVERIFY(one(DiagramFormat::Svg, options).note.isEmpty()); // no page, no size of text on it
        options.page = pageSize(QStringLiteral("16:9")).value();
        QVERIFY(one(DiagramFormat::Svg, options).note.contains(QStringLiteral("14 expected")));
        options.select = {"relu"};
        options.radius = 0;
        options.detail = Detail::Brief;
        QVERIFY(one(DiagramFormat::Svg, options).note.isEmpty());
    }

    void aSelectionLeavesOutTheRest()
    {
        DiagramOptions options;
        options.select = {"op:*conv2d*"};
        options.radius = 1;
        const QByteArray svg = one(DiagramFormat::Svg, options).bytes;
        for (const char* id : {"\"conv2d\"", "\"relu\"", "\"x\"", "\"conv_weight\"", "\"activation_post_process_0\""})
            QVERIFY2(svg.contains(id), id);
        QVERIFY(!svg.contains("id=\"cat\"") && !svg.contains("id=\"output\""));
    }

    void aSelectionOfNothingIsAnError()
    {
        DiagramOptions options;
        options.select = {"no_such_*"};
        const auto files =
            exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::Svg, QStringLiteral("a.svg"), options);
        QCOMPARE(files.error().code, base::ErrorCode::NotFound);
        QVERIFY(QString::fromStdString(files.error().text()).contains(QStringLiteral("no_such_*")));
    }

    void selectedPartsHoldTogether()
    {
        const auto recording = test::makeTransformer({640, true, true, -1});
        const auto scene = makeScene(recording).value();
        for (const int radius : {0, 1, 3}) {
            const auto folding =
                onlyAround(*scene, {"module:layers.3.attn", "add_8"}, radius, allUnfolded(moduleTree(*scene)));
            QVERIFY(folding.ok());
            ContentOptions options;
            options.arrangement = arrange(*scene, *folding).value();
            const auto p =
                makePicture(*scene, *test::momentAt(recording, "prepared"), recording->stageEvent("prepared"), options);
            QCOMPARE(test::whatIsWrong(*p), QString());
            QVERIFY(p->nodes.size() > 30 && p->nodes.size() < 200);
        }
    }

    void patterns()
    {
        QVERIFY(matches("relu", "relu") && !matches("relu", "relu_1"));
        QVERIFY(matches("relu*", "relu_1") && matches("*conv?d*", "aten.conv2d.default"));
        QVERIFY(matches("*", "") && !matches("?", "") && matches("a*b*c", "a_b_b_c"));
        QVERIFY(!matches("a*b", "a_c"));
    }

    void panesStandSideBySide()
    {
        DiagramOptions options;
        options.sideBySide = true;
        options.scale = 1;
        const auto both = exportDiagram(m_run.recording, {"annotated", "prepared"}, DiagramFormat::Png,
                                        QStringLiteral("a.png"), options);
        QCOMPARE(both->size(), std::size_t(1));
        options.sideBySide = false;
        const QSize single = QImage::fromData(one(DiagramFormat::Png, options).bytes).size();
        const QSize pair = QImage::fromData((*both)[0].bytes).size();
        QVERIFY(pair.width() > 2 * single.width() && std::abs(pair.height() - single.height()) < 2);
    }

    void theLegendExplainsWhatIsThere()
    {
        DiagramOptions options;
        options.legend = true;
        const QByteArray svg = one(DiagramFormat::Svg, options).bytes;
        QVERIFY(svg.contains(">observer</text>") && svg.contains(">weight, constant</text>"));
        QVERIFY(svg.contains(">shares another's observer</text>") || svg.contains(">shares another&apos;s"));
        QVERIFY(!svg.contains(">quantize</text>"));
        options.overlay = OverlayKind::Bits;
        QVERIFY(one(DiagramFormat::Svg, options).bytes.contains("bits: 7.994 bit … 8 bit"));
    }

    void sharingGroupsAreDrawnWhenAsked()
    {
        DiagramOptions options;
        const QByteArray without = one(DiagramFormat::Svg, options).bytes;
        QVERIFY(!without.contains(">group "));
        options.hulls = true;
        const QByteArray with = one(DiagramFormat::Svg, options).bytes;
        QVERIFY(with.contains(">group "));
        QVERIFY(with.indexOf(">group ") < with.indexOf("id=\"conv2d\"")); // behind the boxes
        QCOMPARE(one(DiagramFormat::Svg, options).bytes, with);
    }

    void foldedModulesAreOneBox()
    {
        const auto recording = test::makeTransformer({320, true, true, -1});
        DiagramOptions options;
        options.fold = FoldChoice::All;
        const auto files = exportDiagram(recording, {"prepared"}, DiagramFormat::Svg, QStringLiteral("a.svg"), options);
        QVERIFY((*files)[0].bytes.contains("DecoderLayer × 10"));
        QVERIFY(!(*files)[0].bytes.contains("aten.linear.default"));
    }

    void chineseNamesAreMeasuredAndStayText()
    {
        DiagramOptions options;
        options.captionText = QStringLiteral("量化前的模型 · 卷积");
        const QByteArray svg = one(DiagramFormat::Svg, options).bytes;
        QVERIFY(svg.contains("量化前的模型 · 卷积</text>"));
        // wide characters take about an em each, in whatever font there is for them
        const TextStyle style{FontRole::Title, 1, false};
        QVERIFY(textWidth(QStringLiteral("量化前的模型"), style) > 6 * 0.6 * fontOf(style).pixelSize());
        const QString cut = elided(QStringLiteral("量化前的模型量化前的模型"), style, 100);
        QVERIFY(textWidth(cut, style) <= 100 && cut.contains(QChar(0x2026)));
    }

    void theClipboardHasSvgAndPng()
    {
        const auto scene = makeScene(m_run.recording).value();
        const auto p =
            makePicture(*scene, *test::momentAt(m_run.recording, "prepared"), m_run.recording->stageEvent("prepared"));
        const auto data = pictureData(*p, ThemeKind::Light);
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("id=\"conv2d\""));
        QVERIFY(data->hasImage());
        QVERIFY(qvariant_cast<QImage>(data->imageData()).width() > 400);
        const auto hulls = hullsOf(*p);
        QVERIFY(!hulls.empty());
        const auto grouped = pictureData(*p, ThemeKind::Light, hulls);
        QVERIFY(grouped->data(QStringLiteral("image/svg+xml")).contains(">group "));
    }

    void modelExplorerGetsAGraphCollection()
    {
        const auto files = exportDiagram(m_run.recording, {"annotated", "converted"}, DiagramFormat::ModelExplorer,
                                         QStringLiteral("a.json"));
        const QJsonObject all = QJsonDocument::fromJson((*files)[0].bytes).object();
        QCOMPARE(all[QStringLiteral("label")].toString(), QStringLiteral("sample"));
        const QJsonArray graphs = all[QStringLiteral("graphs")].toArray();
        QCOMPARE(graphs.size(), 2);
        QCOMPARE(graphs[0].toObject()[QStringLiteral("id")].toString(), QStringLiteral("annotated"));
        QHash<QString, QJsonObject> nodes;
        for (const QJsonValue& node : graphs[0].toObject()[QStringLiteral("nodes")].toArray())
            nodes[node.toObject()[QStringLiteral("id")].toString()] = node.toObject();
        const QJsonObject conv = nodes[QStringLiteral("conv2d")];
        QCOMPARE(conv[QStringLiteral("label")].toString(), QStringLiteral("conv2d"));
        QCOMPARE(conv[QStringLiteral("namespace")].toString(), QStringLiteral("block.conv"));
        QCOMPARE(nodes[QStringLiteral("conv_weight")][QStringLiteral("namespace")].toString(),
                 QStringLiteral("block.conv"));
        const QJsonArray edges = conv[QStringLiteral("incomingEdges")].toArray();
        QCOMPARE(edges.size(), 3);
        QCOMPARE(edges[1].toObject()[QStringLiteral("sourceNodeId")].toString(), QStringLiteral("conv_weight"));
        QCOMPARE(edges[1].toObject()[QStringLiteral("targetNodeInputId")].toString(), QStringLiteral("1"));
        QHash<QString, QString> attributes;
        for (const QJsonValue& a : conv[QStringLiteral("attrs")].toArray())
            attributes[a.toObject()[QStringLiteral("key")].toString()] =
                a.toObject()[QStringLiteral("value")].toString();
        QCOMPARE(attributes[QStringLiteral("label x")], QStringLiteral("i8 aff·T Hist"));
        QCOMPARE(attributes[QStringLiteral("target")], QStringLiteral("aten.conv2d.default"));
        QVERIFY(!attributes.contains(QStringLiteral("detail 2"))); // the type; target and module stand there already
        QCOMPARE(attributes[QStringLiteral("detail")], QStringLiteral("f32 [1, 8, 6, 6]"));
        // an input of the model is in no module, else a folded one would hide it
        QCOMPARE(nodes[QStringLiteral("x")][QStringLiteral("namespace")].toString(), QString());
        // every edge comes from a node that is there
        for (const QJsonObject& node : nodes)
            for (const QJsonValue& edge : node[QStringLiteral("incomingEdges")].toArray())
                QVERIFY(nodes.contains(edge.toObject()[QStringLiteral("sourceNodeId")].toString()));
    }

    void modelExplorerShowsObserversInTheirColour()
    {
        const QJsonObject all = QJsonDocument::fromJson(one(DiagramFormat::ModelExplorer, {}).bytes)
                                    .object()[QStringLiteral("graphs")]
                                    .toArray()[0]
                                    .toObject();
        int observers = 0;
        for (const QJsonValue& node : all[QStringLiteral("nodes")].toArray()) {
            const QString fill = node[QStringLiteral("style")][QStringLiteral("backgroundColor")].toString();
            const bool isObserver = node[QStringLiteral("id")].toString().startsWith(QLatin1String("activation_post"));
            QCOMPARE(fill == Theme::of(ThemeKind::Light).fill(NodeRole::Observer).name(), isObserver);
            if (isObserver && ++observers)
                QVERIFY(node[QStringLiteral("label")].toString().endsWith(QLatin1String("Observer")));
        }
        QVERIFY(observers > 1);
    }

    void modelExplorerGetsAnOverlayAsNodeData()
    {
        DiagramOptions options;
        options.overlay = OverlayKind::Bits;
        const auto files = exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::ModelExplorer,
                                         QStringLiteral("a.json"), options);
        QCOMPARE(files->size(), std::size_t{2});
        QCOMPARE(files->back().name, QStringLiteral("a-node-data.json"));
        const QJsonObject data =
            QJsonDocument::fromJson(files->back().bytes).object()[QStringLiteral("prepared")].toObject();
        const QJsonObject results = data[QStringLiteral("results")].toObject();
        QVERIFY(!results.isEmpty());
        for (const QJsonValue& result : results)
            QVERIFY(std::abs(result[QStringLiteral("value")].toDouble() - 8) < 0.01); // of 255 or 256 levels
        const QJsonArray gradient = data[QStringLiteral("gradient")].toArray();
        QCOMPARE(gradient.first()[QStringLiteral("stop")].toDouble(), 0.0);
        QCOMPARE(gradient.last()[QStringLiteral("stop")].toDouble(), 1.0);
    }

private:
    DiagramFile one(DiagramFormat format, const DiagramOptions& options)
    {
        auto files = exportDiagram(m_run.recording, {"prepared"}, format, QStringLiteral("a"), options);
        return files.ok() ? files->front() : DiagramFile{};
    }

    test::SampleRun m_run;
};

QTEST_MAIN(SlidesTest)
#include "tst_slides.moc"
