// quantizeRow against the arithmetic of _decomposed.py written out, on lengths that fill whole registers and do not.
#include "ops/kernels/quantize_row.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace gb;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> values(std::size_t count)
{
    const std::vector<float> special = {kNaN,  kInfinity, -kInfinity, 0.5F,   1.5F,    2.5F,  -0.5F,
                                        1e30F, -1e30F,    4194304.5F, 127.5F, -128.5F, -0.0F, 1e-40F};
    std::vector<float> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(i % 3 == 0 ? special[i / 3 % special.size()] : static_cast<float>(i) * 0.37F - 20.0F);
    return out;
}

template <class To>
To expected(float x, const ops::RowQParams& q)
{
    const float moved = std::nearbyint(x * q.inverse) + q.zero;
    if (std::isnan(moved))
        return 0;
    return static_cast<To>(static_cast<int>(std::clamp(moved, q.low, q.high)));
}

template <class To>
QString firstDifference(std::size_t count, const ops::RowQParams& q)
{
    const std::vector<float> x = values(count);
    std::vector<To> out(count + 1, To(77)); // one more, to see a write past the end
    ops::quantizeRow(x.data(), out.data(), static_cast<std::int64_t>(count), q);
    for (std::size_t i = 0; i < count; ++i)
        if (out[i] != expected<To>(x[i], q))
            return QStringLiteral("element %1 of %2: %3 found, %4 expected for %5")
                .arg(i)
                .arg(count)
                .arg(out[i])
                .arg(expected<To>(x[i], q))
                .arg(static_cast<double>(x[i]));
    return out[count] == To(77) ? QString() : QStringLiteral("written past the end of %1").arg(count);
}

} // namespace

class TestQuantizeRow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLengthIsExact_data()
    {
        QTest::addColumn<float>("inverse");
        QTest::addColumn<float>("zero");
        QTest::newRow("unit") << 1.0F << 0.0F;
        QTest::newRow("fine") << 17.3F << -12.0F;
        QTest::newRow("coarse") << 0.013F << 100.0F;
        QTest::newRow("zero point with a fraction") << 2.0F << 0.5F;
        QTest::newRow("far zero point") << 1.0F << 1048575.0F;
        QTest::newRow("infinite inverse") << kInfinity << 3.0F;
    }
    void everyLengthIsExact()
    {
        QFETCH(float, inverse);
        QFETCH(float, zero);
        for (const std::size_t count : {0U, 1U, 7U, 31U, 32U, 33U, 64U, 100U}) {
            QCOMPARE(firstDifference<std::int8_t>(count, {inverse, zero, -128, 127}), QString());
            QCOMPARE(firstDifference<std::int8_t>(count, {inverse, zero, -7, 5}), QString());
            QCOMPARE(firstDifference<std::uint8_t>(count, {inverse, zero, 0, 255}), QString());
            QCOMPARE(firstDifference<std::int16_t>(count, {inverse, zero, -32768, 32767}), QString());
            QCOMPARE(firstDifference<std::uint16_t>(count, {inverse, zero, 0, 65535}), QString());
        }
    }
    void farZeroPointsAreNotNear()
    {
        QVERIFY(ops::roundsNear(-1048575.0F));
        QVERIFY(!ops::roundsNear(1048576.0F));
        QVERIFY(!ops::roundsNear(kNaN));
    }
};

QTEST_GUILESS_MAIN(TestQuantizeRow)
#include "tst_quantize_row.moc"
