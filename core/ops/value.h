// What a node gives at run time: a tensor, a Python number or text, a list, a sub-graph.
//
// Source: torch.fx.Interpreter's env; a symbolic size is an int64 by the time it is here.
//
// Thread: values; a Tensor in one shares its memory with the tensors that it is a view of.
#pragma once

#include "ir/argument.h"
#include "ir/graph.h"
#include "ir/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gb::ops {

class Value;
using ValueList = std::vector<Value>;
using SubgraphPtr = std::shared_ptr<const ir::GraphModule>;

class Value {
public:
    using Held = std::variant<ir::None, bool, std::int64_t, double, std::string, ir::DType, ir::Opaque, ir::Tensor,
                              SubgraphPtr, ValueList>;

    Value() = default;
    Value(bool v)
        : held(v)
    {
    }
    Value(std::int64_t v)
        : held(v)
    {
    }
    Value(int v)
        : held(static_cast<std::int64_t>(v))
    {
    }
    Value(double v)
        : held(v)
    {
    }
    Value(const char* v)
        : held(std::string(v))
    {
    }
    Value(std::string v)
        : held(std::move(v))
    {
    }
    Value(ir::DType v)
        : held(v)
    {
    }
    Value(ir::Opaque v)
        : held(std::move(v))
    {
    }
    Value(ir::Tensor v)
        : held(std::move(v))
    {
    }
    Value(SubgraphPtr v)
        : held(std::move(v))
    {
    }
    Value(ValueList v)
        : held(std::move(v))
    {
    }

    template <class T>
    [[nodiscard]] const T* as() const
    {
        return std::get_if<T>(&held);
    }
    [[nodiscard]] bool isNone() const { return std::holds_alternative<ir::None>(held); }
    [[nodiscard]] const ir::Tensor* tensor() const { return as<ir::Tensor>(); }
    [[nodiscard]] const ValueList* list() const { return as<ValueList>(); }

    Held held;
};

/// What a value is, for error sentences: "float32 [2, 3]", "int 4", "list of 3", "None".
std::string describe(const Value& value);

} // namespace gb::ops
