#include "quantizers/source_partitions.h"

#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::ModelBuilder;

namespace {

const PartitionSource kCat = function("torch.cat");
const PartitionSource kGru = moduleClass("torch.nn.modules.rnn.GRU");
const PartitionSource kAdd = methodName("add");

std::string names(const std::vector<ir::Node*>& nodes)
{
    std::string out;
    for (const ir::Node* node : nodes)
        out += (out.empty() ? "" : " ") + node->name();
    return out;
}

/// "source: nodes | nodes" of the partitions that were found.
std::string found(ModelBuilder& model, const std::vector<PartitionSource>& wanted, const Filter& filter = {})
{
    const auto partitions = getSourcePartitions(model.graph(), wanted, filter);
    if (!partitions)
        return partitions.error().text();
    std::string out;
    for (const SourcePartition& partition : *partitions)
        out += (out.empty() ? "" : " | ") + partition.source.text + ": " + names(partition.nodes);
    return out;
}

void setTorchFn(ModelBuilder& model, ir::Node* node, const std::string& name, const std::string& what)
{
    auto meta = std::make_shared<ir::NodeMeta>(node->meta());
    meta->torchFn = ir::SourceFunction{name, what};
    model.graph().setMeta(node, std::move(meta));
}

} // namespace

class TestSourcePartitions : public QObject {
    Q_OBJECT

private slots:
    void sourceFnStackDecides()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* cat = model.callWith("aten.cat.default", {ir::Argument::list(ModelBuilder::refs({x, x}))});
        model.setSource(cat, "cat", "torch.cat");
        ir::Node* other = model.callWith("aten.concat.default", {ir::Argument::list(ModelBuilder::refs({x, cat}))});
        model.setSource(other, "concat", "torch.concat");
        model.output({other});
        QCOMPARE(found(model, {kCat}), std::string("torch.cat: cat_default"));
    }

    void onlyTheInnermostSourceCounts()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* node = model.call("aten.relu.default", {x});
        auto meta = std::make_shared<ir::NodeMeta>(node->meta());
        meta->sourceFnStack = {{"gru", kGru.text}, {"relu", "torch.relu"}};
        model.graph().setMeta(node, std::move(meta));
        QCOMPARE(found(model, {kGru}), std::string());
    }

    void withoutSourceATypeOfTheInnermostModuleDecides()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* gru = model.call("aten.gru.input", {x}, "gru", kGru.text);
        model.call("aten.relu.default", {gru}, "act", "torch.nn.modules.activation.ReLU");
        QCOMPARE(found(model, {kGru}), kGru.text + ": gru_input");
    }

    void aModuleTypeNeverStandsForAFunction()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        model.call("aten.cat.default", {x}, "m", "torch.cat");
        QCOMPARE(found(model, {kCat}), std::string());
    }

    void twoCallsOfOneModuleAreOnePartition()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* first = model.call("aten.linear.default", {x}, "fc", "Linear");
        model.call("aten.linear.default", {first}, "fc", "Linear");
        model.call("aten.linear.default", {first}, "fc2", "Linear");
        QCOMPARE(found(model, {moduleClass("Linear")}),
                 std::string("Linear: linear_default linear_default_1 | Linear: linear_default_2"));
    }

    void torchFnMatchesPlainNamesOnly()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* add = model.call("aten.add.Tensor", {x, x});
        setTorchFn(model, add, "add_1", "method_descriptor.add");
        QCOMPARE(found(model, {kAdd}), std::string("add: add_tensor"));
        QCOMPARE(found(model, {function("add")}), std::string());
        QCOMPARE(found(model, {kCat}), std::string());
    }

    void torchFnWithoutDotIsRefusedAsIndexError()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        setTorchFn(model, model.call("aten.add.Tensor", {x, x}), "add_1", "add");
        GB_COMPARE_ERROR(getSourcePartitions(model.graph(), {kAdd}, {}), IndexError);
    }

    void sourcesKeepTheOrderOfTheGraph()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* gru = model.call("aten.gru.input", {x}, "gru", kGru.text);
        ir::Node* cat = model.call("aten.cat.default", {gru});
        model.setSource(cat, "cat", "torch.cat");
        ir::Node* again = model.call("aten.gru.input", {cat}, "gru2", kGru.text);
        model.output({again});
        QCOMPARE(found(model, {kCat, kGru}),
                 kGru.text + ": gru_input | " + kGru.text + ": gru_input_1 | torch.cat: cat_default");
    }

    void inputsAndOutputsLieAtTheBorder()
    {
        ModelBuilder model;
        ir::Node* h = model.input("h");
        ir::Node* x = model.input("x");
        ir::Node* weight = model.parameter("w");
        ir::Node* gru = model.call("aten.gru.input", {x, h, weight}, "gru", kGru.text);
        ir::Node* item = model.call("<built-in function getitem>", {gru}, "gru", kGru.text);
        model.output({item});
        const auto partitions = getSourcePartitions(model.graph(), {kGru}, {});
        GB_VERIFY_OK(partitions);
        const SourcePartition& partition = partitions->front();
        QCOMPARE(names(partition.inputNodes), std::string("h x")); // graph order, no get_attr
        QCOMPARE(names(partition.outputNodes), std::string("getitem"));
        QVERIFY(partition.params.empty());
    }

    void aListOfTensorsIsNoInput()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* cat = model.callWith("aten.cat.default", {ir::Argument::list(ModelBuilder::refs({x}))});
        model.setSource(cat, "cat", "torch.cat");
        const auto partitions = getSourcePartitions(model.graph(), {kCat}, {});
        GB_VERIFY_OK(partitions);
        QVERIFY(partitions->front().inputNodes.empty());
        QVERIFY(partitions->front().outputNodes.empty()); // nobody uses it
    }

    void theFilterMustAcceptEveryNode()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* first = model.call("aten.linear.default", {x}, "fc", "Linear");
        model.call("aten.linear.default", {first}, "fc", "Linear");
        const Filter notFirst{[&](const ir::Node& node) { return &node != first; }, "", ""};
        QCOMPARE(found(model, {moduleClass("Linear")}, notFirst), std::string());
    }

    void connectedMeansThatTheSecondUsesTheFirst()
    {
        ModelBuilder model;
        ir::Node* x = model.input("x");
        ir::Node* conv = model.call("aten.conv2d.default", {x});
        ir::Node* relu = model.call("aten.relu.default", {conv});
        const SourcePartition a{{conv}, kCat, {}, {}, {}};
        const SourcePartition b{{relu}, kCat, {}, {}, {}};
        QVERIFY(areConnected(a, b));
        QVERIFY(!areConnected(b, a));
    }
};

QTEST_GUILESS_MAIN(TestSourcePartitions)
#include "tst_source_partitions.moc"
