#include "explain/sharing.h"

#include "explain/references.h"
#include "explain/seen.h"
#include "explain/view.h"
#include "passes/sharing_groups.h"
#include "quantizers/report.h"

#include <algorithm>
#include <cmath>

namespace gb::explain {
namespace {

using base::message;
using base::say;
using trace::EventKind;

constexpr double kBitsWorthSaying = 2.0;

template <class T>
std::string textOf(const std::optional<T>& value)
{
    return value ? std::to_string(*value) : std::string("none");
}

/// _union_input_edge_with: dtype, is_dynamic, quant_min, quant_max, qscheme, ch_axis, scale, zero_point
std::vector<std::string> attributesOf(const ir::Spec& spec)
{
    std::vector<std::string> out(8, "—");
    const auto common = [&out](const auto& s) {
        out[0] = ir::name(s.dtype);
        out[1] = s.isDynamic ? "true" : "false";
        out[2] = textOf(s.quantMin);
        out[3] = textOf(s.quantMax);
        out[4] = s.qscheme ? ir::name(*s.qscheme) : "none";
    };
    if (const auto* plain = ir::as<ir::QuantizationSpec>(spec)) {
        common(*plain);
        out[5] = textOf(plain->chAxis);
    } else if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec)) {
        common(*derived);
        out[5] = textOf(derived->chAxis);
    } else if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec)) {
        common(*fixed);
        out[6] = base::shortNumber(fixed->scale);
        out[7] = std::to_string(fixed->zeroPoint);
    }
    return out;
}

std::vector<ComparedAttribute> compared(const ir::Spec& a, const ir::Spec& b)
{
    static constexpr const char* kNames[] = {"dtype",   "is_dynamic", "quant_min", "quant_max",
                                             "qscheme", "ch_axis",    "scale",     "zero_point"};
    const std::vector<std::string> first = attributesOf(a);
    const std::vector<std::string> second = attributesOf(b);
    std::vector<ComparedAttribute> out;
    for (std::size_t i = 0; i < std::size(kNames); ++i)
        out.push_back({kNames[i], first[i], second[i]});
    return out;
}

double spanOf(const SeenRange& range, bool symmetric)
{
    if (symmetric)
        return 2.0 * std::max(std::fabs(range.low), std::fabs(range.high));
    return std::max(range.high, 0.0) - std::min(range.low, 0.0); // 0 is always representable
}

class GroupMaker {
public:
    GroupMaker(const RunView& run, const GraphView& graph, Sharing& out, Answer& answer)
        : m_run(run)
        , m_graph(*graph.moment->graph)
        , m_path(graph.path)
        , m_out(out)
        , m_answer(answer)
        , m_seen(seenByPosition(run))
    {
    }

    void make()
    {
        trace::Recorder scratch({});
        passes::SpecTable specs = passes::specsOf(m_graph);
        const bool broken = addReferenceFindings(m_graph, specs, m_answer);
        const auto groups = passes::findSharingGroups(m_graph, specs, scratch);
        if (!groups || broken)
            return;
        for (int number = 0; number < groups->count; ++number) {
            m_out.groups.push_back(groupOf(*groups, number));
            sayForward(groups->specs.rows()[groups->members(number).front()]);
        }
        addJoins(scratch.recording(), *groups);
        for (SharingGroup& group : m_out.groups)
            if (group.graph == m_path)
                judge(group);
    }

private:
    SharingGroup groupOf(const passes::SharingGroups& groups, int number) const
    {
        SharingGroup out;
        out.graph = m_path;
        out.number = number;
        for (const std::size_t row : groups.members(number)) {
            const auto& [position, spec] = groups.specs.rows()[row];
            SharingMember member;
            member.position = position;
            member.text = passes::positionText(m_graph, position);
            member.spec = quantizers::describe(spec, m_graph);
            member.rule = ruleOf(position);
            member.decides = out.members.empty() && spec; // the first row of a group makes its observer
            if (member.decides)
                out.observer = observerOf(spec);
            const ir::Node* node = m_graph.find(position.node);
            member.nonNegative = node && isNeverNegative(*node);
            const bool isFloat = node && (!node->val() || ir::isFloatingPoint(node->val()->dtype));
            if (const auto seen = m_seen.find(position); seen != m_seen.end() && isFloat)
                member.own = seen->second;
            out.members.push_back(std::move(member));
        }
        addRanges(out, groups.specs.rows()[groups.members(number).front()].spec);
        return out;
    }

    static std::string observerOf(const ir::Spec& spec)
    {
        if (const auto* plain = ir::as<ir::QuantizationSpec>(spec))
            return plain->observer.name;
        return ir::as<ir::DerivedQuantizationSpec>(spec) ? "DerivedObserverOrFakeQuantize" : "FixedQParamsObserver";
    }

