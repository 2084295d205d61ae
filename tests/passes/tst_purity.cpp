#include "ir/purity.h"
#include "passes/module_attributes.h"

#include "graph_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

class TestPurity : public QObject {
    Q_OBJECT

private slots:
    void callsThatWriteDrawOrAssertAreImpure_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("impure");
        QTest::newRow("relu") << "aten.relu.default" << false;
        QTest::newRow("in place") << "aten.relu_.default" << true;
        QTest::newRow("copy_") << "aten.copy_.default" << true;
        QTest::newRow("bitwise and") << "aten.__and__.Tensor" << false;
        QTest::newRow("bitwise and in place") << "aten.__iand__.Tensor" << true;
        QTest::newRow("out") << "aten.add.out" << true;
        QTest::newRow("batch norm") << "aten.batch_norm.default" << false;
        QTest::newRow("training batch norm") << "aten._native_batch_norm_legit.default" << true;
        QTest::newRow("dropout") << "aten.dropout.default" << true;
        QTest::newRow("rand") << "aten.rand.default" << true;
        QTest::newRow("attention") << "aten.scaled_dot_product_attention.default" << true;
        QTest::newRow("gru") << "aten.gru.input" << true;
        QTest::newRow("assert") << "aten._assert_tensor_metadata.default" << true;
        QTest::newRow("while_loop") << "while_loop" << false;
        QTest::newRow("getitem") << "<built-in function getitem>" << false;
        QTest::newRow("quantize") << "quantized_decomposed.quantize_per_tensor.default" << false;
    }
    void callsThatWriteDrawOrAssertAreImpure()
    {
        QFETCH(QString, target);
        QFETCH(bool, impure);
        Model m;
        ir::Node* x = m.input("x");
        QCOMPARE(ir::isImpure(*m.call(target.toStdString(), {ref(x)})), impure);
    }

    void onlyInPlaceOpsWriteTheirFirstArgument()
    {
        QVERIFY(ir::writesFirstArgument("aten.add_.Tensor"));
        QVERIFY(ir::writesFirstArgument("aten.__ior__.Scalar"));
        QVERIFY(!ir::writesFirstArgument("aten.add.Tensor"));
        QVERIFY(!ir::writesFirstArgument("aten.__or__.Scalar"));
        QVERIFY(!ir::writesFirstArgument("aten._native_batch_norm_legit.default"));
        QVERIFY(!ir::writesFirstArgument("while_loop"));
    }

    void deadNodesGoWithWhatOnlyTheyUse()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* w = m.attribute("w", ir::Tensor::zeros(ir::DType::Float32, {3}));
        ir::Node* mul = m.call("aten.mul.Tensor", {ref(x), ref(w)});
        m.call("aten.relu.default", {ref(mul)});
        m.output({x});
        QVERIFY(ir::eliminateDeadCode(*m.module).ok());
        QCOMPARE(m.lines(), QStringList({"x", "output(x)"}));
        QVERIFY(m.module->attribute("w")); // torch.fx takes nodes, not attributes
    }

    void unusedNodesTakeOnlyWhatTheyAloneUsed()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* w = m.attribute("w", ir::Tensor::zeros(ir::DType::Float32, {3}));
        ir::Node* mul = m.call("aten.mul.Tensor", {ref(x), ref(w)});
        ir::Node* relu = m.call("aten.relu.default", {ref(mul)});
        ir::Node* elsewhere = m.call("aten.neg.default", {ref(x)});
        ir::Node* kept = m.call("aten.relu_.default", {ref(x)});
        m.output({x});
        ir::eraseUnused(m.graph(), {mul->id(), kept->id(), relu->id()});
        QCOMPARE(m.lines(), QStringList({"x", "neg(x)", "relu_(x)", "output(x)"}));
        QVERIFY(!m.graph().isErased(elsewhere)); // dead too, but nobody named it
    }

    void inPlaceNodesAndUnusedInputsStay()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.input("unused");
        m.call("aten.relu_.default", {ref(x)});
        m.output({x});
        QVERIFY(ir::eliminateDeadCode(*m.module).ok());
        QCOMPARE(m.lines(), QStringList({"x", "unused", "relu_(x)", "output(x)"}));
    }

    void deadCodeOfASubgraphGoesToo()
    {
        Model m;
        Model body("body");
        ir::Node* inner = body.input("a");
        body.call("aten.relu.default", {ref(inner)});
        body.output({inner});
        m.module->setSubgraph("body", body.module);
        ir::Node* x = m.input("x");
        ir::Node* get = m.graph().append({.op = ir::Op::GetAttr, .target = "body"});
        ir::Node* wrap = m.call("wrap_with_set_grad_enabled", {ir::Argument(false), ref(get), ref(x)});
        m.output({wrap});
        QVERIFY(ir::eliminateDeadCode(*m.module).ok());
        QVERIFY(!body.graph().find("relu"));
    }

    void anAttributeThatIsNotThereIsARuntimeError()
    {
        Model m;
        m.input("x");
        m.graph().append({.op = ir::Op::GetAttr, .target = "missing"});
        const base::Status status = ir::eliminateDeadCode(*m.module);
        QCOMPARE(status.error().code, ErrorCode::RuntimeError);
        QVERIFY(QString::fromStdString(status.error().text()).contains("missing"));
    }

    void aUseBeforeTheDefinitionIsARuntimeError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.graph().moveBefore(relu, x);
        m.output({relu});
        QCOMPARE(ir::lint(*m.module).error().code, ErrorCode::RuntimeError);
    }

    void newNamesCountFromZeroAndHaveNoDots()
    {
        Model m;
        QCOMPARE(passes::newAttributeName(*m.module, "conv.1_scale_"), std::string("conv_1_scale_0"));
        m.attribute("conv_1_scale_0", ir::Tensor::zeros(ir::DType::Float32, {1}));
        QCOMPARE(passes::newAttributeName(*m.module, "conv.1_scale_"), std::string("conv_1_scale_1"));
    }

    void aModuleThatHoldsAnAttributeCountsAsOne()
    {
        Model m;
        m.attribute("net.conv.weight", ir::Tensor::zeros(ir::DType::Float32, {1}));
        QVERIFY(passes::hasAttribute(*m.module, "net"));
        QVERIFY(!passes::hasAttribute(*m.module, "ne"));
        QVERIFY(!passes::hasAttribute(*m.module, "conv"));
    }
};

QTEST_GUILESS_MAIN(TestPurity)
#include "tst_purity.moc"
