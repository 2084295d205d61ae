#include "passes/fuse_conv_bn_qat.h"

#include "qat_model.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

namespace {

base::Status fuse(Model& m)
{
    passes::PassContext context = m.context();
    return passes::fuseConvBnQat(*m.module, context);
}

/// The positions that a node's label names, by name; "out" for its output.
QStringList keys(const Model& m, const ir::Node* node)
{
    QStringList out;
    for (const auto& [upstream, spec] : node->annotation()->inputs)
        out << QString::fromStdString(m.module->graph().nameOf(upstream));
    return out;
}

} // namespace

class TestFuseConvBnQat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutBiasTheWeightIsScaledAndTheOutputScaledBack()
    {
        ConvBn m;
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        QCOMPARE(m.lines().mid(6),
                 QStringList({"add(bn_running_var)", "sqrt(add)", "div(bn_weight, sqrt)", "reshape(div)",
                              "mul(conv_weight, reshape)", "conv2d_1(x, mul)", "reshape_1(div)",
                              "div_1(conv2d_1, reshape_1)",
                              "batch_norm_1(div_1, bn_weight, bn_bias, bn_running_mean, bn_running_var)",
                              "output(batch_norm_1)"}));
    }

    void withBiasTheConvolutionRunsOnZerosAndTheBiasIsAddedBehind()
    {
        ConvBn m(true);
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        const QStringList lines = m.lines();
        QVERIFY(lines.contains("zeros_like(conv_bias)"));
        QVERIFY(lines.contains("conv2d_1(x, mul, zeros_like)"));
        QVERIFY(lines.contains("add_1(div_1, reshape_2)"));
    }

    /// torchao copies the literals of the convolution, not those of the batch norm.
    void literalsOfTheConvolutionStayThoseOfTheBatchNormDoNot()
    {
        ConvBn m;
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        const ir::Node* conv = m.graph().find("conv2d_1");
        QVERIFY(conv->arg(2).isNone());
        QCOMPARE(conv->arg(3), ir::Argument::list({1, 1}));
        const ir::Node* bn = m.graph().find("batch_norm_1");
        QCOMPARE(bn->arg(5), ir::Argument(true));
        QCOMPARE(bn->arg(6), ir::Argument(0.1));
        QCOMPARE(bn->arg(7), ir::Argument(1e-5));
    }

    void metaMovesAlong()
    {
        ConvBn m;
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        QCOMPARE(m.graph().find("conv2d_1")->val()->shape.size(), std::size_t{4});
        QCOMPARE(m.graph().find("mul")->val()->shape.front().size, std::int64_t{2}); // the weight's
        // weight and input have no module of their own and take the convolution's
        QCOMPARE(m.weight->meta().nnModuleStack.front().path, std::string("conv"));
        QCOMPARE(m.graph().find("mul")->meta().nnModuleStack.front().path, std::string("conv"));
    }

    void theLabelGoesByOrderToTheNewInputs()
    {
        ConvBn m(true);
        m.label(m.conv, m.x, int8());
        m.label(m.conv, m.weight, weightSpec());
        m.label(m.conv, m.bias, nullptr);
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        const ir::Node* conv = m.graph().find("conv2d_1");
        QCOMPARE(keys(m, conv), QStringList({"x", "mul", "zeros_like"}));
        QCOMPARE(*conv->annotation()->inputs[1].second, *weightSpec());
    }

    void sharedAndDerivedSpecsElsewhereNameTheNewNodes()
    {
        ConvBn m;
        m.label(m.conv, m.x, int8());
        m.label(m.conv, m.weight, weightSpec());
        ir::Node* relu = m.call("aten.relu.default", {ref(m.bn)});
        m.label(relu, m.bn, ir::makeSpec(ir::SharedQuantizationSpec{{m.weight->id(), m.conv->id()}}));
        ir::DerivedQuantizationSpec fromBoth;
        fromBoth.from = {{m.bn->id()}, {m.x->id(), m.conv->id()}};
        fromBoth.derive = "bias";
        m.labelOutput(relu, ir::makeSpec(fromBoth));
        m.output({relu});
        QVERIFY(fuse(m).ok());
        QCOMPARE(keys(m, relu), QStringList({"batch_norm_1"}));
        const auto* shared = ir::as<ir::SharedQuantizationSpec>(relu->annotation()->inputs[0].second);
        QCOMPARE(shared->with.node, m.graph().find("mul")->id());
        QCOMPARE(shared->with.consumer, m.graph().find("conv2d_1")->id());
        const auto* derived = ir::as<ir::DerivedQuantizationSpec>(relu->annotation()->output);
        QCOMPARE(derived->from[0].node, m.graph().find("batch_norm_1")->id());
        QVERIFY(!derived->from[0].isEdge());
        QCOMPARE(derived->from[1].node, m.x->id());
        QCOMPARE(derived->from[1].consumer, m.graph().find("conv2d_1")->id());
    }

    void aLabelWithOneInputIsAnIndexError()
    {
        ConvBn m;
        m.label(m.conv, m.x, int8());
        m.output({m.bn});
        const base::Status status = fuse(m);
        QCOMPARE(status.error().code, ErrorCode::IndexError);
        QVERIFY(QString::fromStdString(status.error().text()).contains("conv2d"));
    }

    /// torchao rewrites the input of a convolution too when it is a convolution: a missing bias becomes None.
    void aConvolutionThatFeedsAnotherGetsItsBiasWrittenOut()
    {
        ConvBn m;
        ir::Node* first = m.graph().insertBefore(
            m.conv, {.op = ir::Op::CallFunction, .target = "aten.conv2d.default", .args = {ref(m.x), ref(m.gamma)}});
        m.graph().setArg(m.conv, 0, ref(first));
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        QCOMPARE(first->args().size(), std::size_t{3});
        QVERIFY(first->arg(2).isNone());
    }

    void refusedWhereTheConvolutionHasAnotherUser()
    {
        ConvBn m;
        m.output({m.bn, m.conv});
        QVERIFY(fuse(m).ok());
        QVERIFY(m.graph().find("conv2d"));
        QVERIFY(!m.graph().find("mul"));
    }

    void refusedWithNamedPadding()
    {
        ConvBn m;
        m.graph().setTarget(m.conv, "aten.conv2d.padding");
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        QVERIFY(m.graph().find("conv2d"));
    }

    void aGraphWithoutBatchNormSaysNothing()
    {
        ConvBn m;
        m.graph().setTarget(m.bn, "aten.relu.default");
        m.output({m.bn});
        QVERIFY(fuse(m).ok());
        QVERIFY(m.sentences(trace::EventKind::Pass).isEmpty());
    }

    void everyStepSaysWhatItDoes()
    {
        ConvBn m;
        ir::Node* relu = m.call("aten.relu.default", {ref(m.bn)});
        m.label(relu, m.bn, int8());
        m.output({relu});
        QVERIFY(fuse(m).ok());
        const QStringList said = m.sentences(trace::EventKind::Rewrite);
        QCOMPARE(said.size(), 3);
        QVERIFY(said[0].startsWith("conv2d and batch_norm are replaced: conv_weight is scaled"));
        QVERIFY(said[1].startsWith("conv2d_1 and batch_norm_1 take over"));
        QVERIFY(said[2].startsWith("the label of relu names nodes that were replaced"));
    }
};

QTEST_GUILESS_MAIN(TestFuseConvBnQat)
#include "tst_fuse_conv_bn_qat.moc"
