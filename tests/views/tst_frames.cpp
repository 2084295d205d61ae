// Sequences of stages and steps, the part that a window shows, and cards.
#include "export/card.h"
#include "export/crop.h"
#include "export/frames.h"
#include "export/page.h"
#include "picture/scene.h"
#include "picture_checks.h"
#include "sample_run.h"

#include <QImage>
#include <QTest>

using namespace gb;
using namespace gb::views;

class FramesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = test::makeSampleRun(); }

    void stagesAreNumberedByTheirPlaceInARun()
    {
        const auto frames = framesOfStages(*m_run.recording, {"converted", "prepared"});
        QVERIFY(frames.ok());
        QCOMPARE(frames->at(0).name, "06-converted");
        QCOMPARE(frames->at(1).name, "04-prepared");
        QCOMPARE(frames->at(1).shortName(), "prepared");
        QCOMPARE(frames->at(1).event, m_run.recording->stageEvent("prepared"));
        QCOMPARE(framesOfStages(*m_run.recording, {}).error().code, base::ErrorCode::Usage);
        QCOMPARE(framesOfStages(*m_run.recording, {"folded"}).error().code, base::ErrorCode::NotFound);
    }

    void stepsAreEventsThatChangeSomething()
    {
        const auto frames = framesOfSteps(*m_run.recording, 2, 4);
        QVERIFY(frames.ok());
        QCOMPARE(frames->size(), std::size_t(3));
        QCOMPARE(frames->at(0).name, "step-002");
        for (std::size_t i = 0; i < frames->size(); ++i) {
            const auto event = static_cast<std::size_t>(frames->at(i).event);
            QVERIFY(m_run.recording->events[event].changesSomething());
            QVERIFY(i == 0 || frames->at(i).event > frames->at(i - 1).event);
        }
        QVERIFY(frames->at(0).caption.startsWith(QStringLiteral("step 2/")));
        for (const auto& [first, last] : {std::pair{0, 1}, {3, 2}, {1, 100000}})
            QCOMPARE(framesOfSteps(*m_run.recording, first, last).error().code, base::ErrorCode::Usage);
    }

    void allFramesOfASequenceHaveOneFraming()
    {
        const auto frames = framesOfSteps(*m_run.recording, 1, 6).value();
        DiagramOptions options;
        options.scale = 1;
        const auto files =
            exportFrames(m_run.recording, frames, DiagramFormat::Png, QStringLiteral("run.png"), options);
        QVERIFY(files.ok());
        QCOMPARE(files->size(), std::size_t(6));
        QCOMPARE(files->front().name, QStringLiteral("run-step-001.png"));
        const QSize size = QImage::fromData(files->front().bytes).size();
        for (const DiagramFile& file : *files)
            QCOMPARE(QImage::fromData(file.bytes).size(), size);
        const auto again =
            exportFrames(m_run.recording, frames, DiagramFormat::Png, QStringLiteral("run.png"), options);
        for (std::size_t i = 0; i < files->size(); ++i)
            QCOMPARE(again->at(i).bytes, files->at(i).bytes);
    }

    void aSpeakerHasNotesForEachFrame()
    {
        DiagramOptions options;
        options.notes = true;
        const auto frames = framesOfStages(*m_run.recording, {"annotated", "prepared"}).value();
        const auto files =
            exportFrames(m_run.recording, frames, DiagramFormat::Svg, QStringLiteral("run.svg"), options);
        QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().c_str());
        QCOMPARE(files->size(), std::size_t(3));
        QCOMPARE(files->back().name, QStringLiteral("run-notes.md"));
        const QString notes = QString::fromUtf8(files->back().bytes);
        QVERIFY(notes.startsWith(QStringLiteral("# sample\n")));
        const qsizetype annotated = notes.indexOf(QStringLiteral("\n## Annotated\n"));
        const qsizetype prepared = notes.indexOf(QStringLiteral("\n## Prepared\n"));
        QVERIFY(annotated > 0 && prepared > annotated);
        QVERIFY(notes.indexOf(QStringLiteral("What happened:"), prepared) > prepared);
        // add has no label: said where labels are given, and not again where observers are put
        const qsizetype why = notes.indexOf(QStringLiteral("- `add` (R"));
        QVERIFY2(why > annotated && why < prepared, qPrintable(notes));
        QCOMPARE(notes.count(QStringLiteral("`add` (R")), 1);
        // what is not on the slide is not talked about
        options.select = {"conv2d"};
        options.radius = 0;
        const auto part = exportFrames(m_run.recording, frames, DiagramFormat::Svg, QStringLiteral("run.svg"), options);
        QVERIFY(!part->back().bytes.contains("`add`"));
    }

    void notesOfAStepBeginWithItsSentence()
    {
        DiagramOptions options;
        options.notes = true;
        const auto frames = framesOfSteps(*m_run.recording, 2, 3).value();
        const auto files =
            exportFrames(m_run.recording, frames, DiagramFormat::Pdf, QStringLiteral("run.pdf"), options);
        QVERIFY(files.ok());
        QCOMPARE(files->size(), std::size_t(2));
        for (const Frame& frame : frames)
            QVERIFY(files->back().bytes.contains("\n## " + frame.caption.toUtf8() + '\n'));
    }

    void aPdfHasAPageAStep()
    {
        const auto frames = framesOfSteps(*m_run.recording, 1, 5).value();
        const auto files = exportFrames(m_run.recording, frames, DiagramFormat::Pdf, QStringLiteral("run.pdf"));
        QVERIFY(files.ok());
        QCOMPARE(files->size(), std::size_t(1));
        QCOMPARE(files->front().bytes.count("/Type /Page\n"), 5);
        QVERIFY(files->front().bytes.contains("/FontFile"));
    }

    void aViewportHoldsWhatLiesInIt()
    {
        const PicturePtr whole = picture("prepared");
        const NodeItem& relu = *whole->find(m_run.relu);
        const PicturePtr part = cropped(*whole, relu.area().adjusted(-30, -30, 30, 30));
        QVERIFY(part && part->find(m_run.relu));
        QVERIFY(!part->find(m_run.output));
        QVERIFY(part->nodes.size() < whole->nodes.size());
        QCOMPARE(part->find(m_run.relu)->box, relu.box);
        QVERIFY(part->bounds.width() < whole->bounds.width());
        for (const EdgeItem& edge : part->edges)
            QVERIFY(part->find(edge.from) && part->find(edge.to));
        QVERIFY(!cropped(*whole, QRectF(-900, -900, 10, 10)));
        QCOMPARE(test::whatIsWrong(*part), QString());
    }

    void aViewportIsExported()
    {
        const PicturePtr whole = picture("prepared");
        DiagramOptions options;
        options.viewport = whole->find(m_run.relu)->area().translated(-whole->bounds.topLeft());
        const auto files =
            exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::Svg, QStringLiteral("a.svg"), options);
        QVERIFY(files.ok());
        QVERIFY(files->front().bytes.contains("id=\"relu\""));
        QVERIFY(!files->front().bytes.contains("id=\"output\""));
        options.viewport = {-500, -500, 20, 20};
        const auto none =
            exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::Svg, QStringLiteral("a.svg"), options);
        QCOMPARE(none.error().code, base::ErrorCode::NotFound);
    }

    void aCardIsTheSameInEveryFormat()
    {
        const Card card = whyCard(QStringLiteral("conv2d"), [](const Theme&) {
            return QStringLiteral("<p><b>By design</b></p><ul><li>users of conv2d: relu</li></ul>");
        });
        QVERIFY(card.size.height() > 20);
        DiagramOptions options;
        options.page = pageSize(QStringLiteral("16:9")).value();
        options.scale = 1;
        const auto svg = exportCard(card, DiagramFormat::Svg, QStringLiteral("a.svg"), options);
        QVERIFY(svg.ok());
        QVERIFY(svg->bytes.contains("users of conv2d: relu")); // text stays text
        QVERIFY(!svg->bytes.contains("clip-path") && !svg->bytes.contains("filter"));
        const auto png = exportCard(card, DiagramFormat::Png, QStringLiteral("a.png"), options);
        QCOMPARE(QImage::fromData(png->bytes).size(), QSize(1280, 720));
        const auto pdf = exportCard(card, DiagramFormat::Pdf, QStringLiteral("a.pdf"), options);
        QVERIFY(pdf->bytes.contains("/FontFile"));
        for (const DiagramFormat format : {DiagramFormat::Svg, DiagramFormat::Png, DiagramFormat::Pdf})
            QCOMPARE(exportCard(card, format, QStringLiteral("b"), options)->bytes,
                     exportCard(card, format, QStringLiteral("b"), options)->bytes);
        QCOMPARE(exportCard(card, DiagramFormat::Dot, QStringLiteral("a.dot"), options).error().code,
                 base::ErrorCode::Usage);
    }

    void otherScriptsAreDrawn()
    {
        // names and captions of other scripts are text in SVG, and take room in all formats
        DiagramOptions options;
        options.captionText = QStringLiteral("量子化の図 · 모델");
        const auto svg =
            exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::Svg, QStringLiteral("a.svg"), options);
        QVERIFY(svg->front().bytes.contains("量子化の図 · 모델"));
        options.captionText = QStringLiteral("　");
        const auto blank =
            exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::Png, QStringLiteral("a.png"), options);
        options.captionText = QStringLiteral("量子化の図");
        const auto png =
            exportDiagram(m_run.recording, {"prepared"}, DiagramFormat::Png, QStringLiteral("a.png"), options);
        QVERIFY(png->front().bytes != blank->front().bytes);
    }

private:
    PicturePtr picture(const char* stage) const
    {
        const auto scene = makeScene(m_run.recording).value();
        ContentOptions options;
        options.arrangement = arrange(*scene, allUnfolded(moduleTree(*scene))).value();
        return makePicture(*scene, *test::momentAt(m_run.recording, stage), m_run.recording->stageEvent(stage),
                           options);
    }

    test::SampleRun m_run;
};

QTEST_MAIN(FramesTest)
#include "tst_frames.moc"
