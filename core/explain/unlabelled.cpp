// Nodes without a label: R codes.
#include "explain/codes.h"
#include "explain/evidence.h"
#include "explain/known_rules.h"
#include "explain/ops.h"
#include "explain/view.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::message;
using base::say;

class Explainer {
public:
    Explainer(const RunView& run, const quantizers::Recipe& recipe)
        : m_run(run)
        , m_rules(run, recipe)
    {
    }

    [[nodiscard]] NodeReason reason(const ir::Node& node, const GraphView& graph) const
    {
        NodeReason out;
        out.node = node.name();
        out.graph = graph.path;
        out.target = node.target();
        out.id = node.id();
        out.position = {node.id(), ir::kNoNode};
        if (node.op() != ir::Op::CallFunction) {
            out.code = "R18";
            out.sentence = message("{0} is {1}: it gets a label only as part of an op's rule", out.node,
                                   node.op() == ir::Op::Placeholder ? "an input of the graph"
                                   : node.op() == ir::Op::Output    ? "the output of the graph"
                                                                    : "an attribute");
        } else if (!graph.entered) {
            out.code = "R10";
            out.sentence =
                message("{0} lies in the sub-graph {1}, which the quantizer never enters", out.node, graph.path);
        } else {
            fromEvents(out, node);
        }
        if (out.toChange.empty())
            out.toChange = adviceFor(out.code);
        out.evidence = evidenceFor(m_run, node, out);
        return out;
    }

private:
    void fromEvents(NodeReason& out, const ir::Node& node) const
    {
        fromMatch(out, node);
        if (!out.code.empty())
            return;
        fromAttempts(out, node);
        if (out.code == "R1" && !m_run.annotated && m_run.recording->failure) {
            raised(out); // a later rule may have taken it
            return;
        }
        if (out.code.empty() || out.code == "R1")
            fromSiblings(out, node);
        if (out.code.empty())
            fromWrites(out);
        if (out.code.empty() && !isComputeOp(node) && node.meta().val.kind == ir::ValueMeta::Kind::Scalar) {
            out.code = "R7";
            out.sentence = message("{0} gives no tensor, but {1}", out.node, valueText(node));
        }
        if (out.code.empty())
            fromTargets(out);
    }

    /// A rule took its chain, and wrote the labels on the other members: it is inside of what was fused.
    void fromMatch(NodeReason& out, const ir::Node& node) const
    {
        const auto found = m_run.matches.find(node.id());
        if (found == m_run.matches.end() || m_run.writes.contains(node.id()))
            return;
        for (const int index : found->second) {
            const trace::Event& match = m_run.event(index);
            std::vector<std::string> labelled;
            for (const ir::NodeId id : match.nodes)
                if (const ir::Node* member = m_run.find(id); member && isLabelled(*member))
                    labelled.push_back(member->name());
            if (labelled.empty())
                continue;
            fromAttempts(out, node); // the rules that tried it are told all the same
            out.code = "R6";
            out.nearest = match.text("rule");
            out.event = index;
            out.sentence = message("rule {0} took {1} as a part of its pattern: the labels are on {2}",
                                   match.text("rule"), out.node, listText(labelled));
            out.toChange = message("nothing: {0} runs as one with {1}", out.node, listText(labelled));
            return;
        }
    }

