#include "picture/label_text.h"

#include "sample_run.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

QString full(const ir::Spec& spec, const GroupInfo& group = {})
{
    LabelContext context;
    context.nameOf = [](ir::NodeId id) { return id == 1 ? QStringLiteral("x") : QStringLiteral("conv2d"); };
    context.group = group;
    return plainText(labelText(spec, context).full);
}

ir::FixedQParamsQuantizationSpec fixedSpec()
{
    ir::FixedQParamsQuantizationSpec spec;
    spec.scale = 1.0 / 256;
    spec.zeroPoint = -128;
    spec.dtype = ir::DType::Int8;
    spec.quantMin = -128;
    spec.quantMax = 127;
    spec.qscheme = ir::QScheme::PerTensorAffine;
    return spec;
}

} // namespace

class LabelTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void activation()
    {
        const LabelText label = labelText(ir::makeSpec(test::activationSpec()), {});
        QCOMPARE(label.kind, LabelKind::Quantization);
        QCOMPARE(plainText(label.full), QStringLiteral("i8 aff·T Hist"));
        QCOMPARE(plainText(label.brief), QStringLiteral("i8 aff"));
        QCOMPARE(label.chip, QStringLiteral("i8"));
        QCOMPARE(label.words, QStringLiteral("int8, affine, per tensor, histogram observer"));
    }

    void weightNamesItsAxisAndItsNarrowRange()
    {
        const LabelText label = labelText(ir::makeSpec(test::weightSpec()), {});
        QCOMPARE(plainText(label.full), QStringLiteral("i8 sym·C0 [−127,127] PCMinMax"));
        QCOMPARE(
            label.words,
            QStringLiteral("int8, symmetric, per channel on axis 0, values −127 to 127, per channel min/max observer"));
    }

    void dynamicIsSaid()
    {
        ir::QuantizationSpec spec = test::activationSpec();
        spec.isDynamic = true;
        QCOMPARE(full(ir::makeSpec(spec)), QStringLiteral("i8 aff·T dyn Hist"));
    }

    void aRangeWithOneEndOnly()
    {
        ir::QuantizationSpec spec = test::activationSpec();
        spec.dtype = ir::DType::UInt8;
        spec.quantMin = 0;
        spec.quantMax.reset();
        QCOMPARE(full(ir::makeSpec(spec)), QStringLiteral("u8 aff·T Hist"));
        spec.quantMin = 1;
        QCOMPARE(full(ir::makeSpec(spec)), QStringLiteral("u8 aff·T [1,…] Hist"));
    }

    void noSchemeLeavesItOut()
    {
        ir::QuantizationSpec spec;
        spec.dtype = ir::DType::Float16;
        spec.observer.name = "PlaceholderObserver";
        QCOMPARE(full(ir::makeSpec(spec)), QStringLiteral("f16 Placeholder"));
    }

    void fakeQuantizeNamesItsObserver()
    {
        ir::ObserverConstructor c{"FakeQuantize",
                                  {{"observer", ir::Argument(ir::Argument::Value(ir::Mapping{
                                                    {{"observer", ir::Argument("MovingAverageMinMaxObserver")}}}))}}};
        QCOMPARE(shortObserver(c), QStringLiteral("FQ(MovAvg)"));
        QCOMPARE(shortObserver(std::string("MyOwnObserver")), QStringLiteral("MyOwn"));
    }

    void fixedScaleIsAFraction()
    {
        const LabelText label = labelText(ir::makeSpec(fixedSpec()), {});
        QCOMPARE(label.kind, LabelKind::Fixed);
        QCOMPARE(plainText(label.full), QStringLiteral("i8 aff·T 🔒 s=1/256 z=−128"));
        QVERIFY(label.words.contains(QStringLiteral("fixed scale 1/256, zero point −128")));
        auto odd = fixedSpec();
        odd.scale = 0.0123456;
        QVERIFY(plainText(labelText(ir::makeSpec(odd), {}).full).contains(QStringLiteral("s=0.01235")));
    }

    void derivedNamesItsSources()
    {
        ir::DerivedQuantizationSpec spec;
        spec.from = {{1, 2}, {2, ir::kNoNode}};
        spec.derive = "bias";
        spec.qscheme = ir::QScheme::PerChannelSymmetric;
        spec.chAxis = 0;
        QCOMPARE(full(ir::makeSpec(spec)), QStringLiteral("i32 sym·C0 ƒ(x,conv2d)"));
    }

    void groupsCountTheOthers()
    {
        const GroupInfo group{3, 3, true};
        QCOMPARE(full(ir::makeSpec(test::activationSpec()), group), QStringLiteral("i8 aff·T Hist ⛓3"));
        LabelContext context;
        context.group = group;
        QCOMPARE(labelText(ir::makeSpec(test::activationSpec()), context).words,
                 QStringLiteral("int8, affine, per tensor, histogram observer, shared group 3 with 2 others"));
        QCOMPARE(full(ir::makeSpec(test::activationSpec()), {3, 1, true}), QStringLiteral("i8 aff·T Hist"));
        QCOMPARE(full(ir::makeSpec(test::activationSpec()), {3, 2, false}), QStringLiteral("i8 aff·T Hist (⛓)3"));
    }

    void sharedLooksThroughToTheSpec()
    {
        const ir::Spec root = ir::makeSpec(test::activationSpec());
        const ir::Spec middle = ir::makeSpec(ir::SharedQuantizationSpec{{1, 2}});
        LabelContext context;
        context.nameOf = [](ir::NodeId id) { return id == 1 ? QStringLiteral("x") : QStringLiteral("cat"); };
        context.specAt = [&](const ir::Position& p) { return p.isEdge() ? root : middle; };
        context.group = {2, 2, true};
        const LabelText label = labelText(ir::makeSpec(ir::SharedQuantizationSpec{{1, ir::kNoNode}}), context);
        QCOMPARE(label.kind, LabelKind::Shared);
        QCOMPARE(plainText(label.full), QStringLiteral("i8 aff·T ⛓2 =x"));
        QCOMPARE(
            label.words,
            QStringLiteral("int8, affine, per tensor, takes the observer of output of x, shared group 2 with 1 other"));
    }

    void sharedInACircleEnds()
    {
        const ir::Spec loop = ir::makeSpec(ir::SharedQuantizationSpec{{1, 2}});
        LabelContext context;
        context.specAt = [&](const ir::Position&) { return loop; };
        QCOMPARE(plainText(labelText(loop, context).full), QStringLiteral("⛓=#1→#2"));
    }

    void threeAbsencesDiffer()
    {
        const LabelText none = labelText(nullptr, {});
        QCOMPARE(plainText(none.full), QStringLiteral("None"));
        QCOMPARE(plainText(absentLabel().full), QStringLiteral("—"));
        QCOMPARE(plainText(notRecordedLabel().full), QStringLiteral("?"));
        QCOMPARE(none.kind, LabelKind::None);
        QVERIFY(none.words != absentLabel().words);
        QVERIFY(absentLabel().words != notRecordedLabel().words);
    }

    void everyDtypeHasAName()
    {
        QCOMPARE(shortName(ir::DType::Float8E4M3FN), QStringLiteral("f8e4m3"));
        QCOMPARE(shortName(ir::DType::BFloat16), QStringLiteral("bf16"));
        for (int i = 0; i <= static_cast<int>(ir::DType::UInt64); ++i)
            QVERIFY(!shortName(static_cast<ir::DType>(i)).isEmpty());
    }

    void numbersAreShort()
    {
        QCOMPARE(displayNumber(-1.9345678), QStringLiteral("−1.935"));
        QCOMPARE(displayNumber(63), QStringLiteral("63"));
    }
};

QTEST_GUILESS_MAIN(LabelTextTest)
#include "tst_label_text.moc"
