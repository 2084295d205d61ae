#include "passes/fold_conv_bn_qat.h"

#include "passes/fuse_conv_bn_qat.h"
#include "qat_model.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

namespace {

/// A training batch norm behind an input, with its batch counter.
struct Trained {
    Model m;
    ir::Node* counter = nullptr;
    ir::Node* add = nullptr;
    ir::Node* bn = nullptr;

    explicit Trained(const std::string& type = "torch.nn.modules.batchnorm.BatchNorm2d")
    {
        counter = m.attribute("bn.num_batches_tracked", ir::Tensor::fromVector(std::vector<std::int64_t>{0}),
                              ir::AttributeKind::Buffer);
        ir::Node* x = m.input("x");
        auto meta = std::make_shared<ir::NodeMeta>();
        meta->nnModuleStack = {{"root", "", "Net"}, {"bn", "bn", type}};
        add = m.call("aten.add_.Tensor", {ref(counter), ir::Argument(1)}, meta);
        bn = m.call("aten.batch_norm.default", {ref(x)});
        m.output({bn});
    }
    base::Status run()
    {
        passes::PassContext context = m.context();
        return passes::foldConvBnQat(*m.module, context);
    }
};

/// Puts q and dq of one scale between two nodes.
void quantize(Model& m, const ir::Node* input, ir::Node* user)
{
    const std::vector<ir::Argument> tail = {ir::Argument(0.5), ir::Argument(0), ir::Argument(-100), ir::Argument(100),
                                            ir::Argument(ir::DType::Int8)};
    const auto step = [&](const char* target, const ir::Node* from) {
        std::vector<ir::Argument> args = {ref(from)};
        args.insert(args.end(), tail.begin(), tail.end());
        return m.graph().insertBefore(user, {.op = ir::Op::CallFunction, .target = target, .args = std::move(args)});
    };
    const ir::Node* q = step("quantized_decomposed.quantize_per_tensor.default", input);
    const ir::Node* dq = step("quantized_decomposed.dequantize_per_tensor.default", q);
    std::vector<ir::Argument> args = user->args();
    for (ir::Argument& a : args)
        if (a == ref(input))
            a = ref(dq);
    m.graph().setArgs(user, std::move(args));
}

/// What prepare and the first step of convert leave of a convolution with its batch norm, then folded.
base::Status trainAndFold(ConvBn& m, bool quantizeBias = false)
{
    m.output({m.bn});
    passes::PassContext context = m.context();
    GB_TRY(passes::fuseConvBnQat(*m.module, context));
    ir::Node* conv = m.graph().find("conv2d_1");
    quantize(m, m.graph().find("mul"), conv);
    if (quantizeBias)
        quantize(m, m.graph().find("zeros_like"), conv);
    return passes::foldConvBnQat(*m.module, context);
}

std::vector<float> values(const Model& m, const std::string& name)
{
    const ir::Tensor& t = m.module->attribute(name)->value;
    return {t.data<float>(), t.data<float>() + t.elementCount()};
}

bool near(float a, float b)
{
    return std::abs(a - b) < 1e-4F;
}

} // namespace

class TestFoldConvBnQat : public QObject {
    Q_OBJECT

private slots:
    void aBatchCounterGoes()
    {
        Trained t;
        QVERIFY(t.run().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "batch_norm(x)", "output(batch_norm)"}));
    }

    void theTrainedGraphBecomesAConvolutionWithQuantizedFoldedWeight()
    {
        ConvBn m;
        QVERIFY(trainAndFold(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "conv_weight", "quantize_per_tensor(conv_weight)",
                                         "dequantize_per_tensor(quantize_per_tensor)", "conv_weight_bias",
                                         "conv2d_2(x, dequantize_per_tensor, conv_weight_bias)", "output(conv2d_2)"}));
        // eps is the pattern's 1e-5, not the batch norm's 1e-3
        const std::vector<float> weight = values(m, "conv.weight");
        QVERIFY(near(weight[0], 2.0F) && near(weight[1], 4.0F));
        const std::vector<float> bias = values(m, "conv.weight_bias");
        QVERIFY(near(bias[0], -1.0F) && near(bias[1], 3.0F));
    }

    void literalsOfQuantizeAndConvolutionStay()
    {
        ConvBn m;
        QVERIFY(trainAndFold(m).ok());
        QCOMPARE(m.graph().find("quantize_per_tensor")->arg(1), ir::Argument(0.5));
        QCOMPARE(m.graph().find("dequantize_per_tensor")->arg(4), ir::Argument(100));
        QCOMPARE(m.graph().find("conv2d_2")->arg(3), ir::Argument::list({1, 1}));
    }

    void aBiasIsFoldedWhereItStands()
    {
        ConvBn m(true);
        QVERIFY(trainAndFold(m).ok());
        QVERIFY(m.lines().contains("conv2d_2(x, dequantize_per_tensor, conv_bias)"));
        const std::vector<float> bias = values(m, "conv.bias");
        QVERIFY(near(bias[0], 9.0F) && near(bias[1], 23.0F));
    }

    void aQuantizedBiasKeepsItsQuantize()
    {
        ConvBn m(true);
        QVERIFY(trainAndFold(m, true).ok());
        QVERIFY(m.lines().contains("conv2d_2(x, dequantize_per_tensor, dequantize_per_tensor_1)"));
        QVERIFY(m.lines().contains("quantize_per_tensor_1(conv_bias)"));
    }

    void aWeightThatIsNotQuantizedIsNotFolded()
    {
        ConvBn m;
        m.output({m.bn});
        passes::PassContext context = m.context();
        QVERIFY(passes::fuseConvBnQat(*m.module, context).ok());
        QVERIFY(passes::foldConvBnQat(*m.module, context).ok());
        QVERIFY(m.graph().find("batch_norm_1"));
    }

    void everyFoldSaysWhatItDoes()
    {
        ConvBn m;
        QVERIFY(trainAndFold(m).ok());
        const QStringList said = m.sentences(trace::EventKind::Rewrite);
        QVERIFY(said.contains("batch_norm_2 is folded into the weight and bias of conv2d_2"));
        QVERIFY(said.filter("the graph that trained conv2d_1 with batch_norm_1 becomes").size() == 1);
    }

    /// torchao asks for BatchNorm2d alone.
    void theCounterOfAnotherBatchNormStays()
    {
        Trained t("torch.nn.modules.batchnorm.BatchNorm1d");
        QVERIFY(t.run().ok());
        QVERIFY(t.m.graph().find("add_"));
    }

    void aGraphWithoutBatchNormIsLeftAsItIs()
    {
        Trained t;
        t.m.graph().setTarget(t.bn, "aten.relu.default");
        QVERIFY(t.run().ok());
        QVERIFY(t.m.graph().find("add_"));
    }

    void aCounterThatSomebodyUsesIsARuntimeError()
    {
        Trained t;
        t.m.graph().setArgs(t.m.graph().find("output"), {ir::Argument::tuple({ref(t.bn), ref(t.add)})});
        QCOMPARE(t.run().error().code, ErrorCode::RuntimeError);
    }
};

QTEST_GUILESS_MAIN(TestFoldConvBnQat)
#include "tst_fold_conv_bn_qat.moc"