    /// What the rules that tried it said; the most telling refusal gives the code.
    void fromAttempts(NodeReason& out, const ir::Node& node) const
    {
        const auto found = m_run.attempts.find(out.id);
        if (found == m_run.attempts.end())
            return;
        const trace::Event* best = nullptr;
        int bestRank = 0;
        for (const int index : found->second) {
            const trace::Event& e = m_run.event(index);
            out.rules.push_back(
                {e.text("rule"), e.text("quantizer"),
                 say("{0}: found {1}, {2} expected", e.text("condition"), e.text("found"), e.text("expected")), index,
                 e.text("place"), codeOf(e, node)});
            // a fusion that its other op was lost to says less than what the node's own rules found
            // and the filter of a setting less than what the same rule found under another one
            const bool others = e.text("code") == "R4" && isForOthers(e, found->second);
            const int rank = others                       ? rankOf("R1") * 2 + 1
                             : lostToAnotherOp(e, out.id) ? rankOf("R9") * 2 + 1
                                                          : rankOf(out.rules.back().code) * 2;
            // of two that say as much the one that is about fewer nodes
            if (!best || rank < bestRank || (rank == bestRank && e.nodes.size() < best->nodes.size())) {
                best = &e;
                bestRank = rank;
                out.code = out.rules.back().code;
                out.event = index;
            }
        }
        out.nearest = best->text("rule");
        out.sentence = best->sentence;
    }

    /// Refused because another op of the chain, not this one or an attribute, was marked before.
    [[nodiscard]] bool lostToAnotherOp(const trace::Event& attempt, ir::NodeId id) const
    {
        const ir::Argument* by = attempt.text("code") == "R5" ? attempt.field("by_event") : nullptr;
        const auto* index = by ? by->as<std::int64_t>() : nullptr;
        if (!index || *index < 0 || *index >= static_cast<std::int64_t>(m_run.recording->events.size()))
            return false;
        const trace::Event& mark = m_run.event(static_cast<int>(*index));
        const ir::Node* marked = mark.nodes.empty() ? nullptr : m_run.find(mark.nodes.front());
        return marked && marked->id() != id && isComputeOp(*marked);
    }

    /// Kept out by the filter of one setting, while the same rule looked at it under another: that one says why.
    [[nodiscard]] bool isForOthers(const trace::Event& attempt, const std::vector<int>& all) const
    {
        return std::ranges::any_of(all, [&](int index) {
            const trace::Event& other = m_run.event(index);
            return other.text("code") != "R4" && other.text("rule") == attempt.text("rule")
                   && other.text("place") == attempt.text("place");
        });
    }

    /// A rule that propagates the label of a producer stands behind it only where that producer can have one: behind an
    /// op that no rule of the same quantizer looks at, it is the missing rule that counts, not the missing label.
    [[nodiscard]] std::string codeOf(const trace::Event& attempt, const ir::Node& node) const
    {
        std::string code = attempt.text("code");
        if (code != "R9" || attempt.text("rule") != "propagate" || attempt.nodes.front() != node.id())
            return code;
        const ir::Node* producer = node.graph().find(node.arg(0).nodeId());
        const std::string place = attempt.text("place");
        if (producer && isComputeOp(*producer) && !m_rules.looksAt(producer->target(), attempt.graph, &place)
            && !m_rules.elsewhere(producer->target()))
            return "R1";
        return code;
    }

    /// Is there a rule for another spelling of the op?
    void fromSiblings(NodeReason& out, const ir::Node& node) const
    {
        // a decomposed conv says its rank by its output alone
        const bool anyRank = out.target.starts_with("aten.convolution.") && node.val() && node.val()->shape.size() > 2;
        const std::string rank = anyRank ? std::to_string(node.val()->shape.size() - 2) + "d" : std::string();
        for (const RuleTargets& rule : m_rules.ran()) {
            if (rule.has(out.target))
                continue; // a rule that has both spellings refuses this one for another reason
            const auto sibling = std::ranges::find_if(rule.targets, [&](const std::string& t) {
                return areSiblings(t, out.target) && t.find(rank) != std::string::npos;
            });
            if (sibling == rule.targets.end() || ruledElsewhere(*sibling, out.target))
                continue;
            out.code = "R2";
            out.nearest = rule.name;
            out.sentence = message("rule {0} looks at {1}, {2} is {3}", rule.name, *sibling, out.node, out.target);
            out.toChange = message("write the model so that it exports {0} instead of {1}", *sibling, out.target);
            return;
        }
    }

