// One scale a block: the calls recorded from torch and torchao, and a way there and back.
#include "family_test.h"

using namespace gb;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsBlockQuantize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("block_quantize")

    void dequantizeUndoesQuantizeOnTheGrid()
    {
        const Tensor codes = Tensor::fromVector(std::vector<float>{-3, 0, 4, 7, -8, 1}, {2, 3}).to(ir::DType::Int8);
        const Tensor scale = Tensor::fromVector(std::vector<float>{0.5F, 0.25F}, {2, 1});
        const Tensor zero = Tensor::fromVector(std::vector<float>{1, -2}, {2, 1}).to(ir::DType::Int32);
        const ops::ValueList size{1, 3};
        const auto x = evaluate("torchao.dequantize_affine.default", {codes, size, scale, zero, ir::DType::Int8});
        QVERIFY(x.ok());
        const auto back = evaluate("torchao.quantize_affine.default", {*x, size, scale, zero, ir::DType::Int8});
        QVERIFY(back.ok());
        QCOMPARE(back->tensor()->toDoubles(), codes.toDoubles());
    }
    void scalesThatDoNotFitAreRefused()
    {
        GB_REFUSED(evaluate("torchao.quantize_affine.default",
                            {ones({2, 4}), ops::ValueList{1, 2}, ones({3}), ones({3}), ir::DType::Int8}),
                   RuntimeError, "4 blocks");
    }
};

QTEST_GUILESS_MAIN(TestOpsBlockQuantize)
#include "tst_ops_block_quantize.moc"
