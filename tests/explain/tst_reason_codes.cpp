// For each reason code the smallest graph that produces it, and a neighbour that does not.
#include "explained.h"
#include "recipes.h"

using namespace gb;
using namespace gb::test;
using ir::Argument;
using ir::Node;
using ir::Tensor;

namespace {

using Make = Explained (*)(bool);

Tensor filled(ir::Shape shape)
{
    return Tensor::zeros(ir::DType::Float32, std::move(shape));
}

ir::NodeMetaPtr inModule(const std::string& path, const std::string& type)
{
    auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
    meta->nnModuleStack = {{path, path, type}};
    return meta;
}

Explained r1(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    m.output({m.call(neighbour ? "aten.add.Tensor" : "aten.sub.Tensor", {ref(x), ref(x)})});
    return explained(m.module, kXnnpack);
}

Explained r2(bool neighbour)
{
    Model m;
    Node* w = m.attribute("w", filled({4, 3, 1, 1}));
    Node* x = m.input("x");
    m.output({m.call(neighbour ? "aten.conv2d.default" : "aten.conv2d.padding", {ref(x), ref(w)})});
    return explained(m.module, kXnnpack);
}

Explained r3(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    Node* y = m.input("y");
    auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
    if (neighbour)
        meta->sourceFnStack = {{"cat", "torch.cat"}};
    m.output({m.call("aten.cat.default", {Argument::list({ref(x), ref(y)})}, meta)});
    return explained(m.module, kXnnpack);
}

Explained r4(bool neighbour)
{
    Model m;
    Node* w = m.attribute("w", filled({4, 3}));
    Node* x = m.input("x");
    m.output({m.call("aten.linear.default", {ref(x), ref(w)}, inModule("net.fc", "torch.nn.modules.linear.Linear"))});
    return explained(m.module, neighbour ? R"({"quantizer": "xnnpack", "module_name": {"net.fc": {}}})"
                                         : R"({"quantizer": "xnnpack", "module_name": {"fc": {}}})");
}

Explained r5(bool neighbour)
{
    Model m;
    Node* w = m.attribute("w", filled({3, 3, 1, 1}));
    Node* v = m.attribute("v", filled({3, 3, 1, 1}));
    Node* x = m.input("x");
    Node* first = m.call("aten.conv2d.default", {ref(x), ref(w)});
    m.output({m.call("aten.conv2d.default", {ref(first), ref(neighbour ? v : w)})});
    return explained(m.module, kXnnpack);
}

Explained r6(bool neighbour)
{
    Model m;
    Node* abs = m.call("aten.abs.default", {ref(m.input("x"))});
    Node* relu = m.call("aten.relu.default", {ref(abs)});
    m.output(neighbour ? std::vector<const Node*>{relu}
                       : std::vector<const Node*>{relu, m.call("aten.neg.default", {ref(abs)})});
    return explained(m.module, outputRule(R"(["aten.abs.default", "aten.relu.default"])"));
}

Explained r7(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    if (!neighbour)
        m.graph().setMeta(x, tensorMeta(ir::DType::Int64));
    m.output({m.call("aten.add.Tensor", {ref(x), ref(x)})});
    return explained(m.module, kXnnpack);
}

Explained r8(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    m.output({m.call("aten.add.Tensor", {ref(x), Argument(neighbour ? 2.0 : 1e30)})});
    return explained(m.module, kXnnpack);
}

Explained r9(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    Node* before = neighbour ? m.call("aten.add.Tensor", {ref(x), ref(x)}) : x;
    m.output({m.call("aten.flatten.using_ints", {ref(before)})});
    return explained(m.module, kXnnpack);
}

Explained r10(bool neighbour)
{
    Model m;
    auto body = std::make_shared<ir::GraphModule>(m.module->ids(), "submod_1");
    ir::GraphModule& home = neighbour ? *m.module : *body;
    Node* inner =
        home.graph().append({.op = ir::Op::Placeholder, .target = "x", .nameHint = "x", .meta = tensorMeta()});
    home.graph().append({.op = ir::Op::CallFunction,
                         .target = "aten.add.Tensor",
                         .args = {ref(inner), ref(inner)},
                         .nameHint = "add",
                         .meta = tensorMeta()});
    if (!neighbour) {
        m.module->setSubgraph("submod_1", body);
        Node* function = m.graph().append({.op = ir::Op::GetAttr, .target = "submod_1"});
        m.graph().append({.op = ir::Op::CallFunction,
                          .target = "wrap_with_set_grad_enabled",
                          .args = {Argument(false), ref(function), ref(m.input("y"))}});
    }
    m.output({});
    return explained(m.module, kXnnpack);
}

Explained r11(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    m.output({m.call(neighbour ? "aten.bmm.default" : "aten.scaled_dot_product_attention.default",
                     {ref(x), ref(x), ref(x)})});
    return explained(m.module, kXnnpack);
}

Explained r13(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    m.output({m.call("aten.add.Tensor", {ref(x), ref(x)})});
    return explained(m.module, neighbour ? kXnnpack : R"({"quantizer": "xnnpack", "global": {"is_dynamic": true}})");
}

Explained r14(bool neighbour)
{
    Model m;
    Node* w = m.attribute("w", filled({3, 3}));
    Node* x = m.input("x");
    Node* linear = m.call("aten.linear.default", {ref(x), ref(w)}, tensorMeta());
    Node* y = m.input("y");
    if (!neighbour)
        m.graph().setMeta(y, tensorMeta(ir::DType::Float32, {1, 3}));
    m.output({m.call("aten.mul.Tensor", {ref(linear), ref(y)})});
    return explained(m.module, kX86);
}

Explained r16(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    m.output(
        {m.call("aten.add.Tensor", {ref(x), ref(x)}),
         m.call("aten.linear.default", neighbour ? std::vector<Argument>{ref(x), ref(x)} : std::vector<Argument>{})});
    return explained(m.module, kXnnpack);
}

Explained r18(bool neighbour)
{
    Model m;
    Node* x = m.input("x");
    if (neighbour) // a rule of the op labels its attribute as a part of the pattern
        m.call("aten.conv2d.default", {ref(x), ref(m.attribute("w", filled({3, 3, 1, 1})))});
    else
        m.call("aten.conv2d.padding", {ref(x), ref(m.attribute("w", filled({3, 3, 1, 1})))});
    m.output({});
    return explained(m.module, kXnnpack);
}

} // namespace

