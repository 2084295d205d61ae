#include "passes/constant_fold.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/constant_folder.h"
#include "passes/module_attributes.h"

#include <set>
#include <vector>

namespace gb::passes {
namespace {

using base::message;
using base::Status;
using ir::Node;

/// The attributes that the first argument of a quantize is computed from.
std::vector<const Node*> sourcesOf(const ir::Graph& graph, const Node& quantize)
{
    std::vector<const Node*> out;
    std::vector<const Node*> open;
    std::set<const Node*> seen;
    if (const Node* first = graph.find(quantize.arg(0).nodeId()))
        open.push_back(first);
    while (!open.empty()) {
        const Node* next = open.back();
        open.pop_back();
        if (!seen.insert(next).second)
            continue;
        if (next->op() == ir::Op::GetAttr)
            out.push_back(next);
        open.insert(open.end(), next->inputs().begin(), next->inputs().end());
    }
    return out;
}

/// replace_node_with_constant
void replace(ir::GraphModule& model, Node* node, const ir::Tensor& constant, int& count, trace::Recorder& recorder)
{
    ir::Graph& graph = model.graph();
    int number = count;
    while (hasAttribute(model, "_frozen_param" + std::to_string(number)))
        ++number;
    count = number + 1;
    const std::string target = "_frozen_param" + std::to_string(number);

    trace::Event e;
    e.kind = trace::EventKind::Fold;
    e.graph = graph.path();
    e.nodes = {node->id()};
    std::int64_t before = 0;
    std::string from;
    for (const Node* source : sourcesOf(graph, *node)) {
        const ir::Attribute* attribute = model.attribute(source->target());
        before += attribute ? static_cast<std::int64_t>(attribute->value.byteCount()) : 0;
        from += (from.empty() ? "" : ", ") + source->target();
        e.nodes.push_back(source->id());
    }
    const auto after = static_cast<std::int64_t>(constant.byteCount());
    e.sentence = message("{0} is computed now: {1} of {2} bytes becomes {3} of {4} bytes", node->name(), from, before,
                         ir::describe(constant), after);
    e.fields = {{"attribute", ir::Argument(target)},
                {"bytes_before", ir::Argument(before)},
                {"bytes_after", ir::Argument(after)}};
    const int index = recorder.say(std::move(e));

    model.setAttribute(target, {constant, ir::AttributeKind::Buffer, true});
    Node* added = graph.insertBefore(node, {.op = ir::Op::GetAttr, .target = target, .meta = node->metaPtr()});
    recorder.at(index).nodes.insert(recorder.at(index).nodes.begin(), added->id());
    if (node->annotation())
        graph.setAnnotation(added, node->annotation());
    graph.replaceAllUses(node, added);
    const std::string name = node->name();
    graph.erase(node);
    graph.rename(added, name);
}

/// get_attr nodes without users, and their attributes: hasattr knows no dotted names, so those stay
void eraseUnused(ir::GraphModule& model)
{
    std::vector<Node*> unused;
    for (Node* node : model.graph().nodes()) {
        if (node->op() != ir::Op::GetAttr || !node->users().empty())
            continue;
        if (node->target().find('.') == std::string::npos)
            model.eraseAttribute(node->target());
        unused.push_back(node);
    }
    for (Node* node : unused)
        model.graph().erase(node);
}

} // namespace

Status constantFold(ir::GraphModule& model, PassContext& context)
{
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "constant_fold";
    e.graph = model.graph().path();
    e.sentence = message("quantize the weights once and for all");
    const trace::Scope scope = context.recorder.open(std::move(e));
    GB_ASSIGN(const ConstantValues values, computeConstants(model, context));
    for (const auto& [name, value] : values.written) {
        ir::Attribute attribute = *model.attribute(name);
        attribute.value = value;
        model.setAttribute(name, std::move(attribute));
    }
    int count = 0;
    for (const auto& [node, constant] : values.quantized)
        replace(model, node, constant, count, context.recorder);
    eraseUnused(model);
    return eliminateDeadCode(model);
}

} // namespace gb::passes
