#include "tables/explain_rows.h"

#include "observers/number_text.h"
#include "session/translate.h"

#include <QCoreApplication>

#include <array>
#include <unordered_map>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("explain", text);
}

QString from(const std::string& text)
{
    return QString::fromStdString(text);
}

RowCell number(double value)
{
    return {shortText(value), value};
}

RowCell count(int value)
{
    return {QString::number(value), value};
}

/// With a capital and a full stop, as it stands alone.
QString sentenceOf(const QString& text)
{
    return text.left(1).toUpper() + text.mid(1) + QLatin1Char('.');
}

QString none(const explain::Report& /*report*/)
{
    return {};
}

// Problems

std::vector<RowItem> problemRows(const explain::Report& report)
{
    static constexpr std::array kInks = {Ink::Error, Ink::Warning, Ink::Muted};
    const std::array kNames = {tr(QT_TRANSLATE_NOOP("explain", "error")), tr(QT_TRANSLATE_NOOP("explain", "warning")),
                               tr(QT_TRANSLATE_NOOP("explain", "note"))};
    std::vector<RowItem> out;
    for (const explain::Finding& f : report.answer.findings) {
        const auto severity = static_cast<std::size_t>(f.severity);
        RowItem item;
        item.cells = {
            {kNames[severity], static_cast<double>(severity)}, from(f.kind),          from(f.code), from(f.node),
            f.event < 0 ? RowCell() : count(f.event),          translated(f.sentence)};
        item.cells[0].number.reset(); // a word, not a number, to the eye
        item.node = f.id;
        item.event = f.event;
        item.ink = kInks[severity];
        out.push_back(std::move(item));
    }
    return out;
}

// Coverage

void addCoverage(std::vector<RowItem>& out, const QString& kind, const explain::CoverageRow& row)
{
    RowItem item;
    item.cells = {kind, row.name.empty() ? tr(QT_TRANSLATE_NOOP("explain", "(no module)")) : from(row.name),
                  count(row.total)};
    for (const int n : row.counts)
        item.cells.push_back(n == 0 ? RowCell(QStringLiteral("—"), 0) : count(n));
    const int labelled = row.total - row.at(explain::Standing::Refused) - row.at(explain::Standing::None);
    const double share = row.total == 0 ? 0.0 : 100.0 * labelled / row.total;
    item.cells.push_back({QStringLiteral("%1 %").arg(share, 0, 'f', 0), share});
    item.node = row.nodes.empty() ? ir::kNoNode : row.nodes.front();
    if (labelled == 0)
        item.ink = Ink::Warning;
    out.push_back(std::move(item));
}

std::vector<RowItem> coverageRows(const explain::Report& report)
{
    std::vector<RowItem> out;
    for (const explain::CoverageRow& row : report.coverage.byOp)
        addCoverage(out, tr(QT_TRANSLATE_NOOP("explain", "op")), row);
    for (const explain::CoverageRow& row : report.coverage.byModule)
        addCoverage(out, tr(QT_TRANSLATE_NOOP("explain", "module")), row);
    return out;
}

QString coverageBanner(const explain::Report& report)
{
    if (!report.coverage.nothingLabelled)
        return {};
    return tr(QT_TRANSLATE_NOOP("explain", "Nothing was labelled: %1 of %1 ops stay in float."))
        .arg(report.coverage.all.total);
}

// Settings

std::vector<RowItem> settingRows(const explain::Report& report)
{
    std::vector<RowItem> out;
    for (const explain::SettingReason& s : report.answer.settings) {
        QStringList reached;
        for (const std::string& node : s.reached)
            reached << from(node);
        RowItem item;
        item.cells = {from(s.setting),
                      s.read ? tr(QT_TRANSLATE_NOOP("explain", "yes")) : tr(QT_TRANSLATE_NOOP("explain", "no")),
                      count(static_cast<int>(s.reached.size())),
                      s.nearest ? from(*s.nearest) : QString(),
                      translated(s.sentence),
                      reached.join(QStringLiteral(", "))};
        item.struck = !s.read;
        if (s.read && s.reached.empty())
            item.ink = Ink::Warning;
        out.push_back(std::move(item));
    }
    return out;
}

// Sharing

QString rangeText(const std::optional<explain::SeenRange>& range)
{
    if (!range)
        return QStringLiteral("?");
    return tr(QT_TRANSLATE_NOOP("explain", "%1 to %2")).arg(shortText(range->low), shortText(range->high));
}

