#include "passes/port_metadata.h"

#include "graph_builder.h"
#include "passes/quantize_ops.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

namespace {

void setTrace(Model& m, ir::Node* node, const std::string& trace, const std::string& tag = {})
{
    auto meta = std::make_shared<ir::NodeMeta>(node->meta());
    meta->stackTrace = trace;
    if (!tag.empty())
        meta->other.emplace_back("quantization_tag", tag);
    m.graph().setMeta(node, std::move(meta));
}

/// weight -> permute -> q -> dq -> mul(x', dq), and mul -> q -> dq -> output
struct Quantized {
    Model m;
    ir::Node* w = nullptr;
    ir::Node* permute = nullptr;
    ir::Node* wq = nullptr;
    ir::Node* wdq = nullptr;
    ir::Node* mul = nullptr;
    ir::Node* q = nullptr;
    ir::Node* dq = nullptr;

    Quantized()
    {
        w = m.attribute("w", ir::Tensor::zeros(ir::DType::Float32, {3, 2}));
        permute = m.call("aten.permute.default", {ref(w)});
        wq = m.graph().append({.target = std::string(passes::kQuantizePerTensor), .args = {ref(permute)}});
        wdq = m.graph().append({.target = std::string(passes::kDequantizePerTensor), .args = {ref(wq)}});
        ir::Node* x = m.input("x");
        mul = m.call("aten.mul.Tensor", {ref(x), ref(wdq)});
        q = m.graph().append({.target = std::string(passes::kQuantizePerTensor), .args = {ref(mul)}});
        dq = m.graph().append({.target = std::string(passes::kDequantizePerTensor), .args = {ref(q)}});
        m.output({dq});
        m.label(mul, permute, int8());
        m.labelOutput(mul, int8());
        setTrace(m, w, "the weight");
        setTrace(m, mul, "the product", "tag of the product");
    }
    base::Status run()
    {
        passes::PassContext context = m.context();
        return passes::portMetadata(*m.module, context);
    }
};

} // namespace

class TestPortMetadata : public QObject {
    Q_OBJECT

private slots:
    void aDequantizeTakesItsConsumersSource()
    {
        Quantized t;
        QVERIFY(t.run().ok());
        QCOMPARE(t.wdq->meta().stackTrace, std::string("the product"));
        QCOMPARE(t.wdq->meta().other.size(), std::size_t(1));
        QCOMPARE(t.wdq->meta().other[0].second, std::string("tag of the product"));
    }

    void whatLiesBetweenAWeightAndItsQuantizeTakesTheWeights()
    {
        Quantized t;
        QVERIFY(t.run().ok());
        QCOMPARE(t.wq->meta().stackTrace, std::string("the weight"));
        QCOMPARE(t.permute->meta().stackTrace, std::string("the weight"));
    }

    void aQuantizeBehindALabelledOutputTakesItsProducers()
    {
        Quantized t;
        QVERIFY(t.run().ok());
        QCOMPARE(t.q->meta().stackTrace, std::string("the product"));
        QVERIFY(t.dq->meta().stackTrace.empty()); // the last dequantize belongs to nobody
    }

    void aNodeWithoutLabelHandsNothingOn()
    {
        Quantized t;
        t.m.graph().setAnnotation(t.mul, nullptr);
        QVERIFY(t.run().ok());
        QVERIFY(t.wdq->meta().stackTrace.empty());
        QVERIFY(t.q->meta().stackTrace.empty());
    }

    void anInputOfNoneIsLeftAlone()
    {
        Quantized t;
        t.m.label(t.mul, t.permute, nullptr);
        QVERIFY(t.run().ok());
        QVERIFY(t.wdq->meta().stackTrace.empty());
    }

    void valuesAndModuleStackAreNotPorted()
    {
        Quantized t;
        QVERIFY(t.run().ok());
        QVERIFY(!t.wdq->val());
    }

    void aDynamicInputPortsToAllThreeNodes()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* chosen = m.graph().append({.target = std::string(passes::kChooseQParams), .args = {ref(x)}});
        ir::Node* scale = m.call("<built-in function getitem>", {ref(chosen), ir::Argument(0)});
        ir::Node* zero = m.call("<built-in function getitem>", {ref(chosen), ir::Argument(1)});
        ir::Node* q = m.graph().append(
            {.target = std::string(passes::kQuantizePerTensorTensor), .args = {ref(x), ref(scale), ref(zero)}});
        ir::Node* dq = m.graph().append(
            {.target = std::string(passes::kDequantizePerTensorTensor), .args = {ref(q), ref(scale), ref(zero)}});
        ir::Node* linear = m.call("aten.linear.default", {ref(dq)});
        m.output({linear});
        ir::QuantizationSpec spec = int8Spec();
        spec.isDynamic = true;
        m.label(linear, x, ir::makeSpec(spec));
        setTrace(m, linear, "the linear");
        passes::PassContext context = m.context();
        QVERIFY(passes::portMetadata(*m.module, context).ok());
        for (const ir::Node* n : {chosen, q, dq})
            QCOMPARE(n->meta().stackTrace, std::string("the linear"));
        QVERIFY(scale->meta().stackTrace.empty());
    }

    void aDynamicInputWithoutChooseQParamsIsAnException()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* linear = m.call("aten.linear.default", {ref(x)});
        m.output({linear});
        ir::QuantizationSpec spec = int8Spec();
        spec.isDynamic = true;
        m.label(linear, x, ir::makeSpec(spec));
        passes::PassContext context = m.context();
        const base::Status status = passes::portMetadata(*m.module, context);
        QCOMPARE(status.error().code, ErrorCode::Exception);
        QVERIFY(QString::fromStdString(status.error().text()).contains("choose_qparams"));
    }
};

QTEST_GUILESS_MAIN(TestPortMetadata)
#include "tst_port_metadata.moc"
