#include "passes/port_metadata.h"

#include "base/message.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_set>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Status;
using ir::Node;

constexpr const char* kTag = "quantization_tag";

const std::string* tagOf(const ir::NodeMeta& meta)
{
    for (const auto& [key, value] : meta.other)
        if (key == kTag)
            return &value;
    return nullptr;
}

/// _add_metadata
void port(ir::Graph& graph, Node* to, const Node& from)
{
    const std::string* tag = tagOf(from.meta());
    const bool trace = !from.meta().stackTrace.empty() && from.meta().stackTrace != to->meta().stackTrace;
    const std::string* old = tagOf(to->meta());
    const bool retag = tag && (!old || *old != *tag);
    if (!trace && !retag)
        return;
    auto meta = std::make_shared<ir::NodeMeta>(to->meta());
    if (trace)
        meta->stackTrace = from.meta().stackTrace;
    if (retag) {
        std::erase_if(meta->other, [](const auto& row) { return row.first == kTag; });
        meta->other.emplace_back(kTag, *tag);
    }
    graph.setMeta(to, std::move(meta));
}

bool isDynamicSpec(const ir::Spec& spec)
{
    if (const auto* plain = ir::as<ir::QuantizationSpec>(spec))
        return plain->isDynamic;
    if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec))
        return derived->isDynamic;
    if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec))
        return fixed->isDynamic;
    return false; // a shared spec has no such attribute
}

/// _find_choose_qparams_node: breadth first along the users
Node* chooseQParamsBehind(const Node& node)
{
    std::deque<Node*> queue(node.users().begin(), node.users().end());
    std::unordered_set<const Node*> seen;
    while (!queue.empty()) {
        Node* next = queue.front();
        queue.pop_front();
        if (next->op() == ir::Op::Output || !seen.insert(next).second)
            continue;
        if (isChooseQParams(*next))
            return next;
        queue.insert(queue.end(), next->users().begin(), next->users().end());
    }
    return nullptr;
}

Error wrapped(const Node& node, std::string sentence)
{
    return {ErrorCode::Exception, std::move(sentence), "pass PortNodeMetaForQDQ: node " + node.name()};
}

Status portDynamicInput(ir::Graph& graph, const Node& input, const Node& node)
{
    Node* chosen = chooseQParamsBehind(input);
    if (!chosen)
        return wrapped(node, base::say("no choose_qparams found behind {0}", input.name()));
    const auto users = usersWithoutSymSize(*chosen);
    if (users.size() != 2)
        return wrapped(node, base::say("{0} users of {1} found, two expected", users.size(), chosen->name()));
    if (users.back()->users().empty())
        return wrapped(node, base::say("no user of {0} found, one expected", users.back()->name()));
    Node* q = users.back()->users().front();
    const auto quantized = usersWithoutSymSize(*q);
    if (quantized.size() != 1)
        return wrapped(node, base::say("{0} users of {1} found, one expected", quantized.size(), q->name()));
    port(graph, chosen, node);
    port(graph, q, node);
    port(graph, quantized.back(), node);
    return {};
}

/// _is_connected: dest leads back to source through nodes of the quantization alone
base::Result<bool> isConnected(const ir::Graph& graph, const Node& source, const Node* dest)
{
    while (isQuantize(*dest) || isDequantize(*dest) || dest->calls(kChooseQParams)) {
        const Node* input = graph.find(dest->arg(0).nodeId());
        if (!input)
            return wrapped(*dest, "its first argument is no node");
        dest = input;
    }
    return dest == &source;
}

/// Ops that torchao follows from a quantize back to a weight.
bool isViewOfWeight(const Node& node)
{
    static constexpr std::array<std::string_view, 10> kTargets = {
        "aten.flatten.using_ints",   "aten.permute.default",
        "aten.permute_copy.default", "aten.slice_copy.Tensor",
        "aten.squeeze.dim",          "aten.squeeze_copy.dim",
        "aten.transpose.int",        "aten.view_copy.default",
        "aten.view.default",         "aten._mkldnn_transpose.default"};
    return node.op() == ir::Op::CallFunction && std::ranges::find(kTargets, node.target()) != kTargets.end();
}

Status portStaticInput(ir::Graph& graph, const Node& input, const Node& node)
{
    Node* dq = nullptr;
    for (const ir::Argument& argument : node.args()) {
        Node* candidate = graph.find(argument.nodeId());
        if (!candidate || !isDequantize(*candidate))
            continue;
        GB_ASSIGN(const bool connected, isConnected(graph, input, candidate));
        if (connected) {
            dq = candidate;
            break;
        }
    }
    Node* q = dq ? graph.find(dq->arg(0).nodeId()) : nullptr;
    if (!q || !isQuantize(*q))
        return {};
    std::vector<Node*> chain{q};
    Node* source = graph.find(q->arg(0).nodeId());
    while (source && isViewOfWeight(*source)) {
        chain.push_back(source);
        source = graph.find(source->arg(0).nodeId());
    }
    if (source && source->op() == ir::Op::GetAttr)
        for (Node* n : chain)
            port(graph, n, *source);
    port(graph, dq, node);
    return {};
}

/// _port_metadata_for_output_quant_nodes
void portOutput(ir::Graph& graph, const Node& node)
{
    const auto users = usersWithoutSymSize(node);
    if (!users.empty() && isQuantize(*users.back()))
        port(graph, users.back(), node);
}

Status portNode(ir::Graph& graph, const Node& node)
{
    for (const auto& [upstream, spec] : node.annotation()->inputs) {
        const Node* input = graph.find(upstream);
        if (!spec)
            continue;
        if (isDynamicSpec(spec)) {
            if (!input)
                return wrapped(node, "an input of its label is gone");
            GB_TRY(portDynamicInput(graph, *input, node));
        } else if (input) {
            GB_TRY(portStaticInput(graph, *input, node));
        }
    }
    if (node.annotation()->output)
        portOutput(graph, node);
    return {};
}

} // namespace

Status portMetadata(ir::GraphModule& model, PassContext& context)
{
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "port_metadata";
    e.graph = model.graph().path();
    e.sentence = message("quantize and dequantize nodes take over the source lines of their neighbours");
    const trace::Scope scope = context.recorder.open(std::move(e));
    for (const Node* node = model.graph().first(); node; node = node->next())
        if (hasValidAnnotation(*node))
            GB_TRY(portNode(model.graph(), *node));
    return {};
}

} // namespace gb::passes
