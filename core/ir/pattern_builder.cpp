#include "ir/pattern_builder.h"

namespace gb::ir {

PatternBuilder::PatternBuilder()
    : m_graph(std::make_shared<Graph>(std::make_shared<NodeIds>(), ""))
{
}

const Node* PatternBuilder::input(const std::string& name)
{
    return m_graph->append({.op = Op::Placeholder, .target = name, .nameHint = name});
}

const Node* PatternBuilder::call(const std::string& target, const std::string& name, std::vector<Argument> args,
                                 std::vector<std::pair<std::string, Argument>> kwargs, NodeMetaPtr meta)
{
    return m_graph->append({.op = Op::CallFunction,
                            .target = target,
                            .args = std::move(args),
                            .kwargs = std::move(kwargs),
                            .nameHint = name,
                            .meta = std::move(meta)});
}

Pattern PatternBuilder::finish(const Node* returned, std::vector<std::pair<std::string, const Node*>> names)
{
    m_graph->append({.op = Op::Output, .target = "output", .args = {Argument::tuple({refTo(returned)})}});
    return {std::move(m_graph), std::move(names)};
}

} // namespace gb::ir
