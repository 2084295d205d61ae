// join: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsJoin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("join")

    void absurdRepeatIsRefused()
    {
        GB_REFUSED(evaluate("aten.repeat.default", {ones({2}), ops::ValueList{std::int64_t{1} << 40}}), Shape,
                   "elements");
    }
    void overflowingRepeatIsRefused()
    {
        GB_REFUSED(evaluate("aten.repeat.default", {ones({4}), ops::ValueList{std::int64_t{1} << 62}}), RuntimeError,
                   "repeats");
    }
    void negativeRepeatIsRefused()
    {
        GB_REFUSED(evaluate("aten.repeat.default", {ones({4}), ops::ValueList{-1}}), RuntimeError, "repeats");
    }
    void absurdPaddingIsRefused()
    {
        GB_REFUSED(evaluate("aten.constant_pad_nd.default", {ones({2, 2}), ops::ValueList{0, 1 << 30, 0, 1 << 30}}),
                   Shape, "elements");
        GB_REFUSED(evaluate("aten.constant_pad_nd.default", {ones({2}), ops::ValueList{0, std::int64_t{1} << 62}}),
                   RuntimeError, "out of range");
    }
    void croppingMoreThanThereIsIsRefused()
    {
        GB_REFUSED(evaluate("aten.constant_pad_nd.default", {ones({2}), ops::ValueList{-2, -1}}), RuntimeError,
                   "size 0 or more");
    }
    void unknownPaddingModeIsRefused()
    {
        GB_REFUSED(evaluate("aten.pad.default", {ones({2, 2}), ops::ValueList{1, 1}, "mirror"}), RuntimeError,
                   "'reflect'");
    }
    void absurdUpsampleIsRefused()
    {
        GB_REFUSED(evaluate("aten.upsample_nearest2d.default", {ones({1, 1, 2, 2}), ops::ValueList{1 << 20, 1 << 20}}),
                   Shape, "elements");
        GB_REFUSED(evaluate("aten.upsample_nearest2d.vec", {ones({1, 1, 2, 2}), Value(), ops::ValueList{1e300, 1.0}}),
                   RuntimeError, "out of range");
    }
    void upsampleToNothingIsRefused()
    {
        GB_REFUSED(evaluate("aten.upsample_nearest2d.default", {ones({1, 1, 2, 2}), ops::ValueList{0, 2}}),
                   RuntimeError, "1 or more");
    }
    void catOfANumberIsATypeError()
    {
        GB_REFUSED(evaluate("aten.cat.default", {ops::ValueList{ones({2}), 1}}), TypeError, "list of tensors");
    }
    void absurdPixelShuffleIsRefused()
    {
        GB_REFUSED(evaluate("aten.pixel_shuffle.default", {ones({1, 4, 2, 2}), std::int64_t{1} << 40}), RuntimeError,
                   "pixel_shuffle");
    }
};

QTEST_GUILESS_MAIN(TestOpsJoin)
#include "tst_ops_join.moc"
