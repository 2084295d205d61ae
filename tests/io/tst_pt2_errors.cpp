// Broken, hostile and foreign .pt2 files: each gives one sentence with file, entry or node, found and expected.
#include "pt2_edit.h"

#include "io/pt2.h"

#include <QtTest>

using namespace gb;
using io::Json;
using test::Entries;

class TestPt2Errors : public QObject {
    Q_OBJECT

private slots:
    void init() { m_entries = Entries::of(test::caseFile("conv_relu.xnnpack.pt2")); }

    void saysThatThereIsNoSuchFile();
    void saysThatItIsNoZip();
    void saysThatTheFileIsTruncated();
    void saysThatAnEntryWasRenamed();
    void saysThatThereIsNoModel();
    void saysThatItIsAnotherKindOfArchive();
    void saysThatAWeightIsTooShort();
    void saysThatAWeightIsEmpty();
    void saysThatASizeIsNegative();
    void saysThatSizesOverflow();
    void saysThatAnOffsetIsOutside();
    void saysThatStridesAreNegative();
    void saysThatThereAreTooManyDimensions();
    void saysThatTheJsonIsBroken();
    void saysThatTheJsonIsTooDeep();
    void saysThatTheSchemaIsAnother();
    void saysThatTheDtypeIsUnknown();
    void saysThatTwoNodesHaveOneName();
    void saysThatAReferenceIsToNoNode();
    void saysThatAnOutputIsNoNode();
    void saysThatATargetIsNoOperator();
    void saysThatAnArgumentHasNoKind();
    void saysThatAnArgumentIsOfAnUnknownKind();
    void saysThatAValueHasNoShape();
    void saysThatAParameterHasNoWeight();
    void saysThatTheSignatureDoesNotFit();
    void saysThatNothingOfThisNameChanges();
    void saysThatAStackIsNoStack();
    void saysThatEffectTokensAreNotRead();
    void neverFailsOnMissingKeys();
    void neverFailsOnWrongTypes();

private:
    /// The error of the edited file, without the folder; "no error" where it opens.
    [[nodiscard]] std::string error() const
    {
        const QTemporaryDir folder;
        return errorOf(test::written(folder, "m.pt2", m_entries.zipped()), folder);
    }
    static std::string errorOf(const std::string& path, const QTemporaryDir& folder)
    {
        const auto program = io::loadPt2(path);
        if (program)
            return "no error";
        const std::string text = program.error().text();
        const std::string prefix = folder.path().toStdString() + "/";
        return text.starts_with(prefix) ? text.substr(prefix.size()) : "without the file's name: " + text;
    }
    template <class F>
    void edit(F&& change, const char* entry = test::kModel)
    {
        test::editModel(m_entries, std::forward<F>(change), entry);
    }
    template <class F>
    void editGraph(F&& change)
    {
        edit([&](Json& model) { change(model["graph_module"]["graph"]); });
    }
    template <class F>
    void editWeight(F&& change)
    {
        edit([&](Json& config) { change(config["config"]["conv.weight"]["tensor_meta"]); }, test::kWeights);
    }

    Entries m_entries;
};

void TestPt2Errors::saysThatThereIsNoSuchFile()
{
    const QTemporaryDir folder;
    QCOMPARE(errorOf(folder.filePath("none.pt2").toStdString(), folder),
             std::string("none.pt2: cannot read: No such file or directory"));
}

void TestPt2Errors::saysThatItIsNoZip()
{
    const QTemporaryDir folder;
    QCOMPARE(errorOf(test::written(folder, "m.pt2", "import torch"), folder),
             std::string("m.pt2: 12 bytes without a zip directory, a whole zip archive expected"));
}

void TestPt2Errors::saysThatTheFileIsTruncated()
{
    const QTemporaryDir folder;
    const std::string whole = m_entries.zipped();
    for (std::size_t keep = 0; keep < whole.size() - 3; keep += 97) {
        const std::string error = errorOf(test::written(folder, "m.pt2", whole.substr(0, keep)), folder);
        QVERIFY2(error.starts_with("m.pt2: ") && error.find("expected") != std::string::npos, error.c_str());
    }
}

