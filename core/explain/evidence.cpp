#include "explain/evidence.h"

#include "quantizers/filter.h"

#include <algorithm>
#include <array>

namespace gb::explain {
namespace {

using base::message;
using base::say;

bool isOneOf(const std::string& code, std::initializer_list<std::string_view> codes)
{
    return std::ranges::find(codes, code) != codes.end();
}

std::vector<std::string> namesOf(const std::vector<ir::Node*>& nodes)
{
    std::vector<std::string> out;
    for (const ir::Node* n : nodes)
        out.push_back(n->name());
    return out;
}

void addInputs(const ir::Node& node, std::vector<Evidence>& out)
{
    std::vector<std::string> rows;
    for (const ir::Node* input : node.inputs())
        rows.push_back(say("{0} is {1}", input->name(), valueText(*input)));
    if (!rows.empty())
        out.push_back({message("inputs: {0}", listText(rows, 8))});
}

void addUsers(const ir::Node& node, std::vector<Evidence>& out)
{
    if (node.users().empty())
        out.push_back({message("{0} has no user", node.name())});
    else
        out.push_back({message("users of {0}: {1}", node.name(), listText(namesOf(node.users())))});
}

std::string sourceText(const ir::Node& node)
{
    if (node.meta().sourceFnStack.empty())
        return "no source_fn_stack";
    const ir::SourceFunction& source = node.meta().sourceFnStack.back();
    return say("source {0} ({1})", source.what, source.name);
}

/// The producer of the first argument, with its label: what a rule that propagates looks at.
void addProducer(const ir::Node& node, std::vector<Evidence>& out)
{
    const ir::Node* producer = node.graph().find(node.arg(0).nodeId());
    if (!producer)
        return;
    const char* label = !isLabelled(*producer)           ? "no label"
                        : producer->annotation()->output ? "an output spec"
                                                         : "a label without output spec";
    out.push_back({message("its producer {0} ({1}) has {2}", producer->name(), producer->target(), label)});
}

/// What took the member that was marked already.
void addMatches(const RunView& run, const NodeReason& reason, std::vector<Evidence>& out)
{
    for (const TriedRule& rule : reason.rules) {
        if (rule.code != "R5")
            continue;
        const ir::Argument* by = run.event(rule.event).field("by_event");
        const auto* index = by ? by->as<std::int64_t>() : nullptr;
        if (!index || *index < 0 || *index >= static_cast<std::int64_t>(run.recording->events.size()))
            continue;
        const trace::Event& mark = run.event(static_cast<int>(*index));
        const std::string place = mark.text("place");
        Evidence row{message("rule {0} of {1}{2} marked it: {3}", mark.text("rule"), mark.text("quantizer"),
                             place.empty() ? std::string() : say(" (quantizer {0})", place), mark.sentence.text()),
                     static_cast<int>(*index)};
        if (std::ranges::none_of(out, [&](const Evidence& e) { return e.event == row.event; }))
            out.push_back(std::move(row));
    }
}

/// The node that calls the sub-graph: cond, while_loop, the no_grad wrapper.
void addCaller(const RunView& run, const NodeReason& reason, std::vector<Evidence>& out)
{
    const std::size_t dot = reason.graph.rfind('.');
    const std::string parent = dot == std::string::npos ? std::string() : reason.graph.substr(0, dot);
    const std::string target = dot == std::string::npos ? reason.graph : reason.graph.substr(dot + 1);
    for (const GraphView& graph : run.graphs) {
        if (graph.path != parent)
            continue;
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next())
            if (n->op() == ir::Op::GetAttr && n->target() == target)
                for (const ir::Node* user : n->users())
                    out.push_back({message("{0} is a function of {1} ({2})", target, user->name(), user->target())});
    }
}

} // namespace

std::string valueText(const ir::Node& node)
{
    const ir::ValueMeta& val = node.meta().val;
    switch (val.kind) {
    case ir::ValueMeta::Kind::Missing: return "without tensor metadata";
    case ir::ValueMeta::Kind::Scalar: return "the number " + val.scalar;
    case ir::ValueMeta::Kind::Several: return say("{0} values", val.parts.size());
    case ir::ValueMeta::Kind::Tensor: break;
    }
    std::string shape;
    for (const ir::Dim& dim : val.tensor.shape)
        shape += (shape.empty() ? "" : ", ") + (dim.symbol.empty() ? std::to_string(dim.size) : dim.symbol);
    return say("{0} [{1}]", ir::name(val.tensor.dtype), shape);
}

std::vector<Evidence> evidenceFor(const RunView& run, const ir::Node& node, const NodeReason& reason)
{
    std::vector<Evidence> out;
    const std::string& code = reason.code;
    if (code == "R5")
        addMatches(run, reason, out);
    if (code == "R10")
        addCaller(run, reason, out);
    if (isOneOf(code, {"R4", "R13"}))
        out.push_back({message("{0} lies in {1}", node.name(), quantizers::describeModule(node))});
    if (code == "R3")
        out.push_back({message("{0} has {1}", node.name(), sourceText(node))});
    if (isOneOf(code, {"R9", "R1"}) && isOneOf(reason.nearest.value_or(""), {"propagate"}))
        addProducer(node, out);
    if (isOneOf(code, {"R7", "R8", "R14"}))
        out.push_back({message("{0} gives {1}", node.name(), valueText(node))});
    if (isOneOf(code, {"R7", "R8", "R9", "R14"}))
        addInputs(node, out);
    if (isOneOf(code, {"R1", "R2", "R6", "R9"}))
        addUsers(node, out);
    return out;
}

} // namespace gb::explain
