#include "io/recording.h"
#include "window/main_window.h"
#include "window/samples.h"
#include "window_set_up.h"

#include <QDropEvent>
#include <QElapsedTimer>
#include <QListWidget>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>

using namespace gb;
using namespace gb::app;
using test::convRelu;
using test::sample;

namespace {

bool waitUntilDone(MainWindow& window)
{
    return QTest::qWaitFor([&window] { return !window.busy(); }, 60000);
}

/// Drags files over the window and lets them go; false when the window does not take them.
bool drop(MainWindow& window, const QStringList& files)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files)
        urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    const QPoint at = window.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted())
        return false;
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    return true;
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString writeFile(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test cannot write");
        return file.fileName();
    }

    /// Opens what is expected to fail, and returns what the window said; the document before must still be there.
    QString failureOf(const Request& request)
    {
        MainWindow window;
        window.open(convRelu());
        if (!waitUntilDone(window))
            return {};
        const trace::RecordingPtr before = window.document()->recording;
        window.open(request);
        if (!waitUntilDone(window) || window.document()->recording != before || window.session()->recording() != before)
            return {};
        return window.messages().text();
    }

private Q_SLOTS:
    void initTestCase() { test::keepSettingsIn(m_folder); }

    void beginsOnTheStartPage()
    {
        MainWindow window;
        window.show();
        const auto* start = window.findChild<StartPage*>();
        QVERIFY(start && start->isVisible());
        QVERIFY(!window.document().has_value());
        const auto* list = start->findChild<QListWidget*>();
        QVERIFY(list->count() >= 9);
        for (int row = 0; row < list->count(); ++row) // each sample says what it is good for
            QVERIFY2(list->item(row)->text().contains(QStringLiteral(" — ")), qPrintable(list->item(row)->text()));
    }

    void aSmallScreenIsEnough()
    {
        constexpr QSize kSmall(940, 500); // of 1920 x 1080 at 200 %, without what the desktop takes
        MainWindow window;
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        const QSize least = window.minimumSizeHint();
        QVERIFY2(least.width() <= kSmall.width() && least.height() <= kSmall.height(),
                 qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
    }

    void opensASampleOnTheMomentAfterAnnotate()
    {
        MainWindow window;
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        QVERIFY2(window.document().has_value(), qPrintable(window.messages().text()));
        QCOMPARE(window.session()->stageAt(window.session()->cursor()), QStringLiteral("annotated"));
        QVERIFY(!window.document()->recording->failure);
        QCOMPARE(window.panes()->paneCount(), 2);
        const auto picture = window.panes()->pane(1)->canvas()->picture();
        QVERIFY(picture);
        int observers = 0;
        for (const views::NodeItem& n : picture->nodes)
            observers += n.role == views::NodeRole::Observer && !n.ghost ? 1 : 0;
        QCOMPARE(observers, 3); // XNNPACKQuantizer gives 3 on conv_relu
        QVERIFY(window.windowTitle().contains(QStringLiteral("conv_relu")));
    }

    void stepsByActionAndStage()
    {
        MainWindow window;
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        const int start = window.session()->cursor();
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(window.session()->cursor() > start);
        QTest::keyClick(&window, Qt::Key_BracketLeft, Qt::ControlModifier);
        QCOMPARE(window.session()->cursor(), start);
        QTest::keyClick(&window, Qt::Key_PageDown);
        QCOMPARE(window.session()->stageAt(window.session()->cursor()), QStringLiteral("prepared"));
        QTest::keyClick(&window, Qt::Key_Home);
        QCOMPARE(window.session()->stepNumber(), 1);
        QTest::keyClick(&window, Qt::Key_End);
        QCOMPARE(window.session()->stepNumber(), window.session()->stepCount());
    }

    void everyStepCanBeShown()
    {
        MainWindow window;
        window.resize(1200, 800);
        window.show();
        window.open({sample("models/residual.pt2"), sample("recipes/xnnpack.json"), {}, false});
        QVERIFY(waitUntilDone(window));
        window.session()->setStepInert(true);
        window.session()->toFirst();
        while (window.session()->canStepForward()) {
            window.session()->stepForward();
            QVERIFY(window.panes()->pane(0)->canvas()->picture());
        }
        QVERIFY(!window.grab().isNull());
        QCOMPARE(window.messages().text(), QString());
    }

    void aRecordingShowsWhatTheRunShowed()
    {
        MainWindow window;
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        const QString path = m_folder.filePath(QStringLiteral("conv_relu.gbx"));
        QVERIFY(io::writeRecording(*window.document()->recording, path.toStdString()).ok());
        MainWindow other;
        other.open({path, {}, {}, false});
        QVERIFY(waitUntilDone(other));
        QVERIFY2(other.document().has_value(), qPrintable(other.messages().text()));
        QCOMPARE(other.session()->eventCount(), window.session()->eventCount());
        QCOMPARE(other.session()->stepCount(), window.session()->stepCount());
        for (const QString& stage : views::stageNames())
            QCOMPARE(other.session()->momentOfStage(stage)->top().graph->size(),
                     window.session()->momentOfStage(stage)->top().graph->size());
    }

    void anotherRecipeRunsAnew()
    {
        MainWindow window;
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        Request other = convRelu();
        other.recipe = sample("recipes/relu_output.json");
        window.open(other);
        QVERIFY(waitUntilDone(window));
        QCOMPARE(window.session()->momentOfStage(QStringLiteral("prepared"))->top().observers.size(), std::size_t{1});
    }

    void eachSampleOpensAndIsDrawn_data()
    {
        QTest::addColumn<QString>("model");
        for (const Sample& s : samples())
            QTest::newRow(qPrintable(s.name)) << s.model;
    }
    void eachSampleOpensAndIsDrawn()
    {
        // not a timed test: that each sample opens and is drawn; the time is told for the reader
        QFETCH(QString, model);
        MainWindow window;
        window.show();
        QElapsedTimer timer;
        timer.start();
        window.open({model, sample("recipes/xnnpack.json"), {}, false});
        QVERIFY(waitUntilDone(window));
        QVERIFY(!window.grab().isNull());
        qInfo("%s: %lld ms", qPrintable(model.section(QLatin1Char('/'), -1)), timer.elapsed());
        QVERIFY2(window.document().has_value(), qPrintable(window.messages().text()));
    }

    void aDroppedModelIsOpenedAndADroppedRecipeRunsItAnew()
    {
        MainWindow window;
        window.show();
        QVERIFY(drop(window, {sample("models/residual.pt2")}));
        QVERIFY(waitUntilDone(window));
        QVERIFY(window.document().has_value());
        QCOMPARE(window.document()->recording->header.model, std::string("residual"));
        const trace::RecordingPtr before = window.document()->recording;
        QVERIFY(drop(window, {sample("recipes/relu_output.json")})); // a recipe runs what is shown anew
        QVERIFY(waitUntilDone(window));
        QVERIFY(window.document()->recording != before);
        QCOMPARE(window.document()->request.recipe, sample("recipes/relu_output.json"));
    }
    void severalFilesOrNoneAreNotTaken()
    {
        MainWindow window;
        window.show();
        QVERIFY(!drop(window, {}));
        QVERIFY(!drop(window, {sample("models/residual.pt2"), sample("models/tiny.pt2")}));
        QVERIFY(!window.busy());
    }

    void noZipIsSaidAndTheDocumentStays()
    {
        const QString said =
            failureOf({writeFile(QStringLiteral("no_zip.pt2"), "hello"), sample("recipes/xnnpack.json"), {}, false});
        QVERIFY2(said.contains(QStringLiteral("no_zip.pt2")), qPrintable(said));
    }

    void aMissingFileIsSaidAndTheDocumentStays()
    {
        const QString said =
            failureOf({m_folder.filePath(QStringLiteral("gone.pt2")), sample("recipes/xnnpack.json"), {}, false});
        QVERIFY2(said.contains(QStringLiteral("gone.pt2")), qPrintable(said));
    }

    void anUnknownRecipeKeyIsSaidAndTheDocumentStays()
    {
        Request request = convRelu();
        request.recipe = writeFile(QStringLiteral("wrong.json"), R"({"quantizer": "xnnpack", "globl": {}})");
        const QString said = failureOf(request);
        QVERIFY2(said.contains(QStringLiteral("wrong.json")) && said.contains(QStringLiteral("globl")),
                 qPrintable(said));
    }

    void wrongInputsAreSaidAndTheDocumentStays()
    {
        Request request = convRelu();
        request.inputs = sample("inputs/linear.npz");
        const QString said = failureOf(request);
        QVERIFY2(said.contains(QStringLiteral("linear.npz")) && said.contains(QStringLiteral("000.0")),
                 qPrintable(said));
    }

    void aBrokenRecordingIsSaidAndTheDocumentStays()
    {
        const QString said =
            failureOf({writeFile(QStringLiteral("broken.gbx"), "{\"format\": \"other\"}\n"), {}, {}, false});
        QVERIFY2(said.contains(QStringLiteral("broken.gbx")), qPrintable(said));
    }

    void aFullDiskIsSaidAndTheDocumentStays()
    {
        MainWindow window;
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        const trace::RecordingPtr before = window.document()->recording;
        window.saveTo(QStringLiteral("/dev/full"), [](const trace::RecordingPtr& r, const std::string& path) {
            return io::writeRecording(*r, path);
        });
        QVERIFY(waitUntilDone(window));
        QVERIFY2(window.messages().text().contains(QStringLiteral("/dev/full: cannot write: No space left on device")),
                 qPrintable(window.messages().text()));
        QVERIFY(window.document()->recording == before);
    }

    void aSavedRecordingIsTheDocument()
    {
        MainWindow window;
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        const QString path = m_folder.filePath(QStringLiteral("saved.gbx"));
        window.saveTo(path,
                      [](const trace::RecordingPtr& r, const std::string& to) { return io::writeRecording(*r, to); });
        QVERIFY(waitUntilDone(window));
        QVERIFY2(window.messages().text().isEmpty(), qPrintable(window.messages().text()));
        const auto read = io::readRecording(path.toStdString());
        QVERIFY(read.ok());
        QCOMPARE(read->recording->events.size(), window.document()->recording->events.size());
    }

    void aCancelledRunLeavesTheDocument()
    {
        MainWindow window;
        window.show(); // shortcuts act in a window that is seen
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        const trace::RecordingPtr before = window.document()->recording;
        window.open({sample("models/tiny.pt2"), sample("recipes/xnnpack.json"), {}, false});
        QTest::keyClick(&window, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(!window.busy());
        QTest::qWait(50);
        QCOMPARE(window.document()->recording, before);
    }

    void whatIsSearchedForIsSelected()
    {
        MainWindow window;
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        auto* search = window.findChild<QLineEdit*>();
        QVERIFY(search);
        for (auto* edit : window.findChildren<QLineEdit*>())
            if (edit->accessibleName() == QStringLiteral("Find node"))
                search = edit;
        search->setText(QStringLiteral("conv2d"));
        QTest::keyClick(search, Qt::Key_Return);
        const ir::Node* node = window.session()->moment()->top().graph->find("conv2d");
        QCOMPARE(window.selection()->current().node, node->id());
    }

    void aQueryListsItsHitsAndTheKeysWalkThem()
    {
        MainWindow window;
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        QTRY_VERIFY(window.explanation().report());
        for (auto* edit : window.findChildren<QLineEdit*>())
            if (edit->accessibleName() == QStringLiteral("Find node")) {
                edit->setText(QStringLiteral("kind:observer"));
                QTest::keyClick(edit, Qt::Key_Return);
            }
        const ir::NodeId first = window.selection()->current().node;
        QVERIFY(first != ir::kNoNode);
        QTest::keyClick(&window, Qt::Key_F3);
        const ir::NodeId second = window.selection()->current().node;
        QVERIFY(second != first);
        QTest::keyClick(&window, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(window.selection()->current().node, first);
    }

    void aRunThatLabelsNothingSaysSo()
    {
        MainWindow window;
        window.show();
        const QString base = QStringLiteral(GREENBOX_TEST_DATA "/cases/nothing.xnnpack");
        window.open({base + QStringLiteral(".pt2"), base + QStringLiteral(".recipe.json"), {}, false});
        QVERIFY(waitUntilDone(window));
        QTRY_VERIFY(window.messages().text().contains(QStringLiteral("Nothing was labelled")));
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        QTRY_VERIFY(window.explanation().report());
        QVERIFY(window.messages().text().isEmpty());
    }

    void aBreakpointStopsTheWalk()
    {
        MainWindow window;
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        window.session()->toStage(QStringLiteral("exported"));
        const ir::NodeId relu = window.session()->moment()->top().graph->find("relu")->id();
        window.selection()->selectNode(relu);
        QTest::keyClick(&window, Qt::Key_F9);
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(!window.busy()); // it continued, it did not run anew
        const auto& nodes = window.session()->current()->nodes;
        QVERIFY(std::ranges::find(nodes, relu) != nodes.end());
        QTest::keyClick(&window, Qt::Key_F9);
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(window.busy());
        QVERIFY(waitUntilDone(window));
    }

    void everyThemePaintsTheWindow()
    {
        MainWindow window;
        window.resize(1000, 700);
        window.show();
        window.open(convRelu());
        QVERIFY(waitUntilDone(window));
        QSet<QRgb> pages;
        for (const auto kind : {views::ThemeKind::Light, views::ThemeKind::Dark, views::ThemeKind::HighContrast}) {
            window.setTheme(kind);
            const QWidget* canvas = window.panes()->pane(0)->canvas();
            const QImage image = window.panes()->pane(0)->canvas()->grab().toImage();
            QVERIFY(canvas->isVisible());
            QCOMPARE(image.pixelColor(3, image.height() - 4), views::Theme::of(kind).ink(views::Ink::Page));
            pages.insert(image.pixel(3, image.height() - 4));
        }
        QVERIFY(pages.size() >= 2);
    }
};

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
