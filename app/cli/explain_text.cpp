#include "cli/explain_text.h"

#include "base/message.h"
#include "cli/table.h"
#include "explain/cascade.h"
#include "explain/codes.h"
#include "explain/provenance.h"

#include <ostream>

namespace gb::cli {
namespace {

using base::grouped;
using base::say;
using base::shortNumber;

void print(const explain::NodeReason& n, std::ostream& out)
{
    out << (n.graph.empty() ? n.node : n.graph + ": " + n.node) << "  " << n.target << "  " << n.code << ' '
        << explain::verdictOf(n.code) << '\n';
    out << "  " << n.sentence.text() << '\n';
    for (const explain::Evidence& e : n.evidence)
        out << "  " << say("found: {0}", e.sentence.text()) << '\n';
    for (const explain::TriedRule& rule : n.rules)
        out << "  " << say("tried: {0} of {1} (event {2}), {3}", rule.rule, rule.quantizer, rule.event, rule.failed)
            << '\n';
    if (n.nearest)
        out << "  closest: " << say("rule {0}", *n.nearest) << '\n';
    if (!n.toChange.empty())
        out << "  to change: " << n.toChange.text() << '\n';
}

std::vector<std::string> coverageCells(const explain::CoverageRow& row, const std::string& shown)
{
    std::vector<std::string> out{shown, std::to_string(row.total)};
    for (const int count : row.counts)
        out.push_back(std::to_string(count));
    return out;
}

void printCoverage(const explain::Coverage& coverage, std::ostream& out)
{
    for (const auto& [title, rows] : {std::pair("op", &coverage.byOp), std::pair("module", &coverage.byModule)}) {
        out << '\n';
        Table table({title, "ops", "labelled", "propagated", "shared", "refused", "none"});
        for (const explain::CoverageRow& row : *rows)
            table.add(coverageCells(row, row.name.empty() ? "(no module)" : row.name));
        table.add(coverageCells(coverage.all, "all"));
        table.print(out);
    }
}

std::string rangeText(const std::optional<explain::SeenRange>& range)
{
    return range ? say("{0} to {1}", shortNumber(range->low), shortNumber(range->high)) : std::string("?");
}

/// ": dtype int8, is_dynamic false, ..." of a join that nobody asked for; what differs with both values.
std::string comparedText(const explain::SharingJoin& join)
{
    std::string out;
    for (const explain::ComparedAttribute& a : join.compared)
        out += (out.empty() ? " (" : ", ") + a.name + " " + (a.equal() ? a.a : a.a + " / " + a.b);
    return out.empty() ? out : out + ")";
}

void printSharing(const explain::Sharing& sharing, std::ostream& out)
{
    for (const explain::SharingGroup& group : sharing.groups) {
        if (group.members.size() < 2)
            continue;
        out << '\n'
            << say("group {0}{1}: {2}, range {3}", group.number, group.graph.empty() ? "" : " of " + group.graph,
                   group.observer.empty() ? "no observer" : group.observer, rangeText(group.joint))
            << '\n';
        for (const explain::SharingMember& m : group.members)
            out << "  "
                << say("{0}{1}: {2}, range {3}{4}", m.text, m.decides ? " (decides)" : "", m.spec, rangeText(m.own),
                       m.bitsLost ? say(", {0} bits lost", shortNumber(*m.bitsLost)) : std::string())
                << '\n';
        for (const explain::SharingJoin& join : group.joins)
            out << "  joined: " << join.sentence.text() << comparedText(join) << '\n';
    }
}

void printLedger(const explain::Ledger& ledger, std::ostream& out)
{
    out << '\n';
    for (const explain::LedgerEntry& e : ledger.entries) {
        out << (e.alarm ? "!! " : "   ") << explain::name(e.kind) << ": " << e.sentence.text() << '\n';
        for (const std::string& detail : e.details)
            out << "     " << detail << '\n';
    }
    if (ledger.storedAfter >= 0)
        out << say("stored: {0} bytes before, {1} after, of which {2} are read", grouped(ledger.storedBefore),
                   grouped(ledger.storedAfter), grouped(ledger.readAfter))
            << '\n';
}

} // namespace

void printExplain(const explain::Answer& answer, const trace::Header& header, std::ostream& out)
{
    constexpr const char* kSeverities[] = {"error", "warning", "note"};
    const explain::Summary& s = answer.summary;
    out << say("{0}, {1}: {2} of {3} ops labelled, {4} not; {5} observers", header.model, header.mode, s.labelled,
               s.ops, s.unlabelled, s.observers)
        << '\n';
    if (s.inSubgraphsNotEntered > 0)
        out << say("{0} ops lie in sub-graphs that the quantizer does not enter", s.inSubgraphsNotEntered) << '\n';
    for (const bool unlabelled : {true, false}) // what has no label at all matters most
        for (const explain::NodeReason& n : answer.nodes)
            if (n.code.starts_with('R') == unlabelled) {
                out << '\n';
                print(n, out);
            }
    if (!answer.others.empty())
        out << '\n'
            << say("{0} placeholders, attributes, outputs and nodes that compute no tensor have no label of their own "
                   "(--all lists them)",
                   answer.others.size())
            << '\n';
    out << (answer.settings.empty() ? "" : "\nsettings\n");
    for (const explain::SettingReason& setting : answer.settings)
        out << "  " << setting.sentence.text() << '\n';
    out << (answer.findings.empty() ? "" : "\nfindings\n");
    for (const explain::Finding& f : answer.findings)
        out << "  " << kSeverities[static_cast<std::size_t>(f.severity)] << ' ' << (f.code.empty() ? "" : f.code + " ")
            << f.sentence.text() << '\n';
}

void printParts(const explain::Report& report, const ExplainParts& parts, std::ostream& out)
{
    if (parts.coverage)
        printCoverage(report.coverage, out);
    if (parts.sharing)
        printSharing(report.sharing, out);
    if (parts.ledger)
        printLedger(report.ledger, out);
}

void printHistory(const trace::Recording& recording, const ir::Graph& graph, ir::NodeId node, std::ostream& out)
{
    const auto writes = explain::labelHistory(recording, graph, node);
    out << (writes.empty() ? "" : "\nhistory of the label\n");
    for (const explain::LabelWrite& w : writes) {
        out << "  " << say("event {0}: {1}", w.event, w.sentence.text());
        if (w.source.line > 0)
            out << ", " << w.source.file << ':' << w.source.line;
        out << '\n';
        for (const explain::LabelChange& change : w.changes)
            out << "    " << say("{0}: {1} -> {2}", change.part, change.before, change.after) << '\n';
    }
    const auto cascade = explain::settingsCascade(recording, node);
    out << (cascade.empty() ? "" : "\nsettings that came to it\n");
    for (const explain::CascadeEntry& entry : cascade)
        out << "  "
            << say("{0}{1} {2}: {3}", entry.place.empty() ? std::string() : say("quantizer {0}, ", entry.place),
                   entry.setting, explain::name(entry.state), entry.because)
            << '\n';
}

} // namespace gb::cli
