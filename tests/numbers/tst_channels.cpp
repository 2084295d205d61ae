#include "numbers/channels.h"

#include "quant/make_observer.h"

#include <QtTest>

#include <cmath>

using namespace gb;

namespace {

/// Five channels, the second one 100 times as wide as the others.
ir::Tensor weight()
{
    std::vector<float> values;
    for (int c = 0; c < 5; ++c)
        for (int i = 0; i < 8; ++i)
            values.push_back(static_cast<float>(std::sin(1.3 * i + c) * (c == 1 ? 100 : 1)));
    return ir::Tensor::fromVector(values, {5, 2, 4});
}

std::shared_ptr<quant::Observer> perChannel(std::int64_t axis)
{
    auto made = quant::makeObserver(ir::ObserverConstructor{"PerChannelMinMaxObserver",
                                                            {{"dtype", ir::DType::Int8},
                                                             {"qscheme", "per_channel_symmetric"},
                                                             {"quant_min", -127},
                                                             {"quant_max", 127},
                                                             {"ch_axis", axis}}});
    return made.ok() ? *made : nullptr;
}

} // namespace

class TestChannels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLoudChannelIsAnOutlier()
    {
        const auto observer = perChannel(0);
        QVERIFY(observer);
        QVERIFY(observer->forward(weight()).ok());
        const auto channels = numbers::channelsOf(observer->settings(), observer->state());
        QCOMPARE(channels.rows.size(), std::size_t(5));
        for (const auto& row : channels.rows)
            QCOMPARE(row.outlier, row.channel == 1);
        QVERIFY(channels.rows[1].ratio > 50);
        const auto sheet = numbers::channelSheet(channels);
        QCOMPARE(sheet.rows.size(), std::size_t(5));
        QVERIFY(sheet.notes[0].text().starts_with("1 of 5 channels"));
    }

    void onePerTensorHasNoChannels() { QVERIFY(numbers::channelsOf({}, {}).rows.empty()); }

    /// Along axis 0 the loud channel has a scale of its own; along axis 1 and with one scale the others drown.
    void axesAreCompared()
    {
        const auto observer = perChannel(0);
        const auto choices = numbers::compareAxes(observer->settings(), weight(), "aten.conv2d.default");
        QVERIFY2(choices.ok(), choices.ok() ? "" : choices.error().text().c_str());
        QCOMPARE(choices->size(), std::size_t(3));
        QCOMPARE((*choices)[0].scales, std::int64_t(1));
        QCOMPARE((*choices)[1].scales, std::int64_t(5));
        QCOMPARE((*choices)[2].scales, std::int64_t(2));
        QVERIFY(*(*choices)[1].sqnr > *(*choices)[0].sqnr);
        QVERIFY((*choices)[1].worstRatio > (*choices)[2].worstRatio);
        QCOMPARE((*choices)[1].words.text(), std::string("axis 0, output channels"));
        QCOMPARE(numbers::axisSheet(*choices).rows.size(), std::size_t(3));
    }

    void theAxisHasWords_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("axis");
        QTest::addColumn<QString>("words");
        QTest::newRow("conv 0") << "aten.conv2d.default" << 0 << "axis 0, output channels";
        QTest::newRow("conv 1") << "aten.conv2d.default" << 1 << "axis 1, input channels";
        QTest::newRow("conv 2") << "aten.conv2d.default" << 2 << "axis 2, inside the kernel";
        QTest::newRow("transposed 0") << "aten.conv_transpose2d.input" << 0 << "axis 0, input channels";
        QTest::newRow("transposed 1") << "aten.conv_transpose2d.input" << 1 << "axis 1, output channels";
        QTest::newRow("linear 0") << "aten.linear.default" << 0 << "axis 0, output channels";
        QTest::newRow("embedding") << "aten.embedding.default" << 0 << "axis 0, rows of the table";
        QTest::newRow("whole") << "aten.linear.default" << -1 << "one scale for the whole tensor";
        QTest::newRow("other") << "aten.add.Tensor" << 1 << "axis 1";
    }

    void theAxisHasWords()
    {
        QFETCH(const QString, target);
        QFETCH(const int, axis);
        QFETCH(const QString, words);
        QCOMPARE(QString::fromStdString(numbers::axisWords(target.toStdString(), axis).text()), words);
    }
};

QTEST_GUILESS_MAIN(TestChannels)
#include "tst_channels.moc"
