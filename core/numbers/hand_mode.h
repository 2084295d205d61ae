// prepare and convert by hand: observers put on edges and outputs one at a time, each replaced by quantize and
// dequantize, weights folded, with undo; and the result held against what the API makes.
//
// The bench starts from the float model as prepare sees it (with what the API folds folded). Every step makes a new
// model; undo goes back to the one before. Steps by hand run the same code as the passes: an observer is replaced by
// passes::convertObservers on a model that has no other, a weight is folded by the op's own kernel.
//
// Thread: the one that works on it.
#pragma once

#include "ir/spec.h"
#include "numbers/material.h"
#include "numbers/measure.h"

#include <memory>
#include <string>
#include <vector>

namespace gb::numbers {

/// How a hand-made model compares with the API's.
struct HandVerdict {
    bool sameScales = false;        ///< scale and zero point of every q/dq, as numbers, in order
    bool sameOps = false;           ///< the same targets, each as often
    double largestDifference = 0;   ///< of all outputs on the check batches; 0 is expected
    std::vector<std::string> notes; ///< what differs: "2 quantize_per_tensor, 3 expected"
};

class HandBench {
public:
    explicit HandBench(const Material& material);

    /// The model as it stands.
    [[nodiscard]] const ir::GraphModule& model() const { return *m_steps.back().model; }
    /// What was done, oldest first.
    [[nodiscard]] std::vector<std::string> history() const;
    [[nodiscard]] bool canUndo() const { return m_steps.size() > 1; }
    void undo();

    /// Goes on from the model as prepare and calibration left it: with all its observers or fake quantizes, whose state
    /// later steps work on copies of.
    void takePrepared();

    /// Puts an observer or fake quantize between `producer` and `consumer` (a node that takes it), or behind the output
    /// of `producer` for all users (consumer empty). Returns the observer node's name. Errors: NotFound for nodes that
    /// are not there, Usage where the consumer does not take it; what the observer's constructor raises.
    base::Result<std::string> insert(const ir::ObserverConstructor& observer, const std::string& producer,
                                     const std::string& consumer = {});
    /// Shows the batches to all observers in the model: they see each once, in order.
    base::Status calibrate(const base::Work& work = {});
    /// Replaces one observer node by quantize and dequantize. Errors: NotFound; those of convert.
    base::Status replaceByQdq(const std::string& observer);
    /// Computes a quantize of a weight now: its constant takes the node's place and name. Errors: NotFound, Usage for a
    /// quantize that does not hang on attributes alone; the kernel's.
    base::Status fold(const std::string& quantize);

    /// Both switches of one fake quantize, or of all (empty name); observers have none. Errors: NotFound.
    base::Status setSwitches(const std::string& observer, bool observerEnabled, bool fakeQuantEnabled);
    /// How far the outputs on the check batches are from the float model's as the model stands now. What it runs on is
    /// a copy: no observer of the bench sees these batches. Errors: the interpreter's.
    [[nodiscard]] base::Result<Gap> outputGap(const base::Work& work = {}) const;

    /// Holds the model against the API's converted one on the material's check batches. Errors: the interpreter's.
    [[nodiscard]] base::Result<HandVerdict> compareWithApi(const base::Work& work = {}) const;

private:
    struct Step {
        std::string sentence;
        std::shared_ptr<ir::GraphModule> model;
    };
    void keep(std::shared_ptr<ir::GraphModule> model, std::string sentence);
    [[nodiscard]] std::shared_ptr<ir::GraphModule> copyWithOwnObservers() const;

    const Material& m_material;
    std::vector<Step> m_steps;
};

} // namespace gb::numbers
