// The four min/max observers over a few batches.
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestMinMaxObservers : public QObject {
    Q_OBJECT

private slots:
    void minMaxKeepsTheWidest();
    void minmax_m4_averageTakesTheFirstBatch();
    void averageMovesByTheConstant();
    void perChannelKeepsTheWidestOfEach();
    void averagePerChannelMovesEach();
    void returnsItsInput();
    void integersAreObservedAsFloats();
    void emptyBatchesCountOnly();
    void copyIsIndependent();
    void refusesOtherChannelCount();
    void refusesFloat8();
};

namespace {

std::shared_ptr<quant::Observer> observed(const std::string& name, test::Arguments arguments,
                                          const std::vector<Tensor>& batches)
{
    const auto observer = test::made(name, std::move(arguments));
    for (const Tensor& batch : batches)
        if (!observer->forward(batch))
            return nullptr;
    return observer;
}

std::vector<double> minimum(const quant::Observer& observer)
{
    return observer.state().minVal->toDoubles();
}

} // namespace

void TestMinMaxObservers::minMaxKeepsTheWidest()
{
    const auto observer = observed("MinMaxObserver", test::int8Arguments(),
                                   {test::floats({-1, 2}), test::floats({-3, 1}), test::floats({0})});
    QVERIFY(observer);
    QCOMPARE(minimum(*observer), std::vector<double>{-3});
    QCOMPARE(observer->state().maxVal->toDoubles(), std::vector<double>{2});
    QCOMPARE(observer->state().maxVal->dim(), std::int64_t{0});
    QCOMPARE(observer->state().batches, std::int64_t{3});
    QVERIFY(observer->calculateQParams()->scale.at(0) == static_cast<double>(5.0F / 255.0F));
}

void TestMinMaxObservers::minmax_m4_averageTakesTheFirstBatch()
{
    const auto observer = observed("MovingAverageMinMaxObserver", test::int8Arguments(), {test::floats({-1, 2})});
    QCOMPARE(minimum(*observer), std::vector<double>{-1});
    QCOMPARE(*observer->settings().averagingConstant, 0.01);
}

void TestMinMaxObservers::averageMovesByTheConstant()
{
    const auto observer = observed("MovingAverageMinMaxObserver", test::int8Arguments({{"averaging_constant", 0.25}}),
                                   {test::floats({-1, 2}), test::floats({-3, 4})});
    QCOMPARE(minimum(*observer), std::vector<double>{-1.5});
    QCOMPARE(observer->state().maxVal->at(0), 2.5);
}

void TestMinMaxObservers::perChannelKeepsTheWidestOfEach()
{
    const auto observer = observed("PerChannelMinMaxObserver",
                                   test::int8Arguments({{"qscheme", "per_channel_symmetric"}, {"ch_axis", 1}}),
                                   {test::floats({-1, 2, 3, -4}, {2, 2}), test::floats({0, -9, 1, 1}, {2, 2})});
    QCOMPARE(minimum(*observer), (std::vector<double>{-1, -9}));
    QCOMPARE(observer->state().maxVal->toDoubles(), (std::vector<double>{3, 2}));
    QCOMPARE(observer->calculateQParams()->scale.elementCount(), std::int64_t{2});
    QVERIFY(observer->settings().hasChAxis);
}

void TestMinMaxObservers::averagePerChannelMovesEach()
{
    const auto observer =
        observed("MovingAveragePerChannelMinMaxObserver", test::int8Arguments({{"averaging_constant", 0.5}}),
                 {test::floats({-1, 2, 3, -4}, {2, 2}), test::floats({-3, 2, 3, -8}, {2, 2})});
    QCOMPARE(minimum(*observer), (std::vector<double>{-2, -6}));
}

void TestMinMaxObservers::returnsItsInput()
{
    const Tensor x = test::floats({1, 2, 3, 4}, {2, 2}).asStrided({2, 2}, {1, 2});
    const auto returned = test::made("MinMaxObserver", test::int8Arguments())->forward(x);
    QVERIFY(returned->sharesStorage(x));
    QCOMPARE(returned->strides(), x.strides());
}

void TestMinMaxObservers::integersAreObservedAsFloats()
{
    const auto observer =
        observed("MinMaxObserver", test::int8Arguments(), {Tensor::fromVector(std::vector<std::int64_t>{-7, 300})});
    QCOMPARE(minimum(*observer), std::vector<double>{-7});
    QVERIFY(observer->state().minVal->dtype() == ir::DType::Float32);
}

void TestMinMaxObservers::emptyBatchesCountOnly()
{
    const auto observer = observed("PerChannelMinMaxObserver", test::int8Arguments(), {Tensor()});
    QCOMPARE(observer->state().minVal->elementCount(), std::int64_t{0});
    QCOMPARE(observer->state().batches, std::int64_t{1});
    QCOMPARE(observer->calculateQParams()->scale.at(0), 1.0);
}

void TestMinMaxObservers::copyIsIndependent()
{
    const auto observer = observed("MinMaxObserver", test::int8Arguments(), {test::floats({-1, 2})});
    const auto copy = observer->copy();
    QVERIFY(copy->forward(test::floats({-50})).ok());
    QCOMPARE(minimum(*observer), std::vector<double>{-1});
    QCOMPARE(minimum(*copy), std::vector<double>{-50});
    QCOMPARE(std::string(copy->typeName()), std::string("MinMaxObserver"));
}

void TestMinMaxObservers::refusesOtherChannelCount()
{
    const auto observer = test::made("PerChannelMinMaxObserver", test::int8Arguments());
    QVERIFY(observer->forward(test::floats({1, 2, 3, 4, 5, 6}, {3, 2})).ok());
    const auto returned = observer->forward(test::floats({1, 2, 3, 4}, {2, 2}));
    QVERIFY(returned.error().code == base::ErrorCode::RuntimeError);
    QCOMPARE(minimum(*observer), (std::vector<double>{1, 3, 5}));
}

void TestMinMaxObservers::refusesFloat8()
{
    const auto observer = test::made("MinMaxObserver", test::int8Arguments());
    QVERIFY(observer->forward(Tensor::zeros(ir::DType::Float8E4M3FN, {2})).error().code
            == base::ErrorCode::Unsupported);
}

QTEST_APPLESS_MAIN(TestMinMaxObservers)
#include "tst_min_max_observers.moc"
