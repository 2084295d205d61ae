#include "passes/sharing_groups.h"

#include "graph_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using trace::EventKind;

namespace {

/// "a -> b: 0" of every position, in the table's order.
QStringList groupLines(Model& m)
{
    const auto groups = passes::findSharingGroups(m.graph(), passes::specsOf(m.graph()), m.recorder);
    if (!groups)
        return {QString::fromStdString(groups.error().text())};
    QStringList out;
    for (std::size_t row = 0; row < groups->groupOf.size(); ++row)
        out << QString::fromStdString(passes::positionText(m.graph(), groups->specs.rows()[row].position)) + ": "
                   + QString::number(groups->groupOf[row]);
    return out;
}

std::optional<ErrorCode> errorOf(Model& m)
{
    const auto groups = passes::findSharingGroups(m.graph(), passes::specsOf(m.graph()), m.recorder);
    return groups ? std::nullopt : std::optional(groups.error().code);
}

} // namespace

class TestSharingGroups : public QObject {
    Q_OBJECT

private slots:
    void inputsStandBeforeTheOutputInGraphOrder()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.output({tanh});
        m.labelOutput(tanh, uint8());
        m.label(tanh, relu, int8());
        m.labelOutput(relu, uint8());
        const passes::SpecTable specs = passes::specsOf(m.graph());
        QCOMPARE(specs.rows().size(), std::size_t(3));
        QCOMPARE(specs.rows()[0].position.node, relu->id());
        QVERIFY(specs.rows()[1].position.isEdge());
        QCOMPARE(specs.rows()[2].position.node, tanh->id());
    }

    void aSpecOfNoneIsARowForAnInputButNotForAnOutput()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.label(relu, x, nullptr);
        const passes::SpecTable specs = passes::specsOf(m.graph());
        QCOMPARE(specs.rows().size(), std::size_t(1));
        QVERIFY(!specs.rows()[0].spec);
    }

    void anEdgeWithTheSpecOfItsProducerSharesWithIt()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.labelOutput(relu, int8());
        m.label(tanh, relu, int8());
        QCOMPARE(groupLines(m), QStringList({"relu: 0", "relu -> tanh: 0"}));
        QCOMPARE(m.field(EventKind::Share, "how"), QStringList({"same_tensor"}));
    }

    void anEdgeWithAnotherRangeDoesNotShare()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        ir::QuantizationSpec narrow = int8Spec();
        narrow.quantMin = -127;
        m.labelOutput(relu, int8());
        m.label(tanh, relu, ir::makeSpec(narrow));
        QCOMPARE(groupLines(m), QStringList({"relu: 0", "relu -> tanh: 1"}));
        QVERIFY(m.sentences(EventKind::Share).isEmpty());
    }

    void theObserverClassDoesNotCount()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.labelOutput(relu, int8());
        m.label(tanh, relu, ir::makeSpec(int8Spec("HistogramObserver")));
        QCOMPARE(groupLines(m), QStringList({"relu: 0", "relu -> tanh: 0"}));
    }

    void aFixedSpecSharesOnlyWithTheSameScale()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        ir::Node* neg = m.call("aten.neg.default", {ref(relu)});
        ir::FixedQParamsQuantizationSpec fixed;
        fixed.scale = 0.5;
        m.labelOutput(relu, ir::makeSpec(fixed));
        m.label(tanh, relu, ir::makeSpec(fixed));
        fixed.scale = 0.25;
        m.label(neg, relu, ir::makeSpec(fixed));
        QCOMPARE(groupLines(m), QStringList({"relu: 0", "relu -> tanh: 0", "relu -> neg: 1"}));
    }

    void twoUsersOfOneTensorShare()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* a = m.call("aten.tanh.default", {ref(x)});
        ir::Node* b = m.call("aten.neg.default", {ref(x)});
        m.label(a, x, int8());
        m.label(b, x, int8());
        QCOMPARE(groupLines(m), QStringList({"x -> tanh: 0", "x -> neg: 0"}));
        QCOMPARE(m.field(EventKind::Share, "how"), QStringList({"other_user"}));
    }

    void implicitSharingNotAllowedKeepsTheEdgesApart()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* a = m.call("aten.tanh.default", {ref(x)});
        ir::Node* b = m.call("aten.neg.default", {ref(x)});
        m.label(a, x, int8());
        m.label(b, x, int8());
        m.allowImplicitSharing(a, false);
        m.allowImplicitSharing(b, false);
        QCOMPARE(groupLines(m), QStringList({"x -> tanh: 0", "x -> neg: 1"}));
    }

    void oneSideThatAllowsItIsEnough()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* a = m.call("aten.tanh.default", {ref(x)});
        ir::Node* b = m.call("aten.neg.default", {ref(x)});
        m.label(a, x, int8());
        m.label(b, x, int8());
        m.allowImplicitSharing(a, false);
        QCOMPARE(groupLines(m), QStringList({"x -> tanh: 0", "x -> neg: 0"}));
    }

    void sharedSpecsMakeOneGroupAcrossACat()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* y = m.input("y");
        ir::Node* cat = m.call("aten.cat.default", {ir::Argument::list({ref(x), ref(y)}), ir::Argument(1)});
        m.label(cat, x, int8());
        m.label(cat, y, sharedWithEdge(x, cat));
        m.labelOutput(cat, sharedWithEdge(x, cat));
        QCOMPARE(groupLines(m), QStringList({"x -> cat: 0", "y -> cat: 0", "cat: 0"}));
        QCOMPARE(m.field(EventKind::Share, "how"), QStringList({"explicit", "explicit"}));
        QCOMPARE(m.sentences(EventKind::Group), QStringList({"group 0: x -> cat, y -> cat, cat use one observer"}));
    }

    /// The example in torchao's own comment: two cats in a row are one group.
    void groupsJoinTransitively()
    {
        Model m;
        ir::Node* op1 = m.input("op1");
        ir::Node* op2 = m.input("op2");
        ir::Node* op3 = m.input("op3");
        ir::Node* cat1 = m.call("aten.cat.default", {ir::Argument::list({ref(op2), ref(op1)})});
        ir::Node* cat2 = m.call("aten.cat.default", {ir::Argument::list({ref(cat1), ref(op3)})});
        m.labelOutput(op1, int8());
        m.labelOutput(op2, int8());
        m.label(cat1, op1, int8());
        m.label(cat1, op2, sharedWithEdge(op1, cat1));
        m.labelOutput(cat1, sharedWithEdge(op1, cat1));
        m.label(cat2, op3, int8());
        m.label(cat2, cat1, sharedWithEdge(op3, cat2));
        m.labelOutput(cat2, sharedWithEdge(op3, cat2));
        for (const QString& line : groupLines(m))
            QVERIFY2(line.endsWith(": 0"), qPrintable(line));
    }

    /// consumers.merge_output: both edges and the producer's output are one group.
    void producerAndBothUsersAreOneGroup()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* a = m.call("aten.tanh.default", {ref(relu)});
        ir::Node* b = m.call("aten.neg.default", {ref(relu)});
        m.labelOutput(relu, int8());
        m.label(a, relu, int8());
        m.label(b, relu, int8());
        QCOMPARE(groupLines(m), QStringList({"relu: 0", "relu -> tanh: 0", "relu -> neg: 0"}));
    }

    void aTensorUsedTwiceIsOneEdge()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* add = m.call("aten.add.Tensor", {ref(x), ref(x)});
        m.label(add, x, int8());
        m.labelOutput(add, int8());
        QCOMPARE(groupLines(m), QStringList({"x -> add: 0", "add: 1"}));
    }

    /// field.c21: a shared spec that refers to a position without a spec.
    void aSharedSpecThatRefersToNothingIsAKeyError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* sigmoid = m.call("aten.sigmoid.default", {ref(relu)});
        m.labelOutput(sigmoid, sharedWithNode(relu));
        QCOMPARE(errorOf(m), std::optional(ErrorCode::KeyError));
    }

    /// field.c22_cycle_edge: an edge in the cycle makes torchao recurse without end.
    void aCycleThroughAnEdgeIsARecursionError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.labelOutput(relu, sharedWithEdge(relu, tanh));
        m.label(tanh, relu, sharedWithNode(relu));
        QCOMPARE(errorOf(m), std::optional(ErrorCode::RecursionError));
    }

    /// field.c19_rules: an edge that shares with itself.
    void anEdgeThatSharesWithItselfIsARecursionError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* cat = m.call("aten.cat.default", {ir::Argument::list({ref(x), ref(x)})});
        m.label(cat, x, sharedWithEdge(x, cat));
        QCOMPARE(errorOf(m), std::optional(ErrorCode::RecursionError));
    }

    /// field.c22_cycle: outputs alone do not recurse; the group has no spec to make an observer from.
    void aCycleOfOutputsIsAGroup()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.labelOutput(relu, sharedWithNode(tanh));
        m.labelOutput(tanh, sharedWithNode(relu));
        QCOMPARE(groupLines(m), QStringList({"relu: 0", "tanh: 0"}));
    }

    /// A union turns round where the parent refers to the child already.
    void aParentThatRefersToTheChildKeepsTheChildAsRoot()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.label(relu, x, int8());
        m.labelOutput(relu, sharedWithEdge(x, relu));
        m.label(tanh, relu, sharedWithNode(relu));
        QCOMPARE(groupLines(m), QStringList({"x -> relu: 0", "relu: 0", "relu -> tanh: 0"}));
    }

    void manyChainedSharesEndQuickly()
    {
        Model m;
        ir::Node* last = m.input("x");
        for (int i = 0; i < 2000; ++i) {
            ir::Node* next = m.call("aten.relu.default", {ref(last)});
            m.label(next, last, i == 0 ? int8() : sharedWithNode(last));
            m.labelOutput(next, sharedWithEdge(last, next));
            last = next;
        }
        QElapsedTimer timer;
        timer.start();
        const auto groups = passes::findSharingGroups(m.graph(), passes::specsOf(m.graph()), m.recorder);
        QVERIFY(groups.ok());
        QCOMPARE(groups->count, 1);
        QVERIFY(timer.elapsed() < 20000);
    }
};

QTEST_GUILESS_MAIN(TestSharingGroups)
#include "tst_sharing_groups.moc"
