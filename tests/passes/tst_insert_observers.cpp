#include "passes/insert_observers.h"
#include "passes/prepare.h"

#include "graph_builder.h"
#include "trace/replay.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using trace::EventKind;

namespace {

base::Status prepared(Model& m, bool isQat = false)
{
    passes::PassContext context = m.context();
    return passes::prepareAnnotated(*m.module, isQat, context);
}

} // namespace

class TestInsertObservers : public QObject {
    Q_OBJECT

private slots:
    void inputAndOutputObserversAreNumberedAsTheyAreInserted()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.output({relu});
        m.label(relu, x, int8());
        m.labelOutput(relu, uint8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "activation_post_process_0(x)", "relu(activation_post_process_0)",
                                         "activation_post_process_1(relu)", "output(activation_post_process_1)"}));
        const auto& modules = m.module->modules();
        QCOMPARE(modules.size(), std::size_t(2));
        QVERIFY(modules.at("activation_post_process_0") != modules.at("activation_post_process_1"));
        QCOMPARE(m.sentences(EventKind::Insert).size(), 2);
    }

    void aNodeWithoutLabelIsLeftAlone()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.output({relu});
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "relu(x)", "output(relu)"}));
    }

    void anEdgeInTheGroupOfItsProducerTakesTheOutputObserver()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.output({tanh});
        m.labelOutput(relu, int8());
        m.label(tanh, relu, int8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "relu(x)", "activation_post_process_0(relu)",
                                         "tanh(activation_post_process_0)", "output(tanh)"}));
        QCOMPARE(m.field(EventKind::Reuse, "why"), QStringList({"output"}));
    }

    void anEdgeWithAnotherSpecGoesBehindTheOutputObserver()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.output({tanh});
        m.labelOutput(relu, int8());
        m.label(tanh, relu, uint8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "relu(x)", "activation_post_process_0(relu)",
                                         "activation_post_process_1(activation_post_process_0)",
                                         "tanh(activation_post_process_1)", "output(tanh)"}));
    }

    void twoUsersInOneGroupTakeOneObserverNode()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* tanh = m.call("aten.tanh.default", {ref(x)});
        ir::Node* neg = m.call("aten.neg.default", {ref(x)});
        m.output({tanh, neg});
        m.label(tanh, x, int8());
        m.label(neg, x, int8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "activation_post_process_0(x)", "tanh(activation_post_process_0)",
                                         "neg(activation_post_process_0)", "output(tanh, neg)"}));
        QCOMPARE(m.field(EventKind::Reuse, "why"), QStringList({"other_user"}));
    }

    void twoUsersThatMayNotShareGetTwoObservers()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* tanh = m.call("aten.tanh.default", {ref(x)});
        ir::Node* neg = m.call("aten.neg.default", {ref(x)});
        m.output({tanh, neg});
        m.label(tanh, x, int8());
        m.label(neg, x, int8());
        m.allowImplicitSharing(tanh, false);
        m.allowImplicitSharing(neg, false);
        QVERIFY(prepared(m).ok());
        // inserting_after puts the second one directly behind x, before the first
        QCOMPARE(m.lines(), QStringList({"x", "activation_post_process_1(x)", "activation_post_process_0(x)",
                                         "tanh(activation_post_process_0)", "neg(activation_post_process_1)",
                                         "output(tanh, neg)"}));
    }

    void xPlusXGetsOneObserver()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* add = m.call("aten.add.Tensor", {ref(x), ref(x)});
        m.output({add});
        m.label(add, x, int8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(),
                 QStringList({"x", "activation_post_process_0(x)", "add(activation_post_process_0)", "output(add)"}));
        QCOMPARE(add->args()[0], add->args()[1]);
    }

    void aCatOfOneTensorTwiceGetsOneObserverInItsList()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* cat = m.call("aten.cat.default", {ir::Argument::list({ref(x), ref(x)}), ir::Argument(1)});
        m.output({cat});
        m.label(cat, x, int8());
        m.labelOutput(cat, sharedWithEdge(x, cat));
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "activation_post_process_0(x)", "cat(activation_post_process_0)",
                                         "activation_post_process_1(cat)", "output(activation_post_process_1)"}));
        const auto* list = cat->args()[0].as<ir::Sequence>();
        QVERIFY(list && !list->tuple);
        QCOMPARE(list->items[0], list->items[1]);
        // two nodes, one observer
        QCOMPARE(m.module->module("activation_post_process_0"), m.module->module("activation_post_process_1"));
    }

    void anInputOfNoneGetsNoObserver()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.output({relu});
        m.label(relu, x, nullptr);
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.lines(), QStringList({"x", "relu(x)", "output(relu)"}));
        QCOMPARE(m.field(EventKind::Drop, "code"), QStringList({"O1"}));
    }

    void severalOutputsAreNotObserved()
    {
        Model m;
        ir::Node* x = m.input("x");
        auto several = std::make_shared<ir::NodeMeta>();
        several->val.kind = ir::ValueMeta::Kind::Several;
        ir::Node* split = m.call("aten.split.Tensor", {ref(x), ir::Argument(1)}, several);
        ir::Node* item = m.call("<built-in function getitem>", {ref(split), ir::Argument(0)});
        m.output({item});
        m.label(split, x, int8());
        m.labelOutput(split, int8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.module->modules().size(), std::size_t(1));
        QCOMPARE(m.field(EventKind::Drop, "code"), QStringList({"O5"}));
    }

    void theDestinationOfAWriteToABufferIsNotObserved()
    {
        Model m;
        ir::Node* state =
            m.attribute("state", ir::Tensor::zeros(ir::DType::Float32, {2, 3}), ir::AttributeKind::Buffer);
        ir::Node* x = m.input("x");
        ir::Node* copy = m.call("aten.copy_.default", {ref(state), ref(x)});
        m.output({copy});
        m.label(copy, state, int8());
        m.label(copy, x, int8());
        QVERIFY(prepared(m).ok());
        QCOMPARE(copy->args()[0].nodeId(), state->id());
        QCOMPARE(m.field(EventKind::Drop, "code"), QStringList({"O4"}));
        QCOMPARE(m.module->modules().size(), std::size_t(1));
    }

    void aParameterThatIsWrittenToIsObserved()
    {
        Model m;
        ir::Node* state = m.attribute("state", ir::Tensor::zeros(ir::DType::Float32, {2, 3}));
        ir::Node* x = m.input("x");
        ir::Node* copy = m.call("aten.copy_.default", {ref(state), ref(x)});
        m.output({copy});
        m.label(copy, state, int8());
        QVERIFY(prepared(m).ok());
        QVERIFY(copy->args()[0].nodeId() != state->id());
    }

    void aLabelledNodeWithATensorByKeywordIsAnAssertionError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.graph().setArgs(relu, {ref(x)}, {{"out", ref(x)}});
        m.output({relu});
        m.label(relu, x, int8());
        const base::Status status = prepared(m);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, ErrorCode::AssertionError);
        QCOMPARE(m.field(EventKind::Drop, "code"), QStringList({"O6"}));
    }

    void aTensorInAListByKeywordIsAnAssertionErrorToo()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.graph().setArgs(relu, {ref(x)}, {{"size", ir::Argument::list({ir::Argument(2), ref(x)})}});
        m.output({relu});
        m.labelOutput(relu, int8());
        QCOMPARE(prepared(m).error().code, ErrorCode::AssertionError);
    }

    /// field.c22_cycle
    void aCycleOfOutputsIsAnAssertionError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        ir::Node* tanh = m.call("aten.tanh.default", {ref(relu)});
        m.output({tanh});
        m.labelOutput(relu, sharedWithNode(tanh));
        m.labelOutput(tanh, sharedWithNode(relu));
        const base::Status status = prepared(m);
        QCOMPARE(status.error().code, ErrorCode::AssertionError);
        QVERIFY(QString::fromStdString(status.error().text()).contains("tanh"));
    }

    void anOutputThatSharesWithAnUnquantizedEdgeIsAnAttributeError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.output({relu});
        m.label(relu, x, nullptr);
        m.labelOutput(relu, sharedWithEdge(x, relu));
        QCOMPARE(prepared(m).error().code, ErrorCode::AttributeError);
    }

    void aDerivedSpecWithoutItsSourceIsAKeyError()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.output({relu});
        ir::DerivedQuantizationSpec derived;
        derived.from = {{x->id(), relu->id()}, {x->id(), relu->id()}};
        derived.derive = "bias";
        m.labelOutput(x, ir::makeSpec(derived));
        m.label(relu, x, uint8());
        QCOMPARE(prepared(m).error().code, ErrorCode::KeyError);
    }

    /// torchao hands None on to the derived observer, which fails only when it is asked for its qparams.
    void aDerivedSpecOfAnUnquantizedEdgeFailsOnlyLater()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* b = m.input("b");
        ir::Node* add = m.call("aten.add.Tensor", {ref(x), ref(b)});
        m.output({add});
        ir::DerivedQuantizationSpec derived;
        derived.from = {{x->id(), add->id()}, {x->id(), add->id()}};
        derived.derive = "bias";
        m.label(add, x, nullptr);
        m.label(add, b, ir::makeSpec(derived));
        QVERIFY(prepared(m).ok());
        const auto observer = std::dynamic_pointer_cast<quant::Observer>(m.module->module("activation_post_process_0"));
        QVERIFY(observer);
        QCOMPARE(observer->calculateQParams().error().code, ErrorCode::AttributeError);
    }

    void settingArgumentsMovesTheUserToTheEnd()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* y = m.input("y");
        ir::Node* a = m.call("aten.add.Tensor", {ref(x), ref(y)});
        ir::Node* b = m.call("aten.mul.Tensor", {ref(x), ref(y)});
        m.output({a, b});
        m.label(a, x, nullptr);
        QVERIFY(prepared(m).ok());
        QCOMPARE(m.users(x), QStringList({"mul", "add"}));
    }

    void unusedAttributesGo()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* w = m.attribute("net.weight", ir::Tensor::zeros(ir::DType::Float32, {3}));
        ir::Node* add = m.call("aten.add.Tensor", {ref(x), ref(w)});
        m.output({add});
        m.module->setAttribute("net.unused", {ir::Tensor::zeros(ir::DType::Float32, {1})});
        QVERIFY(prepared(m).ok());
        QVERIFY(m.module->attribute("net.weight"));
        QVERIFY(!m.module->attribute("net.unused"));
    }

    void anObserverTakesTheNextFreeName()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* w = m.attribute("activation_post_process_0", ir::Tensor::zeros(ir::DType::Float32, {3}));
        ir::Node* add = m.call("aten.add.Tensor", {ref(x), ref(w)});
        m.output({add});
        m.label(add, x, int8());
        QVERIFY(prepared(m).ok());
        QVERIFY(m.module->module("activation_post_process_1"));
    }

    void theRecordingReplaysToTheSameGraph()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        m.output({relu});
        m.label(relu, x, int8());
        m.labelOutput(relu, int8());
        QVERIFY(prepared(m).ok());
        const QStringList lines = m.lines();
        m.module->setListener(nullptr);
        trace::Replay replay(m.recorder.publish());
        const auto moment = replay.at(1 << 20);
        QVERIFY(moment.ok());
        QStringList replayed;
        for (const ir::Node* n = (*moment)->top().graph->first(); n; n = n->next())
            replayed << QString::fromStdString(n->name());
        QCOMPARE(replayed.size(), lines.size());
        QCOMPARE((*moment)->top().observers.size(), std::size_t(2));
    }
};

QTEST_GUILESS_MAIN(TestInsertObservers)
#include "tst_insert_observers.moc"
