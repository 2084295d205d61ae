#include "inspector/reasons.h"

#include "explain/codes.h"
#include "session/translate.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>

namespace gb::views {
namespace {

using trace::EventKind;

// explain's verdicts, for the catalogue
constexpr std::array kVerdicts{
    QT_TRANSLATE_NOOP("core", "by design"),     QT_TRANSLATE_NOOP("core", "excluded"),
    QT_TRANSLATE_NOOP("core", "not supported"), QT_TRANSLATE_NOOP("core", "blocked"),
    QT_TRANSLATE_NOOP("core", "problem"),       QT_TRANSLATE_NOOP("core", "not recorded"),
};

QString verdictText(const std::string& code)
{
    const std::string_view verdict = explain::verdictOf(code);
    for (const char* known : kVerdicts)
        if (verdict == known)
            return QCoreApplication::translate("core", known);
    return QString::fromUtf8(verdict.data(), static_cast<qsizetype>(verdict.size()));
}

Reason reasonFrom(const explain::NodeReason& from)
{
    Reason reason;
    reason.node = from.id;
    reason.name = QString::fromStdString(from.node);
    reason.graph = QString::fromStdString(from.graph);
    reason.target = QString::fromStdString(from.target);
    reason.code = QString::fromStdString(from.code);
    reason.verdict = verdictText(from.code);
    reason.sentence = translated(from.sentence);
    reason.toChange = from.toChange.empty() ? QString() : translated(from.toChange);
    reason.nearest = QString::fromStdString(from.nearest.value_or(""));
    for (const explain::TriedRule& rule : from.rules)
        reason.rules.push_back({QString::fromStdString(rule.rule), QString::fromStdString(rule.failed), rule.event});
    for (const explain::Evidence& fact : from.evidence)
        reason.evidence << translated(fact.sentence);
    return reason;
}

} // namespace

void ReasonSource::refresh()
{
    if (m_report == m_explanation->report())
        return;
    m_report = m_explanation->report();
    m_reasons.clear();
    if (!m_report)
        return;
    for (const explain::NodeReason& reason : m_report->answer.nodes)
        m_reasons.push_back(reasonFrom(reason));
    for (const explain::NodeReason& reason : m_report->answer.others) {
        m_reasons.push_back(reasonFrom(reason));
        m_reasons.back().isCompute = false;
    }
}

const std::vector<Reason>& ReasonSource::all()
{
    refresh();
    return m_reasons;
}

std::vector<Reason> ReasonSource::of(ir::NodeId node)
{
    refresh();
    std::vector<Reason> out;
    std::ranges::copy_if(m_reasons, std::back_inserter(out), [node](const Reason& r) { return r.node == node; });
    return out;
}

std::vector<int> eventsOf(const trace::Recording& recording, ir::NodeId node)
{
    std::vector<int> out;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const trace::Event& event = recording.events[i];
        if (event.kind != EventKind::Load && std::ranges::find(event.nodes, node) != event.nodes.end())
            out.push_back(static_cast<int>(i));
    }
    return out;
}

int labelledBy(const trace::Recording& recording, ir::NodeId node, int cursor)
{
    for (int i = std::min(cursor, static_cast<int>(recording.events.size()) - 1); i >= 0; --i) {
        const trace::Event& event = recording.events[static_cast<std::size_t>(i)];
        if (event.kind == EventKind::Annotate && std::ranges::find(event.nodes, node) != event.nodes.end())
            return i;
    }
    return -1;
}

int erasedBy(const trace::Recording& recording, ir::NodeId node)
{
    for (std::size_t i = recording.events.size(); i-- > 0;)
        for (const trace::Edit& edit : recording.events[i].edits)
            if (const auto* erased = std::get_if<trace::NodeErased>(&edit); erased && erased->id == node)
                return static_cast<int>(i);
    return -1;
}

} // namespace gb::views
