#include "passes/fuse_conv_bn_qat.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/fold_bn.h"
#include "passes/qat_nodes.h"
#include "passes/qat_patterns.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Status;
using ir::Node;
using ir::NodeId;

/// all_original_to_replacement_nodes
using Successors = std::unordered_map<NodeId, Node*>;

trace::Event rewriteEvent(const ir::Graph& graph, const char* name, std::vector<NodeId> nodes, base::Message sentence)
{
    trace::Event e;
    e.kind = trace::EventKind::Rewrite;
    e.name = name;
    e.graph = graph.path();
    e.nodes = std::move(nodes);
    e.sentence = std::move(sentence);
    return e;
}

/// _has_conv_bias_filter, _no_conv_bias_filter
RewriteRule fuseRule(const QatConv& conv, bool hasBias)
{
    RewriteRule rule{.pattern = convBnPattern(conv), .replacement = qatConvBn(conv, hasBias)};
    rule.wanted = [hasBias](const ir::Graph& graph, const ir::PatternMatch& match) {
        return !match.node(graph, "conv")->arg(2).isNone() == hasBias;
    };
    rule.event = [](const ir::Graph& graph, const ir::PatternMatch& match) {
        const Node* convolution = match.node(graph, "conv");
        const Node* bn = match.node(graph, "bn");
        const Node* weight = graph.find(convolution->arg(1).nodeId());
        return rewriteEvent(graph, "fuse_conv_bn_qat", {convolution->id(), bn->id()},
                            message("{0} and {1} are replaced: {2} is scaled as if {1} were folded into it, so that "
                                    "training sees the weight that will be quantized",
                                    convolution->name(), bn->name(), weight ? weight->name() : "the weight"));
    };
    return rule;
}

bool sameLabel(const ir::Annotation& a, const ir::Annotation& b)
{
    const auto sameSpec = [](const ir::Spec& x, const ir::Spec& y) { return x == y || (x && y && *x == *y); };
    return sameSpec(a.output, b.output) && std::ranges::equal(a.inputs, b.inputs, [&](const auto& x, const auto& y) {
               return x.first == y.first && sameSpec(x.second, y.second);
           });
}

void setLabel(Node* node, ir::Annotation label)
{
    node->graph().setAnnotation(node, std::make_shared<const ir::Annotation>(std::move(label)));
}

/// One replacement after another takes over what its predecessor had.
class TakeOver {
public:
    TakeOver(ir::GraphModule& model, trace::Recorder& recorder)
        : m_graph(model.graph())
        , m_recorder(recorder)
    {
    }

    Status run(const RewriteRule& rule, const std::vector<Rewritten>& replacements)
    {
        for (const Rewritten& done : replacements) {
            GB_ASSIGN(const std::vector<QatPair> pairs, qatPairs(m_graph, rule, done));
            const Node& old = *find(pairs, QatRole::Conv)->before;
            announce(pairs);
            for (const QatPair& pair : pairs) {
                takeMeta(pair, old.meta().nnModuleStack);
                if (isConv(*pair.before) || isConvTranspose(*pair.before))
                    GB_TRY(takeConvSettings(pair));
                m_successors[pair.before->id()] = pair.now;
            }
        }
        return {};
    }

    /// _update_special_qspecs_after_replacement, for all nodes
    void relabelOthers()
    {
        for (Node* node : m_graph.nodes()) {
            if (!node->annotation())
                continue;
            ir::Annotation label = renamed(*node->annotation());
            if (sameLabel(label, *node->annotation()))
                continue;
            m_recorder.say(rewriteEvent(m_graph, "rename_in_label", {node->id()},
                                        message("the label of {0} names nodes that were replaced: now it names those "
                                                "in their place",
                                                node->name())));
            setLabel(node, std::move(label));
        }
    }

private:
    void announce(const std::vector<QatPair>& pairs)
    {
        const QatPair& conv = *find(pairs, QatRole::Conv);
        const QatPair& bn = *find(pairs, QatRole::BatchNorm);
        std::vector<NodeId> nodes;
        for (const QatPair& pair : pairs)
            nodes.push_back(pair.now->id());
        m_recorder.say(rewriteEvent(m_graph, "take_over", std::move(nodes),
                                    message("{0} and {1} take over the labels, shapes and settings of {2} and {3}",
                                            conv.now->name(), bn.now->name(), conv.before->name(), bn.before->name())));
    }

