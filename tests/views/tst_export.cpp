#include "export/export_diagram.h"

#include "export/svg_surface.h"
#include "sample_run.h"

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace gb;
using namespace gb::views;

namespace {

struct SvgContent {
    QStringList ids;
    QStringList texts;
    QSet<QString> elements;
    bool wellFormed = false;
};

SvgContent read(const QByteArray& svg)
{
    SvgContent out;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QString name = xml.name().toString();
        out.elements.insert(name);
        if (name == QStringLiteral("g"))
            out.ids << xml.attributes().value(QStringLiteral("id")).toString();
        if (name == QStringLiteral("text"))
            out.texts << xml.readElementText();
    }
    out.wellFormed = !xml.hasError();
    return out;
}

} // namespace

class ExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = test::makeSampleRun(); }

    void svgKeepsTextAndIds()
    {
        const QByteArray bytes = one("annotated", DiagramFormat::Svg);
        const SvgContent svg = read(bytes);
        QVERIFY(svg.wellFormed);
        for (const char* id : {"x", "conv2d", "relu", "add", "cat", "conv_weight", "output"})
            QVERIFY2(svg.ids.contains(QLatin1String(id)), id);
        QVERIFY(svg.texts.contains(QStringLiteral("aten.conv2d.default")));
        QVERIFY(svg.texts.contains(QStringLiteral("i8 aff·T Hist")));
        QVERIFY(svg.texts.contains(QStringLiteral("sample · annotated")));
        QCOMPARE(svg.elements, (QSet<QString>{QStringLiteral("svg"), QStringLiteral("title"), QStringLiteral("desc"),
                                              QStringLiteral("g"), QStringLiteral("path"), QStringLiteral("text")}));
        QVERIFY(!bytes.contains("clip") && !bytes.contains(" style=") && !bytes.contains("var("));
    }

    void svgIsReadByAnotherProgram()
    {
        QSvgRenderer renderer(one("converted", DiagramFormat::Svg));
        QVERIFY(renderer.isValid());
        QVERIFY(renderer.elementExists(QStringLiteral("quantize_per_tensor_default")));
        QImage image(renderer.defaultSize(), QImage::Format_ARGB32);
        image.fill(Qt::red);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
    }

    void sameBytesTwice_data()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("svg") << static_cast<int>(DiagramFormat::Svg);
        QTest::newRow("pdf") << static_cast<int>(DiagramFormat::Pdf);
        QTest::newRow("png") << static_cast<int>(DiagramFormat::Png);
        QTest::newRow("dot") << static_cast<int>(DiagramFormat::Dot);
    }
    void sameBytesTwice()
    {
        QFETCH(int, format);
        const QByteArray a = one("calibrated", static_cast<DiagramFormat>(format));
        if (static_cast<DiagramFormat>(format) == DiagramFormat::Pdf)
            QTest::qWait(1100); // a date in the file would have moved on
        QVERIFY(!a.isEmpty());
        QVERIFY(a == one("calibrated", static_cast<DiagramFormat>(format)));
    }

    void pdfHasAPageAStage()
    {
        const auto files = exportDiagram(m_run.recording, {"exported", "annotated", "prepared"}, DiagramFormat::Pdf,
                                         QStringLiteral("run.pdf"));
        QVERIFY(files.ok());
        QCOMPARE(files->size(), std::size_t(1));
        const QByteArray& pdf = (*files)[0].bytes;
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/Count 3"));
        QVERIFY(pdf.contains("/FontFile"));
        QVERIFY(pdf.contains("(D:20000101000000"));
    }

    void pngHasTheScale()
    {
        DiagramOptions options;
        options.scale = 1;
        const QImage small = QImage::fromData(one("prepared", DiagramFormat::Png, options));
        options.scale = 3;
        const QImage large = QImage::fromData(one("prepared", DiagramFormat::Png, options));
        QVERIFY(!small.isNull());
        QVERIFY(std::abs(large.width() - 3 * small.width()) <= 3);
        options.background = false;
        QCOMPARE(QImage::fromData(one("prepared", DiagramFormat::Png, options)).pixelColor(0, 0).alpha(), 0);
    }

    void dotNamesNodesAndEdges()
    {
        const QByteArray dot = one("annotated", DiagramFormat::Dot);
        QVERIFY(dot.startsWith("digraph \"sample · annotated\" {"));
        QVERIFY(dot.contains("\"x\" -> \"conv2d\" [style=solid];"));
        QVERIFY(dot.contains("\"conv_bias\" -> \"conv2d\" [style=dashed];"));
        QVERIFY(dot.contains("\"conv2d\" -> \"relu\" [style=dotted];"));
        QVERIFY(dot.contains("conv_weight: i8 sym·C0 [−127,127] PCMinMax"));
        QCOMPARE(dot.count("\"relu\" -> \"add\""), 2);
    }

    void severalStagesAreNumberedFiles()
    {
        const auto files =
            exportDiagram(m_run.recording, {"exported", "converted"}, DiagramFormat::Svg, QStringLiteral("run.svg"));
        QVERIFY(files.ok());
        QCOMPARE((*files)[0].name, QStringLiteral("run-01-exported.svg"));
        QCOMPARE((*files)[1].name, QStringLiteral("run-06-converted.svg"));
        QTemporaryDir folder;
        const auto paths = writeDiagrams(*files, folder.path());
        QVERIFY(paths.ok());
        QVERIFY(QFile::exists((*paths)[1]));
    }

    void framesOfAllStagesHaveOneSize()
    {
        const auto files = exportDiagram(m_run.recording, {"exported", "prepared", "converted"}, DiagramFormat::Png,
                                         QStringLiteral("f.png"));
        const QSize first = QImage::fromData((*files)[0].bytes).size();
        for (const DiagramFile& file : *files)
            QCOMPARE(QImage::fromData(file.bytes).size(), first);
    }

    void refusesAStageThatIsNotThere()
    {
        const auto files = exportDiagram(m_run.recording, {"folded"}, DiagramFormat::Svg, QStringLiteral("a.svg"));
        QVERIFY(!files.ok());
        QCOMPARE(files.error().code, base::ErrorCode::NotFound);
        QCOMPARE(files.error().sentence,
                 std::string(
                     "the run has no stage \"folded\"; it has exported, annotated, prepared, calibrated, converted"));
    }

    void refusesNoStageAndNoRecording()
    {
        QVERIFY(!exportDiagram(m_run.recording, {}, DiagramFormat::Svg, QStringLiteral("a.svg")).ok());
        QVERIFY(!exportDiagram(nullptr, {"exported"}, DiagramFormat::Svg, QStringLiteral("a.svg")).ok());
    }

    void refusesAScaleOutOfRange()
    {
        DiagramOptions options;
        options.scale = 9;
        const auto files =
            exportDiagram(m_run.recording, {"exported"}, DiagramFormat::Png, QStringLiteral("a.png"), options);
        QVERIFY(!files.ok());
        QCOMPARE(files.error().sentence, std::string("scale 9, 1 to 4 expected"));
    }

    void refusesAFolderThatCannotBeWritten()
    {
        const auto paths =
            writeDiagrams({{QStringLiteral("a.svg"), QByteArray("x")}}, QStringLiteral("no/such/folder"));
        QVERIFY(!paths.ok());
        QCOMPARE(paths.error().code, base::ErrorCode::Io);
        QVERIFY(paths.error().place.find("a.svg") != std::string::npos);
    }

    void formatsByEnding()
    {
        QCOMPARE(diagramFormat(QStringLiteral("A.SVG")), std::optional(DiagramFormat::Svg));
        QVERIFY(!diagramFormat(QStringLiteral("a.jpeg")));
    }

    void namesAreEscapedAndIdsUnique()
    {
        SvgSurface surface(QRectF(0, 0, 10, 10), QStringLiteral("a<b>&\"c\""), QString());
        for (int i = 0; i < 2; ++i) {
            surface.beginGroup(QStringLiteral("1 <x>"), QStringLiteral("t"));
            surface.text({1, 1}, QStringLiteral("a & b\x01"), {}, Qt::black);
            surface.endGroup();
        }
        const SvgContent svg = read(surface.finish());
        QVERIFY(svg.wellFormed);
        QCOMPARE(svg.ids, (QStringList{QStringLiteral("_1__x_"), QStringLiteral("_1__x_.2")}));
        QCOMPARE(svg.texts[0], QStringLiteral("a & b"));
    }

    void numbersAreShortAndPlain()
    {
        QCOMPARE(svgNumber(1.0), QByteArray("1"));
        QCOMPARE(svgNumber(-0.001), QByteArray("0"));
        QCOMPARE(svgNumber(-12.346), QByteArray("-12.35"));
        QCOMPARE(svgNumber(0.5), QByteArray("0.5"));
        QCOMPARE(svgNumber(3.05), QByteArray("3.05"));
    }

private:
    QByteArray one(const char* stage, DiagramFormat format, const DiagramOptions& options = {})
    {
        const auto files =
            exportDiagram(m_run.recording, {stage}, format, QStringLiteral("one") + suffix(format), options);
        return files.ok() ? (*files)[0].bytes : QByteArray();
    }

    test::SampleRun m_run;
};

QTEST_MAIN(ExportTest)
#include "tst_export.moc"
