#include "ir/spec.h"

#include <QTest>

using namespace gb::ir;

class SpecTest : public QObject {
    Q_OBJECT

private slots:
    void qschemesHaveTorchsNames()
    {
        for (int i = 0; i <= static_cast<int>(QScheme::PerChannelAffineFloatQParams); ++i) {
            const auto scheme = static_cast<QScheme>(i);
            QCOMPARE(qschemeFromName(name(scheme)), std::optional(scheme));
        }
        QVERIFY(!qschemeFromName("per_block"));
        QVERIFY(isPerChannel(QScheme::PerChannelAffineFloatQParams) && !isPerChannel(QScheme::PerTensorSymmetric));
        QVERIFY(isSymmetric(QScheme::PerTensorSymmetric) && !isSymmetric(QScheme::PerChannelAffine));
    }

    void absentKeyAndNoneDiffer()
    {
        Annotation a;
        a.setInput(4, nullptr);
        QVERIFY(a.input(4) && !*a.input(4));
        QVERIFY(!a.input(5));
    }

    void inputKeepsItsPlaceWhenSetAgain()
    {
        Annotation a;
        const Spec first = makeSpec(QuantizationSpec{});
        a.setInput(1, first);
        a.setInput(2, first);
        const Spec second = makeSpec(SharedQuantizationSpec{{1, 3}});
        a.setInput(1, second);
        QCOMPARE(a.inputs.size(), std::size_t{2});
        QCOMPARE(a.inputs[0].first, NodeId{1});
        QVERIFY(as<SharedQuantizationSpec>(*a.input(1)));
        QVERIFY(!as<QuantizationSpec>(*a.input(1)));
    }

    void positionsAreEdgesOrOutputs()
    {
        QVERIFY((Position{1, 2}).isEdge());
        QVERIFY(!(Position{1, kNoNode}).isEdge());
        QVERIFY((Position{1, 2}) != (Position{1, kNoNode}));
        QVERIFY((Position{1, 2}) < (Position{1, 3}));
    }
};

QTEST_GUILESS_MAIN(SpecTest)
#include "tst_spec.moc"
