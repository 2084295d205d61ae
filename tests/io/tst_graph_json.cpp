// Graphs as dumps write them: every kind of value, spec and annotation.
#include "io/graph_json.h"

#include <QtTest>

#include <limits>

using namespace gb;
using ir::Argument;
using ir::DType;

namespace {

std::shared_ptr<ir::GraphModule> smallModule()
{
    auto module = std::make_shared<ir::GraphModule>(std::make_shared<ir::NodeIds>(), "");
    ir::Graph& graph = module->graph();
    ir::NodeMeta meta;
    meta.val.kind = ir::ValueMeta::Kind::Tensor;
    meta.val.tensor.shape = {{-1, "s0"}, {3, ""}};
    const auto shared = std::make_shared<const ir::NodeMeta>(meta);
    ir::Node* x = graph.append({ir::Op::Placeholder, "x", {}, {}, "x", shared});
    ir::Node* y =
        graph.append({ir::Op::CallFunction, "aten.add.Tensor", {Argument::node(x->id()), 1}, {}, "add", shared});
    graph.append({ir::Op::Output, "output", {Argument::tuple({Argument::node(y->id())})}, {}, "output"});
    return module;
}

std::string value(const Argument& argument)
{
    const auto module = smallModule();
    return io::dumpJson(io::argumentToJson(argument, module->graph()));
}

} // namespace

class TestGraphJson : public QObject {
    Q_OBJECT

private slots:
    void writesANode();
    void writesEveryKindOfValue();
    void leavesOutTheGuardNode();
    void writesSubgraphsOfGetAttrNodes();
    void writesAnnotations();
    void writesEveryKindOfSpec();
};

void TestGraphJson::writesANode()
{
    const auto module = smallModule();
    QCOMPARE(io::dumpJson(io::nodeToJson(*module->graph().find("add"))),
             std::string(R"({"name":"add","op":"call_function","target":"aten.add.Tensor","args":[{"node":"x"},1],)"
                         R"("kwargs":{},"shape":["s0",3],"dtype":"float32"})"));
    QCOMPARE(io::dumpJson(io::nodeToJson(*module->graph().output())),
             std::string(R"({"name":"output","op":"output","target":"output","args":[[{"node":"add"}]],)"
                         R"("kwargs":{},"shape":null,"dtype":null})"));
}

void TestGraphJson::writesEveryKindOfValue()
{
    QCOMPARE(value({}), std::string("null"));
    QCOMPARE(value(true), std::string("true"));
    QCOMPARE(value(-3), std::string("-3"));
    QCOMPARE(value(2.0), std::string("2.0"));
    QCOMPARE(value(0.1), std::string("0.1"));
    QCOMPARE(value(std::numeric_limits<double>::infinity()), std::string("\"inf\""));
    QCOMPARE(value("mean"), std::string("\"mean\""));
    QCOMPARE(value(DType::BFloat16), std::string(R"({"dtype":"bfloat16"})"));
    QCOMPARE(value(Argument::tuple({1, Argument::list({2})})), std::string("[1,[2]]"));
    QCOMPARE(value(Argument(ir::SliceArgument{{1, {}, 2}})), std::string(R"({"slice":[1,null,2]})"));
    QCOMPARE(value(Argument::node(0)), std::string(R"({"node":"x"})"));
    QCOMPARE(value(Argument(ir::Opaque{"torch.contiguous_format"})),
             std::string(R"({"repr":"torch.contiguous_format"})"));
    // Python's repr, which is all that the oracle has for a dict
    QCOMPARE(value(Argument(ir::Mapping{{{"a", Argument::node(0)}, {"b", Argument::tuple({true})}, {"c", "t"}}})),
             std::string(R"({"repr":"{'a': x, 'b': (True,), 'c': 't'}"})"));
}

