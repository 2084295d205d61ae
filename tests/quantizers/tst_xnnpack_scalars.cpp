// Numbers that become constants of the model.
#include "quantizers/xnnpack/scalars.h"

#include "model_builder.h"

using namespace gb;
using gb::quantizers::xnnpack::convertScalarsToAttributes;
using gb::test::ModelBuilder;

namespace {

ir::Node* withScalar(ModelBuilder& m, const char* target, ir::Node* x, ir::Argument scalar)
{
    return m.callWith(target, {ir::Argument::node(x->id()), std::move(scalar)});
}

std::string userNames(const ir::Node* node)
{
    std::string out;
    for (const ir::Node* user : node->users())
        out += (out.empty() ? "" : " ") + user->name();
    return out;
}

} // namespace

class TestXnnpackScalars : public QObject {
    Q_OBJECT

private slots:
    void aNumberBecomesABufferBeforeTheOp_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("kind");
        QTest::newRow("float") << 0.1 << 0;
        QTest::newRow("integer") << 3.0 << 1;
        QTest::newRow("boolean") << 1.0 << 2;
    }

    void aNumberBecomesABufferBeforeTheOp()
    {
        QFETCH(double, value);
        QFETCH(int, kind);
        ModelBuilder m;
        const std::vector<ir::Argument> kinds = {ir::Argument(value), ir::Argument(static_cast<int>(value)),
                                                 ir::Argument(value != 0)};
        ir::Node* add = withScalar(m, "aten.add.Tensor", m.input("x"), kinds[static_cast<std::size_t>(kind)]);
        m.output({add});
        GB_VERIFY_OK(convertScalarsToAttributes(m.module, m.recorder));
        const ir::Attribute* constant = m.module.attribute("_tensor_constant_0");
        QVERIFY(constant);
        QCOMPARE(constant->kind, ir::AttributeKind::Buffer);
        QCOMPARE(constant->value.dtype(), ir::DType::Float32);
        QCOMPARE(constant->value.dim(), 0);
        QCOMPARE(constant->value.at(0), static_cast<double>(static_cast<float>(value)));
        const ir::Node* node = m.graph().find("_tensor_constant_0");
        QVERIFY(node);
        QCOMPARE(node->op(), ir::Op::GetAttr);
        QCOMPARE(node->next(), add);
        QCOMPARE(add->args()[1].nodeId(), node->id());
        QCOMPARE(node->val()->dtype, ir::DType::Float32);
        QVERIFY(node->val()->shape.empty());
    }

    void onlyAddAndMulOutOfPlaceAreChanged()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        for (const char* target : {"aten.add_.Tensor", "aten.sub.Tensor", "aten.mul_.Tensor", "aten.add.Scalar"})
            withScalar(m, target, x, ir::Argument(2));
        ir::Node* mul = withScalar(m, "aten.mul.Tensor", x, ir::Argument(2));
        m.output({mul});
        GB_VERIFY_OK(convertScalarsToAttributes(m.module, m.recorder));
        QCOMPARE(m.module.attributes().size(), std::size_t{1});
        QVERIFY(mul->args()[1].nodeId() != ir::kNoNode);
    }

    void namesCountUpAndStepOverTakenOnes()
    {
        ModelBuilder m;
        m.parameter("_tensor_constant_0");
        m.parameter("_tensor_constant_2.weight"); // a sub-module of this name
        ir::Node* x = m.input("x");
        ir::Node* first = withScalar(m, "aten.add.Tensor", x, ir::Argument(1));
        ir::Node* second = withScalar(m, "aten.add.Tensor", first, ir::Argument(1));
        m.output({second});
        GB_VERIFY_OK(convertScalarsToAttributes(m.module, m.recorder));
        QVERIFY(m.module.attribute("_tensor_constant_1"));
        QVERIFY(!m.module.attribute("_tensor_constant_2"));
        QVERIFY(m.module.attribute("_tensor_constant_3"));
    }

    void keywordsStay()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* add = withScalar(m, "aten.add.Tensor", x, ir::Argument(1));
        m.graph().setArgs(add, add->args(), {{"alpha", ir::Argument(2)}});
        m.output({add});
        GB_VERIFY_OK(convertScalarsToAttributes(m.module, m.recorder));
        QCOMPARE(add->kwargs().size(), std::size_t{1});
        QCOMPARE(add->kwargs()[0].second, ir::Argument(2));
    }

    void anUnchangedAddStillMovesToTheEndOfItsInputsUsers()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* add = m.call("aten.add.Tensor", {x, x});
        ir::Node* relu = m.call("aten.relu.default", {x});
        m.output({add, relu});
        QCOMPARE(userNames(x), std::string("add_tensor relu_default"));
        GB_VERIFY_OK(convertScalarsToAttributes(m.module, m.recorder));
        QCOMPARE(userNames(x), std::string("relu_default add_tensor"));
    }

    void aTextIsATypeError()
    {
        ModelBuilder m;
        m.output({withScalar(m, "aten.add.Tensor", m.input("x"), ir::Argument("2"))});
        GB_COMPARE_ERROR(convertScalarsToAttributes(m.module, m.recorder), TypeError);
    }

    void noneIsATypeError()
    {
        ModelBuilder m;
        m.output({withScalar(m, "aten.mul.Tensor", m.input("x"), ir::Argument())});
        GB_COMPARE_ERROR(convertScalarsToAttributes(m.module, m.recorder), TypeError);
    }

    void missingMetadataIsAKeyError()
    {
        ModelBuilder m;
        ir::Node* add = withScalar(m, "aten.add.Tensor", m.input("x"), ir::Argument(1));
        m.graph().setMeta(add, std::make_shared<const ir::NodeMeta>());
        m.output({add});
        GB_COMPARE_ERROR(convertScalarsToAttributes(m.module, m.recorder), KeyError);
    }

    void severalValuesAreAnAttributeError()
    {
        ModelBuilder m;
        ir::Node* add = withScalar(m, "aten.add.Tensor", m.input("x"), ir::Argument(1));
        auto meta = std::make_shared<ir::NodeMeta>();
        meta->val.kind = ir::ValueMeta::Kind::Several;
        m.graph().setMeta(add, meta);
        m.output({add});
        GB_COMPARE_ERROR(convertScalarsToAttributes(m.module, m.recorder), AttributeError);
    }
};

QTEST_GUILESS_MAIN(TestXnnpackScalars)
#include "tst_xnnpack_scalars.moc"
