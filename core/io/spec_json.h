// Specs and observer settings as JSON (formats.md, section 2), as dumps and recordings both write them. The two differ
// in how they name a node (by name, by number) and in how much they keep.
//
// Internal to io. Thread: pure functions.
#pragma once

#include "io/json.h"
#include "ir/spec.h"
#include "quant/observer.h"

#include <functional>

namespace gb::io {

struct SpecWords {
    std::function<Json(ir::NodeId)> node;
    std::function<Json(const ir::Argument&)> argument; ///< an observer's keyword argument
    bool complete = false; ///< also what a dump leaves out: `derive`, and `is_dynamic` of derived and fixed specs
};

/// null for a null spec.
Json specJson(const ir::Spec& spec, const SpecWords& words);
/// {"edge": [upstream, consumer]} or {"node": node}
Json positionJson(const ir::Position& position, const SpecWords& words);

/// dtype qscheme quant_min quant_max ch_axis is_dynamic averaging_constant bins eps, each only where the module has it.
Json settingsJson(const quant::ObserverSettings& settings);

/// All elements in row-major order; floats exactly, inf and nan as texts.
Json elementsJson(const ir::Tensor& tensor);

} // namespace gb::io