    /// Every rule that has the sibling spelling has this one too, or another rule of the same kind does: then the
    /// spelling is not what keeps it out.
    [[nodiscard]] bool ruledElsewhere(const std::string& sibling, const std::string& target) const
    {
        return std::ranges::any_of(m_rules.ran(), [&](const RuleTargets& r) {
            return r.targets.size() == 1 && r.has(target) && areSiblings(sibling, target);
        });
    }

    /// It had a label, and somebody took it away.
    void fromWrites(NodeReason& out) const
    {
        const auto found = m_run.writes.find(out.id);
        if (found == m_run.writes.end())
            return;
        const trace::Event& last = m_run.event(found->second.back());
        out.code = "R15";
        out.event = found->second.back();
        out.sentence = message("rule {0} of {1} wrote a label on {2}, which was taken away later", last.text("rule"),
                               last.text("quantizer"), out.node);
    }

    void raised(NodeReason& out) const
    {
        out.code = "R16";
        out.sentence =
            message("the quantizer raised {0} before it came to {1}", m_run.recording->failure->type, out.node);
    }

    /// No rule refused it for a reason of its own: is there a rule for the op at all?
    void fromTargets(NodeReason& out) const
    {
        const bool failed = !m_run.annotated && m_run.recording->failure;
        const auto elsewhere = m_rules.elsewhere(out.target);
        const std::string unread = m_rules.unreadSettingFor(out.target);
        if (m_rules.ran().empty() && m_run.recording->failure) {
            raised(out);
        } else if (m_rules.looksAt(out.target, out.graph) && !failed) {
            out.code = "R17";
            out.sentence =
                message("a rule looks at {0}, but the recording holds no attempt on {1}", out.target, out.node);
        } else if (isComposite(out.target)) {
            out.code = "R11";
            out.sentence = message("{0} is the composite op {1}, which was not decomposed", out.node, out.target);
        } else if (failed) {
            raised(out);
        } else if (elsewhere && !unread.empty()) {
            out.code = "R13";
            out.nearest = elsewhere->rule;
            out.sentence =
                message("{0} names {1}, but no rule of {2} reads it", unread, out.target, elsewhere->quantizer);
        } else if (elsewhere && elsewhere->otherMode) {
            out.code = "R13";
            out.nearest = elsewhere->rule;
            out.sentence = message("rule {0} of {1} looks at {2}, but only in the other mode (static or dynamic) than "
                                   "the global config sets",
                                   elsewhere->rule, elsewhere->quantizer, out.target);
        } else if (elsewhere) {
            out.code = "R4";
            out.nearest = elsewhere->rule;
            out.sentence = message("rule {0} of {1} looks at {2}, but no setting of the recipe lets it run",
                                   elsewhere->rule, elsewhere->quantizer, out.target);
        } else if (m_rules.ran().empty()) {
            out.code = "R17";
            out.sentence = message("the recording holds no attempt on {0}", out.node);
        } else {
            out.code = "R1";
            out.sentence = message("no rule of {0} looks at {1}", m_rules.quantizers(), out.target);
        }
    }

    const RunView& m_run;
    KnownRules m_rules;
};

} // namespace

void addUnlabelled(const RunView& run, const quantizers::Recipe& recipe, Answer& answer)
{
    const Explainer explainer(run, recipe);
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
            const bool compute = isComputeOp(*n);
            answer.summary.ops += compute;
            if (isLabelled(*n)) {
                answer.summary.labelled += compute;
                continue;
            }
            if (!compute) {
                answer.others.push_back(explainer.reason(*n, graph));
                continue;
            }
            ++answer.summary.unlabelled;
            answer.summary.inSubgraphsNotEntered += graph.entered ? 0 : 1;
            answer.nodes.push_back(explainer.reason(*n, graph));
        }
}

} // namespace gb::explain