void TestGraphJson::leavesOutTheGuardNode()
{
    const auto module = smallModule();
    module->graph().insertAfter(module->graph().first(), {ir::Op::CallModule, "_guards_fn", {}, {}, "_guards_fn"});
    const io::Json json = io::graphToJson(*module);
    QCOMPARE(json["nodes"].size(), std::size_t{3});
    QVERIFY(!json.contains("subgraphs"));
}

void TestGraphJson::writesSubgraphsOfGetAttrNodes()
{
    const auto module = smallModule();
    const auto inner = std::make_shared<ir::GraphModule>(module->ids(), "body");
    inner->graph().append({ir::Op::Placeholder, "p", {}, {}, "p"});
    module->setSubgraph("body", inner);
    module->setSubgraph("not_used", inner);
    ir::Graph& graph = module->graph();
    graph.insertBefore(graph.output(), {ir::Op::GetAttr, "body"});
    const io::Json json = io::graphToJson(*module);
    QCOMPARE(json["subgraphs"].size(), std::size_t{1});
    QCOMPARE(json["subgraphs"]["body"]["nodes"][0]["name"].get<std::string>(), std::string("p"));
}

void TestGraphJson::writesAnnotations()
{
    const auto module = smallModule();
    ir::Annotation annotation;
    annotation.setInput(0, nullptr);
    annotation.output = ir::makeSpec(ir::SharedQuantizationSpec{{0, 1}});
    annotation.annotated = true;
    annotation.extra.emplace_back("_is_output_of_quantized_pattern", true);
    QCOMPARE(io::dumpJson(io::annotationToJson(annotation, module->graph())),
             std::string(R"({"inputs":[{"from":"x","spec":null}],)"
                         R"("output":{"kind":"shared","with":{"edge":["x","add"]}},"annotated":true,)"
                         R"("allow_implicit_sharing":true,"extra":{"_is_output_of_quantized_pattern":true}})"));
    module->graph().setAnnotation(module->graph().find("add"), std::make_shared<const ir::Annotation>(annotation));
    QVERIFY(io::graphToJson(*module)["nodes"][1].contains("annotation"));
}

void TestGraphJson::writesEveryKindOfSpec()
{
    const auto module = smallModule();
    const auto text = [&](const ir::Spec& spec) { return io::dumpJson(io::specToJson(spec, module->graph())); };
    QCOMPARE(text(nullptr), std::string("null"));
    ir::QuantizationSpec plain;
    plain.quantMin = -128;
    plain.quantMax = 127;
    plain.qscheme = ir::QScheme::PerTensorAffine;
    plain.observer = {"HistogramObserver", {{"eps", 0.000244140625}}};
    QCOMPARE(text(ir::makeSpec(plain)),
             std::string(R"({"kind":"quantization","dtype":"int8","quant_min":-128,"quant_max":127,)"
                         R"("qscheme":"per_tensor_affine","ch_axis":null,"is_dynamic":false,)"
                         R"("observer":"HistogramObserver","observer_args":{"eps":0.000244140625}})"));
    ir::DerivedQuantizationSpec derived;
    derived.from = {{0, 1}, {1, ir::kNoNode}};
    derived.derive = "bias";
    const io::Json derivedJson = io::specToJson(ir::makeSpec(derived), module->graph());
    QCOMPARE(io::dumpJson(derivedJson["from"]), std::string(R"([{"edge":["x","add"]},{"node":"add"}])"));
    QCOMPARE(derivedJson["kind"].get<std::string>(), std::string("derived"));
    ir::FixedQParamsQuantizationSpec fixed;
    fixed.dtype = DType::Int16;
    fixed.scale = 1.0 / 4096;
    const io::Json fixedJson = io::specToJson(ir::makeSpec(fixed), module->graph());
    QCOMPARE(fixedJson["kind"].get<std::string>(), std::string("fixed"));
    QCOMPARE(fixedJson["scale"].get<double>(), 1.0 / 4096);
    QVERIFY(fixedJson["qscheme"].is_null());
}

QTEST_GUILESS_MAIN(TestGraphJson)
#include "tst_graph_json.moc"
