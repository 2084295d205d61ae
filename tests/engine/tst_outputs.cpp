#include "engine/outputs.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace gb;
using engine::difference;
using engine::NamedTensors;
using ir::Tensor;

namespace {

NamedTensors one(std::vector<float> values)
{
    return engine::namedOutputs("float", {ops::Value(Tensor::fromVector(values))});
}

} // namespace

class TestOutputs : public QObject {
    Q_OBJECT

private slots:
    void noneIsLeftOutAndDoesNotCount()
    {
        const auto named = engine::namedOutputs(
            "float", {ops::Value(Tensor::scalar(1.0F)), ops::Value(), ops::Value(Tensor::scalar(2.0F))});
        QCOMPARE(named.size(), std::size_t(2));
        QCOMPARE(named[0].first, std::string("float.0"));
        QCOMPARE(named[1].first, std::string("float.1"));
        QCOMPARE(named[1].second.at(0), 2.0);
    }

    void numbersBecomeTensorsWithoutDimensions()
    {
        const auto named = engine::namedOutputs("x", {ops::Value(std::int64_t(7)), ops::Value(0.5), ops::Value(true)});
        QCOMPARE(named[0].second.dtype(), ir::DType::Int64);
        QCOMPARE(named[1].second.dtype(), ir::DType::Float64);
        QCOMPARE(named[2].second.dtype(), ir::DType::Bool);
        QCOMPARE(named[0].second.dim(), std::int64_t(0));
    }

    void bfloat16IsWrittenAsFloat32()
    {
        const Tensor half = Tensor::scalar(1.5F).to(ir::DType::BFloat16);
        const auto named = engine::namedOutputs("x", {ops::Value(half)});
        QCOMPARE(named[0].second.dtype(), ir::DType::Float32);
        QCOMPARE(named[0].second.at(0), 1.5);
    }

    void outputsAreCopies()
    {
        Tensor t = Tensor::fromVector(std::vector<float>{1.0F});
        const auto named = engine::namedOutputs("x", {ops::Value(t)});
        t.mutableData<float>()[0] = 2.0F;
        QCOMPARE(named[0].second.at(0), 1.0);
    }

    void equalBitsAreEqual()
    {
        const auto d = difference(one({1.0F, std::nanf("")}), one({1.0F, std::nanf("")}));
        QVERIFY(d.equal);
        QCOMPARE(d.largest, 0.0);
    }

    void minusZeroIsNotZero()
    {
        const auto d = difference(one({0.0F}), one({-0.0F}));
        QVERIFY(!d.equal);
        QCOMPARE(d.largest, 0.0);
    }

    void theLargestDifferenceIsTold()
    {
        const auto d = difference(one({1.0F, 2.0F, 3.0F}), one({1.5F, 2.0F, 1.0F}));
        QVERIFY(!d.equal);
        QCOMPARE(d.largest, 2.0);
    }

    void aNanAgainstANumberIsInfinitelyFar()
    {
        QCOMPARE(difference(one({std::nanf("")}), one({1.0F})).largest, std::numeric_limits<double>::infinity());
    }

    void otherShapesAreInfinitelyFar()
    {
        QCOMPARE(difference(one({1.0F}), one({1.0F, 2.0F})).largest, std::numeric_limits<double>::infinity());
        QVERIFY(!difference(one({1.0F}), {}).equal);
    }
};

QTEST_GUILESS_MAIN(TestOutputs)
#include "tst_outputs.moc"
