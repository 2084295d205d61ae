// The prepared model with its calibrated observers, as convert takes it: what figures are worked out from after a run.
//
// Thread: a value; the module is only read. Its observers are the run's own, which keep qparams that they worked out:
// copy one (Observer::copy) before it sees more, and leave work on them to one thread at a time.
#pragma once

#include "ir/graph.h"
#include "passes/pass_context.h"

#include <memory>

namespace gb::engine {

struct Calibrated {
    std::shared_ptr<const ir::GraphModule> module;
    passes::ScopeTable scopes; ///< what prepare filled for convert
    bool foldQuantize = true;
    bool isQat = false;
};
using CalibratedPtr = std::shared_ptr<const Calibrated>;

} // namespace gb::engine
