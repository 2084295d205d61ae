// Compute ops without a label: R codes.
#include "explain/codes.h"
#include "explain/ops.h"
#include "explain/view.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::message;
using base::say;

/// A rule that a recording has, as far as the reasons need it.
struct RuleTargets {
    std::string name;
    std::string quantizer;
    std::string graph;
    std::vector<std::string> targets;
};

class Explainer {
public:
    explicit Explainer(const RunView& run)
        : m_run(run)
    {
        for (const int index : run.rules) {
            const trace::Event& e = run.event(index);
            m_rules.push_back({e.name, e.text("quantizer"), e.graph, texts(e, "targets")});
        }
    }

    [[nodiscard]] NodeReason reason(const ir::Node& node, const GraphView& graph) const
    {
        NodeReason out;
        out.node = node.name();
        out.graph = graph.path;
        out.target = node.target();
        out.id = node.id();
        if (!graph.entered) {
            out.code = "R10";
            out.sentence =
                message("{0} lies in the sub-graph {1}, which the quantizer never enters", node.name(), graph.path);
        } else {
            fromAttempts(out);
            if (out.code.empty() || out.code == "R1")
                fromTargets(out, node);
        }
        out.toChange = adviceFor(out.code);
        return out;
    }

private:
    /// What the rules that tried it said; the most telling refusal gives the code.
    void fromAttempts(NodeReason& out) const
    {
        const auto found = m_run.attempts.find(out.id);
        if (found == m_run.attempts.end())
            return;
        const trace::Event* best = nullptr;
        for (const int index : found->second) {
            const trace::Event& e = m_run.event(index);
            out.rules.push_back(
                {e.text("rule"), e.text("quantizer"),
                 say("{0}: found {1}, {2} expected", e.text("condition"), e.text("found"), e.text("expected")), index});
            if (!best || rankOf(e.text("code")) < rankOf(best->text("code")))
                best = &e;
        }
        out.code = best->text("code");
        out.nearest = best->text("rule");
        out.sentence = best->sentence;
    }

    /// No rule refused it for a reason of its own: is there a rule for the op, or for a sibling?
    void fromTargets(NodeReason& out, const ir::Node& node) const
    {
        const std::string& target = node.target();
        if (m_rules.empty()) {
            if (m_run.recording->failure) {
                out.code = "R16";
                out.sentence =
                    message("the quantizer raised {0} before it came to {1}", m_run.recording->failure->type, out.node);
            } else {
                out.code = "R17";
                out.sentence = message("the recording holds no attempt on {0}", out.node);
            }
            return;
        }
        for (const RuleTargets& rule : m_rules) {
            if (std::ranges::find(rule.targets, target) != rule.targets.end())
                continue; // a rule that has both spellings refuses this one for another reason
            const auto sibling =
                std::ranges::find_if(rule.targets, [&](const std::string& t) { return areSiblings(t, target); });
            if (sibling == rule.targets.end() || ruledElsewhere(*sibling, target))
                continue;
            out.code = "R2";
            out.nearest = rule.name;
            out.sentence = message("rule {0} looks at {1}, {2} is {3}", rule.name, *sibling, out.node, target);
            return;
        }
        if (!out.code.empty())
            return;
        if (isComposite(target)) {
            out.code = "R11";
            out.sentence = message("{0} is the composite op {1}, which was not decomposed", out.node, target);
        } else if (!m_run.annotated && m_run.recording->failure) {
            out.code = "R16";
            out.sentence =
                message("the quantizer raised {0} before it came to {1}", m_run.recording->failure->type, out.node);
        } else if (hasRule(target, out.graph)) {
            out.code = "R17";
            out.sentence = message("a rule looks at {0}, but the recording holds no attempt on {1}", target, out.node);
        } else {
            out.code = "R1";
            out.sentence = message("no rule of {0} looks at {1}", quantizers(), target);
        }
    }

    /// Every rule that has the sibling spelling has this one too, or another rule of the same kind does: then the
    /// spelling is not what keeps it out.
    [[nodiscard]] bool ruledElsewhere(const std::string& sibling, const std::string& target) const
    {
        return std::ranges::any_of(m_rules, [&](const RuleTargets& r) {
            const auto has = [&r](const std::string& t) { return std::ranges::find(r.targets, t) != r.targets.end(); };
            return r.targets.size() == 1 && has(target) && areSiblings(sibling, target);
        });
    }

    [[nodiscard]] bool hasRule(const std::string& target, const std::string& graph) const
    {
        return std::ranges::any_of(m_rules, [&](const RuleTargets& r) {
            return r.graph == graph && std::ranges::find(r.targets, target) != r.targets.end();
        });
    }

    [[nodiscard]] std::string quantizers() const
    {
        std::vector<std::string> names;
        for (const RuleTargets& r : m_rules)
            if (std::ranges::find(names, r.quantizer) == names.end())
                names.push_back(r.quantizer);
        std::string out;
        for (const std::string& name : names)
            out += (out.empty() ? "" : " and ") + name;
        return out;
    }

    const RunView& m_run;
    std::vector<RuleTargets> m_rules;
};

} // namespace

void addUnlabelled(const RunView& run, Answer& answer)
{
    const Explainer explainer(run);
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
            if (!isComputeOp(*n))
                continue;
            ++answer.summary.ops;
            if (isLabelled(*n)) {
                ++answer.summary.labelled;
                continue;
            }
            ++answer.summary.unlabelled;
            answer.summary.inSubgraphsNotEntered += graph.entered ? 0 : 1;
            answer.nodes.push_back(explainer.reason(*n, graph));
        }
}

} // namespace gb::explain
