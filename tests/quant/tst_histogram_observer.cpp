// HistogramObserver: what each batch does to its histogram.
#include "quant/histogram_observer.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestHistogramObserver : public QObject {
    Q_OBJECT

private slots:
    void startsUntouched();
    void histogram_s1_leavesOutInfinities();
    void histogram_s1_ignoresABatchOfInfinities();
    void histogram_s5_sameRangeAddsCounts();
    void histogram_s5_widerRangeMovesCounts();
    void histogram_s7_singleValueKeepsItsCount();
    void keepsMinBeforeItRefuses();
    void ignoresEmptyBatches();
    void copyIsIndependent();
    void stateIsNotChangedLater();
    void takesHalfAndDouble();
    void refusesTooManyBins();
    void refusesNegativeBins();
    void refusesFloatDtype();
    void updateIsLinear();
};

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

std::shared_ptr<quant::Observer> histogramObserver(std::int64_t bins)
{
    return test::made("HistogramObserver", test::int8Arguments({{"bins", bins}}));
}

std::vector<double> counts(const quant::Observer& observer)
{
    return observer.state().histogram->toDoubles();
}

} // namespace

void TestHistogramObserver::startsUntouched()
{
    const auto observer = histogramObserver(4);
    const quant::ObserverState state = observer->state();
    QCOMPARE(counts(*observer), std::vector<double>(4, 0.0));
    QCOMPARE(state.minVal->at(0), static_cast<double>(kInf));
    QCOMPARE(state.qparams->scale.at(0), 1.0);
    QCOMPARE(state.batches, std::int64_t{0});
}

void TestHistogramObserver::histogram_s1_leavesOutInfinities()
{
    const auto observer = histogramObserver(2);
    QVERIFY(observer->forward(test::floats({0, kInf, 4, -kInf, 1})).ok());
    QCOMPARE(counts(*observer), (std::vector<double>{2, 1}));
    QCOMPARE(observer->state().maxVal->at(0), 4.0);
}

void TestHistogramObserver::histogram_s1_ignoresABatchOfInfinities()
{
    const auto observer = histogramObserver(2);
    QVERIFY(observer->forward(test::floats({kInf, kInf})).ok());
    QCOMPARE(observer->state().minVal->at(0), static_cast<double>(kInf));
    QCOMPARE(observer->state().batches, std::int64_t{1});
}

void TestHistogramObserver::histogram_s5_sameRangeAddsCounts()
{
    const auto observer = histogramObserver(2);
    QVERIFY(observer->forward(test::floats({0, 1, 4})).ok());
    QVERIFY(observer->forward(test::floats({3, 3, 1})).ok());
    QCOMPARE(counts(*observer), (std::vector<double>{3, 3}));
}

void TestHistogramObserver::histogram_s5_widerRangeMovesCounts()
{
    const auto observer = histogramObserver(2);
    QVERIFY(observer->forward(test::floats({0, 1, 4})).ok());
    QVERIFY(observer->forward(test::floats({8})).ok());
    QCOMPARE(counts(*observer), (std::vector<double>{3, 1}));
    QCOMPARE(observer->state().maxVal->at(0), 8.0);
}

void TestHistogramObserver::histogram_s7_singleValueKeepsItsCount()
{
    const auto observer = histogramObserver(4);
    QVERIFY(observer->forward(test::floats({1, 1, 1})).ok());
    QVERIFY(observer->forward(test::floats({0, 4})).ok());
    QCOMPARE(counts(*observer), (std::vector<double>{1, 3, 0, 1}));
}

void TestHistogramObserver::keepsMinBeforeItRefuses()
{
    const auto observer = histogramObserver(4);
    const auto returned = observer->forward(test::floats({1, std::numeric_limits<float>::quiet_NaN()}));
    QVERIFY(returned.error().code == base::ErrorCode::RuntimeError);
    QCOMPARE(returned.error().sentence, std::string("torch.histc: range of [-nan, -nan] is not finite"));
    QVERIFY(std::isnan(observer->state().minVal->at(0))); // reset_histogram writes it first
}

void TestHistogramObserver::ignoresEmptyBatches()
{
    const auto observer = histogramObserver(4);
    QVERIFY(observer->forward(Tensor()).ok());
    QCOMPARE(observer->state().minVal->at(0), static_cast<double>(kInf));
}

void TestHistogramObserver::copyIsIndependent()
{
    const auto observer = histogramObserver(2);
    QVERIFY(observer->forward(test::floats({0, 1, 4})).ok());
    const auto copy = observer->copy();
    QVERIFY(copy->forward(test::floats({100})).ok());
    QCOMPARE(observer->state().maxVal->at(0), 4.0);
    QCOMPARE(copy->state().maxVal->at(0), 100.0);
    QVERIFY(observer->calculateQParams()->scale.at(0) != copy->calculateQParams()->scale.at(0));
}

void TestHistogramObserver::stateIsNotChangedLater()
{
    const auto observer = histogramObserver(2);
    QVERIFY(observer->forward(test::floats({0, 1, 4})).ok());
    const quant::ObserverState before = observer->state();
    QVERIFY(observer->forward(test::floats({-9, 9})).ok());
    QCOMPARE(before.histogram->toDoubles(), (std::vector<double>{2, 1}));
    QCOMPARE(before.minVal->at(0), 0.0);
}

void TestHistogramObserver::takesHalfAndDouble()
{
    for (const ir::DType dtype : {ir::DType::Float16, ir::DType::BFloat16, ir::DType::Float64}) {
        const auto observer = histogramObserver(2);
        QVERIFY(observer->forward(test::floats({0, 1, 4, kInf}).to(dtype)).ok());
        QCOMPARE(counts(*observer), (std::vector<double>{2, 1}));
        QVERIFY(observer->state().minVal->dtype() == ir::DType::Float32);
    }
}

void TestHistogramObserver::refusesTooManyBins()
{
    const std::string refused = test::refusal("HistogramObserver", test::int8Arguments({{"bins", 5000000}}));
    QVERIFY2(refused.find("bins 5,000,000, at most 1,048,576 expected") != std::string::npos, refused.c_str());
}

void TestHistogramObserver::refusesNegativeBins()
{
    QCOMPARE(test::refusal("HistogramObserver", test::int8Arguments({{"bins", -1}})),
             std::string("RuntimeError: zeros: Dimension size must be non-negative."));
}

void TestHistogramObserver::refusesFloatDtype()
{
    QVERIFY(
        test::refusal("HistogramObserver", {{"dtype", ir::DType::Float8E5M2}}).starts_with("TypeError: torch.iinfo()"));
}

void TestHistogramObserver::updateIsLinear()
{
    const auto observer = histogramObserver(2048);
    const Tensor batch = test::floats(test::sequence(1 << 20));
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 4; ++i)
        QVERIFY(observer->forward(batch).ok());
    QVERIFY2(timer.elapsed() < 2000,
             "4 million values in over two seconds"); // a few ns a value; with room for sanitizers
    double sum = 0;
    for (const double count : counts(*observer))
        sum += count;
    QCOMPARE(sum, 4.0 * (1 << 20));
}

QTEST_APPLESS_MAIN(TestHistogramObserver)
#include "tst_histogram_observer.moc"
