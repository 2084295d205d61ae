#include "cli/explain_json.h"

#include "explain/codes.h"
#include "io/json.h"

namespace gb::cli {
namespace {

using io::Json;

Json orNull(const std::optional<std::string>& text)
{
    return text ? Json(*text) : Json();
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

Json summaryJson(const explain::Summary& s)
{
    return {{"ops", s.ops},
            {"labelled", s.labelled},
            {"unlabelled", s.unlabelled},
            {"observers", s.observers},
            {"in_subgraphs_not_entered", s.inSubgraphsNotEntered}};
}

Json nodeJson(const explain::NodeReason& n)
{
    Json rules = Json::array();
    for (const explain::TriedRule& r : n.rules)
        rules.push_back({{"rule", r.rule}, {"quantizer", r.quantizer}, {"failed", r.failed}, {"event", r.event}});
    Json out = {{"node", n.node},
                {"graph", n.graph},
                {"target", n.target},
                {"code", n.code},
                {"verdict", explain::verdictOf(n.code)},
                {"sentence", n.sentence.text()}};
    out["rules"] = std::move(rules);
    out["nearest"] = orNull(n.nearest);
    out["to_change"] = textOrNull(n.toChange.text());
    Json evidence = Json::array();
    for (const explain::Evidence& e : n.evidence)
        evidence.push_back({{"sentence", e.sentence.text()}, {"event", e.event < 0 ? Json() : Json(e.event)}});
    out["evidence"] = std::move(evidence);
    return out;
}

Json settingJson(const explain::SettingReason& s)
{
    Json out = {{"setting", s.setting}, {"read", s.read}};
    out["reached"] = s.reached;
    out["nearest"] = orNull(s.nearest);
    out["sentence"] = s.sentence.text();
    return out;
}

Json findingJson(const explain::Finding& f)
{
    constexpr const char* kSeverities[] = {"error", "warning", "note"};
    Json out = Json::object();
    out["code"] = textOrNull(f.code);
    out["severity"] = kSeverities[static_cast<std::size_t>(f.severity)];
    out["node"] = textOrNull(f.node);
    out["sentence"] = f.sentence.text();
    return out;
}

template <class T>
Json listJson(const std::vector<T>& items, Json (*make)(const T&))
{
    Json out = Json::array();
    for (const T& item : items)
        out.push_back(make(item));
    return out;
}

} // namespace

std::string explainJson(const explain::Answer& answer, const trace::Header& header)
{
    Json out = {{"format", "greenbox-explain"}, {"version", 1}, {"model", header.model}};
    const auto recipe = io::parseJson(header.recipe, "recipe");
    out["recipe"] = recipe ? *recipe : Json();
    out["mode"] = header.mode;
    out["summary"] = summaryJson(answer.summary);
    out["nodes"] = listJson(answer.nodes, nodeJson);
    out["settings"] = listJson(answer.settings, settingJson);
    out["findings"] = listJson(answer.findings, findingJson);
    return io::dumpJson(out) + "\n";
}

} // namespace gb::cli
