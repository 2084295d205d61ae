// From constructors and specs to observers, with torchao's defaults and refusals.
#include "values.h"

#include <QtTest>

#include <algorithm>

using namespace gb;

class TestMakeObserver : public QObject {
    Q_OBJECT

private slots:
    void namesEveryClass();
    void defaultsAreTorchaos();
    void qparams_c7_rangeOfTheDtype_data();
    void qparams_c7_rangeOfTheDtype();
    void specGoesOnTop();
    void specGivesAxisToPerChannelOnly();
    void refuses_data();
    void refuses();
    void refusesUnknownClassAndNamesAllowed();
    void refusesQSchemeNone();
};

void TestMakeObserver::namesEveryClass()
{
    const std::vector<std::string> names = quant::observerClasses();
    QCOMPARE(names.size(), std::size_t{13});
    QVERIFY(std::is_sorted(names.begin(), names.end()));
    for (const std::string& name : names)
        if (!name.starts_with("Fixed"))
            QVERIFY2(test::made(name, {}), name.c_str());
}

void TestMakeObserver::defaultsAreTorchaos()
{
    const auto observer = test::made("HistogramObserver", {});
    QCOMPARE(observer->settings().dtypeName, std::string("quint8"));
    QVERIFY(observer->settings().qscheme == ir::QScheme::PerTensorAffine);
    QCOMPARE(*observer->settings().quantMax, std::int64_t{255});
    QCOMPARE(*observer->settings().bins, std::int64_t{2048});
    QCOMPARE(*observer->settings().eps, 1.1920928955078125e-07);
    QVERIFY(test::made("PerChannelMinMaxObserver", {})->settings().qscheme == ir::QScheme::PerChannelAffine);
    QCOMPARE(*test::made("MovingAveragePerChannelMinMaxObserver", {})->settings().chAxis, std::int64_t{0});
}

void TestMakeObserver::qparams_c7_rangeOfTheDtype_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<bool>("reduced");
    QTest::addColumn<qlonglong>("least");
    QTest::addColumn<qlonglong>("most");
    const auto row = [](const char* dtype, bool reduced, qlonglong least, qlonglong most) {
        QTest::addRow("%s%s", dtype, reduced ? " reduced" : "")
            << QString::fromLatin1(dtype) << reduced << least << most;
    };
    row("int8", false, -128, 127);
    row("int8", true, -64, 63);
    row("quint8", true, 0, 127);
    row("uint8", false, 0, 255);
    row("int16", false, -32768, 32767);
    row("uint16", false, 0, 65535);
    row("qint32", false, -2147483648LL, 2147483647LL);
    row("quint4x2", false, 0, 15);
    row("float8_e5m2", false, 0, 15);
}

void TestMakeObserver::qparams_c7_rangeOfTheDtype()
{
    QFETCH(const QString, dtype);
    QFETCH(const bool, reduced);
    QFETCH(const qlonglong, least);
    QFETCH(const qlonglong, most);
    // one bound alone counts for nothing
    const auto observer =
        test::made("MinMaxObserver", {{"dtype", dtype.toStdString()}, {"reduce_range", reduced}, {"quant_min", 0}});
    QVERIFY(observer);
    QCOMPARE(*observer->settings().quantMin, std::int64_t{least});
    QCOMPARE(*observer->settings().quantMax, std::int64_t{most});
}

void TestMakeObserver::specGoesOnTop()
{
    ir::QuantizationSpec spec;
    spec.dtype = ir::DType::UInt8;
    spec.qscheme = ir::QScheme::PerTensorSymmetric;
    spec.observer = {"MinMaxObserver", {{"dtype", "int8"}, {"quant_min", -1}, {"quant_max", 1}, {"eps", 0.5}}};
    const auto observer = *quant::makeObserver(spec);
    QCOMPARE(observer->settings().dtypeName, std::string("uint8"));
    QCOMPARE(*observer->settings().quantMax, std::int64_t{255}); // the spec's None goes on top as well
    QCOMPARE(*observer->settings().eps, 0.5);
}

