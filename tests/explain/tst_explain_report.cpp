// Provenance, coverage, ledger and problems of small runs.
#include "explain/cascade.h"
#include "explain/observer_problems.h"
#include "explain/provenance.h"
#include "explained.h"
#include "recipes.h"

using namespace gb;
using namespace gb::test;
using explain::LedgerEntry;
using explain::LedgerKind;
using explain::Standing;
using ir::Argument;
using ir::Node;
using ir::Tensor;

namespace {

ir::NodeId idOf(const Explained& run, const std::string& name)
{
    for (const trace::Event& e : run.recording->events)
        for (const trace::Edit& edit : e.edits)
            if (const auto* added = std::get_if<trace::NodeAdded>(&edit); added && added->row.name == name)
                return added->row.id;
    return ir::kNoNode;
}

std::vector<explain::LabelWrite> history(const Explained& run, const std::string& name)
{
    trace::Replay replay(run.recording);
    const auto moment = replay.at(run.recording->stageEvent("annotated"));
    return explain::labelHistory(*run.recording, *(*moment)->top().graph, idOf(run, name));
}

std::vector<LedgerEntry> entries(const Explained& run, LedgerKind kind)
{
    std::vector<LedgerEntry> out;
    std::ranges::copy_if(run.report->ledger.entries, std::back_inserter(out),
                         [kind](const LedgerEntry& e) { return e.kind == kind; });
    return out;
}

Explained relu(const std::string& recipe, Tensor value, engine::RunOptions options = {})
{
    Model m;
    m.output({m.call("aten.relu.default", {ref(m.input("x"))})});
    return explained(m.module, recipe, std::move(options), {{std::move(value)}});
}

Tensor ones(ir::Shape shape, float value = 1.0F)
{
    std::size_t count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<std::size_t>(size);
    return Tensor::fromVector(std::vector<float>(count, value), std::move(shape));
}

/// conv, batch norm; the conv is read by relu too where `read`.
Explained convBn(bool read)
{
    Model m;
    Node* w = m.attribute("w", ones({2, 3, 1, 1}, 0.5F));
    std::vector<Argument> args;
    for (const float value : {2.0F, 1.0F, 0.5F, 4.0F})
        args.push_back(
            ref(m.attribute("bn" + std::to_string(args.size()), ones({2}, value), ir::AttributeKind::Buffer)));
    Node* x = m.input("x");
    Node* conv = m.call("aten.conv2d.default", {ref(x), ref(w)}, tensorMeta(ir::DType::Float32, {1, 2, 1, 2}));
    args.insert(args.begin(), ref(conv));
    args.insert(args.end(), {Argument(false), Argument(0.1), Argument(1e-5), Argument(true)});
    Node* bn = m.call("aten.batch_norm.default", args);
    m.output(read ? std::vector<const Node*>{bn, m.call("aten.relu.default", {ref(conv)})}
                  : std::vector<const Node*>{bn});
    return explained(m.module, kXnnpack, {}, {{ones({1, 3, 1, 2}, 3.0F)}});
}

} // namespace

class TestExplainReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLabelKnowsWhereItCameFrom()
    {
        const Explained run = relu(kRelu, ones({2, 3}));
        const auto writes = history(run, "relu");
        QCOMPARE(writes.size(), std::size_t{2}); // the output, then the mark
        QCOMPARE(writes[0].quantizer, std::string("rules"));
        QCOMPARE(writes[0].rule, std::string("r"));
        QCOMPARE(writes[0].chain, std::vector<std::string>{"relu"});
        QVERIFY(writes[0].event > 0 && !writes[0].replaced);
        QCOMPARE(writes[0].changes, (std::vector<explain::LabelChange>{{"output", "—", "int8 (MinMaxObserver)"}}));
        QCOMPARE(writes[1].changes, (std::vector<explain::LabelChange>{{"annotated", "—", "true"}}));
        QCOMPARE(writes[0].sentence.text(), std::string("rule r of rules labels relu, which it matched as relu"));
        QVERIFY(history(run, "x").empty());
    }

    void aSecondWriterIsToldFromTheFirst()
    {
        const auto writes = history(relu(reluTwice(true), ones({2, 3})), "relu");
        QCOMPARE(writes.back().place, std::string("1"));
        QVERIFY(writes.back().sentence.text().starts_with("rule r of rules (quantizer 1) edits the label of relu"));
        QVERIFY(!writes.back().replaced);
    }

    void settingsComeInOrderAndOneWins()
    {
        Model m;
        auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
        meta->nnModuleStack = {{"fc", "fc", "torch.nn.modules.linear.Linear"}};
        Node* linear = m.call("aten.linear.default", {ref(m.input("x")), ref(m.attribute("w", ones({3, 3})))}, meta);
        m.output({linear});
        const Explained run = explained(m.module, kTwoSettings);
        const auto cascade = explain::settingsCascade(*run.recording, linear->id());
        QCOMPARE(cascade.size(), std::size_t{3});
        QCOMPARE(cascade[0].setting, std::string("module_name head"));
        QVERIFY(cascade[0].state == explain::CascadeEntry::State::Excluded);
        QCOMPARE(cascade[1].setting, std::string("module_name fc"));
        QVERIFY(cascade[1].state == explain::CascadeEntry::State::Wins);
        QCOMPARE(cascade[2].setting, std::string("global"));
        QVERIFY(cascade[2].state == explain::CascadeEntry::State::Excluded);
        QCOMPARE(std::string(explain::name(cascade[1].state)), std::string("wins"));
    }

    void coverageCountsByOpAndModule()
    {
        Model m;
        Node* x = m.input("x");
        Node* add = m.call("aten.add.Tensor", {ref(x), ref(x)});
        Node* flat = m.call("aten.flatten.using_ints", {ref(add)});
        Node* second = m.call("aten.flatten.using_ints", {ref(x)});
        m.output({flat, second, m.call("aten.cos.default", {ref(x)})});
        const Explained run = explained(m.module, kXnnpack);
        const explain::Coverage& c = run.report->coverage;
        QCOMPARE(c.all.total, 4);
        QCOMPARE(c.all.at(Standing::Labelled), 1);
        QCOMPARE(c.all.at(Standing::Propagated), 1);
        QCOMPARE(c.all.at(Standing::Refused), 1);
        QCOMPARE(c.all.at(Standing::None), 1);
        QCOMPARE(c.byOp.size(), std::size_t{3});
        QCOMPARE(c.byOp[2].name, std::string("aten.flatten.using_ints"));
        QCOMPARE(c.byOp[2].total, 2);
        QCOMPARE(c.byModule.size(), std::size_t{1});
        QVERIFY(!c.nothingLabelled);
        QCOMPARE(run.problem("nothing labelled"), std::string());
    }

    void nothingLabelledIsSaidFirst()
    {
        Model m;
        m.output({m.call("aten.cos.default", {ref(m.input("x"))})});
        const Explained run = explained(m.module, kXnnpack);
        QVERIFY(run.report->coverage.nothingLabelled);
        QCOMPARE(run.answer.findings[0].sentence.text(), std::string("nothing was labelled: 1 of 1 ops stay in float"));
        QVERIFY(run.answer.findings[0].severity == explain::Severity::Error);
    }

    void aFoldedBatchNormIsInTheLedgerWithItsWeights()
    {
        const Explained run = convBn(false);
        const auto folded = entries(run, LedgerKind::BatchNormFolded);
        QCOMPARE(folded.size(), std::size_t{1});
        QCOMPARE(folded[0].details.size(), std::size_t{2});
        QCOMPARE(folded[0].details[0], std::string("w: 0.5 to 0.5 before, 0.5 to 0.5 after"));
        QVERIFY(folded[0].details[1].starts_with("w_bias: new, float32 [2]"));
        QVERIFY(entries(run, LedgerKind::BatchNormKept).empty());
        QCOMPARE(run.problem("output changed by prepare"), std::string());
        QCOMPARE(run.problem("batch norm folded under another reader"), std::string());
    }

    void aFoldUnderAnotherReaderIsShouted()
    {
        const Explained run = convBn(true);
        QCOMPARE(run.problem("batch norm folded under another reader"),
                 std::string("batch_norm was folded into conv2d, which relu reads too: that gets other values now"));
        QVERIFY(run.problem("output changed by prepare").starts_with("the prepared model differs from the float one"));
        const auto compared = entries(run, LedgerKind::Compared);
        QVERIFY(!compared.empty() && compared[0].alarm);
    }

    void aKeptBatchNormSaysWhy()
    {
        Model m;
        std::vector<Argument> args{ref(m.input("x"))};
        for (int i = 0; i < 4; ++i)
            args.push_back(ref(m.attribute("bn" + std::to_string(i), ones({3}), ir::AttributeKind::Buffer)));
        args.insert(args.end(), {Argument(false), Argument(0.1), Argument(1e-5), Argument(true)});
        m.output({m.call("aten.batch_norm.default", args)});
        const auto kept = entries(explained(m.module, kXnnpack), LedgerKind::BatchNormKept);
        QCOMPARE(kept.size(), std::size_t{1});
        QCOMPARE(kept[0].sentence.text(),
                 std::string("batch_norm is kept: x (x) before it is no convolution and no linear"));
    }

    void numbersAndFoldedWeightsAreInTheLedger()
    {
        Model m;
        Node* w = m.attribute("net.w", ones({3, 3}));
        Node* linear = m.call("aten.linear.default", {ref(m.input("x")), ref(w)});
        m.output({m.call("aten.add.Tensor", {ref(linear), Argument(2.0)})});
        const Explained run = explained(m.module, kXnnpack, {}, oneBatch());
        QCOMPARE(entries(run, LedgerKind::ScalarToTensor).size(), std::size_t{1});
        const auto folded = entries(run, LedgerKind::Folded);
        QCOMPARE(folded.size(), std::size_t{2}); // the weight and the number
        QCOMPARE(folded[0].bytesBefore, std::int64_t{36});
        QCOMPARE(folded[0].bytesAfter, std::int64_t{9});
        QCOMPARE(run.report->ledger.storedBefore, std::int64_t{36});
        QVERIFY(run.report->ledger.readAfter <= run.report->ledger.storedAfter);
        const auto unread = entries(run, LedgerKind::Unread);
        QVERIFY(std::ranges::any_of(unread, [](const LedgerEntry& e) {
            return e.sentence.text() == "net.w (36 bytes) is stored, but no node reads it";
        }));
    }

    void anIntegerThatBecameFloatIsSaid()
    {
        Model m;
        Node* x = m.input("x");
        m.graph().setMeta(x, tensorMeta(ir::DType::Int32));
        m.output({m.call("aten.add.Tensor", {ref(x), Argument(2)}, tensorMeta(ir::DType::Int32))});
        const Explained run = explained(m.module, kXnnpack);
        QCOMPARE(run.problem("dtype changed"),
                 std::string("add gave int32; with its number as a float32 tensor it gives float32"));
    }

    void anObserverThatNeverRan()
    {
        engine::RunOptions none;
        none.calibrate.emplace();
        const Explained run = relu(kRelu, ones({2, 3}), none);
        QVERIFY(
            run.problem("observer never ran").starts_with("activation_post_process_0, the observer of relu, never"));
        QCOMPARE(relu(kRelu, ones({2, 3})).problem("observer never ran"), std::string());
    }

    void aConstantAndTheEpsFloor()
    {
        const Explained zeros = relu(kRelu, ones({2, 3}, 0.0F));
        QCOMPARE(zeros.problem("constant input"),
                 std::string("activation_post_process_0, the observer of relu, saw only the value 0"));
        QVERIFY(zeros.problem("scale at the eps floor").starts_with("the scale of activation_post_process_0"));
        const Explained fine = relu(kRelu, Tensor::fromVector(std::vector<float>{1, 2}));
        QCOMPARE(fine.problem("constant input"), std::string());
        QCOMPARE(fine.problem("scale at the eps floor"), std::string());
    }

    void infiniteValuesAreCounted()
    {
        constexpr float kInf = std::numeric_limits<float>::infinity();
        const Explained run = relu(kRelu, Tensor::fromVector(std::vector<float>{1, kInf, 2, kInf}));
        QVERIFY(run.problem("NaN or infinite input").find("was given 2 NaN or infinite values") != std::string::npos);
    }

    void anAxisThatIsNotTheOutputChannel()
    {
        QCOMPARE(*explain::outputChannelAxis("aten.conv2d.default"), std::int64_t{0});
        QCOMPARE(*explain::outputChannelAxis("aten.conv_transpose2d.input"), std::int64_t{1});
        QVERIFY(!explain::outputChannelAxis("aten.add.Tensor"));
        const auto make = [](const char* target) {
            Model m;
            Node* conv = m.call(target, {ref(m.input("x")), ref(m.attribute("w", ones({3, 3, 1, 1})))},
                                tensorMeta(ir::DType::Float32, {1, 3, 2, 2}));
            m.output({m.call("aten.relu.default", {ref(conv)}, tensorMeta(ir::DType::Float32, {1, 3, 2, 2}))});
            return explained(m.module, kXnnpackPerChannel, {}, {{ones({1, 3, 2, 2})}})
                .problem("axis is not the output channel");
        };
        QCOMPARE(make("aten.conv_transpose2d.input"),
                 std::string("the scales of w lie on axis 0, the output channels of conv_transpose2d on axis 1"));
        QCOMPARE(make("aten.conv2d.default"), std::string());
    }

    void aWeightThatIsQuantizedTwice()
    {
        const auto make = [](bool twice) {
            Model m;
            Node* x = m.input("x");
            Node* w = m.attribute("w", ones({3, 3}));
            m.output({m.call("aten.mm.default", {ref(x), ref(w)}), m.call("aten.bmm.default", {ref(x), ref(w)})});
            const std::string other = twice ? kUint8 : kQ;
            return explained(m.module, rulesRecipe(rule("mm.default", input(1, kQ), "") + ", "
                                                   + rule("bmm.default", input(1, other), "")))
                .problem("weight quantized twice");
        };
        QCOMPARE(make(true), std::string("w has 2 observers: it will be stored quantized 2 times"));
        QCOMPARE(make(false), std::string());
    }

    void anIntegerInputThatIsLabelled()
    {
        Model m;
        Node* x = m.input("x");
        m.graph().setMeta(x, tensorMeta(ir::DType::Int64));
        m.output({m.call("aten.relu.default", {ref(x)})});
        const Explained run = explained(m.module, inputRule("[\"aten.relu.default\"]"));
        QCOMPARE(run.problem("integer tensor labelled"),
                 std::string("the input x of relu is labelled, but it is int64, float32 expected"));
    }

    void everyFindingOfANodeKnowsItsNumber()
    {
        const Explained run = convBn(true);
        for (const explain::Finding& f : run.answer.findings)
            QVERIFY2(f.node.empty() || f.id != ir::kNoNode, f.sentence.text().c_str());
    }
};

QTEST_GUILESS_MAIN(TestExplainReport)
#include "tst_explain_report.moc"
