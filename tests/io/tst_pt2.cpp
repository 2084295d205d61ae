// The .pt2 reader against what torch's own loader gives for the same files.
#include "pt2_edit.h"

#include "io/graph_json.h"
#include "io/npz.h"
#include "io/pt2.h"

#include <QtTest>

#include <functional>
#include <set>

using namespace gb;

class TestPt2 : public QObject {
    Q_OBJECT

private slots:
    void givesTorchsGraph_data();
    void givesTorchsGraph();
    void keepsMetadata();
    void mapsWeightsInsteadOfCopying();
    void sharesTheStorageOfOneEntry();
    void knowsInputsAndSamples();
    void knowsVersions();
    void opensLoopBodies();
    void turnsBuffersThatChangeIntoCopies();
    void readsAnotherTopFolder();
    void copiesUnalignedWeights();
    void takesIllegalPlaceholderNamesAsTorchDoes();
    void removesDeadCodeOfDecomposedProgramsOnly();
    void mergesEqualGetitems();
    void makesUnusualBoolsZeroOrOne();
    void opensWithoutSamplesThatItMayNotRead();
};

namespace {

io::Program loaded(const std::string& path)
{
    auto program = io::loadPt2(path);
    if (!program)
        qFatal("%s", program.error().text().c_str());
    return *std::move(program);
}

io::Program edited(test::Entries& entries)
{
    QTemporaryDir folder;
    return loaded(test::written(folder, "m.pt2", entries.zipped()));
}

} // namespace

void TestPt2::givesTorchsGraph_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QString::fromStdString(test::caseFile("")));
    for (const QString& file : folder.entryList({"*.pt2"}))
        QTest::newRow(qPrintable(file)) << file.chopped(4);
    QVERIFY(folder.entryList({"*.pt2"}).size() > 40);
}

void TestPt2::givesTorchsGraph()
{
    QFETCH(QString, name);
    const io::Program program = loaded(test::caseFile(name.toStdString() + ".pt2"));
    const auto text = io::mapFile(test::caseFile(name.toStdString() + ".dump.json"));
    QVERIFY(text.ok());
    const auto dump = io::parseJson(text->text(), "dump");
    QVERIFY2(dump.ok(), dump ? "" : dump.error().text().c_str());
    const io::Json mine = io::graphToJson(*program.module);
    const io::Json& theirs = (*dump)["stages"]["exported"];
    for (std::size_t i = 0; i < std::min(mine["nodes"].size(), theirs["nodes"].size()); ++i)
        QCOMPARE(io::dumpJson(mine["nodes"][i]), io::dumpJson(theirs["nodes"][i]));
    QCOMPARE(io::dumpJson(mine), io::dumpJson(theirs));
    QVERIFY(!program.samplesProblem.has_value());
    QCOMPARE(program.samples.size(), program.inputs.size());
    for (const ir::Node* n = program.module->graph().first(); n; n = n->next())
        if (n->op() == ir::Op::GetAttr)
            QVERIFY2(program.module->attribute(n->target()) || program.module->subgraph(n->target()),
                     n->target().c_str());
}

void TestPt2::keepsMetadata()
{
    const io::Program program = loaded(test::caseFile("conv_relu.xnnpack.pt2"));
    const ir::NodeMeta& meta = program.module->graph().find("conv2d")->meta();
    QCOMPARE(meta.nnModuleStack.size(), std::size_t{2});
    QCOMPARE(meta.nnModuleStack[1].key, std::string("L__self__conv"));
    QCOMPARE(meta.nnModuleStack[1].path, std::string("conv"));
    QCOMPARE(meta.nnModuleStack[1].type, std::string("torch.nn.modules.conv.Conv2d"));
    QVERIFY(meta.torchFn.has_value());
    QCOMPARE(meta.torchFn->name, std::string("conv2d_1"));
    QCOMPARE(meta.torchFn->what, std::string("builtin_function_or_method.conv2d"));
    QVERIFY(meta.stackTrace.starts_with("File \"models.py\""));
    const ir::Node* weight = program.module->graph().find("conv_weight");
    QVERIFY(weight->val()->requiresGrad);
    QVERIFY(weight->meta().nnModuleStack.empty());
}

void TestPt2::mapsWeightsInsteadOfCopying()
{
    const io::Program program = loaded(test::caseFile("conv_relu.xnnpack.pt2"));
    const ir::Attribute* weight = program.module->attribute("conv.weight");
    QVERIFY(weight);
    QCOMPARE(weight->kind, ir::AttributeKind::Parameter);
    QCOMPARE(ir::describe(weight->value), std::string("float32 [8, 3, 3, 3]"));
    ir::Tensor copy = weight->value;
    QVERIFY(copy.mutableData<float>() == nullptr); // the file's own memory
    // both look into the same mapping, at the distance that the entries have in the file
    const auto zip = io::ZipReader::open(test::caseFile("conv_relu.xnnpack.pt2"));
    const auto first = (*zip)->read("archive/data/weights/weight_0");
    const auto second = (*zip)->read("archive/data/weights/weight_1");
    QCOMPARE(program.module->attribute("conv.bias")->value.rawData() - weight->value.rawData(),
             second->data() - first->data());
}