void TestPt2Errors::saysThatAnEntryWasRenamed()
{
    for (auto& [name, text] : m_entries.all)
        if (name.ends_with("weight_0"))
            name = "archive/data/weights/weight_zero";
    QCOMPARE(error(), std::string("m.pt2: archive/data/weights/weight_0: no such entry among 11, one expected"));
}

void TestPt2Errors::saysThatThereIsNoModel()
{
    m_entries.erase(test::kModel);
    QCOMPARE(error(), std::string("m.pt2: no models/*.json among 10 entries, a file of torch.export.save expected"));
}

void TestPt2Errors::saysThatItIsAnotherKindOfArchive()
{
    m_entries.at("archive/archive_format") = "onnx";
    QCOMPARE(error(), std::string("m.pt2: archive/archive_format: found \"onnx\", \"pt2\" expected"));
    init();
    m_entries.at("archive/byteorder") = "big";
    QCOMPARE(error(), std::string("m.pt2: archive/byteorder: found \"big\", \"little\" expected"));
}

void TestPt2Errors::saysThatAWeightIsTooShort()
{
    m_entries.at("archive/data/weights/weight_0").resize(860);
    QCOMPARE(error(), std::string("m.pt2: archive/data/weights/weight_0: conv.weight: 860 bytes in the archive, "
                                  "864 expected for float32 [8, 3, 3, 3]"));
}

void TestPt2Errors::saysThatAWeightIsEmpty()
{
    m_entries.at("archive/data/weights/weight_0").clear();
    QVERIFY(error().find("0 bytes in the archive, 864 expected") != std::string::npos);
}

void TestPt2Errors::saysThatASizeIsNegative()
{
    editWeight([](Json& meta) { meta["sizes"][0]["as_int"] = -8; });
    QCOMPARE(error(), std::string("m.pt2: archive/data/weights/model_weights_config.json: "
                                  "config.conv.weight.tensor_meta.sizes[0].as_int: found integer -8, "
                                  "size of 0 or more expected"));
    init();
    editGraph([](Json& graph) { graph["tensor_values"]["relu"]["sizes"][1]["as_int"] = -1; });
    QVERIFY(error().find("tensor_values.relu.sizes[1].as_int: node relu: found integer -1") != std::string::npos);
}

void TestPt2Errors::saysThatSizesOverflow()
{
    for (const std::int64_t size : {std::int64_t{1} << 32, std::int64_t{1} << 62, std::int64_t{9223372036854775807}}) {
        init();
        editWeight([&](Json& meta) {
            meta["sizes"][0]["as_int"] = size;
            meta["sizes"][1]["as_int"] = size;
        });
        QVERIFY2(error().find("has more elements than can be addressed") != std::string::npos, error().c_str());
    }
    init();
    editWeight([](Json& meta) { meta["strides"][0]["as_int"] = std::int64_t{1} << 62; });
    QVERIFY2(error().find("strides within the memory expected") != std::string::npos, error().c_str());
    init();
    editWeight([](Json& meta) { meta["sizes"][0]["as_int"] = 1'000'000'000'000; });
    QVERIFY2(error().find("864 bytes in the archive, 108,000,000,000,000 expected") != std::string::npos,
             error().c_str());
}

void TestPt2Errors::saysThatAnOffsetIsOutside()
{
    editWeight([](Json& meta) { meta["storage_offset"]["as_int"] = 1; });
    QVERIFY(error().find("864 bytes in the archive, 868 expected") != std::string::npos);
    init();
    editWeight([](Json& meta) { meta["storage_offset"]["as_int"] = -1; });
    QVERIFY(error().find("offset -1, 0 or more expected") != std::string::npos);
    init();
    editWeight([](Json& meta) { meta["storage_offset"]["as_int"] = 9223372036854775807; });
    QVERIFY2(error().find("expected") != std::string::npos, error().c_str());
}

void TestPt2Errors::saysThatStridesAreNegative()
{
    editWeight([](Json& meta) { meta["strides"][0]["as_int"] = -27; });
    QVERIFY2(error().find("tensor_meta.strides[0].as_int: found integer -27") != std::string::npos, error().c_str());
}

void TestPt2Errors::saysThatThereAreTooManyDimensions()
{
    editWeight([](Json& meta) { meta["sizes"] = Json::array_t(65, {{"as_int", 1}}); });
    QVERIFY2(error().find("found list of 65, list of at most 64 expected") != std::string::npos, error().c_str());
}

