// What an observer makes of a tensor hangs on its values alone: not on strides, offsets, or who holds it.
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestObserverInputs : public QObject {
    Q_OBJECT

private slots:
    void stridesDoNotMatter_data();
    void stridesDoNotMatter();
    void zeroDimensionsAreOneValue();
    void inputIsNotWritten();
    void wideningADtypeChangesNothing();
    void largeInputsKeepTheLastValue();
    void batchesInAnyOrderWidenTheSame();
    void axesFromTheEndAreTheSame();
    void onceMoreIsAsIfGivenAgain_data();
    void onceMoreIsAsIfGivenAgain();
    void threadsDoNotMatter_data();
    void threadsDoNotMatter();
};

namespace {

const std::vector<std::string> kPerTensor = {"MinMaxObserver", "MovingAverageMinMaxObserver", "HistogramObserver"};

/// A transposed view with an offset, of an otherwise larger storage.
Tensor awkwardView()
{
    return test::floats(test::sequence(200)).asStrided({6, 5, 4}, {1, 30, 7}, 11);
}

std::vector<double> everything(const quant::Observer& observer)
{
    const quant::ObserverState state = observer.state();
    std::vector<double> all = state.minVal->toDoubles();
    const auto append = [&](const Tensor& tensor) {
        const std::vector<double> values = tensor.toDoubles();
        all.insert(all.end(), values.begin(), values.end());
    };
    append(*state.maxVal);
    append(state.qparams->scale);
    append(state.qparams->zeroPoint);
    if (state.histogram)
        append(*state.histogram);
    return all;
}

std::vector<double> observedValues(const std::string& name, const std::vector<Tensor>& batches)
{
    const auto observer = test::made(name, test::int8Arguments());
    for (const Tensor& batch : batches)
        if (!observer->forward(batch))
            return {};
    return everything(*observer);
}

} // namespace

void TestObserverInputs::stridesDoNotMatter_data()
{
    QTest::addColumn<QString>("name");
    for (const std::string& name : kPerTensor)
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    QTest::newRow("per channel") << QStringLiteral("PerChannelMinMaxObserver");
    QTest::newRow("average per channel") << QStringLiteral("MovingAveragePerChannelMinMaxObserver");
}

void TestObserverInputs::stridesDoNotMatter()
{
    QFETCH(const QString, name);
    const Tensor view = awkwardView();
    QVERIFY(!view.isContiguous());
    const std::vector<double> seen = observedValues(name.toStdString(), {view, view});
    QVERIFY(!seen.empty());
    QCOMPARE(seen, observedValues(name.toStdString(), {view.contiguous(), view.clone()}));
}

void TestObserverInputs::zeroDimensionsAreOneValue()
{
    for (const std::string& name : kPerTensor)
        QCOMPARE(observedValues(name, {Tensor::scalar(-2.5F)}), observedValues(name, {test::floats({-2.5F})}));
}

void TestObserverInputs::inputIsNotWritten()
{
    const Tensor x = test::floats(test::sequence(50));
    const std::vector<double> before = x.toDoubles();
    for (const char* name : {"HistogramObserver", "FakeQuantize", "FusedMovingAvgObsFakeQuantize"})
        QVERIFY(test::made(name, {})->forward(x).ok());
    QCOMPARE(x.toDoubles(), before);
}

void TestObserverInputs::wideningADtypeChangesNothing()
{
    const Tensor halves = test::floats(test::sequence(64)).to(ir::DType::Float16);
    for (const char* name : {"MinMaxObserver", "MovingAverageMinMaxObserver"})
        QCOMPARE(observedValues(name, {halves}), observedValues(name, {halves.to(ir::DType::Float64)}));
}

void TestObserverInputs::largeInputsKeepTheLastValue()
{
    std::vector<float> values = test::sequence(100001);
    values.back() = 9.0F;
    for (const std::string& name : kPerTensor) {
        const auto observer = test::made(name, test::int8Arguments());
        QVERIFY(observer->forward(test::floats(values)).ok());
        QCOMPARE(observer->state().maxVal->at(0), 9.0);
    }
}

