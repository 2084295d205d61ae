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
    out["kind"] = textOrNull(f.kind);
    out["event"] = f.event < 0 ? Json() : Json(f.event);
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

Json coverageRowJson(const explain::CoverageRow& row)
{
    using explain::Standing;
    return {{"name", row.name},
            {"ops", row.total},
            {"labelled", row.at(Standing::Labelled)},
            {"propagated", row.at(Standing::Propagated)},
            {"shared", row.at(Standing::Shared)},
            {"refused", row.at(Standing::Refused)},
            {"none", row.at(Standing::None)}};
}

Json rangeJson(const std::optional<explain::SeenRange>& range)
{
    return range ? Json({range->low, range->high}) : Json();
}

Json memberJson(const explain::SharingMember& m)
{
    Json out = {{"position", m.text}, {"spec", m.spec}, {"rule", m.rule}, {"decides", m.decides}};
    out["range"] = rangeJson(m.own);
    out["bits_lost"] = m.bitsLost ? Json(*m.bitsLost) : Json();
    return out;
}

Json groupJson(const explain::SharingGroup& group)
{
    Json out = {{"graph", group.graph}, {"group", group.number}, {"observer", textOrNull(group.observer)}};
    out["range"] = rangeJson(group.joint);
    out["members"] = listJson(group.members, memberJson);
    Json joins = Json::array();
    for (const explain::SharingJoin& join : group.joins) {
        Json compared = Json::object();
        for (const explain::ComparedAttribute& a : join.compared)
            compared[a.name] = {a.a, a.b};
        joins.push_back({{"how", join.how}, {"sentence", join.sentence.text()}, {"compared", std::move(compared)}});
    }
    out["joins"] = std::move(joins);
    return out;
}

Json entryJson(const explain::LedgerEntry& e)
{
    Json out = {{"kind", explain::name(e.kind)}, {"graph", e.graph}, {"sentence", e.sentence.text()}};
    out["details"] = e.details;
    out["bytes_before"] = e.bytesBefore;
    out["bytes_after"] = e.bytesAfter;
    out["event"] = e.event < 0 ? Json() : Json(e.event);
    out["alarm"] = e.alarm;
    return out;
}

void addParts(Json& out, const explain::Report& report, const ExplainParts& parts)
{
    if (parts.coverage)
        out["coverage"] = {{"nothing_labelled", report.coverage.nothingLabelled},
                           {"all", coverageRowJson(report.coverage.all)},
                           {"by_op", listJson(report.coverage.byOp, coverageRowJson)},
                           {"by_module", listJson(report.coverage.byModule, coverageRowJson)}};
    if (parts.sharing)
        out["sharing"] = listJson(report.sharing.groups, groupJson);
    if (parts.ledger)
        out["ledger"] = {{"stored_before", report.ledger.storedBefore},
                         {"stored_after", report.ledger.storedAfter},
                         {"read_after", report.ledger.readAfter},
                         {"entries", listJson(report.ledger.entries, entryJson)}};
}

} // namespace

std::string explainJson(const explain::Answer& answer, const trace::Header& header, const explain::Report& report,
                        const ExplainParts& parts)
{
    Json out = {{"format", "greenbox-explain"}, {"version", 1}, {"model", header.model}};
    const auto recipe = io::parseJson(header.recipe, "recipe");
    out["recipe"] = recipe ? *recipe : Json();
    out["mode"] = header.mode;
    out["summary"] = summaryJson(answer.summary);
    out["nodes"] = listJson(answer.nodes, nodeJson);
    out["settings"] = listJson(answer.settings, settingJson);
    out["findings"] = listJson(answer.findings, findingJson);
    addParts(out, report, parts);
    return io::dumpJson(out) + "\n";
}

} // namespace gb::cli
