// What every quantizer does, and how one is made from a recipe.
//
// Source: torchao/quantization/pt2e/quantizer/quantizer.py, class Quantizer.
//
// A quantizer writes annotations on the graph's nodes and says into the recorder, rule by rule, which chain matched,
// what it wrote, and for each chain that it refused the condition that failed (trace/event.h: rule, attempt, match,
// annotate).
//
// Thread: the one that runs the passes.
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "quantizers/recipe.h"
#include "trace/recorder.h"

#include <memory>

namespace gb::quantizers {

class Quantizer {
public:
    virtual ~Quantizer() = default;
    /// The recipe's word: "xnnpack".
    [[nodiscard]] virtual const char* kind() const = 0;
    /// torchao's class, for its messages: "XNNPACKQuantizer".
    [[nodiscard]] virtual const char* className() const = 0;
    /// transform_for_annotation: may change the graph (scalars become attributes).
    virtual base::Status transformForAnnotation(ir::GraphModule& model, trace::Recorder& recorder);
    virtual base::Status annotate(ir::GraphModule& model, trace::Recorder& recorder) = 0;
    virtual base::Status validate(ir::GraphModule& model, trace::Recorder& recorder);
    /// Its place in a composable quantizer: "" or "0", "0.1", ...; rules say it in their events.
    virtual void setPlace(std::string place) { m_place = std::move(place); }
    [[nodiscard]] const std::string& place() const { return m_place; }

private:
    std::string m_place;
};

/// Makes the quantizer and runs its configuration calls. Errors are torchao's own (set_module_name(name, None) of
/// XNNPACKQuantizer is an AssertionError), or NotImplementedError for a quantizer that is not there yet.
base::Result<std::unique_ptr<Quantizer>> makeQuantizer(const Recipe& recipe);

} // namespace gb::quantizers
