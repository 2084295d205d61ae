// conv: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include "ops/gemm/gemm.h"

#include <cmath>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsConv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("conv")

    void absurdPaddingIsRefusedBeforeAllocating()
    {
        GB_REFUSED(
            evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), pair(1 << 29)}),
            Shape, "elements");
    }
    void overflowingPaddingIsOutOfRange()
    {
        GB_REFUSED(evaluate("aten.conv2d.default",
                            {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), pair(std::int64_t{1} << 62)}),
                   RuntimeError, "padding");
    }
    void zeroStrideIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(0)}),
                   RuntimeError, "stride 0");
    }
    void zeroGroupsAreRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.default",
                            {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), pair(0), pair(1), 0}),
                   RuntimeError, "groups 0");
    }
    void emptyKernelIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 0, 3})}), RuntimeError,
                   "kernel size 0");
    }
    void unknownPaddingNameIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv2d.padding", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), pair(1), "full"}),
                   RuntimeError, "'same' or 'valid'");
    }
    void textAsStrideIsATypeError()
    {
        GB_REFUSED(evaluate("aten.conv2d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), Value(), "two"}), TypeError,
                   "argument 'stride': text 'two'");
    }
    void weightOfTheWrongRankIsRefused()
    {
        GB_REFUSED(evaluate("aten.conv1d.default", {ones({1, 1, 4, 4}), ones({1, 1, 3, 3})}), RuntimeError,
                   "3 dimensions");
    }
    void integersAreConvolvedExactly()
    {
        const Tensor x = ones({1, 1, 3, 3}).to(DType::Int32);
        const auto out = evaluate("aten.conv2d.default", {x, ones({1, 1, 2, 2}).to(DType::Int32)});
        QVERIFY(out.ok());
        QCOMPARE(out->tensor()->dtype(), DType::Int32);
        QCOMPARE(out->tensor()->toDoubles(), (std::vector<double>{4, 4, 4, 4}));
    }
    void instructionSetsAgree_data()
    {
        QTest::addColumn<int>("rows");
        for (const int rows : {1, 5, 6, 12, 13, 40})
            QTest::addRow("%d rows", rows) << rows;
    }
    void instructionSetsAgree()
    {
        QFETCH(int, rows);
        constexpr std::int64_t kDepth = 301;
        constexpr std::int64_t kCols = 77;
        const std::vector<float> a = wave(rows * kDepth);
        const std::vector<float> b = wave(kDepth * kCols);
        const ops::Context context;
        for (const ops::MicroKernel* kernel : runnable()) {
            const ops::PackedLeft left(context, *kernel, rows, kDepth, {a.data(), kDepth, 1});
            std::vector<float> c(static_cast<std::size_t>(rows * kCols), 99.0F);
            ops::multiply(context, *kernel, {{&left, ops::packMatrix({b.data(), kCols, 1}), kCols, c.data(), kCols}});
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < kCols; ++j) {
                    double sum = 0;
                    for (std::int64_t k = 0; k < kDepth; ++k)
                        sum += static_cast<double>(a[static_cast<std::size_t>(i * kDepth + k)])
                               * static_cast<double>(b[static_cast<std::size_t>(k * kCols + j)]);
                    const double off = std::fabs(static_cast<double>(c[static_cast<std::size_t>(i * kCols + j)]) - sum);
                    QVERIFY2(off < 2e-5, kernel->name);
                }
        }
    }

private:
    static Value pair(std::int64_t value) { return ops::ValueList{value, value}; }
    static std::vector<float> wave(std::int64_t count)
    {
        std::vector<float> out;
        for (std::int64_t i = 0; i < count; ++i)
            out.push_back(static_cast<float>((i * 7919) % 1013) / 1013.0F - 0.5F);
        return out;
    }
    static std::vector<const ops::MicroKernel*> runnable()
    {
        std::vector<const ops::MicroKernel*> out{&ops::microKernelBaseline()};
        const std::string best = ops::bestMicroKernel().name;
        if (best != "baseline")
            out.push_back(&ops::microKernelAvx2());
        if (best == "avx512")
            out.push_back(&ops::microKernelAvx512());
        return out;
    }
};

QTEST_GUILESS_MAIN(TestOpsConv)
#include "tst_ops_conv.moc"
