// The configuration that all observers of a range share, and the order of its refusals.
#include "quant/uniform_config.h"
#include "values.h"

#include <QtTest>

using namespace gb;
using quant::Keywords;

class TestUniformConfig : public QObject {
    Q_OBJECT

private slots:
    void readsEverything();
    void defaults();
    void qparams_c7_ownRangeIsKept();
    void qparams_c7_reduceRangeHalvesDownwards();
    void refusesRangeWithoutZero();
    void refusesEmptyRange();
    void refusesRangeWiderThanEightBits();
    void refusesRangeWiderThanThirtyTwoBits();
    void hugeRangeDoesNotOverflow();
    void keywordsAreCheckedBeforeTheDtype();
    void dtypeIsCheckedBeforeTheRange();
    void refusesEpsNone();
    void refusesFactoryArguments();
    void refusesReducedSymmetricQuint8();
    void settingsShowIt();
};

namespace {

base::Result<quant::UniformConfig> configOf(test::Arguments arguments)
{
    return quant::makeUniformConfig(Keywords("MinMaxObserver", std::move(arguments)), ir::QScheme::PerTensorAffine,
                                    {"own"});
}

std::string refusal(test::Arguments arguments)
{
    const auto config = configOf(std::move(arguments));
    return config ? std::string() : base::exceptionName(config.error().code) + (": " + config.error().sentence);
}

} // namespace

void TestUniformConfig::readsEverything()
{
    const auto config = configOf({{"dtype", ir::DType::Int16},
                                  {"qscheme", "per_tensor_symmetric"},
                                  {"quant_min", -7},
                                  {"quant_max", 9},
                                  {"eps", 0.5},
                                  {"is_dynamic", true},
                                  {"own", 1}});
    QVERIFY(config.ok());
    QCOMPARE(config->dtype.name, std::string("int16"));
    QVERIFY(config->qscheme == ir::QScheme::PerTensorSymmetric);
    QVERIFY(config->customizedRange && config->isDynamic && !config->reduceRange);
    QCOMPARE(config->quantMin, std::int64_t{-7});
    QCOMPARE(config->quantMax, std::int64_t{9});
    QCOMPARE(config->eps, 0.5F);
}

void TestUniformConfig::defaults()
{
    const auto config = configOf({});
    QCOMPARE(config->dtype.name, std::string("quint8"));
    QCOMPARE(config->quantMin, std::int64_t{0});
    QCOMPARE(config->quantMax, std::int64_t{255});
    QCOMPARE(config->eps, std::numeric_limits<float>::epsilon());
    QVERIFY(!config->customizedRange && !config->isDynamic);
}

void TestUniformConfig::qparams_c7_ownRangeIsKept()
{
    const auto config =
        configOf({{"dtype", "uint8"}, {"quant_min", 0}, {"quant_max", 100000}}); // only 8 signed bits are checked
    QVERIFY(config.ok());
    QCOMPARE(config->quantMax, std::int64_t{100000});
}

void TestUniformConfig::qparams_c7_reduceRangeHalvesDownwards()
{
    const auto config = configOf({{"dtype", "int8"}, {"quant_min", -127}, {"quant_max", 127}, {"reduce_range", true}});
    QCOMPARE(config->quantMin, std::int64_t{-64}); // Python's -127 // 2
    QCOMPARE(config->quantMax, std::int64_t{63});
}

void TestUniformConfig::refusesRangeWithoutZero()
{
    QCOMPARE(refusal({{"quant_min", 5}, {"quant_max", 10}}),
             std::string("AssertionError: Used-specified quantization range must include 0."));
}

void TestUniformConfig::refusesEmptyRange()
{
    QCOMPARE(
        refusal({{"quant_min", 0}, {"quant_max", 0}}),
        std::string("AssertionError: qmin must be strictly less than qmax for user-specified quantization range."));
}

void TestUniformConfig::refusesRangeWiderThanEightBits()
{
    QCOMPARE(refusal({{"dtype", "qint8"}, {"quant_min", -128}, {"quant_max", 128}}),
             std::string(
                 "AssertionError: quantization range should be positive and not exceed the maximum bit range (=256)."));
}

void TestUniformConfig::refusesRangeWiderThanThirtyTwoBits()
{
    QVERIFY(refusal({{"dtype", "int32"}, {"quant_min", -1}, {"quant_max", std::int64_t{4294967295}}})
                .ends_with("(=4294967296)."));
    QVERIFY(configOf({{"dtype", "int32"}, {"quant_min", 0}, {"quant_max", std::int64_t{4294967295}}}).ok());
}

void TestUniformConfig::hugeRangeDoesNotOverflow()
{
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    QVERIFY(refusal({{"dtype", "int8"}, {"quant_min", least}, {"quant_max", most}}).ends_with("(=256)."));
    QVERIFY(refusal({{"dtype", "int32"}, {"quant_min", least}, {"quant_max", most}}).ends_with("(=4294967296)."));
}

void TestUniformConfig::keywordsAreCheckedBeforeTheDtype()
{
    QCOMPARE(refusal({{"dtype", "float32"}, {"foo", 1}}),
             std::string("TypeError: ObserverBase.__init__() got an unexpected keyword argument 'foo'"));
}

void TestUniformConfig::dtypeIsCheckedBeforeTheRange()
{
    QVERIFY(refusal({{"dtype", "float32"}, {"quant_min", 5}, {"quant_max", 10}})
                .starts_with("AssertionError: Default Observer"));
}

void TestUniformConfig::refusesEpsNone()
{
    QCOMPARE(refusal({{"eps", ir::Argument()}}), std::string("RuntimeError: Could not infer dtype of NoneType"));
}

void TestUniformConfig::refusesFactoryArguments()
{
    QVERIFY(configOf({{"factory_kwargs", ir::Argument()}}).ok());
    const auto config = configOf({{"factory_kwargs", ir::Argument(ir::Argument::Value(ir::Mapping{}))}});
    QVERIFY(config.error().code == base::ErrorCode::Unsupported);
}

void TestUniformConfig::refusesReducedSymmetricQuint8()
{
    auto config = *configOf({{"qscheme", "per_tensor_symmetric"}, {"reduce_range", true}});
    QVERIFY(quant::refuseReducedSymmetric(config).error().code == base::ErrorCode::NotImplementedError);
    config.dtype = quant::quantDType(ir::DType::UInt8); // the name counts, not what holds the values
    QVERIFY(quant::refuseReducedSymmetric(config).ok());
}

void TestUniformConfig::settingsShowIt()
{
    const quant::ObserverSettings settings = quant::settingsOf(*configOf({{"dtype", "qint8"}, {"eps", 0.1}}));
    QCOMPARE(settings.dtypeName, std::string("qint8"));
    QVERIFY(settings.dtype == ir::DType::Int8);
    QVERIFY(*settings.eps == static_cast<double>(0.1F)); // the buffer is float32
    QVERIFY(settings.hasQuantRange && settings.hasQScheme && !settings.hasChAxis && !settings.bins);
}

QTEST_APPLESS_MAIN(TestUniformConfig)
#include "tst_uniform_config.moc"
