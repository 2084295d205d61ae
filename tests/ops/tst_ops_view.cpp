// view: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <limits>

using namespace gb;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("view")

    void viewsShareMemory()
    {
        const Tensor x = ramp({2, 3, 4});
        for (const auto& [target, args] : std::vector<std::pair<const char*, ops::ValueList>>{
                 {"aten.view.default", {x, ops::ValueList{6, 4}}},
                 {"aten.permute.default", {x, ops::ValueList{2, 0, 1}}},
                 {"aten.slice.Tensor", {x, 1, 1, 3}},
                 {"aten.select.int", {x, 0, 1}},
                 {"aten.unsqueeze.default", {x, 0}},
                 {"aten.expand.default", {x, ops::ValueList{5, 2, 3, 4}}},
                 {"aten.flatten.using_ints", {x}},
                 {"aten.alias.default", {x}}}) {
            const auto out = evaluate(target, args);
            QVERIFY2(out.ok() && out->tensor()->sharesStorage(x), target);
        }
    }
    void copiesDoNot()
    {
        const Tensor x = ramp({2, 3, 4});
        for (const char* target : {"aten.clone.default", "aten.alias_copy.default", "aten.detach_copy.default"})
            QVERIFY2(!evaluate(target, {x})->tensor()->sharesStorage(x), target);
        QVERIFY(!evaluate("aten.slice_copy.Tensor", {x, 0, 0, 1})->tensor()->sharesStorage(x));
    }
    void aTransposedTensorIsViewedWhereItCanBe()
    {
        const Tensor x = ramp({2, 3, 4}).asStrided({3, 2, 4}, {4, 12, 1});
        const auto out = evaluate("aten.view.default", {x, ops::ValueList{3, 2, 2, 2}});
        QVERIFY(out->tensor()->sharesStorage(x));
    }
    void overflowingShapeIsRefused()
    {
        const std::int64_t big = std::int64_t{1} << 40;
        GB_REFUSED(evaluate("aten.view.default", {ones({2}), ops::ValueList{big, big}}), RuntimeError, "shape");
    }
    void expandBeyondAddressesIsRefused()
    {
        const std::int64_t big = std::int64_t{1} << 40;
        GB_REFUSED(evaluate("aten.expand.default", {ones({1}), ops::ValueList{big, big}}), Shape, "addressed");
    }
    void cloneOfAnAbsurdExpandIsRefused()
    {
        const auto wide = evaluate("aten.expand.default", {ones({1}), ops::ValueList{1 << 20, 1 << 20}});
        QVERIFY(wide.ok());
        GB_REFUSED(evaluate("aten.clone.default", {*wide}), Shape, "elements");
        GB_REFUSED(evaluate("aten.relu.default", {*wide}), Shape, "elements");
        GB_REFUSED(evaluate("aten.contiguous.default", {*wide}), Shape, "elements");
        GB_REFUSED(evaluate("aten.reshape.default", {*wide, ops::ValueList{-1}}), Shape, "elements");
    }
    void aMillionPiecesAreEnough()
    {
        const auto wide = evaluate("aten.expand.default", {ones({1}), ops::ValueList{1 << 24}});
        GB_REFUSED(evaluate("aten.split.Tensor", {*wide, 1}), RuntimeError, "pieces");
        GB_REFUSED(evaluate("aten.unbind.int", {*wide}), RuntimeError, "pieces");
    }
    void sliceLimitsAreClipped()
    {
        const Tensor x = ramp({4});
        const std::int64_t least = std::numeric_limits<std::int64_t>::min();
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(evaluate("aten.slice.Tensor", {x, 0, least, most, most})->tensor()->shape(), (ir::Shape{1}));
        QCOMPARE(evaluate("aten.slice.Tensor", {x, 0, most, least})->tensor()->shape(), (ir::Shape{0}));
    }
};

QTEST_GUILESS_MAIN(TestOpsView)
#include "tst_ops_view.moc"