    /// Meta and annotation are one dictionary there, which both nodes have from here on.
    void takeMeta(const QatPair& pair, const std::vector<ir::ModuleFrame>& convModule)
    {
        ir::NodeMetaPtr meta = pair.before->metaPtr();
        const bool operand = pair.role == QatRole::Input || pair.role == QatRole::Weight;
        if (operand && meta->nnModuleStack.empty() && !convModule.empty()) {
            auto placed = std::make_shared<ir::NodeMeta>(*meta);
            placed->nnModuleStack = convModule;
            meta = std::move(placed);
        }
        for (Node* node : {pair.before, pair.now})
            if (!m_graph.isErased(node) && node->metaPtr() != meta)
                m_graph.setMeta(node, meta);
        if (pair.now->annotation() != pair.before->annotation())
            m_graph.setAnnotation(pair.now, pair.before->annotation());
    }

    /// Also for a convolution that is the input of another one with a batch norm, as in torchao.
    Status takeConvSettings(const QatPair& pair)
    {
        if (!isConv(*pair.now) && !isConvTranspose(*pair.now))
            return Error{ErrorCode::AssertionError,
                         base::say("it took the place of {0}, a convolution expected", pair.before->name()),
                         "node " + pair.now->name()};
        copyLiteralConvArgs(*pair.before, pair.now);
        return relabelConv(pair);
    }

    /// _update_conv_input_qspec_map_after_replacement: by order, whatever the keys were
    Status relabelConv(const QatPair& pair)
    {
        if (!pair.before->annotation())
            return {};
        ir::Annotation label = *pair.before->annotation();
        const auto configs = std::move(label.inputs);
        if (configs.size() < 2)
            return Error{
                ErrorCode::IndexError,
                base::say("its label names {0} inputs, input and weight expected before a batch norm", configs.size()),
                "node " + pair.before->name()};
        label.inputs.clear();
        for (std::size_t i = 0; i < std::min<std::size_t>(3, configs.size()); ++i)
            if (const NodeId operand = pair.now->arg(i).nodeId(); operand != ir::kNoNode)
                label.setInput(operand, configs[i].second);
        setLabel(pair.now, std::move(label));
        return {};
    }

    [[nodiscard]] NodeId successor(NodeId id) const
    {
        const auto found = m_successors.find(id);
        return found == m_successors.end() ? id : found->second->id();
    }

    [[nodiscard]] ir::Position renamed(ir::Position position) const
    {
        return {successor(position.node), position.isEdge() ? successor(position.consumer) : ir::kNoNode};
    }

    [[nodiscard]] ir::Spec renamed(const ir::Spec& spec) const
    {
        if (const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec))
            return ir::makeSpec(ir::SharedQuantizationSpec{renamed(shared->with)});
        if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec)) {
            ir::DerivedQuantizationSpec out = *derived;
            for (ir::Position& position : out.from)
                position = renamed(position);
            return ir::makeSpec(std::move(out));
        }
        return spec;
    }

    [[nodiscard]] ir::Annotation renamed(const ir::Annotation& label) const
    {
        ir::Annotation out = label;
        out.inputs.clear();
        for (const auto& [upstream, spec] : label.inputs)
            out.setInput(successor(upstream), renamed(spec));
        out.output = renamed(label.output);
        return out;
    }

    ir::Graph& m_graph;
    trace::Recorder& m_recorder;
    Successors m_successors;
};

/// _fuse_conv_bn_qat_helper
Status fuse(ir::GraphModule& model, const QatConv& conv, PassContext& context)
{
    GB_TRY(eliminateDeadCode(model));
    const RewriteRule withBias = fuseRule(conv, true);
    const RewriteRule withoutBias = fuseRule(conv, false);
    GB_ASSIGN(const auto first, replacePattern(model, withBias, context.recorder));
    GB_ASSIGN(const auto second, replacePattern(model, withoutBias, context.recorder));
    TakeOver takeOver(model, context.recorder);
    GB_TRY(takeOver.run(withBias, first));
    GB_TRY(takeOver.run(withoutBias, second));
    takeOver.relabelOthers();
    return {};
}

} // namespace

Status fuseConvBnQat(ir::GraphModule& model, PassContext& context)
{
    if (!hasBatchNorm(model.graph()))
        return {};
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "fuse_conv_bn_qat";
    e.graph = model.graph().path();
    e.sentence = message("replace convolutions with a batch norm by graphs that train the folded weight");
    const trace::Scope scope = context.recorder.open(std::move(e));
    for (const QatConv& conv : kQatConvs) {
        if (context.work.cancelled())
            return Error{ErrorCode::Cancelled, "stopped by the user", {}};
        GB_TRY(fuse(model, conv, context));
    }
    return {};
}

} // namespace gb::passes
