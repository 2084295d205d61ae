// Which attributes and inputs of a graph a run writes to.
//
// A run may not write into the module's weights (they may be a mapped file, and another batch must see the state that
// the run before left), nor into the caller's inputs. So what may be written to is found beforehand: from every
// in-place op's argument back through views to where the memory comes from. Too much is harmless (one more copy).
//
// Thread: pure functions.
#pragma once

#include "ir/graph.h"
#include "ops/kernel_table.h"

#include <set>
#include <string>

namespace gb::ops {

struct Mutations {
    std::set<std::string> attributes; ///< get_attr targets of this graph (not of its sub-graphs)
    std::set<std::size_t> inputs;     ///< positions among the placeholders
    std::set<ir::NodeId> copies;      ///< get_attr and placeholder nodes whose memory is written to
};

Mutations findMutations(const ir::GraphModule& module, const KernelTable& table);

} // namespace gb::ops
