// The data dialog: what it reads, what it says before the run, what it asks for.
#include "figures/sheet_view.h"
#include "window/data_dialog.h"
#include "window/data_source_box.h"
#include "window_set_up.h"

#include <QImage>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace gb;
using namespace gb::app;
using test::convRelu;
using test::sample;

namespace {

bool read(const DataDialog& dialog)
{
    return QTest::qWaitFor([&dialog] { return !dialog.busy(); }, 30000);
}

} // namespace

class DataDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void batchesAreListed()
    {
        DataDialog dialog(convRelu());
        QVERIFY(read(dialog));
        QVERIFY2(dialog.canRun(), qPrintable(dialog.sentence()));
        QVERIFY(dialog.batches().model().rowCount() > 1);
        QVERIFY(dialog.sentence().contains(QStringLiteral("conv_relu.npz")));
        QVERIFY(dialog.sentence().contains(QStringLiteral("measured on the calibration batches")));
    }

    void batchesAreChosenAndRepeated()
    {
        DataDialog dialog(convRelu());
        QVERIFY(read(dialog));
        dialog.batches().table().view().selectRow(1);
        dialog.useSelected();
        QVERIFY(read(dialog));
        QCOMPARE(dialog.request().calibrate, QStringLiteral("1"));
        dialog.batches().table().view().selectRow(1);
        dialog.addSelected();
        QVERIFY(read(dialog));
        QCOMPARE(dialog.request().calibrate, QStringLiteral("1, 1"));
        QCOMPARE(std::get<std::int64_t>(dialog.batches().model().sheet().rows[1].cells.back()), std::int64_t(2));
        QVERIFY(dialog.canRun());
        dialog.useAll();
        QVERIFY(dialog.request().calibrate.isEmpty());
        dialog.batches().table().view().selectRow(0);
        dialog.addSelected(); // to all of them
        const auto count = dialog.batches().model().rowCount();
        QCOMPARE(dialog.request().calibrate.split(QLatin1Char(',')).size(), count + 1);
    }

    void whatDoesNotFitIsSaidBeforeTheRun_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QString>("says");
        QTest::newRow("no file") << QStringLiteral("/no/such/file.npz") << QString() << QStringLiteral("file.npz");
        QTest::newRow("another model's") << sample("inputs/digits.npz") << QString() << QStringLiteral("expected");
        QTest::newRow("position") << sample("inputs/conv_relu.npz") << QStringLiteral("0, 99")
                                  << QStringLiteral("batch 99 to calibrate on found");
        QTest::newRow("text") << sample("inputs/conv_relu.npz") << QStringLiteral("some")
                              << QStringLiteral("found \"some\"");
    }

    void whatDoesNotFitIsSaidBeforeTheRun()
    {
        QFETCH(const QString, source);
        QFETCH(const QString, chosen);
        QFETCH(const QString, says);
        Request request = convRelu();
        request.inputs = source;
        request.calibrate = chosen;
        DataDialog dialog(request);
        QVERIFY(read(dialog));
        QVERIFY(!dialog.canRun());
        QVERIFY2(dialog.sentence().contains(says), qPrintable(dialog.sentence()));
    }

    void aCheckSetThatDoesNotFitIsSaidToo()
    {
        DataDialog dialog(convRelu());
        dialog.check().setText(QStringLiteral("random:1:3"));
        Request request = dialog.request();
        QCOMPARE(request.check, QStringLiteral("random:1:3"));
        QVERIFY(read(dialog));
        QVERIFY(dialog.canRun());
        request.check = sample("inputs/digits.npz");
        DataDialog other(request);
        QVERIFY(read(other));
        QVERIFY(!other.canRun());
    }

    void imagesAreScaledAndNormalised()
    {
        const QTemporaryDir folder;
        for (int i = 0; i < 3; ++i) {
            QImage image(40, 20, QImage::Format_RGB32);
            image.fill(QColor(51 * i, 0, 255));
            QVERIFY(image.save(folder.filePath(QStringLiteral("%1.png").arg(i))));
        }
        Request request = convRelu();
        request.inputs = folder.path();
        DataDialog dialog(request);
        QVERIFY(dialog.calibration().isFolder());
        dialog.setNormalisation(QStringLiteral("0.5"), QStringLiteral("0.5"));
        QVERIFY(read(dialog));
        QVERIFY2(dialog.canRun(), qPrintable(dialog.sentence()));
        const numbers::Sheet& sheet = dialog.batches().model().sheet();
        QCOMPARE(std::get<double>(sheet.rows[0].cells[4]), -1.0); // (0 - 0.5) / 0.5
        QCOMPARE(std::get<double>(sheet.rows[0].cells[5]), 1.0);
        QCOMPARE(dialog.request().imageMean, std::vector<double>{0.5});
        dialog.setNormalisation(QStringLiteral("half"), {});
        QVERIFY(read(dialog));
        QVERIFY(!dialog.canRun());
        QVERIFY(dialog.sentence().contains(QStringLiteral("\"half\"")));
        dialog.setNormalisation({}, {});
        dialog.setImageSize(7, 7); // not what the model takes
        QVERIFY(read(dialog));
        QVERIFY(!dialog.canRun());
        QVERIFY2(dialog.sentence().contains(QStringLiteral("what the model takes")), qPrintable(dialog.sentence()));
    }

    void theChoiceIsWhatIsRun()
    {
        Request request = convRelu();
        request.inputs = QStringLiteral("random:7:4");
        request.calibrate = QStringLiteral("0, 2, 2");
        request.check = QStringLiteral("random:8:1");
        const auto document = openDocument(request, {});
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().text().c_str());
        QCOMPARE(document->material->calibration.size(), std::size_t(3));
        QCOMPARE(document->material->check.size(), std::size_t(1));
    }

    void sourcesAreTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << QString();
        QTest::newRow("random") << QStringLiteral("random:12:3");
        QTest::newRow("file") << QStringLiteral("/a/b.npz");
        QTest::newRow("folder") << QDir::tempPath();
    }

    void sourcesAreTexts()
    {
        QFETCH(const QString, text);
        DataSourceBox box(QStringLiteral("x"), QStringLiteral("none"));
        QSignalSpy changed(&box, &DataSourceBox::changed);
        box.setText(text);
        QCOMPARE(box.text(), text);
        QCOMPARE(changed.count(), 0); // by the program
    }
};

QTEST_MAIN(DataDialogTest)
#include "tst_data_dialog.moc"