void TestMakeObserver::specGivesAxisToPerChannelOnly()
{
    ir::QuantizationSpec spec;
    spec.qscheme = ir::QScheme::PerChannelSymmetric;
    spec.chAxis = 1;
    spec.quantMin = -127;
    spec.quantMax = 127;
    spec.observer = {"PerChannelMinMaxObserver", {}};
    QCOMPARE(*(*quant::makeObserver(spec))->settings().chAxis, std::int64_t{1});
    spec.observer = {"FusedMovingAvgObsFakeQuantize", {{"observer", "MovingAveragePerChannelMinMaxObserver"}}};
    QCOMPARE(*(*quant::makeObserver(spec))->settings().chAxis, std::int64_t{0}); // as torchao, which drops it
    spec.qscheme = ir::QScheme::PerTensorAffine;
    spec.observer = {"MinMaxObserver", {}};
    QVERIFY(!(*quant::makeObserver(spec))->settings().hasChAxis);
}

void TestMakeObserver::refuses_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("keyword");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* name, const char* keyword, const char* value, const char* wanted) {
        QTest::addRow("%s %s=%s", name, keyword, value) << QString::fromLatin1(name) << QString::fromLatin1(keyword)
                                                        << QString::fromLatin1(value) << QString::fromLatin1(wanted);
    };
    row("MinMaxObserver", "ch_axis", "0",
        "TypeError: ObserverBase.__init__() got an unexpected keyword argument 'ch_axis'");
    row("PlaceholderObserver", "bins", "3",
        "TypeError: PlaceholderObserver.__init__() got an unexpected keyword argument 'bins'");
    row("MinMaxObserver", "dtype", "float32", "AssertionError: Default Observer only works for (torch.qint8, ");
    row("MinMaxObserver", "qscheme", "per_channel_affine",
        "NotImplementedError: MinMaxObserver's qscheme only support torch.per_tensor_symmetric ");
    row("MovingAverageMinMaxObserver", "qscheme", "per_channel_affine",
        "NotImplementedError: MovingAverageMinMaxObserver's qscheme only support ");
    row("PerChannelMinMaxObserver", "qscheme", "per_tensor_affine",
        "NotImplementedError: PerChannelMinMaxObserver's qscheme only support ");
    row("HistogramObserver", "is_dynamic", "yes",
        "NotImplementedError: HistogramObserver doesn't support dynamic quantization");
    row("MovingAverageMinMaxObserver", "is_dynamic", "yes",
        "NotImplementedError: MovingAverageMinMaxObserver doesn't support dynamic quantization for averaging constant "
        "of "
        "0.01");
    row("MinMaxObserver", "eps", "much", "TypeError: MinMaxObserver: eps takes a number");
    row("UniformQuantizationObserverBase", "eps", "1", "TypeError: Can't instantiate abstract class ");
}

void TestMakeObserver::refuses()
{
    QFETCH(const QString, name);
    QFETCH(const QString, keyword);
    QFETCH(const QString, value);
    QFETCH(const QString, wanted);
    const std::string refused = test::refusal(name.toStdString(), {{keyword.toStdString(), value.toStdString()}});
    QVERIFY2(refused.starts_with(wanted.toStdString()), refused.c_str());
}

void TestMakeObserver::refusesUnknownClassAndNamesAllowed()
{
    const auto result = quant::makeObserver(test::constructor("MeanObserver", {}));
    QVERIFY(result.error().code == base::ErrorCode::Usage);
    QVERIFY(result.error().sentence.find("'MeanObserver'") != std::string::npos);
    QVERIFY(result.error().sentence.find("HistogramObserver") != std::string::npos);
}

void TestMakeObserver::refusesQSchemeNone()
{
    ir::QuantizationSpec spec;
    spec.observer = {"MinMaxObserver", {}};
    QVERIFY(quant::makeObserver(spec).error().code == base::ErrorCode::NotImplementedError);
    QVERIFY(
        test::refusal(
            "FixedQParamsFakeQuantize",
            {{"observer", ir::Argument(ir::Argument::Value(ir::Mapping{
                              {{"observer", "FixedQParamsObserver"},
                               {"args", ir::Argument(ir::Argument::Value(ir::Mapping{
                                            {{"scale", 1.0}, {"zero_point", 0}, {"qscheme", ir::Argument()}}}))}}}))}})
            .starts_with("AssertionError"));
}

QTEST_APPLESS_MAIN(TestMakeObserver)
#include "tst_make_observer.moc"
