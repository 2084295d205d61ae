// conv + batch norm (+ relu) in QAT.
#include "model_builder.h"

using namespace gb;
using gb::test::ModelBuilder;
using gb::test::xnnpack;

namespace {

struct Model : ModelBuilder {
    ir::Node* batchNorm(ir::Node* in)
    {
        std::vector<ir::Argument> arguments = {ir::Argument::node(in->id())};
        for (const char* name : {"bn.weight", "bn.bias", "bn.running_mean", "bn.running_var"})
            arguments.push_back(ir::Argument::node(parameter(name)->id()));
        for (const ir::Argument& literal :
             {ir::Argument(true), ir::Argument(0.2), ir::Argument(1e-3), ir::Argument(true)})
            arguments.push_back(literal);
        return callWith("aten.batch_norm.default", std::move(arguments));
    }
};

} // namespace

class TestXnnpackConvBn : public QObject {
    Q_OBJECT

private slots:
    void labelsConvAndEndOfThePattern_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("conv");
        QTest::addColumn<QString>("relu");
        QTest::newRow("conv1d") << "conv_bn"
                                << "aten.conv1d.default"
                                << "";
        QTest::newRow("conv2d") << "conv_bn"
                                << "aten.conv2d.default"
                                << "";
        QTest::newRow("conv2d, relu") << "conv_bn_relu"
                                      << "aten.conv2d.default"
                                      << "aten.relu.default";
        QTest::newRow("conv1d, relu_") << "conv_bn_relu"
                                       << "aten.conv1d.default"
                                       << "aten.relu_.default";
        QTest::newRow("transposed") << "conv_transpose_bn"
                                    << "aten.conv_transpose2d.input"
                                    << "";
        QTest::newRow("transposed, relu") << "conv_transpose_bn_relu"
                                          << "aten.conv_transpose1d.default"
                                          << "aten.relu.default";
    }

    void labelsConvAndEndOfThePattern()
    {
        QFETCH(QString, rule);
        QFETCH(QString, conv);
        QFETCH(QString, relu);
        Model m;
        ir::Node* op = m.weighted(conv.toStdString(), m.input("x"), "c");
        ir::Node* bn = m.batchNorm(op);
        ir::Node* end = relu.isEmpty() ? bn : m.call(relu.toStdString(), {bn});
        m.output({end});
        GB_VERIFY_OK(m.run(xnnpack({"is_qat"})));
        QCOMPARE(m.matches(rule.toStdString()),
                 op->name() + "+" + bn->name() + (relu.isEmpty() ? "" : "+" + end->name()));
        QCOMPARE(m.label(op), std::string("in x:FusedMovingAvgObsFakeQuantize c_weight:FusedMovingAvgObsFakeQuantize "
                                          "c_bias:none out none marked"));
        QCOMPARE(m.label(end), std::string("in out FusedMovingAvgObsFakeQuantize marked"));
        QVERIFY(m.graph().find("c_weight")->isAnnotated());
        if (end != bn)
            QVERIFY(!bn->annotation());
    }

    void aConvWithoutBiasMatches()
    {
        Model m;
        ir::Node* conv = m.call("aten.conv2d.default", {m.input("x"), m.parameter("w")});
        m.output({m.batchNorm(conv)});
        GB_VERIFY_OK(m.run(xnnpack({"is_qat"})));
        QCOMPARE(m.label(conv), std::string("in x:FusedMovingAvgObsFakeQuantize w:FusedMovingAvgObsFakeQuantize out "
                                            "none marked"));
    }

    void refusedConvWithOtherUsers()
    {
        Model m;
        ir::Node* conv = m.weighted("aten.conv2d.default", m.input("x"), "c");
        ir::Node* bn = m.batchNorm(conv);
        m.output({bn, conv});
        GB_VERIFY_OK(m.run(xnnpack({"is_qat"})));
        QCOMPARE(m.matches("conv_bn"), std::string());
        QCOMPARE(m.matches("conv"), std::string("conv2d_default"));
        QVERIFY(!bn->annotation());
    }

    void refusedAsMarkedByTheLongerPattern()
    {
        Model m;
        ir::Node* conv = m.weighted("aten.conv2d.default", m.input("x"), "c");
        ir::Node* bn = m.batchNorm(conv);
        m.output({m.call("aten.relu.default", {bn})});
        GB_VERIFY_OK(m.run(xnnpack({"is_qat"})));
        GB_COMPARE_REFUSAL(m.attempt("conv_bn", bn), "annotated", "R5");
    }

    void staticPtqDoesNotLookForBatchNorm()
    {
        Model m;
        ir::Node* bn = m.batchNorm(m.weighted("aten.conv2d.default", m.input("x"), "c"));
        m.output({bn});
        GB_VERIFY_OK(m.run(xnnpack()));
        for (const trace::Event& event : m.events())
            QVERIFY(!event.name.starts_with("conv_bn"));
        QVERIFY(!bn->annotation());
    }

    void deadCodeGoesFirst()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.call("aten.neg.default", {x});
        ir::Node* kept = m.call("aten.add_.Tensor", {x, x});
        m.output({x});
        GB_VERIFY_OK(m.run(xnnpack({"is_qat"})));
        QVERIFY(!m.graph().find("neg_default"));
        QCOMPARE(m.graph().find("add__tensor"), kept); // it writes to x
    }
};

QTEST_GUILESS_MAIN(TestXnnpackConvBn)
#include "tst_xnnpack_conv_bn.moc"
