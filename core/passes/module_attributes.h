// Names of a module's attributes, and what stays of them when torch.fx makes a new GraphModule.
//
// Source: torch/fx/graph_module.py (GraphModule.__init__, _copy_attr, delete_all_unused_submodules),
// torchao/quantization/pt2e/utils.py (get_new_attr_name_with_prefix).
//
// Thread: the one that runs the passes.
#pragma once

#include "ir/graph.h"

#include <string>

namespace gb::passes {

/// hasattr(module, name) for a name without dots: a tensor, an observer, a sub-graph, or a module that holds one.
bool hasAttribute(const ir::GraphModule& model, const std::string& name);

/// prefix + N with the smallest N that is free; dots of the prefix become "_".
std::string newAttributeName(const ir::GraphModule& model, std::string prefix);
/// The same for names made one after another: numbers below `from` are known to be taken, and it moves on.
std::string newAttributeName(const ir::GraphModule& model, std::string prefix, long long& from);

/// GraphModule(model, model.graph): only what get_attr and call_module nodes refer to is kept.
void dropUnreferenced(ir::GraphModule& model);

/// delete_all_unused_submodules: attributes in modules that no get_attr or call_module node goes into are taken away.
void dropUnusedModules(ir::GraphModule& model);

} // namespace gb::passes
