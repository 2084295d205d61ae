#include "quantizers/rules/resolve.h"

#include "quantizers/quantization_config.h"

namespace gb::quantizers::rules {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::Argument;

namespace {

/// items[index] with Python's negative indices; nothing beyond the ends.
template <class T>
const T* pythonAt(const std::vector<T>& items, std::int64_t index)
{
    const auto count = static_cast<std::int64_t>(items.size());
    if (index < -count || index >= count)
        return nullptr;
    return &items[static_cast<std::size_t>(index < 0 ? index + count : index)];
}

Error noItem(const ir::Node& node, std::int64_t index, std::size_t count)
{
    return Error{ErrorCode::IndexError, say("no argument {0}, there are {1}", index, count), "node " + node.name()};
}

base::Result<Argument> step(const Argument& value, std::int64_t index, const ir::Node& node)
{
    if (const ir::Node* inner = node.graph().find(value.nodeId())) {
        const Argument* found = pythonAt(inner->args(), index);
        return found ? base::Result<Argument>(*found) : noItem(*inner, index, inner->args().size());
    }
    if (const auto* list = value.as<ir::Sequence>()) {
        const Argument* found = pythonAt(list->items, index);
        return found ? base::Result<Argument>(*found) : noItem(node, index, list->items.size());
    }
    if (const auto* text = value.as<std::string>()) {
        // a character of a text is no node: all that matters is whether it is there
        const std::vector<char> characters(text->begin(), text->end());
        const char* found = pythonAt(characters, index);
        return found ? base::Result<Argument>(Argument(std::string(1, *found)))
                     : noItem(node, index, characters.size());
    }
    if (value.as<ir::Mapping>())
        return Error{ErrorCode::KeyError, say("no key {0} in a dict", index), "node " + node.name()};
    return Error{ErrorCode::TypeError, say("argument {0} of a value that is no list, a list expected", index),
                 "node " + node.name()};
}

struct Resolve {
    const Chain& chain;

    base::Result<ir::Position> operator()(const RuleEdge& edge) const
    {
        GB_ASSIGN(const ir::Node* user, memberOf(chain, edge.of));
        GB_ASSIGN(const Argument upstream, argumentAtPath(*user, edge.arg));
        if (upstream.nodeId() == ir::kNoNode)
            return Error{ErrorCode::AttributeError, "the position is an edge from something that is no node",
                         "node " + user->name()};
        return ir::Position{upstream.nodeId(), user->id()};
    }
    base::Result<ir::Position> operator()(const RuleOutput& output) const
    {
        GB_ASSIGN(const ir::Node* node, memberOf(chain, output.of));
        return ir::Position{node->id()};
    }
    base::Result<ir::Position> operator()(const RuleNode& named) const
    {
        if (const ir::Node* node = chain.front()->graph().find(std::string_view(named.name)))
            return ir::Position{node->id()};
        return Error{ErrorCode::StopIteration, say("no node named {0} in the graph", named.name), {}};
    }
};

struct Make {
    const Chain& chain;

    base::Result<ir::Spec> operator()(std::monostate) const { return ir::Spec(); }
    base::Result<ir::Spec> operator()(const ir::QuantizationSpec& spec) const
    {
        GB_TRY(checkSpec(spec));
        return ir::makeSpec(spec);
    }
    base::Result<ir::Spec> operator()(const ir::FixedQParamsQuantizationSpec& spec) const { return ir::makeSpec(spec); }
    base::Result<ir::Spec> operator()(const RuleShared& shared) const
    {
        GB_ASSIGN(const ir::Position with, resolvePosition(shared.with, chain));
        return ir::makeSpec(ir::SharedQuantizationSpec{with});
    }
    base::Result<ir::Spec> operator()(const RuleDerived& derived) const
    {
        ir::DerivedQuantizationSpec out = derived.spec;
        for (const RulePosition& position : derived.from) {
            GB_ASSIGN(const ir::Position from, resolvePosition(position, chain));
            out.from.push_back(from);
        }
        return ir::makeSpec(std::move(out));
    }
};

} // namespace

base::Result<ir::Node*> memberOf(const Chain& chain, std::int64_t of)
{
    if (ir::Node* const* found = pythonAt(chain, of))
        return *found;
    return Error{
        ErrorCode::IndexError, say("place {0} of a chain of {1} nodes ({2})", of, chain.size(), nameList(chain)), {}};
}

base::Result<Argument> argumentAtPath(const ir::Node& node, const ArgumentPath& path)
{
    Argument out = Argument::node(node.id());
    for (const std::int64_t index : path) {
        GB_ASSIGN(Argument next, step(out, index, node));
        out = std::move(next);
    }
    return out;
}

base::Result<ir::Position> resolvePosition(const RulePosition& position, const Chain& chain)
{
    return std::visit(Resolve{chain}, position);
}

base::Result<ir::Spec> resolveSpec(const RuleSpec& spec, const Chain& chain)
{
    return std::visit(Make{chain}, spec);
}

} // namespace gb::quantizers::rules