void TestPt2Errors::saysThatTheJsonIsBroken()
{
    m_entries.at(test::kModel).resize(2000);
    QVERIFY2(error().starts_with("m.pt2: archive/models/model.json: broken JSON at byte "), error().c_str());
}

void TestPt2Errors::saysThatTheJsonIsTooDeep()
{
    m_entries.at(test::kModel) = std::string(100'000, '[');
    QCOMPARE(error(), std::string("m.pt2: archive/models/model.json: JSON nested deeper than 200 levels, "
                                  "at most 200 expected"));
}

void TestPt2Errors::saysThatTheSchemaIsAnother()
{
    edit([](Json& model) { model["schema_version"]["major"] = 9; });
    QVERIFY2(error().starts_with("m.pt2: archive/models/model.json: schema_version: found schema 9.20 of torch 2.14.1"),
             error().c_str());
    QVERIFY(error().ends_with("schema 8 (torch 2.14) expected"));
    m_entries.at(test::kModel) = R"({"nodes": []})";
    QCOMPARE(error(), std::string("m.pt2: archive/models/model.json: no key \"schema_version\" found, one expected"));
}

void TestPt2Errors::saysThatTheDtypeIsUnknown()
{
    editWeight([](Json& meta) { meta["dtype"] = 77; });
    QVERIFY2(error().find("config.conv.weight.tensor_meta.dtype: found dtype number 77") != std::string::npos,
             error().c_str());
}

void TestPt2Errors::saysThatTwoNodesHaveOneName()
{
    editGraph([](Json& graph) { graph["nodes"][1]["outputs"][0]["as_tensor"]["name"] = "conv2d"; });
    QCOMPARE(error(), std::string("m.pt2: archive/models/model.json: "
                                  "graph_module.graph.nodes[1].outputs[0].as_tensor: node relu: "
                                  "two nodes of the name \"conv2d\", one expected"));
}

void TestPt2Errors::saysThatAReferenceIsToNoNode()
{
    editGraph([](Json& graph) { graph["nodes"][1]["inputs"][0]["arg"]["as_tensor"]["name"] = "ghost"; });
    QCOMPARE(error(), std::string("m.pt2: archive/models/model.json: "
                                  "graph_module.graph.nodes[1].inputs[0].arg.as_tensor: node relu: "
                                  "refers to \"ghost\", which is no node before it; a node's name expected"));
    init(); // a cycle: conv2d takes what comes after it
    editGraph([](Json& graph) { graph["nodes"][0]["inputs"][0]["arg"]["as_tensor"]["name"] = "relu"; });
    QVERIFY(error().find("refers to \"relu\"") != std::string::npos);
}

void TestPt2Errors::saysThatAnOutputIsNoNode()
{
    editGraph([](Json& graph) { graph["outputs"][0]["as_tensor"]["name"] = "ghost"; });
    QVERIFY(error().find("graph_module.graph.outputs[0].as_tensor: refers to \"ghost\"") != std::string::npos);
}

void TestPt2Errors::saysThatATargetIsNoOperator()
{
    for (const char* target : {"os.system", "", "aten.relu.default", "torch.ops.", "#ext:op"}) {
        init();
        editGraph([&](Json& graph) { graph["nodes"][1]["target"] = target; });
        QVERIFY2(error().find(std::string("node relu: found target \"") + target + "\", an operator")
                     != std::string::npos,
                 error().c_str());
    }
}

void TestPt2Errors::saysThatAnArgumentHasNoKind()
{
    editGraph([](Json& graph) { graph["nodes"][1]["inputs"][0].erase("kind"); });
    QVERIFY2(error().find("node relu: argument \"self\" without a kind") != std::string::npos, error().c_str());
}

void TestPt2Errors::saysThatAnArgumentIsOfAnUnknownKind()
{
    editGraph([](Json& graph) { graph["nodes"][1]["inputs"][0]["arg"] = {{"as_future", 5}}; });
    QVERIFY2(error().find("node relu: found an argument \"as_future\"") != std::string::npos, error().c_str());
    init();
    editGraph([](Json& graph) { graph["nodes"][1]["inputs"][0]["arg"] = {{"as_futures", {1, 2}}}; });
    QVERIFY2(error().find("found a list \"as_futures\"") != std::string::npos, error().c_str());
}

void TestPt2Errors::saysThatAValueHasNoShape()
{
    editGraph([](Json& graph) { graph["tensor_values"].erase("relu"); });
    QVERIFY2(error().find("node relu: value \"relu\" has no shape and dtype") != std::string::npos, error().c_str());
}

void TestPt2Errors::saysThatAParameterHasNoWeight()
{
    edit([](Json& config) { config["config"].erase("conv.bias"); }, test::kWeights);
    QCOMPARE(error(), std::string("m.pt2: archive/models/model.json: parameter \"conv.bias\" has no tensor among the 1 "
                                  "weights of the archive, one expected"));
}

void TestPt2Errors::saysThatTheSignatureDoesNotFit()
{
    edit([](Json& model) { model["graph_module"]["signature"]["input_specs"].erase(0); });
    QCOMPARE(error(),
             std::string("m.pt2: archive/models/model.json: 3 inputs in the graph, 2 expected by its signature"));
    init();
    edit([](Json& model) { model["graph_module"]["signature"]["output_specs"].clear(); });
    QVERIFY(error().ends_with("1 outputs in the graph, 0 expected by its signature"));
    init();
    edit([](Json& model) { model["graph_module"]["signature"]["input_specs"][0] = {{"oracle", 1}}; });
    QVERIFY(error().find("input_specs[0]: found \"oracle\", a kind of input or output") != std::string::npos);
}

void TestPt2Errors::saysThatNothingOfThisNameChanges()
{
    edit([](Json& model) {
        model["graph_module"]["signature"]["output_specs"][0] = {
            {"buffer_mutation", {{"arg", {{"name", "relu"}}}, {"buffer_name", "ghost"}}}};
    });
    QVERIFY(error().ends_with("output 0 changes \"ghost\", which is no buffer or input; one expected"));
}

void TestPt2Errors::saysThatAStackIsNoStack()
{
    editGraph([](Json& graph) { graph["nodes"][0]["metadata"]["nn_module_stack"] = "just text"; });
    QVERIFY2(error().find("node conv2d: module of 1 parts, \"key,path,type\" expected") != std::string::npos,
             error().c_str());
}

void TestPt2Errors::saysThatEffectTokensAreNotRead()
{
    edit([](Json& model) {
        model["verifiers"] = {"ATEN"};
        model["graph_module"]["graph"]["nodes"][1]["target"] = "torch.ops.higher_order.with_effects";
        model["graph_module"]["graph"]["nodes"][1]["is_hop_single_tensor_return"] = true;
    });
    QVERIFY2(error().ends_with("node relu carries an effect token, a program without effects expected"),
             error().c_str());
}

void TestPt2Errors::neverFailsOnMissingKeys()
{
    const Json model = *io::parseJson(m_entries.at(test::kModel), "");
    const Json flat = model.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        Json changed = model;
        const Json::json_pointer leaf(pointer);
        if (leaf.empty() || !changed[leaf.parent_pointer()].is_object())
            continue;
        changed[leaf.parent_pointer()].erase(leaf.back());
        m_entries.at(test::kModel) = io::dumpJson(changed);
        const std::string text = error();
        QVERIFY2(text == "no error" || (text.starts_with("m.pt2: ") && text.find("expected") != std::string::npos),
                 (pointer + ": " + text).c_str());
    }
}

void TestPt2Errors::neverFailsOnWrongTypes()
{
    const Json model = *io::parseJson(m_entries.at(test::kModel), "");
    const Json others[] = {nullptr, -1, 1e300, "text", Json::array({1}), Json::object({{"k", 1}})};
    int turn = 0;
    const Json flat = model.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        Json changed = model;
        changed[Json::json_pointer(pointer)] = others[turn++ % 6];
        m_entries.at(test::kModel) = io::dumpJson(changed);
        const std::string text = error();
        QVERIFY2(text == "no error" || text.starts_with("m.pt2: "), (pointer + ": " + text).c_str());
    }
}

QTEST_GUILESS_MAIN(TestPt2Errors)
#include "tst_pt2_errors.moc"
