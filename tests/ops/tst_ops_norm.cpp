// norm: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsNorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("norm")

    void inferenceWithoutStatisticsIsRefused()
    {
        GB_REFUSED(evaluate("aten.batch_norm.default",
                            {ones({2, 3}), Value(), Value(), Value(), Value(), false, 0.1, 1e-5, false}),
                   RuntimeError, "running statistics");
    }
    void oneDimensionIsRefused()
    {
        GB_REFUSED(evaluate("aten.batch_norm.default",
                            {ones({3}), Value(), Value(), ones({3}), ones({3}), false, 0.1, 1e-5, false}),
                   RuntimeError, "two or more dimensions");
    }
    void integersAreRefused()
    {
        GB_REFUSED(evaluate("aten.layer_norm.default", {ones({2, 3}).to(DType::Int64), ops::ValueList{3}}),
                   RuntimeError, "floating point");
    }
    void inferenceLeavesTheStatisticsAlone()
    {
        const Tensor mean = ones({2});
        const auto out = evaluate("aten.batch_norm.default",
                                  {ramp({4, 2}), Value(), Value(), mean, ones({2}), false, 0.5, 1e-5, false});
        QVERIFY(out.ok());
        QCOMPARE(mean.toDoubles(), (std::vector<double>{1, 1}));
    }
    void trainingMovesTheStatistics()
    {
        const Tensor mean = ones({1});
        const Tensor var = ones({1});
        const Tensor x = Tensor::fromVector(std::vector<float>{2, 4}, {2, 1});
        QVERIFY(evaluate("aten.batch_norm.default", {x, Value(), Value(), mean, var, true, 0.5, 1e-5, false}).ok());
        QCOMPARE(mean.at(0), 2.0); // 0.5 * 1 + 0.5 * 3
        QCOMPARE(var.at(0), 1.5);  // 0.5 * 1 + 0.5 * 2 (unbiased)
    }
    /// batch_norm_cpu_collect_stats_contiguous_impl
    void imagesAreSummedInDouble()
    {
        const Tensor mean = ones({1});
        const Tensor x = Tensor::fromVector(std::vector<float>{1e8F, 1, -1e8F, 1}, {1, 1, 4});
        QVERIFY(evaluate("aten.batch_norm.default", {x, Value(), Value(), mean, Value(), true, 1.0, 1e-5, false}).ok());
        QCOMPARE(mean.at(0), 0.5);
    }
    /// batch_norm_cpu_collect_stats_channels_last_impl on two threads
    void rowsAreSummedInFloatInTwoShares()
    {
        const Tensor mean = ones({1});
        const Tensor x = Tensor::fromVector(std::vector<float>{1e8F, 1, -1e8F, 1}, {4, 1});
        QVERIFY(evaluate("aten.batch_norm.default", {x, Value(), Value(), mean, Value(), true, 1.0, 1e-5, false}).ok());
        QCOMPARE(mean.at(0), 0.0);
    }
    void momentumIsAFloat()
    {
        const Tensor mean = Tensor::fromVector(std::vector<float>{0.7F}, {1});
        const Tensor x = Tensor::fromVector(std::vector<float>{0.3F, 0.3F}, {1, 1, 2});
        QVERIFY(evaluate("aten.batch_norm.default", {x, Value(), Value(), mean, Value(), true, 0.1, 1e-5, false}).ok());
        const float moved = 0.1F * 0.3F;
        const float kept = (1.0F - 0.1F) * 0.7F;
        QCOMPARE(mean.at(0), static_cast<double>(moved + kept));
    }
    void layerNormKeepsAccuracyFarFromZero()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{10000, 10001, 10002, 10003}, {1, 4});
        const auto out = evaluate("aten.layer_norm.default", {x, ops::ValueList{4}});
        QVERIFY(out.ok());
        QVERIFY(std::fabs(out->tensor()->at(0) + 1.3416354) < 1e-6);
    }
};

QTEST_GUILESS_MAIN(TestOpsNorm)
#include "tst_ops_norm.moc"
