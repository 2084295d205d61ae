// create: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <limits>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsCreate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("create")

    void absurdSizesAreRefused()
    {
        const std::int64_t big = std::int64_t{1} << 40;
        GB_REFUSED(evaluate("aten.zeros.default", {ops::ValueList{big}}), Shape, "at most");
        GB_REFUSED(evaluate("aten.zeros.default", {ops::ValueList{big, big}}), Shape, "addressed");
        GB_REFUSED(evaluate("aten.zeros.default", {ops::ValueList{-1}}), Shape, "size -1");
        GB_REFUSED(evaluate("aten.arange.default", {1e18}), RuntimeError, "arange");
        GB_REFUSED(evaluate("aten.eye.default", {std::int64_t{1} << 20}), Shape, "elements");
    }
    void arangeThatNeverArrivesIsRefused()
    {
        GB_REFUSED(evaluate("aten.arange.start_step", {0, 5, 0}), RuntimeError, "arange");
        GB_REFUSED(evaluate("aten.arange.start_step", {0, 5, -1}), RuntimeError, "arange");
    }
    void complexIsRefused()
    {
        GB_REFUSED(evaluate("aten.to.dtype", {ones({2}), DType::Complex64}), RuntimeError, "real dtype");
    }
    void itemOfManyIsRefused() { GB_REFUSED(evaluate("aten.item.default", {ones({2})}), RuntimeError, "one element"); }
    void assertionsSpeakTheProgramsWords()
    {
        QVERIFY(evaluate("aten._assert_scalar.default", {true, "n must be positive"}).ok());
        GB_REFUSED(evaluate("aten._assert_scalar.default", {false, "n must be positive"}), RuntimeError,
                   "n must be positive");
        GB_REFUSED(evaluate("aten._assert_async.msg", {Tensor::zeros(DType::Bool, {}), "no"}), RuntimeError, "no");
    }
    void constraintsAreChecked()
    {
        QVERIFY(evaluate("aten.sym_constrain_range_for_size.default", {4}, {{"min", 2}, {"max", 9}}).ok());
        GB_REFUSED(evaluate("aten.sym_constrain_range.default", {1}, {{"min", 2}}), RuntimeError, "2 or more");
        GB_REFUSED(evaluate("aten.sym_constrain_range.default", {10}, {{"max", 9}}), RuntimeError, "9 or less");
    }
    void sizesAreNumbers()
    {
        QCOMPARE(number("<built-in function add>", 3, 4), 7);
        QCOMPARE(number("<built-in function sub>", 3, 4), -1);
        QCOMPARE(number("<built-in function mul>", 3, 4), 12);
        QCOMPARE(number("<built-in function floordiv>", -7, 2), -4);
        QCOMPARE(number("<built-in function mod>", -7, 2), 1);
        QCOMPARE(number("<built-in function pow>", 3, 4), 81);
        QCOMPARE(number("torch.sym_max", 3, 4), 4);
        QCOMPARE(number("torch.sym_min", 3, 4), 3);
        QVERIFY(*evaluate("<built-in function lt>", {3, 4})->as<bool>());
        QCOMPARE(*evaluate("<built-in function truediv>", {3, 4})->as<double>(), 0.75);
    }
    void arithmeticOnSizesDoesNotOverflow()
    {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t least = std::numeric_limits<std::int64_t>::min();
        GB_REFUSED(evaluate("<built-in function add>", {most, 1}), RuntimeError, "64 bits");
        GB_REFUSED(evaluate("<built-in function mul>", {most, 2}), RuntimeError, "64 bits");
        GB_REFUSED(evaluate("<built-in function neg>", {least}), RuntimeError, "64 bits");
        GB_REFUSED(evaluate("<built-in function floordiv>", {least, -1}), RuntimeError, "64 bits");
        GB_REFUSED(evaluate("<built-in function pow>", {10, most}), RuntimeError, "64 bits");
        GB_REFUSED(evaluate("<built-in function mod>", {1, 0}), RuntimeError, "division by zero");
    }
    void getitemOutsideIsAnIndexError()
    {
        GB_REFUSED(evaluate("<built-in function getitem>", {ops::ValueList{1, 2}, 2}), IndexError, "list of 2");
        QCOMPARE(*evaluate("<built-in function getitem>", {ops::ValueList{1, 2}, -1})->as<std::int64_t>(),
                 std::int64_t{2});
    }
    void unknownTargetHasNoKernel()
    {
        GB_REFUSED(evaluate("aten.no_such.default", {}), NoKernel, "aten.no_such.default");
    }

private:
    static std::int64_t number(const char* target, std::int64_t a, std::int64_t b)
    {
        const auto out = evaluate(target, {a, b});
        return out.ok() && out->as<std::int64_t>() ? *out->as<std::int64_t>() : -999;
    }
};

QTEST_GUILESS_MAIN(TestOpsCreate)
#include "tst_ops_create.moc"
