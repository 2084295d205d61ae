#include "ir/tensor.h"

#include <QTest>

#include <limits>
#include <numeric>

using namespace gb::ir;
using gb::base::ErrorCode;

namespace {

Tensor counting(const Shape& shape)
{
    std::int64_t count = 1;
    for (const auto s : shape)
        count *= s;
    std::vector<float> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0.0F);
    return Tensor::fromVector(values, shape);
}

std::vector<double> doubles(std::initializer_list<double> values)
{
    return values;
}

} // namespace

class TensorTest : public QObject {
    Q_OBJECT

private slots:
    void stridesAreRowMajor()
    {
        QCOMPARE(contiguousStrides({2, 3, 4}), (Shape{12, 4, 1}));
        QCOMPARE(contiguousStrides({}), Shape{});
        QCOMPARE(contiguousStrides({2, 0, 4}), (Shape{4, 4, 1}));
    }

    void zeroDimensionalHasOneElement()
    {
        const Tensor t = Tensor::scalar(2.5F);
        QCOMPARE(t.dim(), std::int64_t{0});
        QCOMPARE(t.elementCount(), std::int64_t{1});
        QCOMPARE(t.toDoubles(), doubles({2.5}));
        QVERIFY(t.isContiguous());
        QCOMPARE(t.clone().at(0), 2.5);
    }

    void transposedViewIsReadInItsOwnOrder()
    {
        const Tensor t = counting({2, 3}).asStrided({3, 2}, {1, 3});
        QVERIFY(!t.isContiguous());
        QCOMPARE(t.toDoubles(), doubles({0, 3, 1, 4, 2, 5}));
        QCOMPARE(t.at(1), 3.0);
        const Tensor c = t.contiguous();
        QVERIFY(c.isContiguous() && !c.sharesStorage(t));
        QCOMPARE(c.toDoubles(), t.toDoubles());
    }

    void fourDimensionalPermutationIsCopiedRight()
    {
        const Tensor t = counting({2, 3, 4, 5}).asStrided({5, 2, 4, 3}, {1, 60, 5, 20});
        const Tensor c = t.clone();
        for (std::int64_t i = 0; i < t.elementCount(); ++i)
            QCOMPARE(c.data<float>()[i], static_cast<float>(t.at(i)));
    }

    void expandedViewRepeats()
    {
        const Tensor t = counting({3}).asStrided({2, 3}, {0, 1});
        QCOMPARE(t.toDoubles(), doubles({0, 1, 2, 0, 1, 2}));
    }

    void emptyTensorsAreFine()
    {
        const Tensor t = counting({2, 0, 3});
        QCOMPARE(t.elementCount(), std::int64_t{0});
        QVERIFY(t.isContiguous());
        QCOMPARE(t.clone().shape(), (Shape{2, 0, 3}));
        QVERIFY(t.toDoubles().empty());
        QCOMPARE(Tensor().shape(), Shape{0});
    }

    void reshapeOfContiguousIsAView()
    {
        const Tensor t = counting({2, 6});
        QVERIFY(t.reshaped({3, 4}).sharesStorage(t));
        QVERIFY(!t.asStrided({6, 2}, {1, 6}).reshaped({12}).sharesStorage(t));
    }

    void conversionTruncatesAndBoolIsNotZero()
    {
        const Tensor t = Tensor::fromVector<float>({-1.7F, 0.0F, 0.4F, 2.9F});
        QCOMPARE(t.to(DType::Int32).toDoubles(), doubles({-1, 0, 0, 2}));
        QCOMPARE(t.to(DType::Bool).toDoubles(), doubles({1, 0, 1, 1}));
        QCOMPARE(t.to(DType::BFloat16).to(DType::Float32).at(0), -1.703125);
        QVERIFY(t.to(DType::Float32).sharesStorage(t));
    }

    void conversionOfNanAndInfinityIsDefined()
    {
        const float inf = std::numeric_limits<float>::infinity();
        const Tensor t = Tensor::fromVector<float>({inf, -inf, std::numeric_limits<float>::quiet_NaN()});
        QCOMPARE(t.to(DType::Int64).elementCount(), std::int64_t{3});
        QCOMPARE(t.to(DType::Float64).at(0), static_cast<double>(inf));
    }

    void viewOutsideItsStorageIsRefused()
    {
        const auto memory = allocate(864);
        const auto fits = Tensor::view(memory, DType::Float32, {8, 3, 3, 3}, {27, 9, 3, 1}, 0);
        QVERIFY(fits.ok());
        const auto bad = Tensor::view(memory, DType::Float32, {8, 3, 4, 3}, {36, 12, 3, 1}, 0);
        QCOMPARE(bad.error().code, ErrorCode::Shape);
        QCOMPARE(bad.error().sentence, std::string("864 bytes, at least 1,152 expected for float32 [8, 3, 4, 3]"));
    }

    void absurdSizesAreRefused()
    {
        const auto memory = allocate(64);
        const std::int64_t huge = std::int64_t{1} << 40;
        QVERIFY(!checkedElementCount({-1}));
        QVERIFY(!checkedElementCount({huge, huge, huge}));
        QVERIFY(!Tensor::view(memory, DType::Float32, {-4}, {1}, 0));
        QVERIFY(!Tensor::view(memory, DType::Float32, {2, 2}, {1}, 0));
        QVERIFY(!Tensor::view(memory, DType::Float32, {4}, {-1}, 8));
        QVERIFY(!Tensor::view(memory, DType::Float32, {4}, {1}, -1));
        QVERIFY(!Tensor::view(memory, DType::Float32, {2}, {std::numeric_limits<std::int64_t>::max()}, 0));
        QVERIFY(!Tensor::view(memory, DType::Float32, {4}, {1}, std::numeric_limits<std::int64_t>::max()));
        QVERIFY(Tensor::view(memory, DType::Float32, {0, 5}, {huge, huge}, 0).ok());
    }

    void descriptionsAreReadable()
    {
        QCOMPARE(describe(counting({2, 3})), std::string("float32 [2, 3]"));
        QCOMPARE(toText(Shape{}), std::string("[]"));
    }
};

QTEST_GUILESS_MAIN(TensorTest)
#include "tst_tensor.moc"
