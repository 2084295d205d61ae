#include "passes/convert_observers.h"
#include "quant/make_observer.h"

#include "graph_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using ir::Tensor;
using trace::EventKind;

namespace {

const Tensor kSeen = Tensor::fromVector(std::vector<float>{-1.0F, 0.0F, 1.55F, 0.5F, -0.25F, 1.0F}, {2, 3});

std::shared_ptr<quant::Observer> made(const ir::QuantizationSpec& spec, bool seen = true)
{
    auto observer = quant::makeObserver(spec);
    if (!observer || (seen && !(*observer)->forward(kSeen)))
        return nullptr;
    return *observer;
}

/// x -> observer -> relu -> output
struct Observed {
    Model m;
    ir::Node* x = nullptr;
    ir::Node* node = nullptr;

    explicit Observed(std::shared_ptr<quant::Observer> observer, ir::DType dtype = ir::DType::Float32)
    {
        x = m.input("x");
        m.graph().setMeta(x, tensorMeta(dtype));
        m.module->setModule("activation_post_process_0", std::move(observer));
        node = m.graph().append({.op = ir::Op::CallModule,
                                 .target = "activation_post_process_0",
                                 .args = {ref(x)},
                                 .nameHint = "activation_post_process_0"});
        m.output({m.call("aten.relu.default", {ref(node)})});
    }
    base::Status convert(const std::map<std::string, std::string>& scopes = {})
    {
        passes::PassContext context = m.context();
        return passes::convertObservers(*m.module, scopes, context);
    }
    const ir::Node* find(const char* name) { return m.graph().find(name); }
};

} // namespace

