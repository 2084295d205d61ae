// `greenbox numbers`: every table is printed and written, and what is wrong is said.
#include "shell.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace gb;
using test::caseArguments;
using test::caseFile;
using test::greenbox;

namespace {

test::Ran numbersOf(const std::string& what, const std::vector<std::string>& more = {})
{
    std::vector<std::string> arguments = caseArguments(
        "numbers", "conv_relu.xnnpack", {"--inputs", caseFile("conv_relu.xnnpack", "inputs.npz"), "--what", what});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return greenbox(arguments);
}

} // namespace

class TestNumbersVerb : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTableIsPrinted_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("site");
        QTest::addColumn<QString>("contains");
        QTest::newRow("error") << "error"
                               << ""
                               << "output: SQNR";
        QTest::newRow("gain") << "gain"
                              << ""
                              << "left in float";
        QTest::newRow("storage") << "storage"
                                 << ""
                                 << "_frozen_param0";
        QTest::newRow("qparams") << "qparams"
                                 << ""
                                 << "conv_weight -> conv2d";
        QTest::newRow("batches") << "batches"
                                 << ""
                                 << "activation_post_process_2";
        QTest::newRow("zoo") << "zoo"
                             << "relu"
                             << "MovingAverageMinMaxObserver";
        QTest::newRow("search") << "search"
                                << "activation_post_process_0"
                                << "the search ends";
        QTest::newRow("channels") << "channels"
                                  << "activation_post_process_1"
                                  << "of 8 channels";
        QTest::newRow("data") << "data"
                              << ""
                              << "calibration";
        QTest::newRow("one observer's batches") << "batches"
                                                << "activation_post_process_2"
                                                << "activation_post_process_2";
        QTest::newRow("axes") << "axes"
                              << "activation_post_process_1"
                              << "axis 0, output channels";
    }

    void everyTableIsPrinted()
    {
        QFETCH(const QString, what);
        QFETCH(const QString, site);
        QFETCH(const QString, contains);
        std::vector<std::string> more;
        if (!site.isEmpty())
            more = {"--site", site.toStdString()};
        const auto ran = numbersOf(what.toStdString(), more);
        QVERIFY2(ran.status == 0, ran.err.c_str());
        QVERIFY2(ran.out.find(contains.toStdString()) != std::string::npos, ran.out.c_str());
    }

    void theSameIsWritten()
    {
        const test::Folder folder;
        QCOMPARE(numbersOf("error", {"--out", folder.file("e.json")}).status, 0);
        QFile file(QString::fromStdString(folder.file("e.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(object[QStringLiteral("what")].toString(), QStringLiteral("error"));
        QCOMPARE(object[QStringLiteral("rows")].toArray().size(), 3); // x, conv2d, relu
        QCOMPARE(numbersOf("batches", {"--out", folder.file("b.csv")}).status, 0);
        QFile csv(QString::fromStdString(folder.file("b.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), 13); // a header, three observers, four batches
    }

    void changesAreTriedOut()
    {
        const auto sound = numbersOf("error");
        const auto clipped = numbersOf("error", {"--range", "activation_post_process_2=0,0.1"});
        const auto exact = numbersOf("error", {"--float", "conv2d", "--float", "relu"});
        QCOMPARE(clipped.status, 0);
        QCOMPARE(exact.status, 0);
        QVERIFY(clipped.out != sound.out);
        QVERIFY(exact.out.find("SQNR inf dB") != std::string::npos);
    }

    void theGainStandsBesideTheOldRun()
    {
        const auto ran =
            numbersOf("error", {"--replace", "activation_post_process_0=MinMaxObserver,quant_min=-8,quant_max=7",
                                "--float", "activation_post_process_2"});
        QVERIFY2(ran.status == 0, ran.err.c_str());
        QVERIFY2(ran.out.find("changed: activation_post_process_2: not quantized") != std::string::npos,
                 ran.out.c_str());
        QVERIFY(ran.out.find("changed: activation_post_process_0: MinMaxObserver(quant_min=-8, quant_max=7")
                != std::string::npos);
        QVERIFY(ran.out.find(" dB before, ") != std::string::npos);
    }

    /// What `export --overlay` reads: a title with its unit, then a node and a number a line.
    void errorsAreWrittenAsAnOverlay()
    {
        const test::Folder folder;
        QCOMPARE(numbersOf("error", {"--overlay", "local", "--out", folder.file("o.csv")}).status, 0);
        QFile file(QString::fromStdString(folder.file("o.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 4); // x, conv2d, relu
        QCOMPARE(lines[0], QByteArray("node,local SQNR (dB)"));
        for (const QByteArray& line : lines.mid(1)) {
            bool number = false;
            QVERIFY(line.split(',').value(1).toDouble(&number) > 0);
            QVERIFY2(number, line.constData());
        }
    }

    void twoRunsPart()
    {
        const auto same = numbersOf("parting", {"--against", caseFile("conv_relu.xnnpack", "recipe.json")});
        QVERIFY2(same.status == 0, same.err.c_str());
        QVERIFY(same.out.find("the runs do not part") != std::string::npos);
        const auto other = numbersOf("parting", {"--against", caseFile("conv_relu.xnnpack_per_tensor", "recipe.json")});
        QVERIFY2(other.out.find("the first op at which the runs part: conv2d") != std::string::npos, other.out.c_str());
        const test::Folder folder;
        for (const char* name : {"conv_relu.xnnpack", "conv_relu.xnnpack_per_tensor"})
            QCOMPARE(greenbox(caseArguments(
                                  "run", name,
                                  {"--inputs", caseFile(name, "inputs.npz"), "--record", folder.file(name) + ".gbx"}))
                         .status,
                     0);
        const auto recordings = greenbox({"numbers", folder.file("conv_relu.xnnpack") + ".gbx", "--what", "parting",
                                          "--against", folder.file("conv_relu.xnnpack_per_tensor") + ".gbx"});
        QVERIFY2(recordings.status == 0, recordings.err.c_str());
        QVERIFY2(recordings.out.find("the first observer at which the runs part: that of conv_weight")
                     != std::string::npos,
                 recordings.out.c_str());
    }

    void aPictureIsAskedOfThePainter()
    {
        cli::FigureRequest asked;
        cli::Hooks hooks;
        hooks.paintFigure = [&asked](const cli::FigureRequest& request) {
            asked = request;
            return base::Status();
        };
        std::vector<std::string> arguments = caseArguments(
            "numbers", "conv_relu.xnnpack",
            {"--inputs", caseFile("conv_relu.xnnpack", "inputs.npz"), "--what", "batches", "--out", "b.svg"});
        QCOMPARE(greenbox(arguments, hooks).status, 0);
        QCOMPARE(asked.out, std::string("b.svg"));
        QCOMPARE(asked.title, std::string("conv_relu.xnnpack · batches"));
        const auto* batches = std::get_if<numbers::BatchesFigure>(&asked.figure.data);
        QVERIFY(batches && batches->history.lastChange() > 0);
        QCOMPARE(asked.figure.sheet.rows.size(), batches->history.steps.size()); // of the one that is shown
        arguments[arguments.size() - 3] = "error";
        arguments.back() = "e.pdf";
        QCOMPARE(greenbox(arguments, hooks).status, 0);
        QVERIFY(std::holds_alternative<std::monostate>(asked.figure.data));
        QCOMPARE(greenbox(arguments).status, 2); // built without its views
    }

    void otherSourcesAreTaken()
    {
        const auto ran = greenbox(caseArguments("run", "conv_relu.xnnpack", {"--inputs", "random:3:2"}));
        QVERIFY2(ran.status == 0, ran.err.c_str());
        QVERIFY(ran.out.find("2 of random values, seed 3") != std::string::npos);
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("site") << QStringList{"zoo", "--site", "nowhere"} << "\"nowhere\"";
        QTest::newRow("no observer") << QStringList{"search", "--site", "relu"} << "an observer of the prepared model";
        QTest::newRow("no histogram") << QStringList{"search", "--site", "activation_post_process_1"} << "no histogram";
        QTest::newRow("float") << QStringList{"error", "--float", "nowhere"} << "\"nowhere\"";
        QTest::newRow("range") << QStringList{"error", "--range", "activation_post_process_2"} << "OBSERVER=MIN,MAX";
        QTest::newRow("replace") << QStringList{"error", "--replace", "activation_post_process_2"} << "OBSERVER=CLASS";
        QTest::newRow("replace by") << QStringList{"error", "--replace", "activation_post_process_2=A,b"}
                                    << "OBSERVER=CLASS";
        QTest::newRow("replace where") << QStringList{"error", "--replace", "nowhere=MinMaxObserver"} << "\"nowhere\"";
        QTest::newRow("against") << QStringList{"parting"} << "--against";
        QTest::newRow("batches of") << QStringList{"batches", "--site", "relu"} << "an observer that ran";
        QTest::newRow("size") << QStringList{"error", "--image-size", "224"} << "HEIGHTxWIDTH";
        QTest::newRow("file") << QStringList{"error", "--out", "/no/such/folder/e.csv"} << "/no/such/folder";
    }

    void whatIsWrongIsSaid()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, says);
        std::vector<std::string> more;
        for (const QString& argument : arguments.mid(1))
            more.push_back(argument.toStdString());
        const auto ran = numbersOf(arguments[0].toStdString(), more);
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.find(says.toStdString()) != std::string::npos, ran.err.c_str());
    }
};

QTEST_GUILESS_MAIN(TestNumbersVerb)
#include "tst_numbers_verb.moc"
