#include "passes/duplicate_dequantize.h"

#include "graph_builder.h"
#include "passes/quantize_ops.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

namespace {

/// x -> q -> dq -> {tanh, neg}, labelled or not.
struct Shared {
    Model m;
    ir::Node* x = nullptr;
    ir::Node* dq = nullptr;
    ir::Node* tanh = nullptr;
    ir::Node* neg = nullptr;

    Shared()
    {
        x = m.input("x");
        const std::vector<ir::Argument> tail{ir::Argument(0.1), ir::Argument(0), ir::Argument(-128), ir::Argument(127),
                                             ir::Argument(ir::DType::Int8)};
        std::vector<ir::Argument> args{ref(x)};
        args.insert(args.end(), tail.begin(), tail.end());
        ir::Node* q = m.graph().append({.target = std::string(passes::kQuantizePerTensor), .args = args});
        args[0] = ref(q);
        dq = m.graph().append({.target = std::string(passes::kDequantizePerTensor), .args = args});
        tanh = m.call("aten.tanh.default", {ref(dq)});
        neg = m.call("aten.neg.default", {ref(dq)});
        m.output({tanh, neg});
    }
    base::Status run()
    {
        passes::PassContext context = m.context();
        return passes::duplicateDequantize(*m.module, context);
    }
};

} // namespace

class TestDuplicateDequantize : public QObject {
    Q_OBJECT

private slots:
    /// Every labelled user gets a copy right behind the original, which then is dead.
    void everyLabelledUserGetsItsOwn()
    {
        Shared t;
        t.m.label(t.tanh, t.x, int8());
        t.m.label(t.neg, t.x, int8());
        QVERIFY(t.run().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "quantize_per_tensor_default(x)",
                                           "dequantize_per_tensor_default_2(quantize_per_tensor_default)",
                                           "dequantize_per_tensor_default_1(quantize_per_tensor_default)",
                                           "tanh(dequantize_per_tensor_default_1)",
                                           "neg(dequantize_per_tensor_default_2)", "output(tanh, neg)"}));
    }

    void aUserWithoutLabelKeepsTheOriginal()
    {
        Shared t;
        t.m.label(t.neg, t.x, int8());
        QVERIFY(t.run().ok());
        QCOMPARE(t.tanh->inputs()[0], t.dq);
        QCOMPARE(t.neg->inputs()[0]->name(), std::string("dequantize_per_tensor_default_1"));
    }

    void anEmptyLabelIsNone()
    {
        Shared t;
        t.m.allowImplicitSharing(t.tanh, true); // an annotation that names nothing
        QVERIFY(t.run().ok());
        QCOMPARE(t.tanh->inputs()[0], t.dq);
    }

    void oneUserNeedsNoCopy()
    {
        Shared t;
        t.m.label(t.tanh, t.x, int8());
        t.m.graph().setArg(t.neg, 0, ref(t.x));
        QVERIFY(t.run().ok());
        QCOMPARE(t.tanh->inputs()[0], t.dq);
    }

    void sizesDoNotCountAsUsers()
    {
        Shared t;
        t.m.label(t.tanh, t.x, int8());
        t.m.graph().setTarget(t.neg, "aten.sym_size.default");
        t.m.label(t.neg, t.x, int8());
        QVERIFY(t.run().ok());
        QCOMPARE(t.tanh->inputs()[0], t.dq);
    }

    void aDynamicDequantizeStaysShared()
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
        ir::Node* a = m.call("aten.tanh.default", {ref(dq)});
        ir::Node* b = m.call("aten.neg.default", {ref(dq)});
        m.output({a, b});
        m.label(a, x, int8());
        m.label(b, x, int8());
        passes::PassContext context = m.context();
        QVERIFY(passes::duplicateDequantize(*m.module, context).ok());
        QCOMPARE(m.users(dq), QStringList({"tanh", "neg"}));
    }

    /// field.c40_nested: torchao loses sub-graphs of sub-graphs and then fails in this pass.
    void aSubgraphWithinASubgraphIsAnException()
    {
        Model m;
        Model body("body");
        Model inner("body.inner");
        inner.output({inner.input("a")});
        body.module->setSubgraph("inner", inner.module);
        ir::Node* a = body.input("a");
        ir::Node* get = body.graph().append({.op = ir::Op::GetAttr, .target = "inner"});
        body.output({body.call("cond", {ref(get), ref(a)})});
        m.module->setSubgraph("body", body.module);
        ir::Node* x = m.input("x");
        ir::Node* getBody = m.graph().append({.op = ir::Op::GetAttr, .target = "body"});
        m.output({m.call("cond", {ref(getBody), ref(x)})});
        passes::PassContext context = m.context();
        QCOMPARE(passes::duplicateDequantize(*m.module, context).error().code, ErrorCode::Exception);
    }
};

QTEST_GUILESS_MAIN(TestDuplicateDequantize)
#include "tst_duplicate_dequantize.moc"
