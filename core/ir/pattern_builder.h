// Writes the graphs of patterns and of their replacements.
//
// Thread: one at a time.
#pragma once

#include "ir/subgraph_matcher.h"

namespace gb::ir {

class PatternBuilder {
public:
    PatternBuilder();

    /// A placeholder: a wildcard in a pattern.
    const Node* input(const std::string& name);
    /// A call. `name` is the one that a copy of the node asks for; meta goes to copies too.
    const Node* call(const std::string& target, const std::string& name, std::vector<Argument> args,
                     std::vector<std::pair<std::string, Argument>> kwargs = {}, NodeMetaPtr meta = {});
    /// Ends the graph with an output of one node. The builder is not used after it.
    Pattern finish(const Node* returned, std::vector<std::pair<std::string, const Node*>> names);

private:
    std::shared_ptr<Graph> m_graph;
};

/// The node as an argument.
inline Argument refTo(const Node* node)
{
    return Argument::node(node->id());
}

} // namespace gb::ir
