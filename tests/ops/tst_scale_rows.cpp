// scaleRows gives the bits of aten.mul, and leaves to it what it is not made for.
#include "ops/scale_rows.h"

#include "family_test.h"

#include <cstring>
#include <limits>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

namespace {

std::optional<Tensor> scaled(const Tensor& x, const Tensor& factors, base::Pool* pool = nullptr)
{
    ops::Context context;
    context.pool = pool;
    const auto out = ops::scaleRows(context, x, factors);
    return out ? *out : std::nullopt;
}

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.shape() == b.shape()
           && std::memcmp(a.data<float>(), b.data<float>(), sizeof(float) * static_cast<std::size_t>(a.elementCount()))
                  == 0;
}

} // namespace

class TestScaleRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBitsOfMul_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("length");
        QTest::newRow("one element") << 1 << 1;
        QTest::newRow("rows that begin anywhere") << 5 << 7;
        QTest::newRow("whole registers") << 4 << 16;
        QTest::newRow("several chunks") << 40 << 4099;
    }
    void theBitsOfMul()
    {
        QFETCH(int, rows);
        QFETCH(int, length);
        Tensor x = ramp({rows, length});
        x.mutableData<float>()[0] = std::numeric_limits<float>::infinity();
        const Tensor factors = ramp({rows});
        base::Pool pool(2);
        const auto out = scaled(x, factors, &pool);
        QVERIFY(out);
        const auto product = evaluate("aten.mul.Tensor", {x, factors.reshaped({rows, 1})});
        QVERIFY(sameBits(*out, *product->tensor()));
    }
    void whatDoesNotSuitIsLeftToMul()
    {
        QVERIFY(!scaled(ones({2, 3}).to(DType::Float64), ones({2})));
        QVERIFY(!scaled(ones({2, 3}), ones({2}).to(DType::Float64)));
        QVERIFY(!scaled(ones({2, 3}), ones({3})));
        QVERIFY(!scaled(ones({2, 3}), ones({2, 1})));
        QVERIFY(!scaled(ones({}), ones({1})));
        QVERIFY(!scaled(ones({0, 3}), ones({0})));
        QVERIFY(!scaled(ones({2, 3}).asStrided({3, 2}, {1, 3}), ones({3})));
    }
};

QTEST_GUILESS_MAIN(TestScaleRows)
#include "tst_scale_rows.moc"
