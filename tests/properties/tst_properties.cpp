// What holds for every program: random ones go through the whole flow with several recipes.
#include "random_program.h"

#include "io/dump.h"
#include "io/recipe.h"
#include "io/recording.h"
#include "trace/replay.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <cstring>
#include <map>

using namespace gb;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::array kRecipes = {
    R"({"quantizer": "xnnpack", "global": {"is_per_channel": true}})",
    R"({"quantizer": "xnnpack", "global": {}})",
    R"({"quantizer": "x86_inductor", "global": {}})",
    R"({"quantizer": "rules", "specs": {
         "act": {"kind": "quantization", "dtype": "int8", "quant_min": -128, "quant_max": 127,
                 "qscheme": "per_tensor_affine", "observer": "MinMaxObserver"},
         "weight": {"kind": "quantization", "dtype": "int8", "quant_min": -127, "quant_max": 127,
                    "qscheme": "per_tensor_symmetric", "observer": "MinMaxObserver"}},
        "rules": [
         {"name": "conv", "pattern": ["aten.conv2d.default"],
          "inputs": [{"of": 0, "arg": 0, "spec": "act"}, {"of": 0, "arg": 1, "spec": "weight"}],
          "outputs": [{"of": 0, "spec": "act"}]},
         {"name": "add", "pattern": ["aten.add.Tensor"], "inputs": [{"of": 0, "arg": 0, "spec": "act"}]},
         {"name": "relu", "pattern": [["aten.relu.default", "aten.relu_.default"]],
          "outputs": [{"of": 0, "spec": "act"}]}]})",
};
constexpr std::uint32_t kPrograms = 12; ///< for each recipe

engine::RunResult runOf(const test::RandomProgram& program, const quantizers::Recipe& recipe, unsigned threads)
{
    engine::RunOptions options;
    options.threads = threads;
    options.producerVersion = "0";
    return engine::run({"random", program.module, "2.14.1"}, recipe, options, program.batches);
}

struct Run {
    std::uint32_t seed = 0;
    test::RandomProgram program;
    quantizers::Recipe recipe;
    engine::RunResult result;
    std::string recording;
    Json stages;
};

/// What torchao raises for some programs with X86InductorQuantizer; any other error is a fault.
bool isAllowed(const Run& run)
{
    return !run.result.error
           || (run.recipe.quantizer == "x86_inductor" && run.result.error->code == base::ErrorCode::ValueError);
}

std::map<std::string, Json> nodesOf(const Json& stage)
{
    std::map<std::string, Json> out;
    for (const Json& node : stage.at("nodes"))
        out.emplace(node.at("name").get<std::string>(), node);
    return out;
}

const ir::Tensor* output(const engine::RunResult& result, const std::string& name)
{
    for (const auto& [key, tensor] : result.outputs)
        if (key == name)
            return &tensor;
    return nullptr;
}

bool sameBits(const ir::Tensor& a, const ir::Tensor& b)
{
    return a.shape() == b.shape() && a.byteCount() == b.byteCount()
           && std::memcmp(a.rawData(), b.rawData(), a.byteCount()) == 0;
}

/// Name and target of every node of the top graph at an event.
std::string graphAt(trace::Replay& replay, int event)
{
    const auto moment = replay.at(event);
    if (!moment)
        return moment.error().text();
    std::string out;
    for (const ir::Node* node = (*moment)->top().graph->first(); node; node = node->next())
        out += node->name() + " " + node->target() + "\n";
    return out;
}

} // namespace

class TestProperties : public QObject {
    Q_OBJECT

private:
    std::map<QString, Run> m_runs;

    static void rows()
    {
        QTest::addColumn<int>("recipe");
        QTest::addColumn<std::uint32_t>("seed");
        for (std::size_t recipe = 0; recipe < kRecipes.size(); ++recipe)
            for (std::uint32_t i = 0; i < kPrograms; ++i) {
                const auto seed = static_cast<std::uint32_t>(1000 * recipe + i);
                QTest::addRow("program %u", seed) << static_cast<int>(recipe) << seed;
            }
    }

    /// The run of the current row; made once and kept for all tests.
    const Run& current()
    {
        const QString name = QString::fromUtf8(QTest::currentDataTag());
        if (const auto found = m_runs.find(name); found != m_runs.end())
            return found->second;
        const int recipe = *static_cast<int*>(QTest::qData("recipe", qMetaTypeId<int>()));
        const std::uint32_t seed = *static_cast<std::uint32_t*>(QTest::qData("seed", qMetaTypeId<std::uint32_t>()));
        Run run;
        run.seed = seed;
        run.program = test::randomProgram(seed);
        run.recipe = *io::parseRecipe(kRecipes[static_cast<std::size_t>(recipe)], "recipe");
        run.result = runOf(run.program, run.recipe, 1);
        run.recording = *io::recordingText(*run.result.recording);
        run.stages = Json::parse(*io::dumpText(run.result.recording)).at("stages");
        return m_runs.emplace(name, std::move(run)).first->second;
    }

private Q_SLOTS:
    void theRecipesAreRead()
    {
        for (const char* recipe : kRecipes) {
            const auto read = io::parseRecipe(recipe, "recipe");
            QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        }
    }

