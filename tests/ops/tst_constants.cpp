// What kernels keep of weights from one run to the next.
#include "op_cases.h"

#include "ops/constants.h"

#include <QTest>

using namespace gb;
using ir::Tensor;

namespace {

struct Form final : ops::Kept {
    explicit Form(std::size_t bytes)
        : size(bytes)
    {
    }
    [[nodiscard]] std::size_t bytes() const override { return size; }
    std::size_t size;
};

Tensor floats(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>((i * 7919) % 113) / 64.0F - 0.8F;
    return Tensor::fromVector(values);
}

} // namespace

class TestConstants : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFormIsMadeTheSecondTime()
    {
        ops::Constants constants;
        const Tensor x = floats(4);
        constants.add(x);
        int made = 0;
        const auto ask = [&] {
            return constants.form<Form>(x, {1, 2}, [&] {
                ++made;
                return std::make_shared<const Form>(10);
            });
        };
        QVERIFY(!ask());
        const auto second = ask();
        QVERIFY(second);
        QCOMPARE(ask(), second);
        QCOMPARE(made, 1);
    }

    void formsOfOneTensorAreToldApart()
    {
        ops::Constants constants;
        const Tensor x = floats(4);
        constants.add(x);
        const auto ask = [&](std::int64_t key) {
            return constants.form<Form>(x, {key}, [&] { return std::make_shared<const Form>(key); });
        };
        for (const std::int64_t key : {3, 5})
            QVERIFY(!ask(key));
        QCOMPARE(ask(3)->size, std::size_t{3});
        QCOMPARE(ask(5)->size, std::size_t{5});
    }

    void nothingIsKeptOfOtherTensors()
    {
        ops::Constants constants;
        const Tensor x = floats(4);
        const Tensor same = floats(4);
        constants.add(x);
        QVERIFY(constants.contains(x));
        QVERIFY(!constants.contains(same));
        QVERIFY(!constants.contains(x.asStrided({2}, {2})));
        for (int turn = 0; turn < 3; ++turn)
            QVERIFY(!constants.form<Form>(same, {}, [] { return std::make_shared<const Form>(1); }));
    }

    void theRoomIsLimited()
    {
        ops::Constants constants(100);
        const Tensor x = floats(4);
        constants.add(x);
        const auto ask = [&](std::int64_t key) {
            static_cast<void>(constants.form<Form>(x, {key}, [] { return std::make_shared<const Form>(60); }));
            return constants.form<Form>(x, {key}, [] { return std::make_shared<const Form>(60); });
        };
        QVERIFY(ask(1));
        QVERIFY(ask(2)); // begun while there was room
        QVERIFY(!ask(3));
    }

    /// Few columns are packed in tasks, many ahead; two groups; a pointwise kernel.
    void aConvolutionIsTheSameEveryTime_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("groups");
        QTest::newRow("few columns") << 5 << 3 << 1;
        QTest::newRow("many columns") << 40 << 3 << 1;
        QTest::newRow("two groups") << 9 << 3 << 2;
        QTest::newRow("pointwise") << 7 << 1 << 1;
    }

    void aConvolutionIsTheSameEveryTime()
    {
        QFETCH(int, size);
        QFETCH(int, kernel);
        QFETCH(int, groups);
        constexpr std::int64_t in = 20;
        constexpr std::int64_t out = 34;
        const Tensor x = floats(static_cast<std::size_t>(in * size * size)).reshaped({1, in, size, size});
        const Tensor weight = floats(static_cast<std::size_t>(out * in / groups * kernel * kernel))
                                  .reshaped({out, in / groups, kernel, kernel});
        const ops::ValueList padding{ops::Value(std::int64_t{kernel / 2}), ops::Value(std::int64_t{kernel / 2})};
        const ops::ValueList ones{ops::Value(std::int64_t{1}), ops::Value(std::int64_t{1})};
        const ops::ValueList args{x, weight, ops::Value(), ones, padding, ones, ops::Value(std::int64_t{groups})};
        ops::Constants constants;
        constants.add(weight);
        ops::Context keeping;
        keeping.constants = &constants;
        const auto plain = ops_test::table()->evaluate(ops::Context(), "aten.conv2d.default", args);
        QVERIFY2(plain.ok(), plain.ok() ? "" : plain.error().text().c_str());
        for (int turn = 0; turn < 3; ++turn) {
            const auto kept = ops_test::table()->evaluate(keeping, "aten.conv2d.default", args);
            QVERIFY(kept.ok());
            QCOMPARE(kept->tensor()->toDoubles(), plain->tensor()->toDoubles());
        }
    }
};

QTEST_GUILESS_MAIN(TestConstants)
#include "tst_constants.moc"
