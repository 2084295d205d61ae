// Runs a graph, node by node.
//
// Source: torch.fx.Interpreter. Observers and fake quantizes (call_module) are run as they stand in the module: they
// record what they see. Attributes that the program itself writes to (copy_, batch norm in training) are copied first:
// the copies belong to the interpreter, the next run() continues with them, reset() goes back to the module's values.
//
// Thread: one run at a time. The module is only read (its observers apart).
#pragma once

#include "base/progress.h"
#include "ops/kernel_table.h"
#include "ops/mutation.h"
#include "ops/value.h"
#include "quant/observer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gb::ops {

/// Is told what a run does, while it does it. Values may change later through in-place ops: copy what is kept.
class RunListener {
public:
    virtual ~RunListener() = default;
    virtual void nodeStarted(const ir::Node& node) { static_cast<void>(node); }
    virtual void nodeFinished(const ir::Node& node, const Value& value)
    {
        static_cast<void>(node);
        static_cast<void>(value);
    }
    /// After an observer or fake quantize has seen its input.
    virtual void observerSaw(const ir::Node& node, const quant::Observer& observer)
    {
        static_cast<void>(node);
        static_cast<void>(observer);
    }
};

/// A call_function node, in the module or a sub-graph, whose op has no kernel.
struct MissingKernel {
    std::string graph; ///< path of the sub-graph; empty for the top
    std::string node;
    std::string target;
};

/// All nodes that a run would stop at, in graph order, sub-graphs after their graph.
std::vector<MissingKernel> checkCovered(const ir::GraphModule& module, const KernelTable& table);

class Interpreter {
public:
    /// threads: as Pool.
    Interpreter(std::shared_ptr<const ir::GraphModule> module, std::shared_ptr<const KernelTable> table,
                unsigned threads = 0);
    /// With a pool that others use too, though not at the same time.
    Interpreter(std::shared_ptr<const ir::GraphModule> module, std::shared_ptr<const KernelTable> table,
                std::shared_ptr<base::Pool> pool);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Runs the graph on one value for each placeholder, and gives the values of its output, flattened in order.
    /// Inputs are not changed. Errors: "node NAME: TARGET" is their place; NoKernel, RuntimeError and the other
    /// exceptions that torch raises, Cancelled. After an error the attribute state is that of the moment.
    base::Result<ValueList> run(const ValueList& inputs, const base::Work& work = {}, RunListener* listener = nullptr);

    /// Forgets what earlier runs wrote to attributes (a fresh copy of the program).
    void reset();

    /// What its loops share; free to use while it does not run.
    [[nodiscard]] base::Pool* pool() const;

    /// The attributes of the top graph that runs wrote to, as they are now.
    [[nodiscard]] std::map<std::string, ir::Tensor> mutatedAttributes() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace gb::ops
