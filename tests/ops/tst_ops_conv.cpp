// conv: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsConv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("conv")

    void absurdPaddingIsRefusedBeforeAllocating()
    {
        GB_REFUSED(
            evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), pair(1 << 29)}),
            Shape, "elements");
    }
    void overflowingPaddingIsOutOfRange()
    {
        GB_REFUSED(evaluate("aten.conv2d.default",
                            {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), pair(std::int64_t{1} << 62)}),
                   RuntimeError, "padding");
    }
    void zeroStrideIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(0)}),
                   RuntimeError, "stride 0");
    }
    void zeroGroupsAreRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.default",
                            {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), pair(0), pair(1), 0}),
                   RuntimeError, "groups 0");
    }
    void emptyKernelIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 0, 3})}), RuntimeError,
                   "kernel size 0");
    }
    void unknownPaddingNameIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.padding", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), "full"}),
                   RuntimeError, "'same' or 'valid'");
    }
    void textAsStrideIsATypeError()
    {
        GB_REFUSED(evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), "two"}), TypeError,
                   "argument 'stride': text 'two'");
    }
    void weightOfTheWrongRankIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv1d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3})}), RuntimeError,
                   "3 dimensions");
    }
    void integersAreConvolvedExactly()
    {
        const Tensor x = ones({1, 1, 3, 3}).to(DType::Int32);
        const auto out = evaluate("aten.conv2d.default", {x, ones({1, 1, 2, 2}).to(DType::Int32)});
        QVERIFY(out.ok());
        QCOMPARE(out->tensor()->dtype(), DType::Int32);
        QCOMPARE(out->tensor()->toDoubles(), (std::vector<double>{4, 4, 4, 4}));
    }

private:
    static Value pair(std::int64_t value) { return ops::ValueList{value, value}; }
};

QTEST_GUILESS_MAIN(TestOpsConv)
#include "tst_ops_conv.moc"