class TestReasonCodes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNodeWithoutALabel_data()
    {
        QTest::addColumn<Make>("make");
        QTest::addColumn<QByteArray>("node");
        QTest::addColumn<QByteArray>("beside"); ///< what the neighbour gives
        const auto row = [](const char* code, Make make, const char* node, const char* beside = "labelled") {
            QTest::newRow(code) << make << QByteArray(node) << QByteArray(beside);
        };
        row("R1", r1, "sub");
        row("R2", r2, "conv2d");
        row("R3", r3, "cat");
        row("R4", r4, "linear");
        row("R5", r5, "conv2d_1");
        row("R6", r6, "abs_1");
        row("R7", r7, "add");
        row("R8", r8, "add");
        row("R9", r9, "flatten");
        row("R10", r10, "add");
        row("R11", r11, "scaled_dot_product_attention");
        row("R13", r13, "add");
        row("R14", r14, "mul");
        row("R16", r16, "add");
        row("R18", r18, "w");
    }
    void aNodeWithoutALabel()
    {
        QFETCH(Make, make);
        QFETCH(QByteArray, node);
        QFETCH(QByteArray, beside);
        const Explained run = make(false);
        QCOMPARE(QByteArray::fromStdString(run.codeOf(node.toStdString())), QByteArray(QTest::currentDataTag()));
        const explain::NodeReason* reason = run.reason(node.toStdString());
        QVERIFY(reason && !reason->sentence.empty());
        QVERIFY(reason->sentence.text().find(node.toStdString()) != std::string::npos);
        QCOMPARE(QByteArray::fromStdString(make(true).codeOf(node.toStdString())), beside);
    }

    // R12 and R15 are said of nodes that have a label
    void r12ALabelThatPrepareDrops()
    {
        const auto make = [](const char* target) {
            Model m;
            auto several = std::make_shared<ir::NodeMeta>();
            several->val.kind = ir::ValueMeta::Kind::Several;
            Node* chunk = m.call("aten.chunk.default", {ref(m.input("x")), Argument(2)}, several);
            m.output({m.call("<built-in function getitem>", {ref(chunk), Argument(0)})});
            return explained(m.module, outputRule(std::string("[\"") + target + "\"]"));
        };
        const Explained dropped = make("aten.chunk.default");
        QVERIFY(dropped.hasFinding("R12"));
        QCOMPARE(dropped.droppedCodes(), std::string("O5"));
        const Explained kept = make("<built-in function getitem>");
        QVERIFY(!kept.hasFinding("R12"));
        QCOMPARE(kept.droppedCodes(), std::string());
    }

    void r15ALabelThatAnotherQuantizerEdits()
    {
        const auto make = [](bool twice) {
            Model m;
            m.output({m.call("aten.relu.default", {ref(m.input("x"))})});
            return explained(m.module, reluTwice(twice));
        };
        QVERIFY(make(true).hasFinding("R15"));
        QVERIFY(!make(false).hasFinding("R15"));
    }

    void r17ARecordingWithoutAttempts()
    {
        const Explained run = r1(false);
        auto silent = std::make_shared<trace::Recording>(*run.recording);
        for (trace::Event& e : silent->events)
            if (e.kind == trace::EventKind::Rule || e.kind == trace::EventKind::Attempt)
                e.kind = trace::EventKind::Pass;
        const auto answer = explain::explain(silent, {});
        QVERIFY(answer.ok());
        QCOMPARE(answer->nodes[0].code, std::string("R17"));
        QCOMPARE(run.codeOf("sub"), std::string("R1"));
    }

    void o1IsASpecOfNone()
    {
        const auto make = [](bool bias) {
            Model m;
            Node* w = m.attribute("w", filled({3, 3}));
            std::vector<Argument> args{ref(m.input("x")), ref(w)};
            if (bias)
                args.push_back(ref(m.attribute("b", filled({3}))));
            m.output({m.call("aten.linear.default", args)});
            return explained(m.module, kXnnpack);
        };
        const Explained with = make(true);
        QCOMPARE(with.droppedCodes(), std::string("O1 C2")); // the weight's quantize is folded in both
        QCOMPARE(with.answer.nodes[0].node, std::string("linear"));
        QVERIFY(with.answer.nodes[0].position.isEdge());
        QCOMPARE(make(false).droppedCodes(), std::string("C2"));
    }

    void o2IsTheProducersObserver()
    {
        // the second operand of one add is the same edge as the first
        QCOMPARE(r9(true).droppedCodes(), std::string("O3 O2"));
        QCOMPARE(r1(true).droppedCodes(), std::string("O3"));
    }

    void o3IsAnotherUsersObserver()
    {
        const auto make = [](bool same) {
            Model m;
            Node* x = m.input("x");
            Node* y = m.input("y");
            m.output({m.call("aten.add.Tensor", {ref(x), ref(x)}),
                      m.call("aten.add.Tensor", {ref(same ? x : y), ref(same ? x : y)})});
            return explained(m.module, kXnnpack).droppedCodes();
        };
        QCOMPARE(make(true), std::string("O3 O3 O3"));
        QCOMPARE(make(false), std::string("O3 O3"));
    }

    void o4IsAWriteIntoABuffer()
    {
        const auto make = [](ir::AttributeKind kind) {
            Model m;
            Node* cache = m.attribute("cache", filled({2, 3}), kind);
            m.output({m.call("aten.copy_.default", {ref(cache), ref(m.input("x"))})});
            return explained(m.module, inputRule("[\"aten.copy_.default\"]")).droppedCodes();
        };
        QCOMPARE(make(ir::AttributeKind::Buffer), std::string("O4"));
        QCOMPARE(make(ir::AttributeKind::Parameter), std::string("C2"));
    }

    void o6IsATensorByKeyword()
    {
        const auto make = [](bool keyword) {
            Model m;
            Node* x = m.input("x");
            Node* add = m.call("aten.add.Tensor", {ref(x), ref(x)});
            if (keyword)
                m.graph().setArgs(add, add->args(), {{"alpha", ref(m.input("a"))}});
            m.output({add});
            return explained(m.module, kXnnpack);
        };
        QVERIFY(make(true).droppedCodes().find("O6") != std::string::npos);
        QVERIFY(make(true).hasFinding("R12"));
        QVERIFY(make(false).droppedCodes().find("O6") == std::string::npos);
    }

    void c1IsADtypeThatCannotBeConverted()
    {
        const auto make = [](const char* dtype) {
            Model m;
            m.output({m.call("aten.relu.default", {ref(m.input("x"))})});
            return explained(m.module, reluPlaceholder(dtype), {}, oneBatch()).droppedCodes();
        };
        QCOMPARE(make("float32"), std::string("C1"));
        QCOMPARE(make("float16"), std::string());
    }

    void c2IsAQuantizeThatWasFolded()
    {
        const auto make = [](bool fold) {
            Model m;
            Node* w = m.attribute("w", Tensor::fromVector(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3}));
            m.output({m.call("aten.linear.default", {ref(m.input("x")), ref(w)})});
            engine::RunOptions options;
            options.foldQuantize = fold;
            return explained(m.module, kXnnpack, options, oneBatch());
        };
        const Explained folded = make(true);
        QCOMPARE(folded.droppedCodes(), std::string("C2"));
        QVERIFY(folded.answer.nodes[0].sentence.text().find("_frozen_param0") != std::string::npos);
        QCOMPARE(make(false).droppedCodes(), std::string());
    }

    void c3IsSaidByTheRecording()
    {
        // none of the observers that this program makes has a convert of its own: it comes from a recording of torchao
        Model m;
        m.output({m.call("aten.relu.default", {ref(m.input("x"))})});
        const Explained run = explained(m.module, kRelu, {}, oneBatch());
        QCOMPARE(run.droppedCodes(), std::string());
        auto own = std::make_shared<trace::Recording>(*run.recording);
        for (trace::Event& e : own->events)
            if (e.kind == trace::EventKind::Rewrite && e.name == "replace_observer")
                e.fields.emplace_back("code", Argument("C3"));
        const auto answer = explain::explain(own, run.recipe);
        QVERIFY(answer.ok());
        QCOMPARE(answer->nodes[0].code, std::string("C3"));
    }

    void c4IsAPairThatNothingUses()
    {
        const auto make = [](bool used) {
            Model m;
            Node* x = m.input("x");
            Node* relu = m.call("aten.relu.default", {ref(x)});
            Node* abs = m.call("aten.abs.default", {ref(x)});
            m.output(used ? std::vector<const Node*>{relu, abs} : std::vector<const Node*>{abs});
            return explained(m.module, kRelu, {}, oneBatch()).droppedCodes();
        };
        QCOMPARE(make(false), std::string("C4"));
        QCOMPARE(make(true), std::string());
    }

    void evidenceHasTheValuesFound()
    {
        const explain::NodeReason reason = *r7(false).reason("add");
        QCOMPARE(reason.evidence.size(), std::size_t{2});
        QCOMPARE(reason.evidence[1].sentence.text(), std::string("inputs: x is int64 [2, 3]"));
        const explain::NodeReason marked = *r5(false).reason("conv2d_1");
        QVERIFY(marked.evidence[0].event >= 0);
        QVERIFY(marked.evidence[0].sentence.text().starts_with("rule conv of xnnpack marked it"));
        QCOMPARE(marked.rules.back().code, std::string("R5"));
    }

    void aDroppedLabelSaysWhatItAskedForAndWhoWroteIt()
    {
        const Explained run = r1(true); // add(x, x): the second operand's label takes the first one's observer
        const auto dropped = std::ranges::find(run.answer.nodes, std::string("O3"), &explain::NodeReason::code);
        QVERIFY(dropped != run.answer.nodes.end());
        QCOMPARE(dropped->evidence.size(), std::size_t{1});
        QVERIFY(dropped->evidence[0].sentence.text().starts_with("the label x -> add asks for int8"));
        const trace::Event& wrote = run.recording->events[static_cast<std::size_t>(dropped->evidence[0].event)];
        QCOMPARE(wrote.kind, trace::EventKind::Annotate);
    }

    void aSpellingIsNamedInWhatToChange()
    {
        QCOMPARE(r2(false).reason("conv2d")->toChange.text(),
                 std::string("write the model so that it exports aten.conv2d.default instead of aten.conv2d.padding"));
    }
};

QTEST_GUILESS_MAIN(TestReasonCodes)
#include "tst_reason_codes.moc"
