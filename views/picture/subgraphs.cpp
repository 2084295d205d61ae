#include "picture/subgraphs.h"

namespace gb::views {

std::vector<std::string> subgraphsOf(const trace::Moment& moment, const std::string& path, ir::NodeId id)
{
    std::vector<std::string> out;
    const auto around = moment.graphs.find(path);
    const ir::Node* node = around == moment.graphs.end() ? nullptr : around->second->graph->find(id);
    const auto add = [&](const ir::Node& attribute) {
        const std::string inner = path.empty() ? attribute.target() : path + '.' + attribute.target();
        if (attribute.op() == ir::Op::GetAttr && moment.graphs.contains(inner))
            out.push_back(inner);
    };
    if (!node)
        return out;
    add(*node);
    for (const ir::Node* input : node->inputs())
        add(*input);
    return out;
}

} // namespace gb::views
