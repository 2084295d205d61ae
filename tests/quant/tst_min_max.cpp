// Smallest and largest values, and how ranges are merged.
#include "quant/min_max.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestMinMax : public QObject {
    Q_OBJECT

private slots:
    void findsExtremesAtEveryPlace();
    void nanWinsAtEveryPlace();
    void takesAnyStrides();
    void minmax_m1_widens();
    void minmax_m2_oneChannelStandsForAll();
    void minmax_m2_refusesOtherChannelCounts();
    void minmax_m3_averagesInFloat32();
    void channelsOfEveryAxis();
    void refusesAxisOutOfRange();
    void refusesAxisNone();
    void refusesOneDimension();
    void refusesComplexNumbers();
};

void TestMinMax::findsExtremesAtEveryPlace()
{
    for (const std::size_t count : {1U, 5U, 16U, 17U, 40U})
        for (std::size_t at = 0; at < count; ++at) {
            std::vector<float> values(count, 1.0F);
            values[at] = -3.0F;
            QCOMPARE(quant::aminmax(test::floats(values)).min.at(0), -3.0);
            values[at] = 7.0F;
            QCOMPARE(quant::aminmax(test::floats(values)).max.at(0), 7.0);
        }
}

void TestMinMax::nanWinsAtEveryPlace()
{
    for (std::size_t at = 0; at < 35; ++at) {
        std::vector<float> values(35, 1.0F);
        values[at] = std::numeric_limits<float>::quiet_NaN();
        const quant::MinMax found = quant::aminmax(test::floats(values));
        QVERIFY(std::isnan(found.min.at(0)) && std::isnan(found.max.at(0)));
    }
}

void TestMinMax::takesAnyStrides()
{
    const Tensor all = test::floats({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4});
    const quant::MinMax found = quant::aminmax(all.asStrided({2, 2}, {4, 2}, 1));
    QCOMPARE(found.min.at(0), 2.0);
    QCOMPARE(found.max.at(0), 8.0);
    QCOMPARE(quant::aminmax(Tensor::scalar(2.5F)).min.at(0), 2.5);
}

void TestMinMax::minmax_m1_widens()
{
    const auto range =
        quant::widened({Tensor::scalar(-1.0F), Tensor::scalar(2.0F)}, {Tensor::scalar(-3.0F), Tensor::scalar(1.0F)});
    QCOMPARE(range->min.at(0), -3.0);
    QCOMPARE(range->max.at(0), 2.0);
}

void TestMinMax::minmax_m2_oneChannelStandsForAll()
{
    const quant::MinMax three{test::floats({-1, -2, -3}), test::floats({1, 2, 3})};
    const quant::MinMax one{test::floats({-2}), test::floats({2})};
    QCOMPARE(quant::widened(three, one)->min.toDoubles(), (std::vector<double>{-2, -2, -3}));
    QCOMPARE(quant::widened(one, three)->max.toDoubles(), (std::vector<double>{2, 2, 3}));
}

void TestMinMax::minmax_m2_refusesOtherChannelCounts()
{
    const quant::MinMax three{test::floats({-1, -2, -3}), test::floats({1, 2, 3})};
    const quant::MinMax two{test::floats({-1, -2}), test::floats({1, 2})};
    const auto range = quant::averaged(three, two, 0.5F);
    QVERIFY(range.error().code == base::ErrorCode::RuntimeError);
    QCOMPARE(range.error().sentence,
             std::string("The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"));
}

void TestMinMax::minmax_m3_averagesInFloat32()
{
    const auto range = quant::averaged({Tensor::scalar(-1.1F), Tensor::scalar(2.3F)},
                                       {Tensor::scalar(-3.7F), Tensor::scalar(1.9F)}, 0.01F);
    QVERIFY(range->min.at(0) == static_cast<double>(-1.1F + 0.01F * (-3.7F - -1.1F)));
    QVERIFY(range->max.at(0) == static_cast<double>(2.3F + 0.01F * (1.9F - 2.3F)));
}

void TestMinMax::channelsOfEveryAxis()
{
    const Tensor x = test::floats({1, -2, 3, 4, 5, -6, 7, 8, 9, 10, 11, -12}, {2, 3, 2});
    QCOMPARE(quant::aminmaxPerChannel(x, 0)->min.toDoubles(), (std::vector<double>{-6, -12}));
    QCOMPARE(quant::aminmaxPerChannel(x, 1)->min.toDoubles(), (std::vector<double>{-2, 3, -12}));
    QCOMPARE(quant::aminmaxPerChannel(x, -1)->max.toDoubles(), (std::vector<double>{11, 10}));
    QCOMPARE(quant::aminmaxPerChannel(x, -3)->max.toDoubles(), (std::vector<double>{5, 11}));
}

void TestMinMax::refusesAxisOutOfRange()
{
    const auto found = quant::aminmaxPerChannel(test::floats({1, 2}, {1, 2}), 2);
    QVERIFY(found.error().code == base::ErrorCode::IndexError);
    QCOMPARE(found.error().sentence, std::string("list assignment index out of range"));
    QVERIFY(!quant::aminmaxPerChannel(Tensor::scalar(1.0F), 0).ok());
}

void TestMinMax::refusesAxisNone()
{
    const auto found = quant::aminmaxPerChannel(test::floats({1, 2}, {1, 2}), std::nullopt);
    QVERIFY(found.error().code == base::ErrorCode::TypeError);
}

void TestMinMax::refusesOneDimension()
{
    const auto found = quant::aminmaxPerChannel(test::floats({1, 2}), 0);
    QVERIFY(found.error().code == base::ErrorCode::IndexError);
    QVERIFY(found.error().sentence.starts_with("Dimension out of range"));
}

void TestMinMax::refusesComplexNumbers()
{
    QVERIFY(!quant::toFloat32(Tensor::zeros(ir::DType::Complex64, {2})).ok());
    QVERIFY(quant::toFloat32(Tensor::zeros(ir::DType::Bool, {2})).ok());
}

QTEST_APPLESS_MAIN(TestMinMax)
#include "tst_min_max.moc"
