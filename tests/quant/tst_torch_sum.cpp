// The order of torch's float32 sum. The wanted figures are torch 2.14.1's own for the same values.
#include "quant/torch_sum.h"
#include "values.h"

#include <QtTest>

using namespace gb;

class TestTorchSum : public QObject {
    Q_OBJECT

private slots:
    void sum_t1_t2_givesTorchsLastBit_data();
    void sum_t1_t2_givesTorchsLastBit();
    void orderMattersHere();
    void carriesNaNAndInfinity();
};

void TestTorchSum::sum_t1_t2_givesTorchsLastBit_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("wanted");
    const std::pair<int, double> known[] = {
        {0, 0.0},
        {1, 472.91107177734375},
        {3, 219.93646240234375},
        {7, 19.3529052734375},
        {8, -868.2699584960938},
        {9, -835.2833862304688},
        {31, -1212.959716796875},
        {64, 3167.373779296875},
        {100, 5277.80419921875},
        {1000, -1843.887939453125},
        {2047, -13270.83203125},
        {2048, -13596.9033203125},
        {4096, 2726.11328125},
        {32767, -21380.19921875},
    };
    for (const auto& [count, wanted] : known)
        QTest::addRow("%d values", count) << count << wanted;
}

void TestTorchSum::sum_t1_t2_givesTorchsLastBit()
{
    QFETCH(const int, count);
    QFETCH(const double, wanted);
    std::vector<float> values = test::sequence(static_cast<std::size_t>(count));
    for (float& value : values)
        value *= 1000;
    QVERIFY(quant::torchSum(values) == static_cast<float>(wanted));
}

void TestTorchSum::orderMattersHere()
{
    std::vector<float> values = test::sequence(4096);
    float naive = 0;
    for (float& value : values) {
        value *= 1000;
        naive += value;
    }
    QVERIFY(quant::torchSum(values) != naive);
}

void TestTorchSum::carriesNaNAndInfinity()
{
    std::vector<float> values(20, 1.0F);
    values[13] = std::numeric_limits<float>::infinity();
    QCOMPARE(quant::torchSum(values), std::numeric_limits<float>::infinity());
    values[3] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(std::isnan(quant::torchSum(values)));
}

QTEST_APPLESS_MAIN(TestTorchSum)
#include "tst_torch_sum.moc"
