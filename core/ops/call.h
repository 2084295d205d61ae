// One call of a kernel: its arguments in the order of the op's schema, read with their types.
//
// The positions are those of the names in KernelRow::arguments (torch.ops.aten.X.Y._schema); an argument that was left
// out, and one that is None, takes the default that the kernel gives. A wrong type is a TypeError that names the
// argument; a 0-dimensional tensor stands for the number in it, as in torch.
//
// Thread: the thread that runs the kernel.
#pragma once

#include "base/pool.h"
#include "base/progress.h"
#include "base/result.h"
#include "ops/saturate.h"
#include "ops/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gb::ops {

/// A Python number as an op's Scalar argument.
struct Scalar {
    ir::DType dtype = ir::DType::Int64; ///< Bool, Int64 or Float64
    std::int64_t integer = 0;
    double real = 0.0;

    [[nodiscard]] bool isFloat() const { return dtype == ir::DType::Float64; }
    [[nodiscard]] double toDouble() const { return isFloat() ? real : static_cast<double>(integer); }
    /// The number as T (saturated).
    template <class T>
    [[nodiscard]] T to() const
    {
        return isFloat() ? saturated<T>(real) : static_cast<T>(integer);
    }
};

/// Runs a sub-graph for a control-flow op.
class SubgraphRunner {
public:
    virtual ~SubgraphRunner() = default;
    /// The flat outputs of a sub-graph for these inputs.
    virtual base::Result<ValueList> runSubgraph(const SubgraphPtr& subgraph, ValueList inputs) = 0;
};

/// What a kernel may use besides its arguments.
struct Context {
    base::Work work;                  ///< asked inside long kernels; a cancelled kernel's result is thrown away
    base::Pool* pool = nullptr;       ///< null: the calling thread alone
    SubgraphRunner* runner = nullptr; ///< null: no sub-graphs

    /// base::forEachChunk with this pool and work.
    void forEachChunk(std::int64_t count, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body) const;
};

using NamedValues = std::vector<std::pair<std::string, Value>>;

class Call {
public:
    /// Puts positional and keyword arguments into the order of `names` (separated by spaces); a last name "*args" takes
    /// what is left as one list. Errors: TypeError for more positional arguments than names, an unknown keyword, or one
    /// given twice.
    static base::Result<Call> bind(const Context& context, std::string_view target, std::string_view names,
                                   ValueList args, NamedValues kwargs);

    [[nodiscard]] std::string_view target() const { return m_target; }
    [[nodiscard]] const Context& context() const { return *m_context; }
    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    /// Given and not None.
    [[nodiscard]] bool has(std::size_t index) const { return index < m_values.size() && !m_values[index].isNone(); }
    [[nodiscard]] const Value& value(std::size_t index) const;
    [[nodiscard]] std::string_view nameOf(std::size_t index) const;

    [[nodiscard]] base::Result<ir::Tensor> tensor(std::size_t index) const;
    [[nodiscard]] base::Result<std::optional<ir::Tensor>> maybeTensor(std::size_t index) const;
    [[nodiscard]] base::Result<std::vector<ir::Tensor>> tensors(std::size_t index) const;
    [[nodiscard]] base::Result<std::int64_t> integer(std::size_t index) const;
    [[nodiscard]] base::Result<std::int64_t> integer(std::size_t index, std::int64_t otherwise) const;
    [[nodiscard]] base::Result<double> real(std::size_t index) const;
    [[nodiscard]] base::Result<double> real(std::size_t index, double otherwise) const;
    [[nodiscard]] base::Result<Scalar> scalar(std::size_t index) const;
    [[nodiscard]] base::Result<std::optional<Scalar>> maybeScalar(std::size_t index) const;
    [[nodiscard]] base::Result<bool> boolean(std::size_t index, bool otherwise) const;
    /// A view into this call.
    [[nodiscard]] base::Result<std::string_view> text(std::size_t index, std::string_view otherwise) const;
    [[nodiscard]] base::Result<std::optional<ir::DType>> dtype(std::size_t index) const;
    /// A list of ints; a single int stands for a list of one.
    [[nodiscard]] base::Result<ir::Shape> ints(std::size_t index) const;
    /// As ints, but a list of one is repeated to `count` (torch's int[2] arguments); absent or empty gives `otherwise`
    /// everywhere. RuntimeError for another length.
    [[nodiscard]] base::Result<ir::Shape> intsOf(std::size_t index, std::size_t count, std::int64_t otherwise) const;
    /// A list of doubles; an absent one is empty.
    [[nodiscard]] base::Result<std::vector<double>> reals(std::size_t index) const;
    [[nodiscard]] base::Result<SubgraphPtr> subgraph(std::size_t index) const;
    [[nodiscard]] base::Result<ValueList> list(std::size_t index) const;

    /// TypeError, RuntimeError for None: "argument 'dim': list of 2, int expected".
    [[nodiscard]] base::Error wrongType(std::size_t index, std::string_view expected) const;

private:
    const Context* m_context = nullptr;
    std::string_view m_target;
    std::string_view m_names;
    std::vector<Value> m_values;
};

} // namespace gb::ops
