#include "ir/dtype.h"
#include "ir/half.h"

#include <QTest>

#include <cmath>

using namespace gb::ir;

class DtypeTest : public QObject {
    Q_OBJECT

private slots:
    void everyNameComesBack()
    {
        for (int i = 0; i <= static_cast<int>(DType::UInt64); ++i) {
            const auto dtype = static_cast<DType>(i);
            QCOMPARE(dtypeFromName(name(dtype)), std::optional(dtype));
            QVERIFY(itemSize(dtype) > 0);
        }
        QCOMPARE(dtypeFromName("long"), std::optional(DType::Int64));
        QCOMPARE(dtypeFromName("half"), std::optional(DType::Float16));
        QVERIFY(!dtypeFromName("float128"));
        QVERIFY(!dtypeFromName(""));
    }

    void exportNumbersAreThoseOfTheSchema()
    {
        QCOMPARE(dtypeFromExportNumber(7), std::optional(DType::Float32));
        QCOMPARE(dtypeFromExportNumber(5), std::optional(DType::Int64));
        QCOMPARE(dtypeFromExportNumber(12), std::optional(DType::Bool));
        QCOMPARE(dtypeFromExportNumber(13), std::optional(DType::BFloat16));
        QCOMPARE(dtypeFromExportNumber(35), std::optional(DType::UInt64));
        QVERIFY(!dtypeFromExportNumber(0));
        QVERIFY(!dtypeFromExportNumber(999));
    }

    void integerRanges()
    {
        QCOMPARE(integerMin(DType::Int8), std::int64_t{-128});
        QCOMPARE(integerMax(DType::UInt8), std::int64_t{255});
        QCOMPARE(integerMin(DType::UInt8), std::int64_t{0});
        QCOMPARE(integerMax(DType::Int32), std::int64_t{2147483647});
        QVERIFY(isInteger(DType::Int16) && !isInteger(DType::Bool) && !isInteger(DType::Float16));
        QVERIFY(isFloatingPoint(DType::BFloat16) && !isFloatingPoint(DType::Complex64));
    }

    void halvesGoThroughFloatAndBack()
    {
        for (int bits = 0; bits < 0x10000; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float wide = halfToFloat(half);
            if (std::isnan(wide))
                QVERIFY(std::isnan(halfToFloat(floatToHalf(wide))));
            else
                QCOMPARE(int(floatToHalf(wide)), bits);
            const float brain = bfloat16ToFloat(half);
            if (std::isnan(brain))
                QVERIFY(std::isnan(bfloat16ToFloat(floatToBfloat16(brain))));
            else
                QCOMPARE(int(floatToBfloat16(brain)), bits);
        }
    }

    void halvesRoundToNearestEven()
    {
        QCOMPARE(halfToFloat(floatToHalf(2049.0F)), 2048.0F); // a tie goes to the even one
        QCOMPARE(halfToFloat(floatToHalf(2051.0F)), 2052.0F);
        QCOMPARE(halfToFloat(floatToHalf(65519.0F)), 65504.0F);
        QVERIFY(std::isinf(halfToFloat(floatToHalf(65520.0F))));
        QCOMPARE(halfToFloat(floatToHalf(std::ldexp(1.0F, -25))), 0.0F); // half of the smallest, a tie
        QCOMPARE(bfloat16ToFloat(floatToBfloat16(1.00390625F)), 1.0F);   // a tie goes to the even one
        QCOMPARE(bfloat16ToFloat(floatToBfloat16(1.01171875F)), 1.015625F);
    }
};

QTEST_GUILESS_MAIN(DtypeTest)
#include "tst_dtype.moc"