void TestObserverInputs::batchesInAnyOrderWidenTheSame()
{
    const Tensor a = test::floats(test::sequence(30, 1));
    const Tensor b = test::floats(test::sequence(30, 2));
    QCOMPARE(observedValues("MinMaxObserver", {a, b}), observedValues("MinMaxObserver", {b, a}));
    QVERIFY(observedValues("MovingAverageMinMaxObserver", {a, b})
            != observedValues("MovingAverageMinMaxObserver", {b, a}));
}

void TestObserverInputs::axesFromTheEndAreTheSame()
{
    const Tensor x = awkwardView();
    for (std::int64_t axis = 0; axis < 3; ++axis) {
        const auto front = test::made("PerChannelMinMaxObserver", test::int8Arguments({{"ch_axis", axis}}));
        const auto back = test::made("PerChannelMinMaxObserver", test::int8Arguments({{"ch_axis", axis - 3}}));
        QVERIFY(front->forward(x).ok() && back->forward(x).ok());
        QCOMPARE(everything(*front), everything(*back));
        QCOMPARE(front->state().minVal->elementCount(), x.size(axis));
    }
}

void TestObserverInputs::onceMoreIsAsIfGivenAgain_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("knows");
    QTest::newRow("min max") << QStringLiteral("MinMaxObserver") << true;
    QTest::newRow("per channel") << QStringLiteral("PerChannelMinMaxObserver") << true;
    QTest::newRow("moving average") << QStringLiteral("MovingAverageMinMaxObserver") << false;
    QTest::newRow("moving average per channel") << QStringLiteral("MovingAveragePerChannelMinMaxObserver") << false;
    QTest::newRow("histogram") << QStringLiteral("HistogramObserver") << false;
}

void TestObserverInputs::onceMoreIsAsIfGivenAgain()
{
    QFETCH(QString, name);
    QFETCH(bool, knows);
    const auto given = test::made(name.toStdString(), test::int8Arguments());
    const auto again = test::made(name.toStdString(), test::int8Arguments());
    for (const std::uint32_t seed : {1U, 2U}) {
        const Tensor x = test::floats(test::sequence(60, seed), {3, 20});
        QVERIFY(given->forward(x).ok());
        QVERIFY(given->forward(x).ok());
        QVERIFY(again->forward(x).ok());
        QCOMPARE(again->forwardAgain(), knows);
        if (!knows)
            QVERIFY(again->forward(x).ok());
    }
    QCOMPARE(everything(*again), everything(*given));
    QCOMPARE(again->state().batches, 4);
}

void TestObserverInputs::threadsDoNotMatter_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("perChannel");
    for (const std::string& name : kPerTensor)
        QTest::newRow(name.c_str()) << QString::fromStdString(name) << false;
    for (const char* name : {"PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"})
        QTest::newRow(name) << QString::fromLatin1(name) << true;
}

void TestObserverInputs::threadsDoNotMatter()
{
    QFETCH(QString, name);
    QFETCH(bool, perChannel);
    base::Pool pool(3);
    const auto alone = test::made(name.toStdString(), test::int8Arguments());
    const auto shared = test::made(name.toStdString(), test::int8Arguments());
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        std::vector<float> values = test::sequence(std::size_t{300} * 1000, seed);
        values[77777] = static_cast<float>(seed); // what decides stands in one piece
        const Tensor x = perChannel ? test::floats(values, {3, 1000, 100}) : test::floats(values);
        QVERIFY(alone->forward(x).ok());
        QVERIFY(shared->forward(x, &pool).ok());
    }
    QCOMPARE(everything(*shared), everything(*alone));
}

QTEST_APPLESS_MAIN(TestObserverInputs)
#include "tst_observer_inputs.moc"