class TestConvertObservers : public QObject {
    Q_OBJECT

private slots:
    void perTensorBecomesNumbersInTheArguments()
    {
        Observed t(made(int8Spec()));
        QVERIFY(t.convert().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "quantize_per_tensor_default(x)",
                                           "dequantize_per_tensor_default(quantize_per_tensor_default)",
                                           "relu(dequantize_per_tensor_default)", "output(relu)"}));
        const ir::Node* q = t.find("quantize_per_tensor_default");
        QCOMPARE(q->target(), std::string("quantized_decomposed.quantize_per_tensor.default"));
        QCOMPARE(*q->arg(1).as<double>(), static_cast<double>(0.01F));
        QCOMPARE(*q->arg(2).as<std::int64_t>(), std::int64_t(-28));
        QCOMPARE(*q->arg(3).as<std::int64_t>(), std::int64_t(-128));
        QCOMPARE(*q->arg(4).as<std::int64_t>(), std::int64_t(127));
        QCOMPARE(*q->arg(5).as<ir::DType>(), ir::DType::Int8);
        QVERIFY(q->meta().val.kind == ir::ValueMeta::Kind::Missing);
        QVERIFY(t.m.module->modules().empty());
    }

    void perChannelBecomesBuffers()
    {
        ir::QuantizationSpec spec = std::get<ir::QuantizationSpec>(*weightSpec());
        Observed t(made(spec));
        QVERIFY(t.convert().ok());
        QCOMPARE(
            t.m.lines(),
            QStringList({"x", "_scale_0", "_zero_point_0", "quantize_per_channel_default(x, _scale_0, _zero_point_0)",
                         "dequantize_per_channel_default(quantize_per_channel_default, _scale_0, _zero_point_0)",
                         "relu(dequantize_per_channel_default)", "output(relu)"}));
        const ir::Attribute* scale = t.m.module->attribute("_scale_0");
        QVERIFY(scale && scale->kind == ir::AttributeKind::Buffer);
        QCOMPARE(scale->value.shape(), ir::Shape({2}));
        QCOMPARE(*t.find("quantize_per_channel_default")->arg(3).as<std::int64_t>(), std::int64_t(0));
    }

    void buffersAreNamedAfterTheObservedNodesModule()
    {
        Observed t(made(std::get<ir::QuantizationSpec>(*weightSpec())));
        QVERIFY(t.convert({{"x", "conv1"}}).ok());
        QVERIFY(t.m.module->attribute("conv1_scale_0"));
        QVERIFY(t.find("conv1_zero_point_0"));
    }

    void aDequantizeOfAnotherDtypeSaysItsOwn()
    {
        Observed t(made(int8Spec()), ir::DType::BFloat16);
        QVERIFY(t.convert().ok());
        const ir::Node* dq = t.find("dequantize_per_tensor_default");
        QCOMPARE(dq->kwargs().size(), std::size_t(1));
        QCOMPARE(dq->kwargs()[0].first, std::string("out_dtype"));
        QCOMPARE(*dq->kwargs()[0].second.as<ir::DType>(), ir::DType::BFloat16);
        QVERIFY(t.find("quantize_per_tensor_default")->kwargs().empty());
    }

    void dynamicChoosesItsQParamsInTheGraph()
    {
        ir::QuantizationSpec spec = int8Spec("PlaceholderObserver");
        spec.isDynamic = true;
        Observed t(made(spec));
        QVERIFY(t.convert().ok());
        QCOMPARE(t.m.lines(),
                 QStringList({"x", "choose_qparams_tensor(x)", "getitem(choose_qparams_tensor)",
                              "getitem_1(choose_qparams_tensor)", "quantize_per_tensor_tensor(x, getitem, getitem_1)",
                              "dequantize_per_tensor_tensor(quantize_per_tensor_tensor, getitem, getitem_1)",
                              "relu(dequantize_per_tensor_tensor)", "output(relu)"}));
    }

    void dynamicSymmetricTakesTheSymmetricOp()
    {
        ir::QuantizationSpec spec = int8Spec("PlaceholderObserver");
        spec.isDynamic = true;
        spec.qscheme = ir::QScheme::PerTensorSymmetric;
        Observed t(made(spec));
        QVERIFY(t.convert().ok());
        QVERIFY(t.find("choose_qparams_symmetric_tensor"));
    }

    void dynamicOfAWideDtypeIsAnAssertionError()
    {
        ir::QuantizationSpec spec = int8Spec("PlaceholderObserver");
        spec.isDynamic = true;
        spec.dtype = ir::DType::Int16;
        Observed t(made(spec));
        QCOMPARE(t.convert().error().code, ErrorCode::AssertionError);
    }

    void dynamicPerChannelIsAKeyError()
    {
        ir::QuantizationSpec spec = int8Spec("PlaceholderObserver");
        spec.isDynamic = true;
        spec.qscheme = ir::QScheme::PerChannelAffine;
        Observed t(made(spec));
        QCOMPARE(t.convert().error().code, ErrorCode::KeyError);
    }

    void float16IsConvertedThereAndBack()
    {
        ir::QuantizationSpec spec = int8Spec("PlaceholderObserver");
        spec.dtype = ir::DType::Float16;
        spec.quantMin.reset();
        spec.quantMax.reset();
        Observed t(made(spec));
        QVERIFY(t.convert().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "convert_element_type_no_fuse(x)",
                                           "convert_element_type_no_fuse_1(convert_element_type_no_fuse)",
                                           "relu(convert_element_type_no_fuse_1)", "output(relu)"}));
    }

    void anObserverOfAnUnconvertibleDtypeIsTakenOut()
    {
        ir::QuantizationSpec spec = int8Spec("PlaceholderObserver");
        spec.dtype = ir::DType::BFloat16;
        Observed t(made(spec));
        QVERIFY(t.convert().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "relu(x)", "output(relu)"}));
        QCOMPARE(t.m.field(EventKind::Rewrite, "code"), QStringList({"C1"}));
    }

    void anObserverWithoutQParamsSaysSoWithItsNode()
    {
        Observed t(made(int8Spec("PlaceholderObserver")));
        const base::Status status = t.convert();
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, ErrorCode::Exception);
        QVERIFY(QString::fromStdString(status.error().text()).contains("activation_post_process_0"));
    }

    void qAndDqRememberTheirObserver()
    {
        Observed t(made(int8Spec()));
        const ir::NodeId observer = t.node->id();
        QVERIFY(t.convert().ok());
        QCOMPARE(t.find("quantize_per_tensor_default")->meta().fromNodes, std::vector<ir::NodeId>({observer}));
        const auto& events = t.m.recorder.recording().events;
        const auto rewrite = std::ranges::find(events, EventKind::Rewrite, &trace::Event::kind);
        QVERIFY(rewrite != events.end());
        QCOMPARE(rewrite->name, std::string("replace_observer"));
        QCOMPARE(rewrite->nodes.size(), std::size_t(4));
        QVERIFY(!rewrite->edits.empty());
    }

    void anObserverThatNobodyUsesLeavesNothing()
    {
        Observed t(made(int8Spec()));
        ir::Node* relu = t.m.graph().find("relu");
        t.m.graph().setArg(relu, 0, ref(t.x));
        QVERIFY(t.convert().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "relu(x)", "output(relu)"}));
    }
};

QTEST_GUILESS_MAIN(TestConvertObservers)
#include "tst_convert_observers.moc"
