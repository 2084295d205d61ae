// Usage, help, diff and export: what needs no run of a model, or only a small one.
#include "io/json.h"
#include "shell.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace gb;
using test::caseArguments;
using test::caseFile;
using test::greenbox;

class TestCommandLine : public QObject {
    Q_OBJECT

private slots:
    void verbsHelpAndVersionAreForTheCommandLine()
    {
        for (const char* first : {"run", "explain", "export", "observe", "diff", "--help", "-h", "--version"})
            QVERIFY(cli::isCommandLine({first}));
        QVERIFY(!cli::isCommandLine({}));
        QVERIFY(!cli::isCommandLine({"model.pt2"}));
        QVERIFY(!cli::isCommandLine({"--theme", "dark"}));
    }

    void helpNamesEveryVerbAndTheExitStatuses()
    {
        const auto ran = greenbox({"--help"});
        QCOMPARE(ran.status, 0);
        for (const char* word : {"run", "explain", "export", "observe", "diff", "Exit status"})
            QVERIFY2(ran.out.find(word) != std::string::npos, word);
        QCOMPARE(greenbox({"run", "--help"}).status, 0);
    }

    void badUsageIsStatusTwoWithAMessage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("word");
        QTest::newRow("no verb") << QStringList{} << "subcommand";
        QTest::newRow("no recipe") << QStringList{"run", "m.pt2"} << "--recipe";
        QTest::newRow("unknown option") << QStringList{"diff", "a", "b", "--colour"} << "--colour";
        QTest::newRow("mode") << QStringList{"run", "m.pt2", "--recipe", "r", "--mode", "fast"} << "fast";
        QTest::newRow("stage") << QStringList{"run", "m.pt2", "--recipe", "r", "--stop-after", "quantized"}
                               << "quantized";
        QTest::newRow("export stage") << QStringList{"export",  "m",          "--recipe", "r",
                                                     "--stage", "prepared,x", "--out",    "o.svg"}
                                      << "x";
        QTest::newRow("no stage") << QStringList{"export", "m.pt2", "--recipe", "r", "--out", "o.svg"} << "--frames";
        QTest::newRow("fold") << QStringList{"export", "m.pt2", "--out", "o.svg", "--fold", "some"} << "some";
        QTest::newRow("stage and frames")
            << QStringList{"export", "m.pt2", "--stage", "prepared", "--frames", "stages", "--out", "o.svg"}
            << "--frames";
        QTest::newRow("calibrate") << QStringList{"run", "m.pt2", "--recipe", "r", "--calibrate", "0,b"}
                                   << "--calibrate: found \"0,b\", positions of batches (0,2,...) or none expected";
        QTest::newRow("negative batch") << QStringList{"run", "m.pt2", "--recipe", "r", "--calibrate=-1"}
                                        << "found \"-1\"";
    }
    void badUsageIsStatusTwoWithAMessage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, word);
        std::vector<std::string> list;
        for (const QString& a : arguments)
            list.push_back(a.toStdString());
        const auto ran = greenbox(list);
        QCOMPARE(ran.status, 2);
        QVERIFY2(QString::fromStdString(ran.err).contains(word), ran.err.c_str());
    }

    void statusesFollowTheKindOfError()
    {
        using base::ErrorCode;
        for (const ErrorCode code :
             {ErrorCode::ValueError, ErrorCode::NotImplementedError, ErrorCode::NoKernel, ErrorCode::Cancelled})
            QCOMPARE(cli::statusOf({code, "", ""}), cli::kRefused);
        for (const ErrorCode code :
             {ErrorCode::Io, ErrorCode::Format, ErrorCode::Usage, ErrorCode::Unsupported, ErrorCode::Shape})
            QCOMPARE(cli::statusOf({code, "", ""}), cli::kUnusable);
    }

    void diffOfADumpWithItselfIsTheSame()
    {
        const std::string dump = caseFile("conv_relu.xnnpack", "dump.json");
        const auto ran = greenbox({"diff", dump, dump});
        QCOMPARE(ran.status, 0);
        QCOMPARE(ran.out, std::string("the same\n"));
    }

    void diffSaysWhatDiffersStageByStage()
    {
        const auto ran = greenbox({"diff", caseFile("conv_relu.xnnpack", "dump.json"),
                                   caseFile("conv_relu.xnnpack_per_tensor", "dump.json")});
        QCOMPARE(ran.status, 1);
        QVERIFY(ran.out.starts_with("run\n  recipe.global.is_per_channel: only here\nannotated\n"));
        QVERIFY2(ran.out.find("observer activation_post_process_1.type: \"PerChannelMinMaxObserver\" here, "
                              "\"MinMaxObserver\" there")
                     != std::string::npos,
                 ran.out.c_str());
        QVERIFY(ran.out.find("\nexported\n") == std::string::npos);
    }

    void diffOfWhatIsNoDumpIsStatusTwo()
    {
        const std::string dump = caseFile("conv_relu.xnnpack", "dump.json");
        const auto missing = greenbox({"diff", dump, "/nowhere/b.json"});
        QCOMPARE(missing.status, 2);
        QCOMPARE(missing.err, std::string("greenbox: /nowhere/b.json: cannot read: No such file or directory\n"));
        const std::string recipe = caseFile("conv_relu.xnnpack", "recipe.json");
        const auto other = greenbox({"diff", recipe, dump});
        QCOMPARE(other.status, 2);
        QCOMPARE(other.err, "greenbox: " + recipe + ": no key \"format\" found, one expected\n");
    }

    void exportGivesThePainterTheStagesInTheirOrder()
    {
        cli::ExportRequest asked;
        cli::Hooks hooks;
        hooks.exportDiagrams = [&asked](const cli::ExportRequest& request, const base::Work&) {
            asked = request;
            return base::Result(cli::ExportAnswer{{"a.svg", "b.svg"}, {"small"}});
        };
        const auto ran =
            greenbox(caseArguments("export", "conv_relu.xnnpack",
                                   {"--stage", "prepared,annotated", "--out", "f.svg", "--select", "op:*conv2d*,relu",
                                    "--radius", "2", "--preset", "16:9", "--legend", "--overlay", "bits"}),
                     hooks);
        QCOMPARE(ran.status, 0);
        QCOMPARE(ran.err, std::string("greenbox: note: small\n"));
        QCOMPARE(asked.style.select, (std::vector<std::string>{"op:*conv2d*", "relu"}));
        QCOMPARE(asked.style.radius, 2);
        QCOMPARE(asked.style.page, std::string("16:9"));
        QCOMPARE(asked.style.overlay, std::string("bits"));
        QVERIFY(asked.style.legend && !asked.style.noGhosts);
        QCOMPARE(ran.out, std::string("a.svg\nb.svg\n"));
        QCOMPARE(asked.stages, (std::vector<std::string>{"prepared", "annotated"}));
        QCOMPARE(asked.out, std::string("f.svg"));
        // the flow ends after the last stage that is drawn
        QCOMPARE(asked.recording->stages().back(), std::string("prepared"));
    }

    void exportRefusesAnotherEndingBeforeItRuns()
    {
        const auto ran = greenbox({"export", "m.pt2", "--recipe", "r.json", "--stage", "prepared", "--out", "f.jpg"});
        QCOMPARE(ran.status, 2);
        QCOMPARE(ran.err, std::string("greenbox: f.jpg: an ending .svg, .pdf, .png, .dot or .json expected\n"));
    }

    void exportWithoutViewsSaysSo()
    {
        const auto ran = greenbox({"export", "m.pt2", "--recipe", "r.json", "--stage", "prepared", "--out", "f.svg"});
        QCOMPARE(ran.status, 2);
        QCOMPARE(ran.err, std::string("greenbox: export: this program was built without its views, which draw\n"));
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