    [[nodiscard]] std::string ruleOf(ir::Position position) const
    {
        const ir::NodeId owner = position.isEdge() ? position.consumer : position.node;
        const auto writes = m_run.writes.find(owner);
        return writes == m_run.writes.end() ? std::string() : m_run.event(writes->second.back()).text("rule");
    }

    static void addRanges(SharingGroup& group, const ir::Spec& spec)
    {
        const auto* plain = ir::as<ir::QuantizationSpec>(spec);
        const bool symmetric = plain && plain->qscheme && ir::isSymmetric(*plain->qscheme);
        for (const SharingMember& m : group.members) {
            if (!m.own)
                continue;
            if (!group.joint) {
                group.joint = m.own;
                continue;
            }
            group.joint->low = std::min(group.joint->low, m.own->low);
            group.joint->high = std::max(group.joint->high, m.own->high);
            group.joint->nonFinite += m.own->nonFinite;
        }
        for (SharingMember& m : group.members)
            if (m.own && spanOf(*m.own, symmetric) > 0.0)
                m.bitsLost = std::log2(spanOf(*group.joint, symmetric) / spanOf(*m.own, symmetric));
    }

    void addJoins(const trace::Recording& said, const passes::SharingGroups& groups)
    {
        for (const trace::Event& e : said.events) {
            if (e.kind != EventKind::Share)
                continue;
            SharingJoin join;
            join.a = positionOf(e, "a");
            join.b = positionOf(e, "b");
            join.how = e.text("how");
            join.sentence = e.sentence;
            const auto a = groups.specs.find(join.a);
            const auto b = groups.specs.find(join.b);
            if (!a || !b)
                continue;
            if (join.how != "explicit")
                join.compared = compared(concreteSpec(groups.specs, *a), concreteSpec(groups.specs, *b));
            const int number = groups.groupOf[*a];
            for (SharingGroup& group : m_out.groups)
                if (group.graph == m_path && group.number == number)
                    group.joins.push_back(join);
        }
    }

    /// The first label of a group makes its observer: one that shares asks for an observer that is not there yet.
    void sayForward(const passes::SpecTable::Row& first)
    {
        const auto* shared = ir::as<ir::SharedQuantizationSpec>(first.spec);
        if (!shared)
            return;
        m_answer.findings.push_back(
            {"", Severity::Error, m_run.nameOf(first.position.node),
             message(
                 "{0} shares with {1}, whose observer is made later: prepare refuses that. Give {0} the spec itself "
                 "and let {1} share with it",
                 passes::positionText(m_graph, first.position), passes::positionText(m_graph, shared->with)),
             -1, first.position.node, "forward reference"});
    }

    void judge(const SharingGroup& group)
    {
        if (group.members.size() < 2)
            return;
        sayNonNegative(group);
        const auto worst = std::ranges::max_element(group.members, {}, [](const SharingMember& m) {
            return m.bitsLost.value_or(0.0); // the members of one tensor would say the same again
        });
        if (worst->bitsLost.value_or(0.0) < kBitsWorthSaying)
            return;
        m_answer.findings.push_back(
            {"", Severity::Warning, m_run.nameOf(worst->position.node),
             message("{0} spans {1} to {2} and shares with {3} to {4}: {5} bits of its codes are lost", worst->text,
                     worst->own->low, worst->own->high, group.joint->low, group.joint->high, *worst->bitsLost),
             -1, worst->position.node, "bits lost to sharing"});
    }

    /// Half of the codes of a signed group are of no use to a tensor that is never negative, unless all are such.
    void sayNonNegative(const SharingGroup& group)
    {
        const auto positive = std::ranges::find_if(group.members, &SharingMember::nonNegative);
        const auto other = std::ranges::find_if(group.members, [](const auto& m) { return !m.nonNegative; });
        if (positive == group.members.end() || other == group.members.end() || (group.joint && group.joint->low >= 0.0))
            return;
        const auto join = std::ranges::find_if(group.joins, [&](const SharingJoin& j) {
            return j.a.node == positive->position.node || j.b.node == positive->position.node;
        });
        m_answer.findings.push_back(
            {"", positive->bitsLost.value_or(kBitsWorthSaying) < 1.0 ? Severity::Note : Severity::Warning,
             m_run.nameOf(positive->position.node),
             message("{0} is never negative, but shares one range with {1}, which may be: {2} (rule {3})",
                     positive->text, other->text,
                     join == group.joins.end() ? std::string("they are in one group") : join->sentence.text(),
                     other->rule),
             -1, positive->position.node, "non-negative in a signed group"});
    }

    const RunView& m_run;
    const ir::Graph& m_graph;
    const std::string& m_path;
    Sharing& m_out;
    Answer& m_answer;
    std::map<ir::Position, SeenRange> m_seen;
};

} // namespace

Sharing sharingOf(const RunView& run, Answer& answer)
{
    Sharing out;
    for (const GraphView& graph : run.graphs)
        if (graph.entered)
            GroupMaker(run, graph, out, answer).make();
    return out;
}

} // namespace gb::explain
