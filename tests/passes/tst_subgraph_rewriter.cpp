#include "passes/subgraph_rewriter.h"

#include "graph_builder.h"
#include "ir/pattern_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

namespace {

/// relu(neg(x)) becomes sigmoid(tanh(x)); the second input is a literal or a node that only the replacement carries.
passes::RewriteRule rule(bool sameInputs = true)
{
    passes::RewriteRule out;
    ir::PatternBuilder pattern;
    const ir::Node* x = pattern.input("x");
    const ir::Node* dim = pattern.input("dim");
    const ir::Node* inner = pattern.call("aten.softmax.int", "softmax", {refTo(x), refTo(dim)});
    const ir::Node* last = pattern.call("aten.relu.default", "relu", {refTo(inner)});
    out.pattern = pattern.finish(last, {{"last", last}});
    ir::PatternBuilder replacement;
    x = replacement.input("x");
    if (sameInputs)
        dim = replacement.input("dim");
    inner = replacement.call("aten.tanh.default", "tanh", {refTo(x)});
    last = replacement.call("aten.cumsum.default", "cumsum", {refTo(inner), sameInputs ? refTo(dim) : ir::Argument(0)});
    out.replacement = replacement.finish(last, {{"last", last}});
    out.event = [](const ir::Graph& graph, const ir::PatternMatch& match) {
        trace::Event e;
        e.kind = trace::EventKind::Rewrite;
        e.nodes = {match.node(graph, "last")->id()};
        e.sentence = base::message("{0} is replaced", match.node(graph, "last")->name());
        return e;
    };
    return out;
}

struct Chain : Model {
    ir::Node* x = input("x");
    ir::Node* add(const ir::Node* in)
    {
        return call("aten.relu.default", {ref(call("aten.softmax.int", {ref(in), ir::Argument(1)}))});
    }
};

} // namespace

class TestSubgraphRewriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesStandBeforeTheFirstUser()
    {
        Chain m;
        ir::Node* old = m.add(m.x);
        ir::Node* other = m.call("aten.neg.default", {ref(m.x)});
        m.output({m.call("aten.add.Tensor", {ref(other), ref(old)})});
        const auto done = passes::replacePattern(*m.module, rule(), m.recorder);
        QVERIFY(done.ok());
        QCOMPARE(m.lines(), QStringList({"x", "neg(x)", "tanh(x)", "cumsum(tanh)", "add(neg, cumsum)", "output(add)"}));
        QCOMPARE(m.graph().find("cumsum")->arg(1), ir::Argument(1)); // the literal that the placeholder met
    }

    void aPlaceholderFollowsWhatAnEarlierMatchReplaced()
    {
        Chain m;
        ir::Node* first = m.add(m.x);
        m.output({m.add(first)});
        const passes::RewriteRule both = rule();
        const auto done = passes::replacePattern(*m.module, both, m.recorder);
        QCOMPARE(m.lines(), QStringList({"x", "tanh(x)", "cumsum(tanh)", "tanh_1(cumsum)", "cumsum_1(tanh_1)",
                                         "output(cumsum_1)"}));
        QCOMPARE((*done)[1].before.at(both.pattern.graph->first()), m.graph().find("cumsum"));
        QCOMPARE((*done)[1].now.at(both.replacement.named("last")), m.graph().find("cumsum_1"));
        QVERIFY(m.graph().isErased((*done)[0].before.at(both.pattern.named("last"))));
    }

    void theEventNamesWhatWentAndWhatCame()
    {
        Chain m;
        m.output({m.add(m.x)});
        QVERIFY(passes::replacePattern(*m.module, rule(), m.recorder).ok());
        QCOMPARE(m.sentences(trace::EventKind::Rewrite), QStringList({"relu is replaced"}));
        const auto& nodes = m.recorder.recording().events.back().nodes;
        QCOMPARE(nodes.size(), std::size_t{3});
        QCOMPARE(nodes[2], m.graph().find("cumsum")->id());
    }

    void refusedByTheFilter()
    {
        Chain m;
        m.output({m.add(m.x)});
        passes::RewriteRule none = rule();
        none.wanted = [](const ir::Graph&, const ir::PatternMatch&) { return false; };
        const auto done = passes::replacePattern(*m.module, none, m.recorder);
        QVERIFY(done.ok() && done->empty());
        QVERIFY(m.graph().find("relu"));
    }

    void modulesThatNoNodeNamesGo()
    {
        Chain m;
        m.attribute("kept.weight", ir::Tensor::scalar(1.0F));
        m.module->setAttribute("kept.other", {ir::Tensor::scalar(2.0F), ir::AttributeKind::Buffer, true});
        m.module->setAttribute("gone.weight", {ir::Tensor::scalar(3.0F), ir::AttributeKind::Buffer, true});
        m.module->setAttribute("top", {ir::Tensor::scalar(4.0F), ir::AttributeKind::Buffer, true});
        m.output({m.x});
        QVERIFY(passes::replacePattern(*m.module, rule(), m.recorder).ok());
        QVERIFY(m.module->attribute("kept.other"));
        QVERIFY(m.module->attribute("top"));
        QVERIFY(!m.module->attribute("gone.weight"));
    }

    void refusedAnotherNumberOfInputs()
    {
        Chain m;
        m.output({m.add(m.x)});
        const auto done = passes::replacePattern(*m.module, rule(false), m.recorder);
        QCOMPARE(done.error().code, ErrorCode::AssertionError);
    }
};

QTEST_GUILESS_MAIN(TestSubgraphRewriter)
#include "tst_subgraph_rewriter.moc"
