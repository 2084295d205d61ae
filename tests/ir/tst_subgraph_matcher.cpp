#include "ir/subgraph_matcher.h"

#include "../quantizers/model_builder.h"

using namespace gb;
using namespace gb::ir;
using gb::test::ModelBuilder;

namespace {

/// relu(conv2d(x, w, b))
Pattern convRelu()
{
    Pattern out;
    out.graph = std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), "");
    std::vector<ir::Node*> in;
    for (const char* name : {"x", "w", "b"})
        in.push_back(out.graph->append({ir::Op::Placeholder, name}));
    const ir::Node* conv = out.graph->append({ir::Op::CallFunction, "aten.conv2d.default", ModelBuilder::refs(in)});
    const ir::Node* relu =
        out.graph->append({ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(conv->id())}});
    out.graph->append({ir::Op::Output, "output", {ir::Argument::tuple({ir::Argument::node(relu->id())})}});
    out.names = {{"bias", in[2]}, {"conv", conv}, {"output", relu}};
    return out;
}

struct Model : ModelBuilder {
    ir::Node* x = input("x");
    ir::Node* w = parameter("w");
    ir::Node* b = parameter("b");
};

} // namespace

class TestSubgraphMatcher : public QObject {
    Q_OBJECT

private slots:
    void findsEachPlaceInGraphOrder()
    {
        Model m;
        ir::Node* first = m.call("aten.relu.default", {m.call("aten.conv2d.default", {m.x, m.w, m.b})});
        ir::Node* second = m.call("aten.relu.default", {m.call("aten.conv2d.default", {first, m.w, m.b})});
        m.output({second});
        const auto matches = matchPattern(convRelu(), m.graph());
        QCOMPARE(matches.size(), std::size_t{2});
        QCOMPARE(matches[0].node(m.graph(), "output"), first);
        QCOMPARE(matches[1].node(m.graph(), "output"), second);
        QCOMPARE(matches[1].node(m.graph(), "bias"), m.b);
    }

    void anAbsentBiasIsNoneByTheSchema()
    {
        Model m;
        m.output({m.call("aten.relu.default", {m.call("aten.conv2d.default", {m.x, m.w})})});
        const auto matches = matchPattern(convRelu(), m.graph());
        QCOMPARE(matches.size(), std::size_t{1});
        QCOMPARE(matches[0].node(m.graph(), "bias"), nullptr);
        QVERIFY(matches[0].named.at("bias").isNone());
    }

    void literalsAreIgnored()
    {
        Model m;
        std::vector<ir::Argument> arguments = ModelBuilder::refs({m.x, m.w, m.b});
        arguments.push_back(ir::Argument::list({2, 2}));
        m.output({m.call("aten.relu.default", {m.callWith("aten.conv2d.default", arguments)})});
        QCOMPARE(matchPattern(convRelu(), m.graph()).size(), std::size_t{1});
    }

    void refusedAnotherTarget()
    {
        Model m;
        m.output({m.call("aten.relu.default", {m.call("aten.conv1d.default", {m.x, m.w, m.b})})});
        QVERIFY(matchPattern(convRelu(), m.graph()).empty());
    }

    void refusedInnerNodeWithOtherUsers()
    {
        Model m;
        ir::Node* conv = m.call("aten.conv2d.default", {m.x, m.w, m.b});
        ir::Node* relu = m.call("aten.relu.default", {conv});
        m.output({relu, conv});
        QVERIFY(matchPattern(convRelu(), m.graph()).empty());
    }

    void theReturnedNodeMayHaveManyUsers()
    {
        Model m;
        ir::Node* relu = m.call("aten.relu.default", {m.call("aten.conv2d.default", {m.x, m.w, m.b})});
        m.output({relu, m.call("aten.neg.default", {relu})});
        QCOMPARE(matchPattern(convRelu(), m.graph()).size(), std::size_t{1});
    }

    void refusedOneNodeForTwoPlaceholders()
    {
        Model m;
        m.output({m.call("aten.relu.default", {m.call("aten.conv2d.default", {m.x, m.x, m.b})})});
        QVERIFY(matchPattern(convRelu(), m.graph()).empty());
    }

    void refusedAnOpWithoutKnownSchemaAndOtherArguments()
    {
        Model m;
        Pattern pattern;
        pattern.graph = std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), "");
        const ir::Node* in = pattern.graph->append({ir::Op::Placeholder, "x"});
        const ir::Node* op =
            pattern.graph->append({ir::Op::CallFunction, "aten.softmax.int", {ir::Argument::node(in->id())}});
        pattern.graph->append({ir::Op::Output, "output", {ir::Argument::tuple({ir::Argument::node(op->id())})}});
        m.output({m.callWith("aten.softmax.int", {ir::Argument::node(m.x->id()), ir::Argument(1)})});
        QVERIFY(matchPattern(pattern, m.graph()).empty());
    }

    void aPatternWithoutOutputFindsNothing()
    {
        Model m;
        m.output({m.x});
        Pattern pattern;
        pattern.graph = std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), "");
        QVERIFY(matchPattern(pattern, m.graph()).empty());
    }
};

QTEST_GUILESS_MAIN(TestSubgraphMatcher)
#include "tst_subgraph_matcher.moc"
