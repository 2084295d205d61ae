// From the deserializer's graph to the one that ExportedProgram.module() gives.
//
// Internal to io. Source: torch/export/_unlift.py (_unlift_exported_program_lifted_states) and
// torch/export/_remove_effect_tokens_pass.py.
//
// Thread: pure functions.
#pragma once

#include "io/pt2_archive.h"
#include "io/pt2_raw.h"
#include "ir/graph.h"

namespace gb::io {

/// The module with its sub-graphs and attributes. `training`: the program's verifier is TRAINING, so its dead code
/// stays; others lose it (module() runs _remove_effect_tokens on them).
/// `place` is the model entry, for messages. Errors: a parameter without a weight, mutated things that do not exist
/// (NotFound), counts that do not agree (Format), effect tokens (Unsupported).
base::Result<std::shared_ptr<ir::GraphModule>> makeModule(const RawGraph& raw, const Signature& signature,
                                                          const Payload& weights, const Payload& constants,
                                                          bool training, const std::string& place);

} // namespace gb::io
