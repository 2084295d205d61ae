// conv + batch norm (+ relu), for QAT: in PTQ batch norm is folded into the conv before the quantizer sees it.
#include "ir/pattern_builder.h"
#include "ir/purity.h"
#include "quantizers/xnnpack/annotators.h"

#include <algorithm>

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;
using base::message;
using ir::Argument;
using ir::matchPattern;
using ir::Node;
using ir::Pattern;
using ir::PatternMatch;
using ir::refTo;

namespace {

/// One of the patterns that _do_annotate_conv_bn makes: conv, batch norm in training mode, relu where it has one.
Pattern makePattern(const char* conv, const char* relu)
{
    ir::PatternBuilder build;
    std::vector<const Node*> in;
    for (const char* name : {"x", "conv_weight", "conv_bias", "bn_weight", "bn_bias", "bn_rm", "bn_rv"})
        in.push_back(build.input(name));
    const Node* convNode = build.call(conv, "conv", {refTo(in[0]), refTo(in[1]), refTo(in[2])});
    const Node* last = build.call("aten.batch_norm.default", "bn",
                                  {refTo(convNode), refTo(in[3]), refTo(in[4]), refTo(in[5]), refTo(in[6]),
                                   Argument(true), Argument(0.1), Argument(1e-5), Argument(false)});
    if (relu)
        last = build.call(relu, "relu", {refTo(last)});
    return build.finish(last,
                        {{"input", in[0]}, {"conv", convNode}, {"weight", in[1]}, {"bias", in[2]}, {"output", last}});
}

/// torchao cleans the graph first: nodes that batch norm returns and nobody uses would be in the way of a match.
base::Status cleanGraph(RuleContext& context)
{
    trace::Event e;
    e.kind = trace::EventKind::Rewrite;
    e.name = "eliminate_dead_code";
    e.graph = context.model.graph().path();
    e.sentence = message("nodes without users and without effect are taken away before conv and batch norm are sought");
    context.recorder.say(std::move(e));
    return ir::eliminateDeadCode(context.model);
}

/// conv_node.args[index] is not what the pattern's name says.
base::Status checkArgument(const Node& conv, std::size_t index, const Node* wanted, const char* what)
{
    GB_ASSIGN(const Argument found, argumentAt(conv, index));
    if (conv.graph().find(found.nodeId()) == wanted)
        return {};
    return Error{ErrorCode::ValueError,
                 base::say("argument {0} is not the {1} {2}", index, what, wanted ? wanted->name() : "None"),
                 "node " + conv.name()};
}

const std::vector<std::string> kConvs = {"aten.conv1d.default", "aten.conv2d.default"};
const std::vector<std::string> kTransposedConvs = {"aten.conv_transpose1d.default", "aten.conv_transpose2d.input"};

struct ConvBn {
    Node* input;
    Node* conv;
    Node* weight;
    Node* bias; ///< null where the conv has none
    Node* output;
};

base::Result<ConvBn> checked(const PatternMatch& found, const ir::Graph& graph)
{
    const ConvBn out{found.node(graph, "input"), found.node(graph, "conv"), found.node(graph, "weight"),
                     found.node(graph, "bias"), found.node(graph, "output")};
    GB_TRY(checkArgument(*out.conv, 0, out.input, "input"));
    GB_TRY(checkArgument(*out.conv, 1, out.weight, "weight"));
    if (out.conv->args().size() > 2)
        GB_TRY(checkArgument(*out.conv, 2, out.bias, "bias"));
    if (!out.input || !out.weight)
        return Error{ErrorCode::AttributeError, "input or weight is no node", "node " + out.conv->name()};
    return out;
}

void writeLabels(RuleRun& run, const ConvBn& match, const Chain& chain, const Chain& partition,
                 const QuantizationConfig& config)
{
    Match taken = run.take(chain);
    ir::Annotation inputs;
    inputs.setInput(match.input->id(), config.inputActivation);
    inputs.setInput(match.weight->id(), config.weight);
    if (match.bias)
        inputs.setInput(match.bias->id(), config.bias);
    inputs.annotated = true;
    taken.replace(match.conv, std::move(inputs));
    ir::Annotation output;
    output.output = config.outputActivation;
    output.annotated = true;
    taken.replace(match.output, std::move(output));
    taken.mark(partition);
}

/// A transposed conv has no rule of its own: says of those that are in no match what is missing behind them.
void refuseUnmatched(RuleRun& run, const std::vector<PatternMatch>& matches, bool hasRelu)
{
    const char* wanted = hasRelu ? "a batch norm and a relu behind it" : "a batch norm behind it";
    for (Node* conv : run.candidates()) {
        const bool matched = std::ranges::any_of(matches, [&](const PatternMatch& match) {
            return std::ranges::any_of(match.nodes,
                                       [&](const auto& part) { return part.second.nodeId() == conv->id(); });
        });
        if (matched || conv->isAnnotated())
            continue;
        const std::string found = "users: " + nameList(conv->users());
        run.refuse({conv},
                   {"longer_pattern", "R1", found, wanted,
                    message("{0} takes {1} only with {2}, found {3}", run.info().name, conv->name(), wanted, found)});
    }
}

base::Status doAnnotateConvBn(const AnnotatorCall& call, RuleInfo info, bool hasRelu)
{
    RuleRun run(call.context, info, call.filter.setting);
    GB_TRY(cleanGraph(call.context));
    std::vector<PatternMatch> matches;
    const std::vector<const char*> relus = hasRelu ? std::vector<const char*>{"aten.relu_.default", "aten.relu.default"}
                                                   : std::vector<const char*>{nullptr};
    for (const std::string& conv : info.targets)
        for (const char* relu : relus)
            for (PatternMatch& match : matchPattern(makePattern(conv.c_str(), relu), run.graph()))
                matches.push_back(std::move(match));

    for (const PatternMatch& found : matches) {
        GB_ASSIGN(const ConvBn match, checked(found, run.graph()));
        Chain chain; // conv, batch norm, relu
        for (auto part = found.nodes.rbegin(); part != found.nodes.rend(); ++part)
            if (part->first->op() == ir::Op::CallFunction)
                chain.push_back(run.graph().find(part->second.nodeId()));
        Chain partition = {match.conv, match.weight};
        if (match.bias)
            partition.push_back(match.bias);
        if (!run.refusedAsMarked(chain, partition) && !run.refusedByFilter(chain, partition, call.filter))
            writeLabels(run, match, chain, partition, call.config);
    }
    if (info.targets == kTransposedConvs)
        refuseUnmatched(run, matches, hasRelu);
    return {};
}

} // namespace

base::Status annotateConvBn(const AnnotatorCall& call)
{
    return doAnnotateConvBn(call, ruleInfo("conv_bn", kConvs, 427), false);
}

base::Status annotateConvBnRelu(const AnnotatorCall& call)
{
    return doAnnotateConvBn(call, ruleInfo("conv_bn_relu", kConvs, 440), true);
}

base::Status annotateConvTransposeBn(const AnnotatorCall& call)
{
    return doAnnotateConvBn(call, ruleInfo("conv_transpose_bn", kTransposedConvs, 453), false);
}

base::Status annotateConvTransposeBnRelu(const AnnotatorCall& call)
{
    return doAnnotateConvBn(call, ruleInfo("conv_transpose_bn_relu", kTransposedConvs, 468), true);
}

} // namespace gb::quantizers::xnnpack
