#include "passes/constant_fold.h"

#include "graph_builder.h"
#include "passes/quantize_ops.h"
#include "trace/replay.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using ir::Tensor;
using trace::EventKind;

namespace {

std::vector<ir::Argument> quantizeArgs(const ir::Node* of)
{
    return {ref(of),           ir::Argument(0.5),
            ir::Argument(0),   ir::Argument(-128),
            ir::Argument(127), ir::Argument(ir::DType::Int8)};
}

struct Weighted {
    Model m;
    ir::Node* x = nullptr;

    ir::Node* quantize(const ir::Node* of)
    {
        return m.graph().append({.target = std::string(passes::kQuantizePerTensor), .args = quantizeArgs(of)});
    }
    ir::Node* dequantize(const ir::Node* of)
    {
        return m.graph().append({.target = std::string(passes::kDequantizePerTensor), .args = quantizeArgs(of)});
    }
    base::Status fold()
    {
        passes::PassContext context = m.context();
        return passes::constantFold(*m.module, context);
    }
};

Tensor weight()
{
    return Tensor::fromVector(std::vector<float>{1.0F, -2.0F, 0.25F, 80.0F, 0.74F, -0.76F}, {2, 3});
}

} // namespace

class TestConstantFold : public QObject {
    Q_OBJECT

private slots:
    void aQuantizedWeightBecomesAConstantWithItsName()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        ir::Node* dq = t.dequantize(t.quantize(w));
        ir::Node* x = t.m.input("x");
        t.m.output({t.m.call("aten.mul.Tensor", {ref(x), ref(dq)})});
        QVERIFY(t.fold().ok());
        QCOMPARE(t.m.lines(), QStringList({"quantize_per_tensor_default",
                                           "dequantize_per_tensor_default(quantize_per_tensor_default)", "x",
                                           "mul(x, dequantize_per_tensor_default)", "output(mul)"}));
        const ir::Node* folded = t.m.graph().find("quantize_per_tensor_default");
        QCOMPARE(folded->op(), ir::Op::GetAttr);
        QCOMPARE(folded->target(), std::string("_frozen_param0"));
        const Tensor& value = t.m.module->attribute("_frozen_param0")->value;
        QCOMPARE(value.dtype(), ir::DType::Int8);
        QCOMPARE(value.toDoubles(), std::vector<double>({2, -4, 0, 127, 1, -2}));
    }

    /// torch's hasattr knows no dotted names, so the float weight of a module stays.
    void aDottedAttributeStaysAndAPlainOneGoes()
    {
        Weighted t;
        ir::Node* a = t.m.attribute("net.weight", weight());
        ir::Node* b = t.m.attribute("weight", weight());
        ir::Node* da = t.dequantize(t.quantize(a));
        ir::Node* db = t.dequantize(t.quantize(b));
        t.m.output({da, db});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.module->attribute("net.weight"));
        QVERIFY(!t.m.module->attribute("weight"));
        QVERIFY(!t.m.graph().find("net_weight"));
        QVERIFY(t.m.module->attribute("_frozen_param1"));
    }

    void viewsBeforeTheQuantizeAreFoldedWithIt()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        ir::Node* turned = t.m.call("aten.transpose.int", {ref(w), ir::Argument(0), ir::Argument(1)});
        t.m.output({t.dequantize(t.quantize(turned))});
        QVERIFY(t.fold().ok());
        QVERIFY(!t.m.graph().find("transpose"));
        QCOMPARE(t.m.module->attribute("_frozen_param0")->value.shape(), ir::Shape({3, 2}));
        QCOMPARE(t.m.module->attribute("_frozen_param0")->value.toDoubles(),
                 std::vector<double>({2, 127, -4, 1, 0, -2}));
    }

    void whatIsNoQuantizeIsNotFolded()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        t.m.output({t.m.call("aten.neg.default", {ref(w)})});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.graph().find("neg"));
    }

    void whatHangsOnAnInputIsNotFolded()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        ir::Node* x = t.m.input("x");
        ir::Node* sum = t.m.call("aten.add.Tensor", {ref(w), ref(x)});
        t.m.output({t.dequantize(t.quantize(sum))});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.graph().find("quantize_per_tensor_default")->op() == ir::Op::CallFunction);
    }

    void aQuantizeBehindADequantizeIsNotFolded()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        ir::Node* again = t.quantize(t.dequantize(t.quantize(w)));
        t.m.output({t.dequantize(again)});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.graph().find("quantize_per_tensor_default")->op() == ir::Op::GetAttr);
        QVERIFY(t.m.graph().find("quantize_per_tensor_default_1")->op() == ir::Op::CallFunction);
    }

    void anOpOnPlainNumbersIsNoConstant()
    {
        Weighted t;
        ir::Node* zeros = t.m.call("aten.zeros.default", {ir::Argument::list({ir::Argument(2)})});
        t.m.output({t.dequantize(t.quantize(zeros))});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.graph().find("quantize_per_tensor_default")->op() == ir::Op::CallFunction);
    }

    /// field.c39: a buffer that the program writes to must not freeze.
    void aBufferThatIsCopiedToIsNotFolded()
    {
        Weighted t;
        ir::Node* state = t.m.attribute("state", weight(), ir::AttributeKind::Buffer);
        ir::Node* x = t.m.input("x");
        ir::Node* dq = t.dequantize(t.quantize(state));
        ir::Node* copy = t.m.call("aten.copy_.default", {ref(state), ref(x)});
        t.m.output({dq, copy});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.graph().find("quantize_per_tensor_default")->op() == ir::Op::CallFunction);
        QVERIFY(t.m.module->attribute("state"));
    }

    /// torch's folder runs what hangs on constants alone, and in-place ops really write.
    void anInPlaceOpOnABufferIsRunOnce()
    {
        Weighted t;
        ir::Node* count =
            t.m.attribute("count", Tensor::fromVector(std::vector<std::int64_t>{7}), ir::AttributeKind::Buffer);
        const Tensor before = t.m.module->attribute("count")->value;
        ir::Node* add = t.m.call("aten.add_.Tensor", {ref(count), ir::Argument(1)});
        ir::Node* x = t.m.input("x");
        t.m.output({x, add});
        QVERIFY(t.fold().ok());
        QCOMPARE(t.m.module->attribute("count")->value.at(0), 8.0);
        QCOMPARE(before.at(0), 7.0); // the old value is somebody else's
    }

    void aFoldSaysHowManyBytesItSaves()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        t.m.output({t.dequantize(t.quantize(w))});
        QVERIFY(t.fold().ok());
        const auto& events = t.m.recorder.recording().events;
        const auto fold = std::ranges::find(events, EventKind::Fold, &trace::Event::kind);
        QVERIFY(fold != events.end());
        QCOMPARE(*fold->field("bytes_before")->as<std::int64_t>(), std::int64_t(24));
        QCOMPARE(*fold->field("bytes_after")->as<std::int64_t>(), std::int64_t(6));
        QCOMPARE(fold->text("attribute"), std::string("_frozen_param0"));
    }

    void aTakenNameIsSkipped()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        ir::Node* taken = t.m.attribute("_frozen_param0", weight());
        t.m.output({t.dequantize(t.quantize(w)), taken});
        QVERIFY(t.fold().ok());
        QVERIFY(t.m.module->attribute("_frozen_param1"));
    }

    /// torch deletes the attribute for its first node without users, and the lint then misses it at the second.
    void anAttributeReadByTwoNodesIsARuntimeError()
    {
        Weighted t;
        ir::Node* a = t.m.attribute("weight", weight());
        ir::Node* b = t.m.attribute("weight", weight());
        t.m.output({t.dequantize(t.quantize(a)), b});
        QCOMPARE(t.fold().error().code, ErrorCode::RuntimeError);
    }

    void aKernelsErrorNamesTheNode()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight().to(ir::DType::Int32));
        t.m.output({t.dequantize(t.quantize(w))});
        const base::Status status = t.fold();
        QVERIFY(!status.ok());
        QVERIFY(QString::fromStdString(status.error().text()).contains("quantize_per_tensor_default"));
    }

    void theRecordingReplaysTheTakenOverName()
    {
        Weighted t;
        ir::Node* w = t.m.attribute("net.weight", weight());
        t.m.output({t.dequantize(t.quantize(w))});
        QVERIFY(t.fold().ok());
        t.m.module->setListener(nullptr);
        trace::Replay replay(t.m.recorder.publish());
        const auto moment = replay.at(1 << 20);
        QVERIFY(moment.ok());
        const ir::Node* folded = (*moment)->top().graph->find("quantize_per_tensor_default");
        QVERIFY(folded && folded->op() == ir::Op::GetAttr);
    }
};

QTEST_GUILESS_MAIN(TestConstantFold)
#include "tst_constant_fold.moc"
