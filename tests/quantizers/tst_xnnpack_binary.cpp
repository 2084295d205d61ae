// add, mul and their fusions with relu.
#include "model_builder.h"

using namespace gb;
using gb::test::ModelBuilder;
using gb::test::xnnpack;

class TestXnnpackBinary : public QObject {
    Q_OBJECT

private slots:
    void both_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("target");
        QTest::newRow("add") << "add"
                             << "aten.add.Tensor";
        QTest::newRow("add_") << "add"
                              << "aten.add_.Tensor";
        QTest::newRow("mul") << "mul"
                             << "aten.mul.Tensor";
        QTest::newRow("mul_") << "mul"
                              << "aten.mul_.Tensor";
    }

    void both()
    {
        QFETCH(QString, rule);
        QFETCH(QString, target);
        ModelBuilder m;
        ir::Node* op = m.call(target.toStdString(), {m.input("x"), m.input("y")});
        m.output({op});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches(rule.toStdString()), op->name());
        QCOMPARE(m.label(op), std::string("in x:HistogramObserver y:HistogramObserver out HistogramObserver marked"));
        QVERIFY(!m.graph().find("x")->annotation()); // operands are not marked
    }

    void fused_data() { both_data(); }

    void fused()
    {
        QFETCH(QString, rule);
        QFETCH(QString, target);
        ModelBuilder m;
        ir::Node* op = m.call(target.toStdString(), {m.input("x"), m.input("y")});
        ir::Node* relu = m.call("aten.relu_.default", {op});
        m.output({relu});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches(rule.toStdString() + "_relu"), op->name() + "+" + relu->name());
        QCOMPARE(m.matches(rule.toStdString()), std::string());
        QCOMPARE(m.label(op), std::string("in x:HistogramObserver y:HistogramObserver out none marked"));
        QCOMPARE(m.label(relu), std::string("in out HistogramObserver marked"));
    }

    void oneNodeTwiceIsOneEntry()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* add = m.call("aten.add.Tensor", {x, x});
        m.output({add});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(add), std::string("in x:HistogramObserver out HistogramObserver marked"));
    }

    void refusedFusionWithOtherUsers()
    {
        ModelBuilder m;
        ir::Node* add = m.call("aten.add.Tensor", {m.input("x"), m.input("y")});
        ir::Node* relu = m.call("aten.relu.default", {add});
        m.output({relu, add});
        GB_VERIFY_OK(m.run(xnnpack()));
        GB_COMPARE_REFUSAL(m.attempt("add_relu", add), "has_other_users", "R6");
        QCOMPARE(m.matches("add"), std::string("add_tensor"));
    }

    void refusedIntegerInput_data() { both_data(); }

    void refusedIntegerInput()
    {
        QFETCH(QString, rule);
        QFETCH(QString, target);
        ModelBuilder m;
        ir::Node* op = m.call(target.toStdString(), {m.input("x"), m.input("n", ir::DType::Int64)});
        ir::Node* relu = m.call("aten.relu.default", {op});
        m.output({relu});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt(rule.toStdString(), op);
        GB_COMPARE_REFUSAL(attempt, "non_float_tensor", "R7");
        QCOMPARE(attempt->text("found"), std::string("n: int64"));
        GB_COMPARE_REFUSAL(m.attempt(rule.toStdString() + "_relu", relu), "non_float_tensor", "R7");
        QCOMPARE(m.label(op), std::string("-"));
        QCOMPARE(m.label(relu), std::string("-"));
    }

    void refusedInputWithoutMetadata()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        m.graph().setMeta(x, std::make_shared<const ir::NodeMeta>());
        ir::Node* add = m.call("aten.add.Tensor", {x, x});
        m.output({add});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt("add", add);
        GB_COMPARE_REFUSAL(attempt, "non_float_tensor", "R7");
        QCOMPARE(attempt->text("found"), std::string("x: no tensor metadata"));
    }

    void refusedLargeScalar_data()
    {
        QTest::addColumn<float>("value");
        QTest::addColumn<bool>("refused");
        QTest::newRow("largest that a histogram takes") << 3.4028234e15F << false;
        QTest::newRow("above") << 3.5e15F << true;
        QTest::newRow("below minus") << -3.5e15F << true;
        QTest::newRow("infinite") << std::numeric_limits<float>::infinity() << true;
        QTest::newRow("nan") << std::numeric_limits<float>::quiet_NaN() << false;
    }

    void refusedLargeScalar()
    {
        QFETCH(float, value);
        QFETCH(bool, refused);
        ModelBuilder m;
        ir::Node* add = m.call("aten.add.Tensor", {m.input("x"), m.parameter("c", ir::Tensor::scalar(value))});
        m.output({add});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(add) == "-", refused);
        if (refused)
            GB_COMPARE_REFUSAL(m.attempt("add", add), "large_scalar", "R8");
    }

    void aLargeTensorOfManyIsTaken()
    {
        ModelBuilder m;
        ir::Node* add =
            m.call("aten.add.Tensor", {m.input("x"), m.parameter("c", ir::Tensor::fromVector<float>({1e30F, 1e30F}))});
        m.output({add});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches("add"), std::string("add_tensor"));
    }

    void aMissingAttributeIsAnAttributeError()
    {
        ModelBuilder m;
        ir::Node* lost = m.graph().append({ir::Op::GetAttr, "lost", {}, {}, {}, ModelBuilder::tensorMeta()});
        m.output({m.call("aten.add.Tensor", {lost, lost})});
        GB_COMPARE_ERROR(m.run(xnnpack()), AttributeError);
    }

    void refusedAsMarkedByTheFusion()
    {
        ModelBuilder m;
        ir::Node* add = m.call("aten.add.Tensor", {m.input("x"), m.input("y")});
        m.output({m.call("aten.relu.default", {add})});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt("add", add);
        GB_COMPARE_REFUSAL(attempt, "annotated", "R5");
        QCOMPARE(attempt->text("found"), std::string("add_tensor is marked by rule add_relu"));
    }
};

QTEST_GUILESS_MAIN(TestXnnpackBinary)
#include "tst_xnnpack_binary.moc"
