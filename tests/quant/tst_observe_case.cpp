// One observer over a list of tensors: what stands in the answer and what does not.
#include "quant/observe_case.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using ir::Tensor;

class TestObserveCase : public QObject {
    Q_OBJECT

private slots:
    void givesStateAndQParams();
    void givesTheLastOutputOfAFakeQuantize();
    void refusedConstructorIsAnAnswer();
    void refusedInputLeavesNoState();
    void refusedQParamsLeaveTheState();
    void noInputsGiveDefaults();
    void unknownClassIsAnError();
    void stops();
};

namespace {

base::Result<quant::ObserveResult> observe(const std::string& name, test::Arguments arguments,
                                           std::vector<Tensor> inputs, std::stop_token stop = {})
{
    return quant::observeCase(test::constructor(name, std::move(arguments)), inputs, std::move(stop));
}

const Tensor kNaNs = test::floats({1, std::numeric_limits<float>::quiet_NaN()});

} // namespace

void TestObserveCase::givesStateAndQParams()
{
    const auto result = observe("HistogramObserver", test::int8Arguments({{"bins", 2}}), {test::floats({0, 1, 4})});
    QCOMPARE(result->minVal->at(0), 0.0);
    QCOMPARE(result->maxVal->at(0), 4.0);
    QCOMPARE(result->histogram->toDoubles(), (std::vector<double>{2, 1}));
    QVERIFY(result->qparams && result->error.empty() && !result->output);
}

void TestObserveCase::givesTheLastOutputOfAFakeQuantize()
{
    const auto result =
        observe("FakeQuantize", {{"observer", "MinMaxObserver"}}, {test::floats({0, 255}), test::floats({7})});
    QCOMPARE(result->output->toDoubles(), std::vector<double>{7});
    QVERIFY(!result->histogram);
}

void TestObserveCase::refusedConstructorIsAnAnswer()
{
    const auto result = observe("MinMaxObserver", {{"foo", 1}}, {});
    QCOMPARE(result->error, std::string("TypeError: ObserverBase.__init__() got an unexpected keyword argument 'foo'"));
    QVERIFY(!result->minVal);
}

void TestObserveCase::refusedInputLeavesNoState()
{
    const auto result = observe("HistogramObserver", test::int8Arguments(), {kNaNs});
    QCOMPARE(result->error, std::string("RuntimeError: torch.histc: range of [-nan, -nan] is not finite"));
    QVERIFY(!result->minVal && !result->histogram);
}

void TestObserveCase::refusedQParamsLeaveTheState()
{
    const auto result = observe("MinMaxObserver", test::int8Arguments(), {kNaNs});
    QCOMPARE(result->error, std::string("AssertionError: min nan should be less than max nan"));
    QVERIFY(result->minVal && std::isnan(result->minVal->at(0)));
    QVERIFY(!result->qparams);
}

void TestObserveCase::noInputsGiveDefaults()
{
    const auto result = observe("MinMaxObserver", test::int8Arguments(), {});
    QCOMPARE(result->qparams->scale.at(0), 1.0);
    QCOMPARE(result->qparams->zeroPoint.at(0), 0.0);
}

void TestObserveCase::unknownClassIsAnError()
{
    QVERIFY(observe("MeanObserver", {}, {}).error().code == base::ErrorCode::Usage);
}

void TestObserveCase::stops()
{
    std::stop_source source;
    source.request_stop();
    QVERIFY(observe("MinMaxObserver", {}, {test::floats({1})}, source.get_token()).error().code
            == base::ErrorCode::Cancelled);
}

QTEST_APPLESS_MAIN(TestObserveCase)
#include "tst_observe_case.moc"
