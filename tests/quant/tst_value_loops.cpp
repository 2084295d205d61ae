// The loops over registers of values against the plain rule, value by value.
#include "quant/histogram_norm.h"
#include "quant/value_loops.h"
#include "values.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace gb;

class TestValueLoops : public QObject {
    Q_OBJECT

private slots:
    void extremesOfEveryLength();
    void nanIsToldWhereverItStands();
    void extremesAreJoined();
    void slotsOfEveryLength();
    void slotsOfSpecialValues();
    void normsOfEveryLength_data();
    void normsOfEveryLength();
};

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

quant::BinRule<float> rule(float left, float right, int bins)
{
    return {left, right, right - left, static_cast<float>(bins), bins - 1};
}

void compareSlots(const std::vector<float>& values, const quant::BinRule<float>& by)
{
    std::vector<std::int32_t> found(values.size() + 1, -7);
    quant::findSlots(values.data(), static_cast<std::int64_t>(values.size()), by, found.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int32_t wanted = quant::slotOf(values[i], by, [](float value) { return value; });
        QCOMPARE(found[i], wanted);
    }
    QCOMPARE(found.back(), -7); // nothing is written behind the last one
}

} // namespace

void TestValueLoops::extremesOfEveryLength()
{
    for (std::size_t count = 0; count < 80; ++count) {
        const std::vector<float> values = test::sequence(count, 5);
        quant::Extremes found;
        quant::widen(found, values.data(), static_cast<std::int64_t>(count));
        float least = kInf;
        float most = -kInf;
        for (const float value : values) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
        QCOMPARE(found.min, least);
        QCOMPARE(found.max, most);
        QVERIFY(!found.hasNaN);
    }
}

void TestValueLoops::nanIsToldWhereverItStands()
{
    for (std::size_t at = 0; at < 70; ++at) {
        std::vector<float> values = test::sequence(70, 9);
        values[at] = kNaN;
        quant::Extremes found;
        quant::widen(found, values.data(), 70);
        QVERIFY(found.hasNaN);
        QVERIFY(found.min >= -1 && found.max <= 1); // the others are looked at all the same
    }
}

void TestValueLoops::extremesAreJoined()
{
    quant::Extremes a{-1, 2, false};
    quant::widen(a, quant::Extremes{});
    QCOMPARE(a.min, -1.0F);
    quant::widen(a, quant::Extremes{-3, 1, true});
    QCOMPARE(a.min, -3.0F);
    QCOMPARE(a.max, 2.0F);
    QVERIFY(a.hasNaN);
}

void TestValueLoops::slotsOfEveryLength()
{
    for (std::size_t count = 0; count < 40; ++count)
        compareSlots(test::sequence(count, 3), rule(-0.5F, 0.75F, 2048));
    std::vector<std::int32_t> found(5);
    const std::vector<float> values = {0, 1, 2, 3, 4};
    quant::findSlots(values.data(), 5, rule(0, 4, 4), found.data());
    QCOMPARE(found, (std::vector<std::int32_t>{0, 1, 2, 3, 3}));
}

void TestValueLoops::slotsOfSpecialValues()
{
    std::vector<float> values = {kNaN, kInf, -kInf, 0.0F, -0.0F, 3e38F, -3e38F, 1e-45F, -1, 1, 0.5F};
    while (values.size() < 33)
        values.push_back(values[values.size() - 11]);
    compareSlots(values, rule(-1, 1, 7));
    compareSlots(values, rule(-3e38F, 3e38F, 2048));   // the width is infinite
    compareSlots(values, rule(-1.4e35F, 3e38F, 2048)); // the product overflows
    compareSlots(values, rule(kNaN, kNaN, 4));
}

void TestValueLoops::normsOfEveryLength_data()
{
    QTest::addColumn<int>("bins");
    QTest::addColumn<float>("levels");
    QTest::addColumn<int>("start");
    QTest::newRow("one bin") << 1 << 256.0F << 0;
    QTest::newRow("fewer than a register") << 3 << 16.0F << 1;
    QTest::newRow("a register and more") << 13 << 16.0F << 4;
    QTest::newRow("the observer's own") << 2048 << 256.0F << 17;
    QTest::newRow("more levels than bins") << 100 << 65536.0F << 0;
}

void TestValueLoops::normsOfEveryLength()
{
    QFETCH(int, bins);
    QFETCH(float, levels);
    QFETCH(int, start);
    std::vector<float> density = test::sequence(static_cast<std::size_t>(bins), 21);
    for (std::size_t i = 0; i < density.size(); i += 3)
        density[i] = 0;
    quant::NormTarget target{};
    target.binWidth = 0.01234F;
    target.width = target.binWidth * static_cast<float>(bins - start) / levels;
    target.half = target.width / 2;
    target.last = levels - 1;
    target.start = start;
    std::vector<float> norm(density.size(), -7);
    quant::plainNorms(density, target, norm);
    for (int bin = 0; bin < bins; ++bin) {
        const auto i = static_cast<std::size_t>(bin);
        QCOMPARE(std::bit_cast<std::uint32_t>(norm[i]),
                 std::bit_cast<std::uint32_t>(quant::binNorm(density[i], bin, target)));
        QVERIFY(density[i] == 0 || std::isfinite(norm[i]));
    }
}

QTEST_GUILESS_MAIN(TestValueLoops)
#include "tst_value_loops.moc"
