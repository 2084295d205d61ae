#include "passes/fold_bn.h"
#include "passes/fold_bn_weights.h"

#include "graph_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using ir::Tensor;
using trace::EventKind;

namespace {

const std::vector<float> kWeight{0.1F, 0.7F, -1.3F, 0.33F};
const std::vector<float> kBias{0.05F, -0.6F};

passes::BatchNormConstants constants(double eps = 1e-5)
{
    return {Tensor::fromVector(std::vector<float>{1.1F, 0.9F}), Tensor::fromVector(std::vector<float>{-0.4F, 0.25F}),
            Tensor::fromVector(std::vector<float>{0.3F, -0.2F}), Tensor::fromVector(std::vector<float>{0.7F, 1.9F}),
            eps};
}

std::vector<float> floats(const Tensor& t)
{
    const Tensor c = t.contiguous();
    return {c.data<float>(), c.data<float>() + c.elementCount()};
}

/// conv(x, w, b) -> batch_norm -> relu, or without bias.
struct ConvBn {
    Model m;
    ir::Node* x = nullptr;
    ir::Node* conv = nullptr;
    ir::Node* bn = nullptr;
    ir::Node* relu = nullptr;

    explicit ConvBn(bool bias = true, const char* op = "aten.conv1d.default", ir::Shape weight = {2, 1, 2})
    {
        ir::Node* w = m.attribute("conv.weight", Tensor::fromVector(kWeight, std::move(weight)));
        ir::Node* b = bias ? m.attribute("conv.bias", Tensor::fromVector(kBias)) : nullptr;
        std::vector<ir::Node*> stats;
        const auto c = constants();
        for (const auto& [name, t] : {std::pair("weight", c.weight),
                                      {"bias", c.bias},
                                      {"running_mean", c.runningMean},
                                      {"running_var", c.runningVar}})
            stats.push_back(m.attribute(std::string("bn.") + name, *t));
        x = m.input("x");
        std::vector<ir::Argument> args{ref(x), ref(w)};
        if (b)
            args.push_back(ref(b));
        conv = m.call(op, args);
        bn = m.call("aten.batch_norm.default",
                    {ref(conv), ref(stats[0]), ref(stats[1]), ref(stats[2]), ref(stats[3]), ir::Argument(false),
                     ir::Argument(0.1), ir::Argument(1e-5), ir::Argument(false)});
        relu = m.call("aten.relu.default", {ref(bn)});
        m.output({relu});
    }
    base::Status fold()
    {
        passes::PassContext context = m.context();
        GB_TRY(passes::fuseConvBn(*m.module, context));
        return passes::fuseLinearBn(*m.module, context);
    }
};

} // namespace

class TestFoldBn : public QObject {
    Q_OBJECT

private slots:
    // golden numbers: torch 2.14.1, torch.nn.utils.fusion
    void convWeightsAreTorchsToTheLastBit()
    {
        Model m;
        const auto context = m.context();
        const auto fused = passes::fuseConvBnWeights(context, Tensor::fromVector(kWeight, {2, 1, 2}),
                                                     Tensor::fromVector(kBias), constants(), false);
        QVERIFY(fused.ok());
        QCOMPARE(floats(fused->weight),
                 std::vector<float>({0x1.0d425cp-3F, 0x1.d7342p-1F, -0x1.b2968ep-1F, 0x1.b9462cp-3F}));
        QCOMPARE(floats(fused->bias), std::vector<float>({-0x1.751646p-1F, -0x1.6e0b4p-7F}));
        QCOMPARE(fused->weight.shape(), ir::Shape({2, 1, 2}));
    }

    void convWithoutBiasAndAffineWeights()
    {
        Model m;
        const auto context = m.context();
        passes::BatchNormConstants bn = constants();
        bn.weight.reset();
        bn.bias.reset();
        const auto fused =
            passes::fuseConvBnWeights(context, Tensor::fromVector(kWeight, {2, 1, 2}), std::nullopt, bn, false);
        QVERIFY(fused.ok());
        QCOMPARE(floats(fused->weight),
                 std::vector<float>({0x1.e98feap-4F, 0x1.ac5decp-1F, -0x1.e2e02cp-1F, 0x1.ea4df8p-3F}));
        QCOMPARE(floats(fused->bias), std::vector<float>({-0x1.6f2bfp-2F, 0x1.29277ep-3F}));
    }

