// `greenbox run` over the cases that torchao was run on, and over input that it has to refuse.
#include "io/dump.h"
#include "io/dump_diff.h"
#include "io/npz.h"
#include "io/recording.h"
#include "shell.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace gb;
using test::caseArguments;
using test::caseFile;
using test::greenbox;

namespace {

/// As the reference comparison: float32 sums in another order move a range by about this much.
constexpr double kTolerance = 2e-5;

const char* const kCases[] = {
    "addmul.shared",
    "addmul.xnnpack",
    "attention.xnnpack",
    "cat.shared",
    "cat.xnnpack",
    "consumers.chain",
    "consumers.merge",
    "consumers.merge_output",
    "consumers.not_allowed",
    "consumers.separate",
    "conv1d.xnnpack",
    "conv_bn_relu.xnnpack",
    "conv_relu.derived_bias",
    "conv_relu.relu_output",
    "conv_relu.xnnpack",
    "conv_relu.xnnpack_per_tensor",
    "conv_transpose.xnnpack",
    "embedding.composable",
    "gru.xnnpack",
    "inplace.xnnpack",
    "linear.xnnpack",
    "linear3d.xnnpack",
    "nested.module_name_none",
    "nested.module_type",
    "nested.operator_type",
    "nothing.xnnpack",
    "residual.composable",
    "residual.fused_rules",
    "residual.relu_output",
    "residual.xnnpack",
    "share_ops.xnnpack",
    "shared_module.xnnpack",
    "sigmoid.fixed",
    "spectrogram.q3_12",
    "tiny.relu_output",
    "tiny.xnnpack",
    "vit_block.xnnpack",
};

QByteArray contents(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string write(const test::Folder& folder, const char* name, const QByteArray& text)
{
    QFile file(QString::fromStdString(folder.file(name)));
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
    return folder.file(name);
}

} // namespace

class TestRun : public QObject {
    Q_OBJECT

private slots:
    void isWhatTorchaoDoes_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : kCases)
            QTest::newRow(name) << name;
    }
    void isWhatTorchaoDoes()
    {
        QFETCH(QString, name);
        const std::string n = name.toStdString();
        const test::Folder folder;
        const auto ran = greenbox(caseArguments("run", n,
                                                {"--inputs", caseFile(n, "inputs.npz"), "--dump", folder.file("d.json"),
                                                 "--record", folder.file("r.gbx"), "--outputs", folder.file("o.npz")}));
        const auto theirs = io::readDump(caseFile(n, "dump.json"));
        QVERIFY(theirs.ok());
        QCOMPARE(ran.status, n == "nested.module_name_none" ? 1 : 0);
        const auto mine = io::readDump(folder.file("d.json"));
        QVERIFY2(mine.ok(), ran.err.c_str());
        for (const io::StageDifferences& stage : io::diffDumps(*mine, *theirs, kTolerance))
            QFAIL((stage.stage + ": " + stage.entries[0]).c_str());
        // the recording holds the whole run
        const auto read = io::readRecording(folder.file("r.gbx"));
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QVERIFY(read->notes.empty());
        QCOMPARE(QByteArray::fromStdString(*io::dumpText(read->recording)), contents(folder.file("d.json")));
    }

    void theSameRunGivesTheSameBytes()
    {
        const test::Folder folder;
        for (const char* round : {"1", "2"})
            QCOMPARE(greenbox(caseArguments("run", "tiny.xnnpack",
                                            {"--dump", folder.file(round) + ".d", "--record", folder.file(round) + ".r",
                                             "--outputs", folder.file(round) + ".o"}))
                         .status,
                     0);
        for (const char* kind : {".d", ".r", ".o"}) {
            const QByteArray first = contents(folder.file("1") + kind);
            QVERIFY(!first.isEmpty());
            QCOMPARE(contents(folder.file("2") + kind), first);
        }
    }

    void outputsHoldEachStage()
    {
        const test::Folder folder;
        const auto ran = greenbox(caseArguments(
            "run", "conv_relu.xnnpack",
            {"--inputs", caseFile("conv_relu.xnnpack", "inputs.npz"), "--outputs", folder.file("o.npz")}));
        QCOMPARE(ran.status, 0);
        const auto arrays = io::readNpz(folder.file("o.npz"));
        QVERIFY(arrays.ok());
        QStringList names;
        for (const auto& [name, tensor] : *arrays)
            names << QString::fromStdString(name);
        QCOMPARE(names, (QStringList{"float.0", "prepared.0", "converted.0"}));
        QCOMPARE((*arrays)[0].second.toDoubles(), (*arrays)[1].second.toDoubles());
    }

    void withoutInputsItCalibratesOnTheSampleInputsAndSaysSo()
    {
        const auto ran = greenbox(caseArguments("run", "conv_relu.xnnpack"));
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.out.find("batches     1, the sample inputs stored in the .pt2 (no --inputs given)\n")
                     != std::string::npos,
                 ran.out.c_str());
    }

    void theSummarySaysWhatThereIs()
    {
        const test::Folder folder;
        const auto ran = greenbox(caseArguments("run", "cat.xnnpack", {"--dump", folder.file("d.json")}));
        QCOMPARE(ran.status, 0);
        QVERIFY(ran.err.empty());
        for (const char* text :
             {"cat.xnnpack, xnnpack, ptq\n", "stages      exported (", "labels      3 of 4 ops labelled, 1 not\n",
              "observers   8\n", "observer                   observes", "PerChannelMinMaxObserver",
              "float and prepared output are the same, bit for bit\n", "float and converted output differ by "})
            QVERIFY2(ran.out.find(text) != std::string::npos, text);
        QVERIFY(ran.out.ends_with("written     dump: " + folder.file("d.json") + "\n"));
    }

    void optionsOfTheRunStandInTheDump()
    {
        const test::Folder folder;
        auto arguments = caseArguments("run", "conv_relu.xnnpack",
                                       {"--inputs", caseFile("conv_relu.xnnpack", "inputs.npz"), "--calibrate", "0,2",
                                        "--no-fold-quantize", "--dump", folder.file("d.json")});
        QCOMPARE(greenbox(arguments).status, 0);
        QVERIFY(contents(folder.file("d.json")).contains(R"("options":{"calibrate":[0,2],"fold_quantize":false})"));
        arguments[7] = "none";
        QCOMPARE(greenbox(arguments).status, 0);
        QVERIFY(contents(folder.file("d.json")).contains(R"("options":{"calibrate":[],"fold_quantize":false})"));
    }

    void stopsAfterTheStageThatIsAskedFor()
    {
        const test::Folder folder;
        for (const char* stage : {"exported", "folded", "annotated", "prepared", "calibrated", "converted"}) {
            QCOMPARE(greenbox(caseArguments("run", "conv_relu.xnnpack",
                                            {"--stop-after", stage, "--record", folder.file("r.gbx")}))
                         .status,
                     0);
            QCOMPARE(io::readRecording(folder.file("r.gbx"))->recording->stages().back(), std::string(stage));
        }
    }

    void whatTorchaoRefusesIsStatusOneWithTheStagesUpToThere()
    {
        const test::Folder folder;
        const auto ran = greenbox(caseArguments("run", "nested.module_name_none", {"--dump", folder.file("d.json")}));
        QCOMPARE(ran.status, 1);
        QVERIFY2(ran.err.starts_with("greenbox: module_name block1: "), ran.err.c_str());
        const QByteArray dump = contents(folder.file("d.json"));
        QVERIFY(dump.contains(R"("stages":{"exported":{)"));
        QVERIFY(dump.contains(R"("error":{"type":"AssertionError",)"));
    }

    void progressGoesToStandardError()
    {
        const auto ran = greenbox(caseArguments("run", "conv_relu.xnnpack", {"--progress"}));
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.err.starts_with("progress   0 % load\n"), ran.err.c_str());
        QVERIFY(ran.err.ends_with("progress 100 % done\n"));
        QVERIFY(ran.out.find("progress") == std::string::npos);
    }

    // -- bad input ------------------------------------------------------------------------------------

    void anUnreadableFileIsStatusTwo()
    {
        const std::string pt2 = caseFile("conv_relu.xnnpack", "pt2");
        const std::string recipe = caseFile("conv_relu.xnnpack", "recipe.json");
        QCOMPARE(greenbox({"run", "/nowhere/m.pt2", "--recipe", recipe}).err,
                 std::string("greenbox: /nowhere/m.pt2: cannot read: No such file or directory\n"));
        QCOMPARE(greenbox({"run", pt2, "--recipe", "/nowhere/r.json"}).err,
                 std::string("greenbox: /nowhere/r.json: cannot read: No such file or directory\n"));
        const auto inputs = greenbox({"run", pt2, "--recipe", recipe, "--inputs", "/nowhere/i.npz"});
        QCOMPARE(inputs.err, std::string("greenbox: /nowhere/i.npz: cannot read: No such file or directory\n"));
        QCOMPARE(inputs.status, 2);
    }

    void aRecipeWithAnUnknownKeyIsStatusTwo()
    {
        const test::Folder folder;
        const std::string recipe = write(folder, "r.json", R"({"quantizer": "xnnpack", "globall": {}})");
        const auto ran = greenbox({"run", caseFile("conv_relu.xnnpack", "pt2"), "--recipe", recipe});
        QCOMPARE(ran.status, 2);
        QCOMPARE(
            ran.err,
            "greenbox: " + recipe
                + ": globall: unknown key, quantizer, global, operator_type, module_type or module_name expected\n");
    }

    void aModelThatIsNoZipIsStatusTwo()
    {
        const test::Folder folder;
        const std::string model = write(folder, "m.pt2", "not a zip");
        const auto ran = greenbox({"run", model, "--recipe", caseFile("conv_relu.xnnpack", "recipe.json")});
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.starts_with("greenbox: " + model + ": "), ran.err.c_str());
    }

    void aBatchThatIsNotThereIsStatusTwo()
    {
        const auto ran = greenbox(caseArguments("run", "conv_relu.xnnpack", {"--calibrate", "0,7"}));
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.find("batch 7 to calibrate on found, less than 1 expected") != std::string::npos,
                 ran.err.c_str());
    }

    void inputsOfAnotherModelAreStatusTwo()
    {
        const auto ran =
            greenbox(caseArguments("run", "conv_relu.xnnpack", {"--inputs", caseFile("linear.xnnpack", "inputs.npz")}));
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.find("000.0") != std::string::npos, ran.err.c_str());
    }

    void aFullDiskIsStatusTwo_data()
    {
        QTest::addColumn<QString>("option");
        for (const char* option : {"--dump", "--record", "--outputs"})
            QTest::newRow(option) << option;
    }
    void aFullDiskIsStatusTwo()
    {
        QFETCH(QString, option);
        const auto ran = greenbox(caseArguments("run", "conv_relu.xnnpack", {option.toStdString(), "/dev/full"}));
        QCOMPARE(ran.status, 2);
        QCOMPARE(ran.err, std::string("greenbox: /dev/full: cannot write: No space left on device\n"));
    }

    void anUnwritablePathIsStatusTwo()
    {
        const test::Folder folder;
        const auto ran =
            greenbox(caseArguments("run", "conv_relu.xnnpack", {"--dump", folder.file("none") + "/d.json"}));
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.find("cannot write: No such file or directory") != std::string::npos, ran.err.c_str());
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run_verb.moc"
