#include "passes/module_attributes.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace gb::passes {
namespace {

/// True when the map has the key, or a key that begins with it and a dot.
template <class Map>
bool holds(const Map& map, const std::string& name)
{
    const auto found = map.lower_bound(name);
    if (found != map.end() && found->first == name)
        return true;
    const auto below = map.lower_bound(name + ".");
    return below != map.end() && below->first.starts_with(name + ".");
}

} // namespace

bool hasAttribute(const ir::GraphModule& model, const std::string& name)
{
    return holds(model.attributes(), name) || holds(model.modules(), name) || holds(model.subgraphs(), name);
}

std::string newAttributeName(const ir::GraphModule& model, std::string prefix)
{
    long long from = 0;
    return newAttributeName(model, std::move(prefix), from);
}

std::string newAttributeName(const ir::GraphModule& model, std::string prefix, long long& from)
{
    std::ranges::replace(prefix, '.', '_');
    while (true)
        if (std::string name = prefix + std::to_string(from++); !hasAttribute(model, name))
            return name;
}

void dropUnreferenced(ir::GraphModule& model)
{
    std::unordered_set<std::string> attributes;
    std::unordered_set<std::string> modules;
    for (const ir::Node* n = model.graph().first(); n; n = n->next()) {
        if (n->op() == ir::Op::GetAttr)
            attributes.insert(n->target());
        else if (n->op() == ir::Op::CallModule)
            modules.insert(n->target());
    }
    std::vector<std::string> unused;
    for (const auto& [name, attribute] : model.attributes())
        if (!attributes.contains(name))
            unused.push_back(name);
    for (const std::string& name : unused)
        model.eraseAttribute(name);
    unused.clear();
    for (const auto& [name, module] : model.modules())
        if (!modules.contains(name))
            unused.push_back(name);
    for (const std::string& name : unused)
        model.eraseModule(name);
}

void dropUnusedModules(ir::GraphModule& model)
{
    std::unordered_set<std::string> used;
    for (const ir::Node* n = model.graph().first(); n; n = n->next())
        if (n->op() == ir::Op::GetAttr || n->op() == ir::Op::CallModule)
            for (std::size_t dot = 0; dot != std::string::npos;) {
                dot = n->target().find('.', dot + 1);
                used.insert(n->target().substr(0, dot));
            }
    std::vector<std::string> unused;
    for (const auto& [name, attribute] : model.attributes()) {
        const std::size_t dot = name.rfind('.');
        if (dot != std::string::npos && !used.contains(name.substr(0, dot)))
            unused.push_back(name);
    }
    for (const std::string& name : unused)
        model.eraseAttribute(name);
}

} // namespace gb::passes