    void aTransposedConvScalesItsSecondAxis()
    {
        Model m;
        const auto context = m.context();
        const auto fused = passes::fuseConvBnWeights(context, Tensor::fromVector(kWeight, {2, 2, 1}),
                                                     Tensor::fromVector(kBias), constants(), true);
        QVERIFY(fused.ok());
        QCOMPARE(floats(fused->weight),
                 std::vector<float>({0x1.0d425cp-3F, 0x1.d4049ap-2F, -0x1.b58bd4p+0F, 0x1.b9462cp-3F}));
    }

    void linearWeightsAreTorchsToTheLastBit()
    {
        Model m;
        const auto context = m.context();
        const auto fused = passes::fuseLinearBnWeights(context, Tensor::fromVector(kWeight, {2, 2}),
                                                       Tensor::fromVector(kBias), constants(1e-3));
        QVERIFY(fused.ok());
        QCOMPARE(floats(fused->weight),
                 std::vector<float>({0x1.0d11aap-3F, 0x1.d6dee8p-1F, -0x1.b27996p-1F, 0x1.b928c2p-3F}));
        QCOMPARE(floats(fused->bias), std::vector<float>({-0x1.74f7d8p-1F, -0x1.6bd0cp-7F}));
    }

    void linearWithoutBatchNormWeightIsATypeError()
    {
        Model m;
        const auto context = m.context();
        passes::BatchNormConstants bn = constants();
        bn.weight.reset();
        const auto fused = passes::fuseLinearBnWeights(context, Tensor::fromVector(kWeight, {2, 2}), std::nullopt, bn);
        QCOMPARE(fused.error().code, ErrorCode::TypeError);
    }

    void withoutRunningStatisticsIsATypeError()
    {
        Model m;
        const auto context = m.context();
        passes::BatchNormConstants bn = constants();
        bn.runningVar.reset();
        const auto fused =
            passes::fuseConvBnWeights(context, Tensor::fromVector(kWeight, {2, 1, 2}), std::nullopt, bn, false);
        QCOMPARE(fused.error().code, ErrorCode::TypeError);
    }

    /// field.c32_groups2: a grouped transposed convolution does not broadcast.
    void aGroupedTransposedConvIsARuntimeError()
    {
        Model m;
        const auto context = m.context();
        const auto fused = passes::fuseConvBnWeights(context, Tensor::zeros(ir::DType::Float32, {4, 3, 1}),
                                                     std::nullopt, constants(), true);
        QCOMPARE(fused.error().code, ErrorCode::RuntimeError);
    }

    void theBatchNormAndItsAttributesGoFromTheGraph()
    {
        ConvBn t;
        QVERIFY(t.fold().ok());
        QCOMPARE(t.m.lines(), QStringList({"conv_weight", "conv_bias", "x", "conv1d(x, conv_weight, conv_bias)",
                                           "relu(conv1d)", "output(relu)"}));
        QCOMPARE(floats(t.m.module->attribute("conv.bias")->value),
                 std::vector<float>({-0x1.751646p-1F, -0x1.6e0b4p-7F}));
        // the attributes themselves go later, when prepare makes its new module
        QVERIFY(t.m.module->attribute("bn.weight"));
    }

    void aConvWithoutBiasGetsOneBeforeIt()
    {
        ConvBn t(false);
        QVERIFY(t.fold().ok());
        QCOMPARE(t.m.lines(),
                 QStringList({"conv_weight", "x", "conv_weight_bias", "conv1d(x, conv_weight, conv_weight_bias)",
                              "relu(conv1d)", "output(relu)"}));
        const ir::Node* bias = t.m.graph().find("conv_weight_bias");
        QCOMPARE(bias->target(), std::string("conv.weight_bias"));
        QVERIFY(bias->val());
        QCOMPARE(bias->val()->shape[0].size, std::int64_t(2));
    }

