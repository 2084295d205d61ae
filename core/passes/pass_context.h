// What every pass gets besides the graph that it works on.
//
// Thread: the one that runs the passes.
#pragma once

#include "base/progress.h"
#include "ops/kernel_table.h"
#include "base/pool.h"
#include "trace/recorder.h"

#include <map>
#include <string>

namespace gb::passes {

struct PassContext {
    trace::Recorder& recorder;       ///< must be the listener of the graphs, so that their edits land in its events
    const ops::KernelTable& kernels; ///< for what passes compute on constants
    base::Work work;                 ///< asked between nodes
    base::Pool* pool = nullptr;       ///< shares the loops over constants; null: the calling thread alone

    [[nodiscard]] ops::Context opsContext() const { return {work, pool, nullptr}; }
};

/// _get_node_name_to_scope: the last part of the innermost module's path, by node name, for each graph (by path).
/// Prepare fills it before it changes anything; convert names per-channel qparams after it.
using ScopeTable = std::map<std::string, std::map<std::string, std::string>>;

} // namespace gb::passes