/// How a member came into its group: the joins that name it, with the attributes that differ or that they agree.
QString joinText(const explain::SharingGroup& group, const explain::SharingMember& member)
{
    QStringList out;
    for (const explain::SharingJoin& join : group.joins)
        if (join.a == member.position) {
            QStringList compared;
            for (const explain::ComparedAttribute& a : join.compared)
                compared << from(a.name) + QLatin1Char('=') + from(a.a)
                                + (a.equal() ? QString() : QStringLiteral(" ≠ ") + from(a.b));
            QString text = from(join.how) + QStringLiteral(": ") + translated(join.sentence);
            if (!compared.isEmpty())
                text += QStringLiteral(" (") + compared.join(QStringLiteral(", ")) + QLatin1Char(')');
            out << text;
        }
    return out.join(QStringLiteral("; "));
}

std::vector<RowItem> sharingRows(const explain::Report& report)
{
    std::vector<RowItem> out;
    for (const explain::SharingGroup& group : report.sharing.groups) {
        if (group.members.size() < 2)
            continue;
        for (const explain::SharingMember& m : group.members) {
            RowItem item;
            const QString graph = group.graph.empty() ? QString() : from(group.graph) + QLatin1Char(' ');
            item.cells = {{graph + QString::number(group.number), group.number},
                          from(m.text) + (m.decides ? QStringLiteral(" ★") : QString()),
                          from(m.spec),
                          rangeText(m.own),
                          rangeText(group.joint),
                          m.bitsLost ? number(*m.bitsLost) : RowCell(QStringLiteral("?")),
                          from(m.rule),
                          joinText(group, m)};
            item.node = m.position.isEdge() ? m.position.consumer : m.position.node;
            if (m.bitsLost.value_or(0.0) >= 2.0)
                item.ink = Ink::Warning;
            out.push_back(std::move(item));
        }
    }
    return out;
}

// Ledger

RowCell bytes(std::int64_t value)
{
    return value == 0 ? RowCell() : RowCell(from(base::grouped(value)), static_cast<double>(value));
}

std::vector<RowItem> ledgerRows(const explain::Report& report)
{
    std::vector<RowItem> out;
    for (const explain::LedgerEntry& e : report.ledger.entries) {
        QStringList details;
        for (const std::string& detail : e.details)
            details << from(detail);
        RowItem item;
        item.cells = {QCoreApplication::translate("core", explain::name(e.kind)),
                      e.event < 0 ? RowCell() : count(e.event),
                      translated(e.sentence),
                      bytes(e.bytesBefore),
                      bytes(e.bytesAfter),
                      details.join(QStringLiteral("; "))};
        item.node = e.nodes.empty() ? ir::kNoNode : e.nodes.front();
        item.event = e.event;
        if (e.alarm)
            item.ink = Ink::Error;
        out.push_back(std::move(item));
    }
    return out;
}

QString ledgerBanner(const explain::Report& report)
{
    for (const explain::Finding& f : report.answer.findings)
        if (f.kind == "output changed by prepare")
            return sentenceOf(translated(f.sentence));
    return {};
}

} // namespace

ExplainPart problemsPart()
{
    return {tr(QT_TRANSLATE_NOOP("explain", "Problems")),
            {tr(QT_TRANSLATE_NOOP("explain", "Severity")), tr(QT_TRANSLATE_NOOP("explain", "Kind")),
             tr(QT_TRANSLATE_NOOP("explain", "Code")), tr(QT_TRANSLATE_NOOP("explain", "Node")),
             tr(QT_TRANSLATE_NOOP("explain", "Event")), tr(QT_TRANSLATE_NOOP("explain", "What was found"))},
            problemRows,
            none,
            false,
            tr(QT_TRANSLATE_NOOP("explain", "No problem was found."))};
}

ExplainPart coveragePart()
{
    return {tr(QT_TRANSLATE_NOOP("explain", "Coverage")),
            {tr(QT_TRANSLATE_NOOP("explain", "By")), tr(QT_TRANSLATE_NOOP("explain", "Op or module")),
             tr(QT_TRANSLATE_NOOP("explain", "Ops")), tr(QT_TRANSLATE_NOOP("explain", "Labelled")),
             tr(QT_TRANSLATE_NOOP("explain", "Propagated")), tr(QT_TRANSLATE_NOOP("explain", "Shared")),
             tr(QT_TRANSLATE_NOOP("explain", "Refused")), tr(QT_TRANSLATE_NOOP("explain", "None")),
             tr(QT_TRANSLATE_NOOP("explain", "Covered"))},
            coverageRows,
            coverageBanner,
            true,
            tr(QT_TRANSLATE_NOOP("explain", "There are no ops."))};
}

