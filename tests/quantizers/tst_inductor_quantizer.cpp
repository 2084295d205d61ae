// X86InductorQuantizer and ArmInductorQuantizer by small graphs: which patterns they take, refuse and propagate to.
#include "quantizers/inductor/config.h"
#include "quantizers/inductor/settings.h"
#include "quantizers/sequential_partitions.h"

#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::flags;
using gb::test::ModelBuilder;

namespace {

constexpr const char* kConvType = "torch.nn.modules.conv.Conv2d";
constexpr const char* kLinearType = "torch.nn.modules.linear.Linear";
constexpr const char* kReluType = "torch.nn.modules.activation.ReLU";

Recipe recipe(const char* kind = "x86_inductor", std::initializer_list<const char*> names = {})
{
    Recipe out;
    out.quantizer = kind;
    out.global = Config(flags(names));
    return out;
}

struct Model : ModelBuilder {
    ir::Node* conv(ir::Node* in, const std::string& path)
    {
        return call("aten.conv2d.default", {in, parameter(path + ".weight")}, path, kConvType);
    }
    ir::Node* linear(ir::Node* in, const std::string& path)
    {
        return call("aten.linear.default", {in, parameter(path + ".weight")}, path, kLinearType);
    }
    ir::Node* relu(ir::Node* in, const std::string& path) { return call("aten.relu.default", {in}, path, kReluType); }
    ir::Node* add(ir::Node* a, ir::Node* b) { return addOf(ModelBuilder::refs({a, b})); }
    ir::Node* addOf(std::vector<ir::Argument> arguments)
    {
        ir::Node* node = callWith("aten.add.Tensor", std::move(arguments));
        auto meta = std::make_shared<ir::NodeMeta>(node->meta());
        meta->torchFn = ir::SourceFunction{node->name(), "method_descriptor.add"};
        graph().setMeta(node, std::move(meta));
        return node;
    }
    /// The extra field of the x86 annotation.
    static bool isOutput(const ir::Node* node)
    {
        return node->annotation() && node->annotation()->extra.size() == 1
               && node->annotation()->extra[0].second == ir::Argument(true);
    }

    ir::Node* x = input("x");
};

} // namespace

class TestInductorQuantizer : public QObject {
    Q_OBJECT

private slots:
    void configsAreTorchaos()
    {
        const QuantizationConfig x86 = inductor::x86Config(flags({"reduce_range"}));
        const auto* activation = ir::as<ir::QuantizationSpec>(x86.inputActivation);
        QCOMPARE(activation->dtype, ir::DType::UInt8);
        QCOMPARE(*activation->quantMax, 127);
        QCOMPARE(ir::as<ir::QuantizationSpec>(x86.weight)->observer.name, std::string("PerChannelMinMaxObserver"));
        const QuantizationConfig arm = inductor::armConfig(flags({"is_qat", "is_dynamic"}));
        activation = ir::as<ir::QuantizationSpec>(arm.inputActivation);
        QCOMPARE(activation->observer.name, std::string("FakeQuantize"));
        QCOMPARE(*activation->quantMin, -128);
        const auto* weight = ir::as<ir::QuantizationSpec>(arm.weight);
        QVERIFY(!weight->chAxis);
        QCOMPARE(*weight->qscheme, ir::QScheme::PerTensorSymmetric);
        QVERIFY(arm.isQat && arm.isDynamic());
    }

