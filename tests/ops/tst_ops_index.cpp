// index: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsIndex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("index")

    void floatIndexIsAnIndexError()
    {
        GB_REFUSED(evaluate("aten.index.Tensor", {ones({3}), ops::ValueList{ones({1})}}), IndexError, "uint8 or bool");
    }
    void tooManyIndicesAreAnIndexError()
    {
        const Tensor i = Tensor::fromVector(std::vector<std::int64_t>{0});
        GB_REFUSED(evaluate("aten.index.Tensor", {ones({3}), ops::ValueList{i, i}}), IndexError, "at most 1");
    }
    void indexOutOfRangeIsAnIndexError()
    {
        const Tensor i = Tensor::fromVector(std::vector<std::int64_t>{3});
        GB_REFUSED(evaluate("aten.index.Tensor", {ones({3}), ops::ValueList{i}}), IndexError, "index 3, -3 to 2");
    }
    void indexPutInPlaceWritesAView()
    {
        const Tensor x = Tensor::zeros(DType::Float32, {2, 2});
        const auto row = evaluate("aten.select.int", {x, 0, 1});
        const Tensor i = Tensor::fromVector(std::vector<std::int64_t>{1});
        QVERIFY(evaluate("aten.index_put_.default", {*row, ops::ValueList{i}, Tensor::scalar(5.0F)}).ok());
        QCOMPARE(x.toDoubles(), (std::vector<double>{0, 0, 0, 5}));
    }
    void copyOfALargerTensorIsRefused()
    {
        GB_REFUSED(evaluate("aten.copy_.default", {ones({2}), ones({3})}), RuntimeError, "broadcast");
    }
    void fillWithAVectorIsRefused()
    {
        GB_REFUSED(evaluate("aten.fill_.Tensor", {ones({2}), ones({1})}), RuntimeError, "0-dimensional");
    }
    void triangleOfAVectorIsRefused()
    {
        GB_REFUSED(evaluate("aten.tril.default", {ones({3})}), RuntimeError, "two or more dimensions");
    }
};

QTEST_GUILESS_MAIN(TestOpsIndex)
#include "tst_ops_index.moc"