ExplainPart settingsPart()
{
    return {tr(QT_TRANSLATE_NOOP("explain", "Settings of the recipe")),
            {tr(QT_TRANSLATE_NOOP("explain", "Setting")), tr(QT_TRANSLATE_NOOP("explain", "Read")),
             tr(QT_TRANSLATE_NOOP("explain", "Nodes")), tr(QT_TRANSLATE_NOOP("explain", "Nearest name")),
             tr(QT_TRANSLATE_NOOP("explain", "What came of it")), tr(QT_TRANSLATE_NOOP("explain", "Reached"))},
            settingRows,
            none,
            false,
            tr(QT_TRANSLATE_NOOP("explain", "The recipe has no settings, or the quantizer did not come to its end."))};
}

ExplainPart sharingPart()
{
    return {tr(QT_TRANSLATE_NOOP("explain", "Labels that share one observer")),
            {tr(QT_TRANSLATE_NOOP("explain", "Group")), tr(QT_TRANSLATE_NOOP("explain", "Member (★ decides)")),
             tr(QT_TRANSLATE_NOOP("explain", "Spec")), tr(QT_TRANSLATE_NOOP("explain", "Own range")),
             tr(QT_TRANSLATE_NOOP("explain", "Joint range")), tr(QT_TRANSLATE_NOOP("explain", "Bits lost")),
             tr(QT_TRANSLATE_NOOP("explain", "Rule")), tr(QT_TRANSLATE_NOOP("explain", "Joined"))},
            sharingRows,
            none,
            false,
            tr(QT_TRANSLATE_NOOP("explain", "No two labels share an observer."))};
}

ExplainPart ledgerPart()
{
    return {tr(QT_TRANSLATE_NOOP("explain", "What prepare and convert changed")),
            {tr(QT_TRANSLATE_NOOP("explain", "Change")), tr(QT_TRANSLATE_NOOP("explain", "Event")),
             tr(QT_TRANSLATE_NOOP("explain", "What happened")), tr(QT_TRANSLATE_NOOP("explain", "Bytes before")),
             tr(QT_TRANSLATE_NOOP("explain", "Bytes after")), tr(QT_TRANSLATE_NOOP("explain", "Tensors"))},
            ledgerRows,
            ledgerBanner,
            true,
            tr(QT_TRANSLATE_NOOP("explain", "Nothing was changed besides observers."))};
}

QStringList searchHeaders()
{
    return {tr(QT_TRANSLATE_NOOP("explain", "Node")),   tr(QT_TRANSLATE_NOOP("explain", "Op")),
            tr(QT_TRANSLATE_NOOP("explain", "Module")), tr(QT_TRANSLATE_NOOP("explain", "Dtype")),
            tr(QT_TRANSLATE_NOOP("explain", "Codes")),  tr(QT_TRANSLATE_NOOP("explain", "Scale"))};
}

std::vector<RowItem> searchRows(const explain::SearchIndex& index, const std::vector<ir::NodeId>& found)
{
    std::unordered_map<ir::NodeId, const explain::SearchRow*> byId;
    for (const explain::SearchRow& row : index.rows)
        byId[row.id] = &row;
    const auto joined = [](const std::vector<std::string>& texts) {
        QStringList out;
        for (const std::string& text : texts)
            out << from(text);
        return out.join(QStringLiteral(", "));
    };
    std::vector<RowItem> out;
    for (const ir::NodeId id : found) {
        const explain::SearchRow& row = *byId.at(id);
        RowItem item;
        item.cells = {row.graph.empty() ? from(row.name) : from(row.graph) + QStringLiteral(": ") + from(row.name),
                      row.isObserver && !row.observers.empty() ? from(row.observers.front()) : from(row.target),
                      from(row.module),
                      joined(row.dtypes),
                      joined(row.codes),
                      row.scale.empty() ? RowCell() : number(row.scale.front())};
        item.node = id;
        out.push_back(std::move(item));
    }
    return out;
}

} // namespace gb::views
