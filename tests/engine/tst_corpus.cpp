// Every case that torchao recorded: load, run, dump, and hold dump and outputs against its own.
#include "dump_compare.h"
#include "engine/run.h"
#include "io/batches.h"
#include "io/dump.h"
#include "io/npz.h"
#include "io/pt2.h"
#include "io/recipe.h"
#include "ops/gemm/micro_kernel.h"
#include "ops/square_root.h"

#include <QtTest>

#include <bit>
#include <fstream>

using namespace gb;
using namespace gb::test;

namespace {

/// The cases that the first whole of the program promises (issue 3).
const QStringList kPromised = {
    "conv_relu.xnnpack",
    "conv_relu.xnnpack_per_tensor",
    "conv_relu.relu_output",
    "conv_relu.derived_bias",
    "residual.xnnpack",
    "residual.relu_output",
    "residual.fused_rules",
    "tiny.xnnpack",
    "tiny.relu_output",
    "cat.xnnpack",
    "cat.shared",
    "addmul.xnnpack",
    "addmul.shared",
    "linear.xnnpack",
    "linear3d.xnnpack",
    "conv_bn_relu.xnnpack",
    "consumers.merge",
    "consumers.separate",
    "consumers.merge_output",
    "consumers.chain",
    "consumers.not_allowed",
    "sigmoid.fixed",
    "spectrogram.q3_12",
    "share_ops.xnnpack",
    "conv_transpose.xnnpack",
    "conv1d.xnnpack",
    "inplace.xnnpack",
    "nothing.xnnpack",
};

std::string path(const QString& name, const char* ending)
{
    return std::string(GREENBOX_TEST_DATA) + "/cases/" + name.toStdString() + ending;
}

Json readJson(const QString& name)
{
    std::ifstream file(path(name, ".dump.json"));
    return Json::parse(file, nullptr, false);
}

/// True where torch, on this processor, would give the bits that it gave where the corpus was recorded. Its square
/// roots are made of the processor's own reciprocal ones, which makers round differently, and its sums of fused
/// operations.
bool hasTheRecordedBits()
{
    constexpr std::pair<std::uint32_t, std::uint32_t> kRoots[] = {{0x3FC13A3C, 0x3F9D4486}, {0x3FD3A8E2, 0x3FA4990A},
                                                                  {0x3F81D512, 0x3F80E9B3}, {0x406B5A6E, 0x3FF575AB},
                                                                  {0x40440166, 0x3FE000CC}, {0x40498557, 0x3FE32203}};
    return std::string(ops::bestMicroKernel().name) != "baseline" && std::ranges::all_of(kRoots, [](const auto& pair) {
               return std::bit_cast<std::uint32_t>(ops::squareRoot(std::bit_cast<float>(pair.first))) == pair.second;
           });
}

/// What training leaves in tensors hangs on the processor; the rest does not.
Tensors comparable(const Json& dump)
{
    return dump.at("mode") == "qat" && !hasTheRecordedBits() ? Tensors::DTypeAndShape : Tensors::Bits;
}

ops::Value valueOf(const io::Leaf& leaf)
{
    return std::visit(
        []<class T>(const T& v) {
            if constexpr (std::is_same_v<T, std::monostate>)
                return ops::Value();
            else
                return ops::Value(v);
        },
        leaf);
}

engine::RunOptions optionsOf(const Json& dump)
{
    engine::RunOptions options;
    options.isQat = dump.at("mode") == "qat";
    const Json given = dump.value("options", Json::object());
    options.foldQuantize = given.value("fold_quantize", true);
    if (given.contains("calibrate"))
        options.calibrate = given.at("calibrate").get<std::vector<std::int64_t>>();
    return options;
}

base::Result<engine::RunResult> runCase(const QString& name, const Json& dump)
{
    GB_ASSIGN(const auto recipe, io::readRecipe(path(name, ".recipe.json")));
    GB_ASSIGN(const auto program, io::loadPt2(path(name, ".pt2")));
    GB_ASSIGN(const auto read, io::readBatches(path(name, ".inputs.npz"), program));
    std::vector<engine::Batch> batches;
    for (const auto& leaves : read) {
        auto& batch = batches.emplace_back();
        for (const io::Leaf& leaf : leaves)
            batch.push_back(valueOf(leaf));
    }
    return engine::run({name.toStdString(), program.module, program.torchVersion}, recipe, optionsOf(dump), batches);
}

QString joined(const std::vector<std::string>& sentences)
{
    QString out;
    for (std::size_t i = 0; i < sentences.size() && i < 5; ++i)
        out += QString::fromStdString(sentences[i]) + QLatin1Char('\n');
    return QString::number(sentences.size()) + QLatin1String(" differences\n") + out;
}

} // namespace

class TestCorpus : public QObject {
    Q_OBJECT

private slots:
    void everyPromisedCaseIsThere()
    {
        for (const QString& name : kPromised)
            QVERIFY2(readJson(name).is_object(), qPrintable(name));
    }

    void runsLikeTorchao_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList files = QDir(QString::fromStdString(path({}, ""))).entryList({"*.dump.json"}, QDir::Files);
        QVERIFY2(files.size() >= 56, "the corpus is not there");
        for (const QString& file : files) {
            const QString name = file.chopped(10);
            QTest::newRow(qPrintable(name)) << name;
        }
    }

    void runsLikeTorchao()
    {
        QFETCH(QString, name);
        const Json theirs = readJson(name);
        const auto result = runCase(name, theirs);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
        const auto text = io::dumpText(result->recording);
        QVERIFY2(text.ok(), text.ok() ? "" : text.error().text().c_str());
        const Json mine = Json::parse(*text, nullptr, false);
        auto found = dumpDifferences(mine, theirs, comparable(theirs));
        if (theirs.at("error").is_null()) {
            const auto outputs = io::readNpz(path(name, ".outputs.npz"));
            QVERIFY(outputs.ok());
            const auto more = outputDifferences(result->outputs, *outputs, theirs);
            found.insert(found.end(), more.begin(), more.end());
        }
        QVERIFY2(found.empty(), qPrintable(joined(found)));
    }

    void theSameRunGivesTheSameBytes()
    {
        const Json theirs = readJson("conv_relu.xnnpack");
        const auto a = runCase("conv_relu.xnnpack", theirs);
        const auto b = runCase("conv_relu.xnnpack", theirs);
        QVERIFY(a.ok() && b.ok());
        QCOMPARE(*io::dumpText(a->recording), *io::dumpText(b->recording));
    }

    void theComparisonSeesADifference()
    {
        const Json theirs = readJson("conv_relu.xnnpack");
        QVERIFY(dumpDifferences(theirs, theirs).empty());
        Json other = theirs;
        other["stages"]["converted"]["nodes"][0]["name"] = "renamed";
        QVERIFY(!dumpDifferences(other, theirs).empty());
        other = theirs;
        other["stages"]["calibrated"]["observers"].begin().value()["scale"] = Json::array({1.0});
        QVERIFY(!dumpDifferences(other, theirs).empty());
        other = theirs;
        other["stages"].erase("prepared");
        QVERIFY(!dumpDifferences(other, theirs).empty());
        other = theirs;
        std::swap(other["stages"]["exported"]["nodes"][0], other["stages"]["exported"]["nodes"][1]);
        QCOMPARE(dumpDifferences(other, theirs),
                 std::vector<std::string>({"exported: the same nodes in another order"}));
    }
};

QTEST_GUILESS_MAIN(TestCorpus)
#include "tst_corpus.moc"
