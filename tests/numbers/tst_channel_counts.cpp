// Channels against torch: counts (torch.histc), ranges and scales (PerChannelMinMaxObserver), both axes.
#include "numbers/channel_counts.h"
#include "numbers/channels.h"
#include "quant/make_observer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace gb;
using ir::Tensor;
using numbers::ChannelCounts;

namespace {

/// As tests/golden/channel_figures.py makes it.
Tensor weight()
{
    std::vector<float> values;
    for (int c = 0; c < 5; ++c)
        for (int i = 0; i < 8; ++i)
            values.push_back(static_cast<float>(std::sin(1.3 * i + c) * (c == 1 ? 100 : 1)));
    return Tensor::fromVector(values, {5, 2, 4});
}

QJsonObject golden()
{
    QFile file(QStringLiteral(GREENBOX_TEST_DATA "/numbers/channels.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<double> numbersOf(const QJsonValue& list)
{
    std::vector<double> out;
    for (const QJsonValue& value : list.toArray())
        out.push_back(value.toDouble());
    return out;
}

} // namespace

class TestChannelCounts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAreTorchs()
    {
        const QJsonObject expected = golden();
        const std::int64_t bins = expected[QStringLiteral("bins")].toInt();
        QVERIFY(bins > 0);
        const std::vector<Tensor> values{weight()};
        const ChannelCounts all = numbers::countChannels(values, 0, bins);
        QCOMPARE(all.channels, std::int64_t(5));
        for (int c = 0; c < 5; ++c) {
            const auto row = numbersOf(expected[QStringLiteral("counts")].toArray()[c]);
            const auto own = numbersOf(expected[QStringLiteral("own")].toArray()[c]);
            const ChannelCounts one = numbers::countChannel(values, 0, c, bins);
            for (std::int64_t bin = 0; bin < bins; ++bin) {
                QCOMPARE(all.at(c, bin), row[static_cast<std::size_t>(bin)]);
                QCOMPARE(one.at(0, bin), own[static_cast<std::size_t>(bin)]);
            }
        }
    }

    void rangesAndScalesAreTorchs_data()
    {
        QTest::addColumn<QString>("scheme");
        QTest::addColumn<int>("axis");
        for (const char* scheme : {"symmetric", "affine"})
            for (const int axis : {0, 1})
                QTest::addRow("%s %d", scheme, axis) << QString::fromLatin1(scheme) << axis;
    }

    void rangesAndScalesAreTorchs()
    {
        QFETCH(const QString, scheme);
        QFETCH(const int, axis);
        const auto made =
            quant::makeObserver(ir::ObserverConstructor{"PerChannelMinMaxObserver",
                                                        {{"dtype", ir::DType::Int8},
                                                         {"qscheme", "per_channel_" + scheme.toStdString()},
                                                         {"quant_min", -127},
                                                         {"quant_max", 127},
                                                         {"ch_axis", axis}}});
        QVERIFY(made.ok() && (*made)->forward(weight()).ok());
        const QJsonObject expected =
            golden()[QStringLiteral("observers")].toObject()[QStringLiteral("%1 %2").arg(scheme).arg(axis)].toObject();
        const numbers::Channels channels = numbers::channelsOf((*made)->settings(), (*made)->state());
        const auto scales = numbersOf(expected[QStringLiteral("scale")]);
        QCOMPARE(channels.rows.size(), scales.size());
        for (std::size_t c = 0; c < scales.size(); ++c) {
            QCOMPARE(channels.rows[c].scale, scales[c]);
            QCOMPARE(channels.rows[c].min, numbersOf(expected[QStringLiteral("min")])[c]);
            QCOMPARE(channels.rows[c].max, numbersOf(expected[QStringLiteral("max")])[c]);
            QCOMPARE(channels.rows[c].zeroPoint, numbersOf(expected[QStringLiteral("zero_point")])[c]);
            const auto one = numbers::oneChannel((*made)->settings(), (*made)->state(), static_cast<std::int64_t>(c));
            QVERIFY(one);
            QCOMPARE(one->state.qparams->scale.at(0), scales[c]);
            QVERIFY(!ir::isPerChannel(*one->settings.qscheme));
        }
        QVERIFY(!numbers::oneChannel((*made)->settings(), (*made)->state(), static_cast<std::int64_t>(scales.size())));
    }

    void bothAxesHaveTorchsSqnr_data()
    {
        QTest::addColumn<QString>("scheme");
        QTest::newRow("symmetric") << QStringLiteral("symmetric");
        QTest::newRow("affine") << QStringLiteral("affine");
    }

    void bothAxesHaveTorchsSqnr()
    {
        QFETCH(const QString, scheme);
        quant::ObserverSettings settings;
        settings.dtype = ir::DType::Int8;
        settings.quantMin = -127;
        settings.quantMax = 127;
        settings.qscheme =
            scheme == QStringLiteral("symmetric") ? ir::QScheme::PerChannelSymmetric : ir::QScheme::PerChannelAffine;
        const auto choices = numbers::compareAxes(settings, weight(), "aten.conv1d.default");
        QVERIFY2(choices.ok(), choices.ok() ? "" : choices.error().text().c_str());
        QCOMPARE(choices->size(), std::size_t(3));
        for (const numbers::AxisChoice& choice : *choices) {
            const QJsonObject expected = golden()[QStringLiteral("observers")]
                                             .toObject()[QStringLiteral("%1 %2").arg(scheme).arg(choice.axis)]
                                             .toObject();
            QVERIFY(std::fabs(*choice.sqnr - expected[QStringLiteral("sqnr")].toDouble()) < 1e-6);
        }
    }

    /// In levels every channel of a symmetric scheme reaches as far as the others, the loud one too.
    void unitsBringChannelsToOneSize()
    {
        const std::vector<Tensor> values{weight()};
        const std::vector<double> units{0.01, 1, 0.01, 0.01, 0};
        const ChannelCounts counts = numbers::countChannels(values, 0, 8, units);
        QCOMPARE(counts.channels, std::int64_t(5));
        QVERIFY(counts.max < 101 && counts.max > 90);
        QVERIFY(numbers::countChannels(values, 0, 8, std::vector<double>{1, 2}).counts.empty());
    }

    void whatIsNoNumberIsLeftOut()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        const std::vector<Tensor> values{Tensor::fromVector(std::vector<float>{1, nan, 3, inf}, {2, 2})};
        const ChannelCounts counts = numbers::countChannels(values, 0, 2);
        QCOMPARE(counts.min, 1.0);
        QCOMPARE(counts.max, 3.0);
        QCOMPARE(counts.counts, (std::vector<double>{1, 0, 0, 1}));
    }

    void oneValueHasARoomAroundIt()
    {
        const std::vector<Tensor> values{Tensor::fromVector(std::vector<float>{2, 2}, {1, 2})};
        const ChannelCounts counts = numbers::countChannels(values, 0, 2);
        QCOMPARE(counts.min, 1.0);
        QCOMPARE(counts.max, 3.0);
        QCOMPARE(counts.counts, (std::vector<double>{0, 2}));
    }

    void tensorsThatDoNotAgreeAreNotCounted()
    {
        const std::vector<Tensor> values{weight(), Tensor::fromVector(std::vector<float>{1, 2}, {2, 1})};
        QVERIFY(numbers::countChannels(values, 0, 4).counts.empty());
        QVERIFY(numbers::countChannels(std::vector<Tensor>{weight()}, 3, 4).counts.empty());
        QVERIFY(numbers::countChannel(std::vector<Tensor>{weight()}, 0, 5, 4).counts.empty());
    }
};

QTEST_GUILESS_MAIN(TestChannelCounts)
#include "tst_channel_counts.moc"
