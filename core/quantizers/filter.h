// Which nodes a setting reaches: module name and module type filters.
//
// Source: torchao/quantization/pt2e/quantizer/utils.py get_module_name_filter; torchao/testing/pt2e/
// _xnnpack_quantizer.py _get_module_type_filter, _get_not_module_type_or_name_filter.
//
// Thread: values; pure functions.
#pragma once

#include "ir/graph.h"

#include <functional>
#include <string>
#include <vector>

namespace gb::quantizers {

/// A test on nodes with the words for it: what the setting is called and what it asks for.
struct Filter {
    std::function<bool(const ir::Node&)> accepts; ///< empty: every node
    std::string setting;                          ///< "global", "module_name net.conv1"
    std::string wanted;                           ///< "a node of module net.conv1"

    [[nodiscard]] bool operator()(const ir::Node& node) const { return !accepts || accepts(node); }
};

/// A path without the "L['self']." that strict export puts in front.
std::string normalizedPath(const std::string& path);

/// The node lies in the module of this path (equal to an entry of nn_module_stack, no prefix match).
Filter moduleNameFilter(const std::string& moduleName);
/// The node lies in a module of this type (an entry of nn_module_stack, as text).
Filter moduleTypeFilter(const std::string& typeName);
/// None of the types and names above reaches the node: the one for the global config.
Filter notModuleTypeOrNameFilter(const std::vector<std::string>& types, const std::vector<std::string>& names);

/// "module net.conv1 (torch.nn.modules.conv.Conv2d)", or "no nn_module_stack": what a filter saw.
std::string describeModule(const ir::Node& node);

} // namespace gb::quantizers
