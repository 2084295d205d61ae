#include "explain/known_rules.h"

#include "quantizers/quantizer.h"

#include <algorithm>

namespace gb::explain {
namespace {

using quantizers::ConfigArguments;
using quantizers::Recipe;

RuleTargets rowOf(const trace::Event& e)
{
    return {e.name, e.text("quantizer"), e.text("place"), e.graph, texts(e, "targets")};
}

/// What the rules of a recipe look at: they say so before they look, so an empty graph will do.
std::vector<RuleTargets> rulesOf(const Recipe& recipe)
{
    std::vector<RuleTargets> out;
    const auto quantizer = quantizers::makeQuantizer(recipe);
    if (!quantizer)
        return out;
    ir::GraphModule empty(std::make_shared<ir::NodeIds>(), "");
    trace::Recorder recorder({});
    if (!(*quantizer)->annotate(empty, recorder))
        return out;
    for (const trace::Event& e : recorder.recording().events)
        if (e.kind == trace::EventKind::Rule)
            out.push_back(rowOf(e));
    return out;
}

/// The same quantizer with one global config and nothing else.
Recipe globally(const Recipe& recipe, bool dynamic)
{
    Recipe out;
    out.quantizer = recipe.quantizer;
    out.global = ConfigArguments{{{"is_dynamic", ir::Argument(dynamic)}}};
    return out;
}

} // namespace

bool RuleTargets::has(const std::string& target) const
{
    return std::ranges::find(targets, target) != targets.end();
}

KnownRules::KnownRules(const RunView& run, const Recipe& recipe)
{
    for (const int index : run.rules)
        m_ran.push_back(rowOf(run.event(index)));
    addOthers(recipe);
}

void KnownRules::addOthers(const Recipe& recipe)
{
    for (const Recipe& member : recipe.quantizers)
        addOthers(member);
    const bool xnnpack = recipe.quantizer == "xnnpack";
    if (!xnnpack && recipe.quantizer != "x86_inductor" && recipe.quantizer != "arm_inductor")
        return;
    const bool dynamic = recipe.global && *recipe.global && (*recipe.global)->flag("is_dynamic", false);
    for (const bool other : {false, true})
        for (RuleTargets& rule : rulesOf(globally(recipe, dynamic != other)))
            m_others.emplace_back(std::move(rule), other);
    if (xnnpack)
        for (const auto& [name, config] : recipe.operatorType)
            m_unread.push_back(name);
}

bool KnownRules::looksAt(const std::string& target, const std::string& graph, const std::string* place) const
{
    return std::ranges::any_of(m_ran, [&](const RuleTargets& r) {
        return r.graph == graph && (!place || r.place == *place) && r.has(target);
    });
}

std::optional<OtherRule> KnownRules::elsewhere(const std::string& target) const
{
    for (const auto& [rule, otherMode] : m_others)
        if (rule.has(target))
            return OtherRule{rule.name, rule.quantizer, otherMode};
    return std::nullopt;
}

std::string KnownRules::unreadSettingFor(const std::string& target) const
{
    for (const std::string& name : m_unread)
        if (target == name || target.starts_with(name + "."))
            return "operator_type " + name;
    return {};
}

std::string KnownRules::quantizers() const
{
    std::vector<std::string> names;
    for (const RuleTargets& r : m_ran)
        if (std::ranges::find(names, r.quantizer) == names.end())
            names.push_back(r.quantizer);
    return listText(names);
}

} // namespace gb::explain