    void convReluIsOnePattern()
    {
        Model m;
        ir::Node* conv = m.conv(m.x, "c");
        ir::Node* relu = m.relu(conv, "act");
        m.output({relu});
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.matches("conv2d_unary"), std::string("conv2d_default+relu_default"));
        QCOMPARE(m.label(conv),
                 std::string("in x:HistogramObserver c_weight:PerChannelMinMaxObserver out none marked"));
        QCOMPARE(m.label(relu), std::string("in out none marked"));
        QVERIFY(!Model::isOutput(conv));
        QVERIFY(Model::isOutput(relu));
        GB_COMPARE_REFUSAL(m.attempt("conv2d", conv), "annotated", "R5");
    }

    void convAddReluLabelsTheOtherOperand()
    {
        Model m;
        ir::Node* conv = m.conv(m.x, "c");
        ir::Node* add = m.add(m.x, conv);
        ir::Node* relu = m.relu(add, "act");
        m.output({relu});
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.matches("conv2d_binary_unary"), std::string("conv2d_default+add_tensor+relu_default"));
        QCOMPARE(m.label(add), std::string("in x:HistogramObserver out none marked"));
        QVERIFY(!Model::isOutput(add));
        QVERIFY(Model::isOutput(relu));
    }

    void refusedConvAddWithOtherUsers()
    {
        Model m;
        ir::Node* conv = m.conv(m.x, "c");
        ir::Node* add = m.add(conv, m.x);
        m.output({add, conv});
        GB_VERIFY_OK(m.run(recipe()));
        GB_COMPARE_REFUSAL(m.attempt("conv2d_binary", conv), "has_other_users", "R6");
        QCOMPARE(m.matches("conv2d"), std::string("conv2d_default"));
    }

    void aConvPlusANumberIsAnAssertionError()
    {
        Model m;
        ir::Node* conv = m.conv(m.x, "c");
        m.output({m.addOf({ir::Argument::node(conv->id()), ir::Argument(1)})});
        GB_COMPARE_ERROR(m.run(recipe()), AssertionError);
    }

    void linearAddLeavesTheOtherOperandInFloat()
    {
        Model m;
        ir::Node* linear = m.linear(m.x, "fc");
        ir::Node* add = m.add(linear, m.x);
        m.output({add});
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.matches("linear_binary_unary"), std::string("linear_default+add_tensor"));
        QCOMPARE(m.label(add), std::string("in out none marked"));
        QVERIFY(Model::isOutput(add));
    }

    void refusedFusionOfALinearThatIsCalledTwice()
    {
        Model m;
        ir::Node* first = m.linear(m.x, "fc");
        ir::Node* second = m.call("aten.linear.default", {first, m.graph().find("fc_weight")}, "fc", kLinearType);
        ir::Node* relu = m.relu(second, "act");
        m.output({relu, first});
        GB_VERIFY_OK(m.run(recipe()));
        GB_COMPARE_REFUSAL(m.attempt("linear_unary", second), "several_outputs", "R6");
        QCOMPARE(m.matches("linear"), std::string("linear_default linear_default_1"));
    }

    void refusedLinearInsideItsPartition()
    {
        Model m;
        ir::Node* first = m.linear(m.x, "fc");
        ir::Node* second = m.call("aten.linear.default", {first, m.graph().find("fc_weight")}, "fc", kLinearType);
        m.output({second});
        GB_VERIFY_OK(m.run(recipe()));
        GB_COMPARE_REFUSAL(m.attempt("linear", first), "inner_node", "R3");
        QCOMPARE(m.matches("linear"), std::string("linear_default_1"));
    }

    void oneReluModuleTwiceIsAValueError()
    {
        Model m;
        ir::Node* first = m.relu(m.conv(m.x, "a"), "act");
        ir::Node* second = m.relu(m.conv(first, "b"), "act");
        m.output({second});
        GB_COMPARE_ERROR(m.run(recipe()), ValueError);
    }

    void poolsAndFlattenFollowQuantizedPatterns()
    {
        Model m;
        ir::Node* pool = m.call("aten.max_pool2d.default", {m.relu(m.conv(m.x, "c"), "act")});
        ir::Node* flat = m.call("aten.flatten.using_ints", {pool});
        ir::Node* alone = m.call("aten.avg_pool2d.default", {m.x});
        m.output({m.linear(flat, "fc"), alone});
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.label(pool), std::string("in relu_default:HistogramObserver out "
                                            "shared(relu_default->max_pool2d_default) marked"));
        QCOMPARE(m.label(flat), std::string("in max_pool2d_default:HistogramObserver out "
                                            "shared(max_pool2d_default->flatten_using_ints) marked"));
        GB_COMPARE_REFUSAL(m.attempt("propagation_quantizable_pattern", alone), "quantized_inputs", "R9");
    }

    void refusedFlattenWithoutQuantizableUser()
    {
        Model m;
        ir::Node* flat = m.call("aten.flatten.using_ints", {m.conv(m.x, "c")});
        m.output({flat});
        GB_VERIFY_OK(m.run(recipe()));
        GB_COMPARE_REFUSAL(m.attempt("propagation_quantizable_pattern", flat), "quantizable_user", "R9");
    }

    void catSharesItsInputs()
    {
        Model m;
        ir::Node* a = m.conv(m.x, "a");
        ir::Node* b = m.conv(m.x, "b");
        ir::Node* cat = m.callWith("aten.cat.default", {ir::Argument::list(ModelBuilder::refs({a, b, a}))});
        m.output({cat});
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.label(cat),
                 std::string("in conv2d_default:HistogramObserver conv2d_default_1:shared(conv2d_default->"
                             "cat_default) out shared(conv2d_default->cat_default) marked"));
    }

    void mulWantsTwoTensorsOfOneShape()
    {
        Model m;
        ir::Node* same = m.call("aten.mul.Tensor", {m.x, m.input("y")});
        ir::Node* wide =
            m.graph().append({ir::Op::Placeholder, "z", {}, {}, "z", ModelBuilder::tensorMeta(ir::DType::Float32, 8)});
        ir::Node* other = m.call("aten.mul.Tensor", {m.x, wide});
        ir::Node* number = m.callWith("aten.mul.Tensor", {ir::Argument::node(m.x->id()), ir::Argument(2)});
        m.output({same, other, number});
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.matches("mul_tensor"), std::string("mul_tensor"));
        GB_COMPARE_REFUSAL(m.attempt("mul_tensor", other), "same_shape", "R14");
        GB_COMPARE_REFUSAL(m.attempt("mul_tensor", number), "tensor_operands", "R7");
    }

    void matmulIsOffByDefaultAndOnByFunction()
    {
        Model m;
        ir::Node* matmul = m.call("aten.matmul.default", {m.x, m.input("y")});
        m.output({matmul});
        GB_VERIFY_OK(m.run(recipe()));
        GB_COMPARE_REFUSAL(m.attempt("matmul", matmul), "filter", "R4");
        Recipe r = recipe();
        r.functionType = {{"torch.matmul", flags({})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(matmul), std::string("in x:HistogramObserver y:HistogramObserver out none marked"));
    }

    void aNullConfigMarksAndQuantizesNothing()
    {
        Model m;
        ir::Node* linear = m.linear(m.x, "fc");
        m.output({linear});
        Recipe r = recipe();
        r.moduleName = {{"fc", Config()}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(linear), std::string("in out none marked"));
        QVERIFY(!Model::isOutput(linear));
    }

    void armRunsFewerRules()
    {
        Model m;
        ir::Node* conv = m.conv(m.x, "c");
        ir::Node* relu = m.relu(conv, "act");
        m.output({relu});
        GB_VERIFY_OK(m.run(recipe("arm_inductor")));
        QCOMPARE(m.matches("conv2d"), std::string("conv2d_default"));
        QVERIFY(!relu->annotation());
    }

    void settingsOfAnotherModeAreSkipped()
    {
        Recipe r = recipe();
        r.moduleName = {{"a", flags({"is_dynamic"})}, {"b", flags({})}, {"c", Config()}};
        r.functionType = {{"torch.nn.functional.relu", flags({})}};
        const inductor::Settings settings(inductor::x86Backend(), r);
        QCOMPARE(settings.moduleNames().size(), std::size_t{2});
        QCOMPARE(settings.moduleNames()[0].first, std::string("b"));
        QVERIFY(!settings.moduleNames()[1].second);
        QVERIFY(settings.operatorTypes().empty());
        QCOMPARE(settings.skipped().size(), std::size_t{2});
        QVERIFY(settings.skipped()[0].text().find("torch.nn.functional.relu") != std::string::npos);
        QVERIFY(settings.skipped()[1].text().find("module_name a") != std::string::npos);
    }

    void qatLabelsTheBatchNormBehindAConv()
    {
        Model m;
        ir::Node* conv = m.conv(m.x, "c");
        ir::Node* bn = m.call("aten.batch_norm.default", {conv}, "bn", "torch.nn.modules.batchnorm.BatchNorm2d");
        m.output({bn});
        GB_VERIFY_OK(m.run(recipe("x86_inductor", {"is_qat"})));
        QCOMPARE(m.matches("qat_conv2d_bn"), std::string("conv2d_default+batch_norm_default"));
        QCOMPARE(m.label(bn), std::string("in out FusedMovingAvgObsFakeQuantize marked"));
        QVERIFY(Model::isOutput(bn));
    }

    void equivalentSourcesAreThoseOfTorchao()
    {
        QCOMPARE(equivalentSources(function("_operator.add")).size(), std::size_t{5});
        QCOMPARE(equivalentSources(moduleClass(kLinearType)).size(), std::size_t{1});
        QCOMPARE(equivalentSources(function("torch.relu_")).front().text, std::string(kReluType));
    }
};

QTEST_GUILESS_MAIN(TestInductorQuantizer)
#include "tst_inductor_quantizer.moc"
