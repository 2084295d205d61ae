#include "inspector/argument_text.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

QString text(const ir::Argument& argument, int most = 64)
{
    return argumentText(
        argument, [](ir::NodeId id) { return QStringLiteral("n%1").arg(id); }, most);
}

} // namespace

class ArgumentTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void argumentsReadAsPython()
    {
        QCOMPARE(text({}), QStringLiteral("None"));
        QCOMPARE(text(true), QStringLiteral("True"));
        QCOMPARE(text(2.0), QStringLiteral("2.0"));
        QCOMPARE(text(1e-05), QStringLiteral("1e-05"));
        QCOMPARE(text(-3), QStringLiteral("-3"));
        QCOMPARE(text("it's"), QStringLiteral("'it\\'s'"));
        QCOMPARE(text(ir::DType::Int8), QStringLiteral("torch.int8"));
        QCOMPARE(text(ir::Argument::node(4)), QStringLiteral("n4"));
        QCOMPARE(text(ir::Argument(ir::Opaque{"torch.contiguous_format"})), QStringLiteral("torch.contiguous_format"));
        QCOMPARE(text(ir::Argument::list({ir::Argument::node(1), 2})), QStringLiteral("[n1, 2]"));
        QCOMPARE(text(ir::Argument::tuple({1})), QStringLiteral("(1,)"));
        QCOMPARE(text(ir::Argument(ir::SliceArgument{{{}, 4, {}}})), QStringLiteral("slice(None, 4, None)"));
        QCOMPARE(text(ir::Argument(ir::Mapping{{{"a", 1}}})), QStringLiteral("{'a': 1}"));
    }

    void longListsAreCut()
    {
        QCOMPARE(text(ir::Argument::list(std::vector<ir::Argument>(100, 0)), 2), QStringLiteral("[0, 0, … 98 more]"));
    }

    void deepNestingEnds()
    {
        ir::Argument nest = 1;
        for (int i = 0; i < 40; ++i)
            nest = ir::Argument::list({nest});
        QVERIFY(text(nest).contains(QChar(0x2026)));
    }

    void valuesHaveDtypeAndShape()
    {
        ir::ValueMeta tensor;
        tensor.kind = ir::ValueMeta::Kind::Tensor;
        tensor.tensor.shape = {{1, {}}, {-1, "s77"}, {8, {}}};
        QCOMPARE(valueText(tensor), QStringLiteral("float32 [1, s77, 8]"));
        ir::ValueMeta scalar;
        scalar.kind = ir::ValueMeta::Kind::Scalar;
        scalar.scalar = "2*s0";
        ir::ValueMeta several;
        several.kind = ir::ValueMeta::Kind::Several;
        several.parts = {tensor, scalar};
        QCOMPARE(valueText(several), QStringLiteral("(float32 [1, s77, 8], 2*s0)"));
        QCOMPARE(valueText({}), QStringLiteral("—"));
    }
};

QTEST_GUILESS_MAIN(ArgumentTextTest)
#include "tst_argument_text.moc"