    void programsDifferAndLabelsAreWritten()
    {
        std::size_t labels = 0;
        std::map<std::string, int> targets;
        for (std::uint32_t seed = 0; seed < 3 * kPrograms; ++seed)
            for (const test::RandomProgram program = test::randomProgram(seed);
                 const ir::Node* node : program.module->graph().nodes())
                ++targets[node->target()];
        for (const char* target : {"aten.conv2d.default", "aten.linear.default", "aten.batch_norm.default",
                                   "aten.relu_.default", "aten.cat.default", "aten.max_pool2d.default", "output"})
            QVERIFY2(targets[target] > 0, target);
        const auto recipe = io::parseRecipe(kRecipes[0], "recipe");
        const engine::RunResult result = runOf(test::randomProgram(1), *recipe, 1);
        for (const trace::Event& each : result.recording->events)
            labels += each.kind == trace::EventKind::Annotate ? 1 : 0;
        QVERIFY(labels > 0);
    }

    void goesThrough_data() { rows(); }
    void goesThrough()
    {
        const Run& run = current();
        QVERIFY2(isAllowed(run), run.result.error ? run.result.error->text().c_str() : "");
        QVERIFY(run.stages.contains("folded"));
        QCOMPARE(run.stages.contains("converted"), !run.result.error.has_value());
    }

    void observersChangeNothing_data() { rows(); }
    void observersChangeNothing()
    {
        const Run& run = current();
        int compared = 0;
        for (const auto& [name, tensor] : run.result.outputs) {
            const ir::Tensor* prepared =
                name.starts_with("float.") ? output(run.result, "prepared." + name.substr(6)) : nullptr;
            if (!prepared)
                continue;
            ++compared;
            if (run.program.folds)
                QCOMPARE(prepared->shape(), tensor.shape());
            else
                QVERIFY2(sameBits(*prepared, tensor), name.c_str());
        }
        QVERIFY(compared > 0 || run.result.error);
    }

    void convertKeepsWhatHasNoLabel_data() { rows(); }
    void convertKeepsWhatHasNoLabel()
    {
        const Run& run = current();
        if (run.result.error)
            return;
        const auto converted = nodesOf(run.stages.at("converted"));
        for (const auto& [name, node] : nodesOf(run.stages.at("annotated"))) {
            if (node.at("op") != "call_function" || node.contains("annotation"))
                continue;
            const auto found = converted.find(name);
            QVERIFY2(found != converted.end(), name.c_str());
            QCOMPARE(found->second.at("target").get<std::string>(), node.at("target").get<std::string>());
            QCOMPARE(found->second.at("args").size(), node.at("args").size());
        }
    }

    void everyObserverBecomesOnePair_data() { rows(); }
    void everyObserverBecomesOnePair()
    {
        const Run& run = current();
        if (run.result.error)
            return;
        for (const auto& [name, node] : nodesOf(run.stages.at("converted"))) {
            QVERIFY2(node.at("op") != "call_module", name.c_str());
            if (node.at("target").get<std::string>().find(".quantize_per_") == std::string::npos)
                continue;
            int readers = 0;
            for (const auto& [other, reader] : nodesOf(run.stages.at("converted")))
                if (!reader.at("args").empty() && reader.at("args")[0] == Json{{"node", name}}) {
                    ++readers;
                    QVERIFY2(reader.at("target").get<std::string>().find(".dequantize_per_") != std::string::npos,
                             other.c_str());
                }
            QVERIFY2(readers > 0, name.c_str());
        }
    }

    void theSameAgainWithMoreThreads_data() { rows(); }
    void theSameAgainWithMoreThreads()
    {
        const Run& run = current();
        const engine::RunResult again = runOf(test::randomProgram(run.seed), run.recipe, 3);
        QVERIFY2(*io::recordingText(*again.recording) == run.recording, "two runs, two recordings");
        QCOMPARE(again.outputs.size(), run.result.outputs.size());
        for (std::size_t i = 0; i < again.outputs.size(); ++i)
            QVERIFY2(sameBits(again.outputs[i].second, run.result.outputs[i].second), again.outputs[i].first.c_str());
    }

    void aRecordingSaysAllOfIt_data() { rows(); }
    void aRecordingSaysAllOfIt()
    {
        const Run& run = current();
        const auto read = io::parseRecording(run.recording, "recording");
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        QVERIFY(read->notes.empty());
        QVERIFY2(*io::recordingText(*read->recording) == run.recording, "written again it differs");
        QVERIFY(Json::parse(*io::dumpText(read->recording)).at("stages") == run.stages);
        trace::Replay live(run.result.recording);
        trace::Replay fromFile(read->recording);
        const int events = static_cast<int>(run.result.recording->events.size());
        for (const int at : {events - 1, events / 2, events / 7, events * 3 / 4})
            QCOMPARE(graphAt(live, at), graphAt(fromFile, at));
    }
};

QTEST_GUILESS_MAIN(TestProperties)
#include "tst_properties.moc"