    /// torchao gives the bias of a linear no value in its meta, and that of a convolution one.
    void aLinearGetsItsBiasWithoutAVal()
    {
        ConvBn t(false, "aten.linear.default", {2, 2});
        QVERIFY(t.fold().ok());
        QVERIFY(!t.m.graph().find("conv_weight_bias")->val());
        QVERIFY(!t.m.graph().find("batch_norm"));
    }

    void aLinearOfADeepInputKeepsItsBatchNorm()
    {
        ConvBn t(true, "aten.linear.default", {2, 2});
        t.m.graph().setMeta(t.x, tensorMeta(ir::DType::Float32, {2, 3, 4}));
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.graph().find("batch_norm"));
        QCOMPARE(t.m.sentences(EventKind::Note).filter("linear keeps its batch norm").size(), 1);
    }

    void aGraphWithoutBatchNormIsNotEvenVisited()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.call("aten.relu.default", {ref(x)}); // dead, and stays: no batch norm, no dead code elimination
        m.output({x});
        passes::PassContext context = m.context();
        QVERIFY(passes::fuseConvBn(*m.module, context).ok());
        QVERIFY(m.graph().find("relu"));
        QVERIFY(m.sentences(EventKind::Pass).isEmpty());
    }

    void theSecondUseOfAWeightOnlyLosesItsBatchNorm()
    {
        ConvBn t;
        Model& m = t.m;
        ir::Graph& g = m.graph();
        ir::Node* before = g.find("output");
        ir::Node* again = g.insertBefore(
            before,
            {.target = "aten.conv1d.default", .args = t.conv->args(), .nameHint = "conv1d_1", .meta = tensorMeta()});
        std::vector<ir::Argument> args = t.bn->args();
        args[0] = ref(again);
        ir::Node* bn = g.insertBefore(
            before,
            {.target = "aten.batch_norm.default", .args = args, .nameHint = "batch_norm_1", .meta = tensorMeta()});
        g.setArgs(before, {ir::Argument::tuple({ref(t.relu), ref(bn)})});
        QVERIFY(t.fold().ok());
        QVERIFY(!g.find("batch_norm_1"));
        // folded once
        QCOMPARE(floats(m.module->attribute("conv.weight")->value)[0], 0x1.0d425cp-3F);
    }

    void nativeBatchNormHandsOnItsFirstOutput()
    {
        Model m;
        ir::Node* w = m.attribute("conv.weight", Tensor::fromVector(kWeight, {2, 1, 2}));
        const auto c = constants();
        std::vector<ir::Node*> stats;
        for (const auto& [name, value] :
             {std::pair("bn.w", c.weight), {"bn.b", c.bias}, {"bn.m", c.runningMean}, {"bn.v", c.runningVar}})
            stats.push_back(m.attribute(name, *value));
        ir::Node* x = m.input("x");
        ir::Node* conv = m.call("aten.conv1d.default", {ref(x), ref(w)});
        ir::Node* bn = m.call("aten._native_batch_norm_legit_no_training.default",
                              {ref(conv), ref(stats[0]), ref(stats[1]), ref(stats[2]), ref(stats[3]), ir::Argument(0.1),
                               ir::Argument(1e-5)});
        ir::Node* first = m.call("<built-in function getitem>", {ref(bn), ir::Argument(0)});
        m.output({first});
        passes::PassContext context = m.context();
        QVERIFY(passes::fuseConvBn(*m.module, context).ok());
        QCOMPARE(m.lines(), QStringList({"conv_weight", "x", "conv_weight_bias",
                                         "conv1d(x, conv_weight, conv_weight_bias)", "output(conv1d)"}));
    }

    void aWeightThatIsNoAttributeIsAValueError()
    {
        ConvBn t;
        t.m.graph().setArg(t.conv, 1, ref(t.x));
        const base::Status status = t.fold();
        QCOMPARE(status.error().code, ErrorCode::ValueError);
    }
};

QTEST_GUILESS_MAIN(TestFoldBn)
#include "tst_fold_bn.moc"
