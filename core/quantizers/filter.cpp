#include "quantizers/filter.h"

#include "base/message.h"

#include <algorithm>

namespace gb::quantizers {
namespace {

bool hasName(const ir::Node& node, const std::string& name)
{
    return std::ranges::any_of(node.meta().nnModuleStack,
                               [&](const ir::ModuleFrame& frame) { return normalizedPath(frame.path) == name; });
}

/// The class that a name stands for: torch.nn.Linear is torch.nn.modules.linear.Linear.
bool isClass(const std::string& type, const std::string& name)
{
    constexpr std::string_view kShort = "torch.nn.";
    if (type == name)
        return true;
    return name.starts_with(kShort) && name.find('.', kShort.size()) == std::string::npos
           && type.starts_with("torch.nn.modules.") && type.ends_with(name.substr(kShort.size() - 1));
}

bool hasType(const ir::Node& node, const std::string& type)
{
    return std::ranges::any_of(node.meta().nnModuleStack,
                               [&](const ir::ModuleFrame& frame) { return isClass(frame.type, type); });
}

} // namespace

std::string normalizedPath(const std::string& path)
{
    constexpr std::string_view kSelf = "L['self'].";
    return path.starts_with(kSelf) ? path.substr(kSelf.size()) : path;
}

Filter moduleNameFilter(const std::string& moduleName)
{
    return {[moduleName](const ir::Node& node) { return hasName(node, moduleName); }, "module_name " + moduleName,
            "a node of module " + moduleName};
}

Filter moduleTypeFilter(const std::string& typeName)
{
    return {[typeName](const ir::Node& node) { return hasType(node, typeName); }, "module_type " + typeName,
            "a node of a module of type " + typeName};
}

Filter notModuleTypeOrNameFilter(const std::vector<std::string>& types, const std::vector<std::string>& names)
{
    return {[types, names](const ir::Node& node) {
                const auto typed = [&](const std::string& type) { return hasType(node, type); };
                const auto named = [&](const std::string& name) { return hasName(node, name); };
                return std::ranges::none_of(types, typed) && std::ranges::none_of(names, named);
            },
            "global", "a node that no module_name and no module_type setting owns"};
}

std::string describeModule(const ir::Node& node)
{
    if (node.meta().nnModuleStack.empty())
        return "no nn_module_stack";
    const ir::ModuleFrame& inner = node.meta().nnModuleStack.back();
    const std::string path = normalizedPath(inner.path);
    return base::say("module {0} ({1})", path.empty() ? "(top)" : path, inner.type);
}

} // namespace gb::quantizers
