// What stands in a node's args and kwargs, as torch.fx's Argument.
//
// Thread: values.
#pragma once

#include "ir/dtype.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gb::ir {

/// A node's number. Unique in a whole program (sub-graphs and nodes that passes create included) and never reused, so
/// that a node keeps its identity over all stages. Names may not: prepare and convert take them over.
using NodeId = std::uint32_t;
constexpr NodeId kNoNode = 0xFFFFFFFF;

struct NodeRef {
    NodeId id = kNoNode;
    friend bool operator==(const NodeRef&, const NodeRef&) = default;
};

/// A memory format, layout or device ("torch.contiguous_format", "torch.strided", "cpu"): carried, not understood.
struct Opaque {
    std::string text;
    friend bool operator==(const Opaque&, const Opaque&) = default;
};

class Argument;

struct Sequence {
    std::vector<Argument> items;
    bool tuple = false;
};

struct SliceArgument {
    std::vector<Argument> parts; ///< start, stop, step
};

struct Mapping {
    std::vector<std::pair<std::string, Argument>> items; ///< in Python's order
};

struct None {
    friend bool operator==(None, None) { return true; }
};

class Argument {
public:
    using Value = std::variant<None, bool, std::int64_t, double, std::string, DType, Opaque, NodeRef, Sequence,
                               SliceArgument, Mapping>;

    Argument() = default;
    Argument(Value v)
        : value(std::move(v))
    {
    }
    Argument(bool v)
        : value(v)
    {
    }
    Argument(std::int64_t v)
        : value(v)
    {
    }
    Argument(int v)
        : value(static_cast<std::int64_t>(v))
    {
    }
    Argument(double v)
        : value(v)
    {
    }
    Argument(const char* v)
        : value(std::string(v))
    {
    }
    Argument(std::string v)
        : value(std::move(v))
    {
    }
    Argument(DType v)
        : value(v)
    {
    }
    Argument(NodeRef v)
        : value(v)
    {
    }
    static Argument node(NodeId id) { return Argument(NodeRef{id}); }
    static Argument list(std::vector<Argument> items) { return Argument(Value(Sequence{std::move(items), false})); }
    static Argument tuple(std::vector<Argument> items) { return Argument(Value(Sequence{std::move(items), true})); }

    template <class T>
    [[nodiscard]] const T* as() const
    {
        return std::get_if<T>(&value);
    }
    [[nodiscard]] bool isNone() const { return std::holds_alternative<None>(value); }
    /// The node that this is, or kNoNode.
    [[nodiscard]] NodeId nodeId() const
    {
        const auto* ref = as<NodeRef>();
        return ref ? ref->id : kNoNode;
    }

    friend bool operator==(const Argument& a, const Argument& b);

    Value value;
};

/// Calls visit for every node in the argument, depth first, in torch.fx's map_arg order.
void forEachNode(const Argument& argument, const std::function<void(NodeId)>& visit);
/// A copy with every node put through map (torch.fx.node.map_arg); map may return any argument.
Argument mapNodes(const Argument& argument, const std::function<Argument(NodeId)>& map);

} // namespace gb::ir
