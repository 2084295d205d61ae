#include "passes/qat_nodes.h"

#include "base/message.h"
#include "passes/quantize_ops.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using ir::Argument;
using ir::Node;

class Pairing {
public:
    Pairing(const ir::Graph& graph, const RewriteRule& rule, const Rewritten& done)
        : m_graph(graph)
        , m_pattern(*rule.pattern.graph)
        , m_done(done)
        , m_conv(rule.pattern.named("conv"))
        , m_newConv(done.now.at(rule.replacement.named("conv")))
    {
        add(QatRole::Conv, m_conv, m_newConv);
        add(QatRole::BatchNorm, rule.pattern.named("bn"), done.now.at(rule.replacement.named("bn")));
    }

    base::Result<std::vector<QatPair>> run()
    {
        // the pairs of the weight's q/dq stand before that of the input
        GB_TRY(addOperand(1, QatRole::WeightQuantize, QatRole::WeightDequantize, QatRole::Weight));
        const std::size_t weightAt = m_pairs.size() - 1;
        GB_TRY(addOperand(0, {}, {}, QatRole::Input));
        std::swap(m_pairs[weightAt], m_pairs.back());
        if (m_conv->args().size() > 2 && m_newConv->args().size() > 2)
            GB_TRY(addOperand(2, QatRole::BiasQuantize, QatRole::BiasDequantize, QatRole::Bias));
        return std::move(m_pairs);
    }

private:
    void add(QatRole role, const Node* pattern, Node* now)
    {
        const auto before = m_done.before.find(pattern);
        m_pairs.push_back({role, before == m_done.before.end() ? nullptr : before->second, now});
    }

    /// An argument of the convolution, with the q and dq before it where the pattern has them.
    base::Status addOperand(std::size_t index, std::optional<QatRole> quantize, std::optional<QatRole> dequantize,
                            QatRole role)
    {
        const Node* pattern = m_pattern.find(m_conv->arg(index).nodeId());
        Node* now = m_graph.find(m_newConv->arg(index).nodeId());
        if (!pattern || !now)
            return unexpected(index);
        if (quantize && isDequantize(*pattern)) {
            const Node* patternQ = m_pattern.find(pattern->arg(0).nodeId());
            Node* nowQ = m_graph.find(now->arg(0).nodeId());
            if (!nowQ || !isDequantize(*now) || !isQuantize(*nowQ))
                return unexpected(index);
            add(*quantize, patternQ, nowQ);
            add(*dequantize, pattern, now);
            pattern = m_pattern.find(patternQ->arg(0).nodeId());
            now = m_graph.find(nowQ->arg(0).nodeId());
        }
        add(role, pattern, now);
        return m_pairs.back().before && now ? base::Status() : unexpected(index);
    }

    [[nodiscard]] Error unexpected(std::size_t index) const
    {
        return {ErrorCode::AssertionError, base::say("argument {0} is not what its pattern has there", index),
                "node " + m_newConv->name()};
    }

    const ir::Graph& m_graph;
    const ir::Graph& m_pattern;
    const Rewritten& m_done;
    const Node* m_conv;
    Node* m_newConv;
    std::vector<QatPair> m_pairs;
};

/// now's first `count` arguments, then what `before` has behind them
void copyTail(const Node& before, Node* now, std::size_t count)
{
    std::vector<Argument> args = now->args();
    args.resize(count);
    if (before.args().size() > count)
        args.insert(args.end(), before.args().begin() + static_cast<std::ptrdiff_t>(count), before.args().end());
    now->graph().setArgs(now, std::move(args));
}

} // namespace

base::Result<std::vector<QatPair>> qatPairs(const ir::Graph& graph, const RewriteRule& rule, const Rewritten& done)
{
    return Pairing(graph, rule, done).run();
}

const QatPair* find(const std::vector<QatPair>& pairs, QatRole role)
{
    const auto found = std::ranges::find(pairs, role, &QatPair::role);
    return found == pairs.end() ? nullptr : &*found;
}

void copyLiteralConvArgs(const Node& before, Node* now)
{
    copyTail(before, now, 3);
}

void copyQuantizeArgs(const Node& before, Node* now)
{
    copyTail(before, now, before.calls(kQuantizePerTensor) || before.calls(kDequantizePerTensor) ? 1 : 3);
}

} // namespace gb::passes