void TestPt2::sharesTheStorageOfOneEntry()
{
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    // the bias becomes elements 4, 7, ... of the weight
    test::editModel(
        entries,
        [](io::Json& config) {
            io::Json& row = config["config"]["conv.bias"];
            row["path_name"] = "weight_0";
            row["tensor_meta"]["strides"] = io::Json::array({{{"as_int", 3}}});
            row["tensor_meta"]["storage_offset"] = {{"as_int", 4}};
        },
        test::kWeights);
    const io::Program program = edited(entries);
    const ir::Tensor& weight = program.module->attribute("conv.weight")->value;
    const ir::Tensor& bias = program.module->attribute("conv.bias")->value;
    QVERIFY(bias.sharesStorage(weight));
    QCOMPARE(bias.at(0), weight.at(4));
    QCOMPARE(bias.at(7), weight.at(25));
}

void TestPt2::knowsInputsAndSamples()
{
    const io::Program program = loaded(test::caseFile("addmul.xnnpack.pt2"));
    QVERIFY(!program.inputs.empty());
    QCOMPARE(program.module->inputNames.size(), program.inputs.size());
    const auto arrays = io::readNpz(test::caseFile("addmul.xnnpack.inputs.npz"));
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        QCOMPARE(program.inputs[i].name, program.module->inputNames[i]);
        QCOMPARE(std::get<ir::Tensor>(program.samples[i]).shape(), (*arrays)[i].second.shape());
    }
    QVERIFY(program.inSpec.starts_with("[1, {\"type\": \"builtins.tuple\""));
}

void TestPt2::knowsVersions()
{
    const io::Program program = loaded(test::caseFile("conv_relu.xnnpack.pt2"));
    QCOMPARE(program.schemaMajor, std::int64_t{8});
    QVERIFY(program.torchVersion.starts_with("2.14"));
    QVERIFY(program.notes.empty());
}

void TestPt2::opensLoopBodies()
{
    const io::Program program = loaded(test::caseFile("gru.xnnpack.pt2"));
    std::size_t bodies = 0;
    std::set<ir::NodeId> ids;
    const std::function<void(const ir::GraphModule&)> visit = [&](const ir::GraphModule& module) {
        for (const ir::Node* n = module.graph().first(); n; n = n->next())
            QVERIFY(ids.insert(n->id()).second); // numbers are unique over all graphs
        for (const auto& [target, inner] : module.subgraphs()) {
            ++bodies;
            QVERIFY(inner->graph().path().ends_with(target));
            visit(*inner);
        }
    };
    visit(*program.module);
    QVERIFY(ids.size() > 3);
}

void TestPt2::turnsBuffersThatChangeIntoCopies()
{
    const io::Program program = loaded(test::caseFile("conv_bn.xnnpack_qat.pt2"));
    std::size_t buffers = 0;
    for (const auto& [name, attribute] : program.module->attributes())
        buffers += attribute.kind == ir::AttributeKind::Buffer;
    QCOMPARE(buffers, std::size_t{3}); // running mean and variance, number of batches
    QCOMPARE(ir::describe(program.module->attribute("bn.num_batches_tracked")->value), std::string("int64 []"));

    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    test::editModel(entries, [](io::Json& model) { // the convolution's result is written back to the input
        io::Json& module = model["graph_module"];
        const io::Json output = {{"as_tensor", {{"name", "conv2d"}}}};
        const io::Json spec = {{"user_input_mutation", {{"arg", {{"name", "conv2d"}}}, {"user_input_name", "x"}}}};
        io::Json& outputs = module["graph"]["outputs"];
        io::Json& specs = module["signature"]["output_specs"];
        outputs.insert(outputs.begin(), output);
        specs.insert(specs.begin(), spec);
    });
    const io::Program changed = edited(entries);
    const ir::Node* copy = changed.module->graph().output()->previous();
    QCOMPARE(copy->target(), std::string("aten.copy_.default"));
    QCOMPARE(copy->name(), std::string("copy__default"));
    QCOMPARE(copy->inputs()[0]->name(), std::string("x"));
    QCOMPARE(copy->inputs()[1]->name(), std::string("conv2d"));
    QCOMPARE(changed.module->graph().output()->inputs().size(), std::size_t{1});
}

void TestPt2::readsAnotherTopFolder()
{
    for (const std::string root : {"my model v2/", ""}) {
        test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
        for (auto& [name, text] : entries.all)
            name = root + name.substr(std::string("archive/").size());
        const io::Program program = edited(entries);
        QCOMPARE(program.module->graph().size(), std::size_t{6});
        QCOMPARE(program.samples.size(), std::size_t{1});
    }
}

