#include "quantizers/source_partitions.h"

#include "base/message.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gb::quantizers {

using base::Error;
using base::ErrorCode;
using Kind = PartitionSource::Kind;

namespace {

/// torch's dict of dicts: source -> name of the call -> nodes, both in order of first sight.
class Collected {
public:
    void add(const PartitionSource& source, const std::string& call, ir::Node* node)
    {
        auto group = std::ranges::find(m_groups, source, &Group::source);
        if (group == m_groups.end())
            group = m_groups.insert(m_groups.end(), Group{source, {}, {}});
        const auto [place, isNew] = group->index.try_emplace(call, group->calls.size());
        if (isNew)
            group->calls.emplace_back();
        group->calls[place->second].push_back(node);
    }

    template <class F>
    void forEach(F&& visit) const
    {
        for (const Group& group : m_groups)
            for (const auto& nodes : group.calls)
                visit(group.source, nodes);
    }

private:
    struct Group {
        PartitionSource source;
        std::unordered_map<std::string, std::size_t> index;
        std::vector<std::vector<ir::Node*>> calls;
    };
    std::vector<Group> m_groups;
};

const PartitionSource* findText(const std::vector<PartitionSource>& wanted, const std::string& text)
{
    const auto found = std::ranges::find(wanted, text, &PartitionSource::text);
    return found == wanted.end() ? nullptr : &*found;
}

/// torch_fn ("add_1", "method_descriptor.add"): the part after the first dot, against sources that are text.
base::Result<const PartitionSource*> byTorchFn(const ir::Node& node, const std::vector<PartitionSource>& wanted)
{
    const auto& torchFn = node.meta().torchFn;
    if (!torchFn)
        return nullptr;
    const std::size_t dot = torchFn->what.find('.');
    if (dot == std::string::npos)
        return Error{ErrorCode::IndexError, base::say("torch_fn is \"{0}\", text with a dot expected", torchFn->what),
                     "node " + node.name()};
    const std::string name = torchFn->what.substr(dot + 1, torchFn->what.find('.', dot + 1) - dot - 1);
    const PartitionSource* source = findText(wanted, name);
    return source && source->kind == Kind::Text ? source : nullptr;
}

/// The innermost module's type, against sources that are classes.
const PartitionSource* byInnermostModule(const ir::Node& node, const std::vector<PartitionSource>& wanted)
{
    const auto& stack = node.meta().nnModuleStack;
    if (node.op() != ir::Op::CallFunction || stack.empty())
        return nullptr;
    const auto found = std::ranges::find_if(wanted, [&](const PartitionSource& source) {
        return source.kind != Kind::Function && source.text == stack.back().type;
    });
    return found == wanted.end() ? nullptr : &*found;
}

base::Status collect(ir::Node* node, const std::vector<PartitionSource>& wanted, Collected& into)
{
    const ir::NodeMeta& meta = node->meta();
    if (!meta.sourceFnStack.empty()) {
        const ir::SourceFunction& last = meta.sourceFnStack.back();
        if (const PartitionSource* source = findText(wanted, last.what))
            into.add(*source, last.name, node);
        return {};
    }
    GB_ASSIGN(const PartitionSource* source, byTorchFn(*node, wanted));
    if (source)
        into.add(*source, meta.torchFn->name, node);
    else if (const PartitionSource* module = byInnermostModule(*node, wanted))
        into.add(*module, meta.nnModuleStack.back().path, node);
    return {};
}

SourcePartition makePartition(const PartitionSource& source, const std::vector<ir::Node*>& nodes,
                              const std::unordered_map<const ir::Node*, std::size_t>& order)
{
    SourcePartition out{nodes, source, {}, {}, {}};
    const std::unordered_set<const ir::Node*> inside(nodes.begin(), nodes.end());
    for (ir::Node* node : nodes) {
        for (const ir::Argument& argument : node->args()) {
            // a list of nodes (cat's) is no input here: torch looks at direct arguments only
            ir::Node* input = node->graph().find(argument.nodeId());
            if (input && !inside.contains(input) && input->op() != ir::Op::GetAttr)
                out.inputNodes.push_back(input);
        }
        if (node->op() == ir::Op::GetAttr)
            out.params.push_back(node);
        else if (std::ranges::any_of(node->users(), [&](const ir::Node* user) { return !inside.contains(user); }))
            out.outputNodes.push_back(node);
    }
    const auto sortUnique = [&](std::vector<ir::Node*>& list) {
        std::ranges::sort(list, {}, [&](const ir::Node* n) { return order.at(n); });
        list.erase(std::ranges::unique(list).begin(), list.end());
    };
    sortUnique(out.inputNodes);
    sortUnique(out.outputNodes);
    sortUnique(out.params);
    return out;
}

} // namespace

PartitionSource moduleClass(std::string text)
{
    return {Kind::ModuleClass, std::move(text)};
}

PartitionSource function(std::string text)
{
    return {Kind::Function, std::move(text)};
}

PartitionSource methodName(std::string text)
{
    return {Kind::Text, std::move(text)};
}

base::Result<std::vector<SourcePartition>>
getSourcePartitions(const ir::Graph& graph, const std::vector<PartitionSource>& wanted, const Filter& filter)
{
    Collected collected;
    std::unordered_map<const ir::Node*, std::size_t> order;
    for (ir::Node* node = graph.first(); node; node = node->next()) {
        order.emplace(node, order.size());
        GB_TRY(collect(node, wanted, collected));
    }
    std::vector<SourcePartition> out;
    collected.forEach([&](const PartitionSource& source, const std::vector<ir::Node*>& nodes) {
        if (std::ranges::all_of(nodes, [&](const ir::Node* node) { return filter(*node); }))
            out.push_back(makePartition(source, nodes, order));
    });
    return out;
}

bool areConnected(const SourcePartition& first, const SourcePartition& second)
{
    const std::unordered_set<const ir::Node*> inSecond(second.nodes.begin(), second.nodes.end());
    return std::ranges::any_of(first.nodes, [&](const ir::Node* node) {
        return std::ranges::any_of(node->users(), [&](const ir::Node* user) { return inSecond.contains(user); });
    });
}

std::string describeSource(const ir::Node& node)
{
    if (!node.meta().sourceFnStack.empty())
        return "source " + node.meta().sourceFnStack.back().what;
    return "no source_fn_stack, " + describeModule(node);
}

} // namespace gb::quantizers
