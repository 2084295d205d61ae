#include "quantizers/xnnpack/config.h"

#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;

namespace {

const ir::QuantizationSpec& plain(const ir::Spec& spec)
{
    return *ir::as<ir::QuantizationSpec>(spec);
}

/// "HistogramObserver(eps)": a constructor and the names of its arguments.
std::string text(const ir::ObserverConstructor& observer)
{
    std::string out = observer.name + "(";
    for (const auto& [name, value] : observer.arguments) {
        out += (out.ends_with('(') ? "" : ", ") + name;
        if (const auto* inner = value.as<ir::Mapping>()) {
            out += "=" + *inner->items[0].second.as<std::string>() + "(";
            for (const auto& [key, argument] : inner->items[1].second.as<ir::Mapping>()->items)
                out += key;
            out += ")";
        }
    }
    return out + ")";
}

} // namespace

class TestXnnpackConfig : public QObject {
    Q_OBJECT

private slots:
    void observers_data()
    {
        QTest::addColumn<bool>("perChannel");
        QTest::addColumn<bool>("qat");
        QTest::addColumn<bool>("dynamic");
        QTest::addColumn<QString>("activation");
        QTest::addColumn<QString>("weight");
        QTest::newRow("static") << false << false << false << "HistogramObserver(eps)"
                                << "MinMaxObserver(eps)";
        QTest::newRow("per channel") << true << false << false << "HistogramObserver(eps)"
                                     << "PerChannelMinMaxObserver(eps)";
        QTest::newRow("dynamic") << false << false << true << "PlaceholderObserver(eps)"
                                 << "MinMaxObserver(eps)";
        QTest::newRow("qat") << false << true << false << "FusedMovingAvgObsFakeQuantize(eps)"
                             << "FusedMovingAvgObsFakeQuantize(eps, observer=MovingAverageMinMaxObserver())";
        QTest::newRow("qat per channel")
            << true << true << false << "FusedMovingAvgObsFakeQuantize(eps)"
            << "FusedMovingAvgObsFakeQuantize(eps, observer=MovingAveragePerChannelMinMaxObserver())";
        QTest::newRow("qat dynamic") << false << true << true
                                     << "FakeQuantize(eps, observer=MovingAverageMinMaxObserver(averaging_constant))"
                                     << "FusedMovingAvgObsFakeQuantize(eps, observer=MovingAverageMinMaxObserver())";
    }

    void observers()
    {
        QFETCH(bool, perChannel);
        QFETCH(bool, qat);
        QFETCH(bool, dynamic);
        QFETCH(QString, activation);
        QFETCH(QString, weight);
        const ConfigArguments arguments{{{"is_per_channel", ir::Argument(perChannel)},
                                         {"is_qat", ir::Argument(qat)},
                                         {"is_dynamic", ir::Argument(dynamic)}}};
        const auto config = xnnpack::symmetricConfig(arguments);
        GB_VERIFY_OK(config);
        QCOMPARE(text(plain(config->inputActivation).observer), activation.toStdString());
        QCOMPARE(text(plain(config->weight).observer), weight.toStdString());
        QCOMPARE(config->isDynamic(), dynamic);
        QCOMPARE(config->isQat, qat);
        QCOMPARE(config->outputActivation == nullptr, dynamic); // a dynamic output is left in float
        QVERIFY(!config->bias);
    }

    void defaultsAreTorchaos()
    {
        const auto config = xnnpack::symmetricConfig({});
        GB_VERIFY_OK(config);
        const ir::QuantizationSpec& activation = plain(config->inputActivation);
        QCOMPARE(activation.dtype, ir::DType::Int8);
        QCOMPARE(*activation.quantMin, -128);
        QCOMPARE(*activation.quantMax, 127);
        QCOMPARE(*activation.qscheme, ir::QScheme::PerTensorAffine);
        QVERIFY(!activation.chAxis);
        QCOMPARE(config->outputActivation, config->inputActivation); // one spec object for both
        const ir::QuantizationSpec& weight = plain(config->weight);
        QCOMPARE(*weight.quantMin, -127);
        QCOMPARE(*weight.quantMax, 127);
        QCOMPARE(*weight.qscheme, ir::QScheme::PerTensorSymmetric);
        QCOMPARE(*weight.chAxis, 0);
        QCOMPARE(*weight.observer.arguments[0].second.as<double>(), 0.000244140625);
    }

    void rangesAreTaken()
    {
        const ConfigArguments arguments{{{"act_qmin", ir::Argument(0)},
                                         {"act_qmax", ir::Argument(7)},
                                         {"weight_qmin", ir::Argument(-8)},
                                         {"weight_qmax", ir::Argument(7)}}};
        const auto config = xnnpack::symmetricConfig(arguments);
        GB_VERIFY_OK(config);
        QCOMPARE(*plain(config->inputActivation).quantMin, 0);
        QCOMPARE(*plain(config->inputActivation).quantMax, 7);
        QCOMPARE(*plain(config->weight).quantMin, -8);
        QCOMPARE(*plain(config->weight).quantMax, 7);
    }

    void minimumAboveMaximumIsAValueError()
    {
        GB_COMPARE_ERROR(xnnpack::symmetricConfig({{{"act_qmin", ir::Argument(200)}}}), ValueError);
        GB_COMPARE_ERROR(xnnpack::symmetricConfig({{{"weight_qmax", ir::Argument(-128)}}}), ValueError);
    }

    void negativeChannelAxisIsAValueError()
    {
        ir::QuantizationSpec spec;
        spec.chAxis = -1;
        GB_COMPARE_ERROR(checkSpec(spec), ValueError);
        spec.chAxis = 0;
        GB_VERIFY_OK(checkSpec(spec));
    }
};

QTEST_GUILESS_MAIN(TestXnnpackConfig)
#include "tst_xnnpack_config.moc"