void TestPt2::copiesUnalignedWeights()
{
    // the writer of the tests does not align, so each entry in front moves the weights by another amount
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    const io::Program before = loaded(test::caseFile("conv_relu.xnnpack.pt2"));
    for (int padding = 0; padding < 4; ++padding) {
        entries.all.insert(entries.all.begin(), {"archive/extra/pad" + std::to_string(padding), "x"});
        const io::Program program = edited(entries);
        const ir::Tensor& weight = program.module->attribute("conv.weight")->value;
        QCOMPARE(reinterpret_cast<std::uintptr_t>(weight.rawData()) % 4, std::uintptr_t{0});
        QCOMPARE(weight.toDoubles(), before.module->attribute("conv.weight")->value.toDoubles());
    }
}

void TestPt2::takesIllegalPlaceholderNamesAsTorchDoes()
{
    // "input" is a name of Python's own: the copy that module() makes calls the node input_1, its target stays
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    std::string& model = entries.at(test::kModel);
    for (std::size_t at = model.find("\"name\": \"x\""); at != std::string::npos; at = model.find("\"name\": \"x\""))
        model.replace(at, 11, "\"name\": \"input\"");
    model.replace(model.find("\"x\": {\"dtype\""), 3, "\"input\"");
    const io::Program program = edited(entries);
    QCOMPARE(program.inputs[0].name, std::string("input_1"));
    QCOMPARE(program.inputs[0].target, std::string("input"));
    QCOMPARE(program.module->graph().find("conv2d")->inputs()[0]->name(), std::string("input_1"));
}

void TestPt2::removesDeadCodeOfDecomposedProgramsOnly()
{
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    test::editModel(entries, [](io::Json& model) { // conv2d is returned, so relu is dead
        model["graph_module"]["graph"]["outputs"][0]["as_tensor"]["name"] = "conv2d";
    });
    QVERIFY(edited(entries).module->graph().find("relu") != nullptr);
    test::editModel(entries, [](io::Json& model) { model["verifiers"] = {"ATEN"}; });
    QVERIFY(edited(entries).module->graph().find("relu") == nullptr);
}

void TestPt2::mergesEqualGetitems()
{
    // a split whose first output is asked for twice
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    test::editModel(entries, [](io::Json& model) {
        io::Json& graph = model["graph_module"]["graph"];
        io::Json& relu = graph["nodes"][1];
        const auto getitem = [&](const char* name) {
            io::Json node = relu;
            node["target"] = "_operator.getitem";
            node["name"] = name;
            node["inputs"] =
                io::Json::array({{{"name", "a"}, {"arg", {{"as_tensor", {{"name", "conv2d"}}}}}, {"kind", 1}},
                                 {{"name", "b"}, {"arg", {{"as_int", 0}}}, {"kind", 1}}});
            node["outputs"] = io::Json::array({{{"as_sym_int", {{"as_name", name}}}}});
            graph["sym_int_values"][name] = {{"as_int", 3}};
            return node;
        };
        const io::Json first = getitem("first");
        const io::Json second = getitem("second");
        relu["inputs"][0]["arg"]["as_tensor"]["name"] = "second";
        graph["nodes"].insert(graph["nodes"].begin() + 1, first);
        graph["nodes"].insert(graph["nodes"].begin() + 2, second);
    });
    const io::Program program = edited(entries);
    QVERIFY(program.module->graph().find("second") == nullptr);
    QCOMPARE(program.module->graph().find("relu")->inputs()[0]->name(), std::string("first"));
}

void TestPt2::makesUnusualBoolsZeroOrOne()
{
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    entries.at("archive/data/weights/weight_1") = std::string("\x00\x01\x02\x03\xff\x00\x00\x80", 8);
    test::editModel(
        entries, [](io::Json& config) { config["config"]["conv.bias"]["tensor_meta"]["dtype"] = 12; }, test::kWeights);
    const io::Program program = edited(entries);
    QCOMPARE(program.module->attribute("conv.bias")->value.toDoubles(), (std::vector<double>{0, 1, 1, 1, 1, 0, 0, 1}));
}

void TestPt2::opensWithoutSamplesThatItMayNotRead()
{
    test::Entries entries = test::Entries::of(test::caseFile("conv_relu.xnnpack.pt2"));
    io::ZipWriter pickle;
    QVERIFY(pickle
                .add("a/data.pkl", "\x80\x02"
                                   "cos\nsystem\n(X\x04\0\0\0truetR.")
                .ok());
    entries.at(test::kSamples) = *pickle.finish();
    const io::Program program = edited(entries);
    QVERIFY(program.samples.empty());
    QVERIFY(program.samplesProblem.has_value());
    QVERIFY2(program.samplesProblem->text().find(
                 "archive/data/sample_inputs/model.pt: a/data.pkl: byte 2: global os.system, only")
                 != std::string::npos,
             program.samplesProblem->text().c_str());
}

QTEST_GUILESS_MAIN(TestPt2)
#include "tst_pt2.moc"
