#include "inspector/reasons.h"

#include "session/translate.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <utility>

namespace gb::views {
namespace {

using trace::Event;
using trace::EventKind;

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::Reasons", text);
}

bool touches(const Event& event, ir::NodeId node)
{
    return std::ranges::find(event.nodes, node) != event.nodes.end();
}

QString verdictOf(const QString& code)
{
    static const std::map<QString, const char*> kVerdicts{
        {QStringLiteral("R1"), QT_TRANSLATE_NOOP("gb::views::Reasons", "not supported")},
        {QStringLiteral("R2"), QT_TRANSLATE_NOOP("gb::views::Reasons", "not supported")},
        {QStringLiteral("R3"), QT_TRANSLATE_NOOP("gb::views::Reasons", "problem")},
        {QStringLiteral("R4"), QT_TRANSLATE_NOOP("gb::views::Reasons", "excluded by configuration")},
        {QStringLiteral("R5"), QT_TRANSLATE_NOOP("gb::views::Reasons", "by design")},
        {QStringLiteral("R6"), QT_TRANSLATE_NOOP("gb::views::Reasons", "by design")},
        {QStringLiteral("R7"), QT_TRANSLATE_NOOP("gb::views::Reasons", "not supported")},
        {QStringLiteral("R8"), QT_TRANSLATE_NOOP("gb::views::Reasons", "problem")},
        {QStringLiteral("R9"), QT_TRANSLATE_NOOP("gb::views::Reasons", "blocked by a neighbour")},
        {QStringLiteral("R10"), QT_TRANSLATE_NOOP("gb::views::Reasons", "problem")},
        {QStringLiteral("R11"), QT_TRANSLATE_NOOP("gb::views::Reasons", "not supported")},
        {QStringLiteral("R12"), QT_TRANSLATE_NOOP("gb::views::Reasons", "problem")},
        {QStringLiteral("R13"), QT_TRANSLATE_NOOP("gb::views::Reasons", "excluded by configuration")},
        {QStringLiteral("R14"), QT_TRANSLATE_NOOP("gb::views::Reasons", "not supported")},
        {QStringLiteral("R15"), QT_TRANSLATE_NOOP("gb::views::Reasons", "by design")},
        {QStringLiteral("R16"), QT_TRANSLATE_NOOP("gb::views::Reasons", "problem")},
        {QStringLiteral("R17"), QT_TRANSLATE_NOOP("gb::views::Reasons", "not recorded")},
        {QStringLiteral("R18"), QT_TRANSLATE_NOOP("gb::views::Reasons", "by design")},
    };
    const auto found = kVerdicts.find(code);
    return found == kVerdicts.end() ? QString() : tr(found->second);
}

/// The events of annotate that touched the nodes, found in one pass over the recording.
using EventsByNode = std::map<ir::NodeId, std::vector<const Event*>>;

EventsByNode decisions(const trace::Recording& recording)
{
    EventsByNode out;
    for (const Event& e : recording.events)
        if (e.kind == EventKind::Attempt || e.kind == EventKind::Annotate)
            for (const ir::NodeId node : e.nodes)
                out[node].push_back(&e);
    return out;
}

/// The newest attempt with a code: the quantizer's last word on the node.
const Event* lastRefusal(const std::vector<const Event*>& events)
{
    for (auto e = events.rbegin(); e != events.rend(); ++e)
        if ((*e)->kind == EventKind::Attempt && !(*e)->text("code").empty())
            return *e;
    return nullptr;
}

const Event* lastLabel(const std::vector<const Event*>& events)
{
    for (auto e = events.rbegin(); e != events.rend(); ++e)
        if ((*e)->kind == EventKind::Annotate)
            return *e;
    return nullptr;
}

bool hasLabel(const ir::Node& node)
{
    return node.annotation() != nullptr;
}

Reason explain(const trace::Recording& recording, const std::string& path, const ir::Node& node,
               const std::vector<const Event*>& events)
{
    Reason reason;
    reason.node = node.id();
    reason.graph = path;
    reason.name = QString::fromStdString(node.name());
    reason.target = QString::fromStdString(node.target());
    reason.labelled = hasLabel(node);
    if (reason.labelled) {
        const Event* label = lastLabel(events);
        reason.sentence = label ? translated(label->sentence) : tr("it has a label; the recording does not say from whom");
        return reason;
    }
    if (node.op() != ir::Op::CallFunction) {
        reason.code = QStringLiteral("R18");
        reason.sentence = tr("%1 nodes get labels only as part of an op's rule")
                              .arg(QString::fromLatin1(ir::name(node.op())));
    } else if (const Event* refusal = lastRefusal(events)) {
        reason.code = QString::fromStdString(refusal->text("code"));
        reason.sentence = translated(refusal->sentence);
    } else if (recording.failure && recording.stageEvent("annotated") < 0) {
        reason.code = QStringLiteral("R16");
        reason.sentence = tr("the quantizer raised before it got there: %1")
                              .arg(QString::fromStdString(recording.failure->message));
    } else if (!path.empty()) {
        reason.code = QStringLiteral("R10");
        reason.sentence = tr("it lies in the sub-graph %1, which the quantizer did not enter")
                              .arg(QString::fromStdString(path));
    } else {
        reason.code = QStringLiteral("R1");
        reason.sentence = tr("no rule of this quantizer looked at %1").arg(reason.target);
    }
    reason.verdict = verdictOf(reason.code);
    return reason;
}

} // namespace

std::vector<Reason> unlabelledNodes(const trace::Recording& recording, const trace::Moment& annotated)
{
    const EventsByNode events = decisions(recording);
    static const std::vector<const Event*> kNone;
    std::vector<Reason> out;
    for (const auto& [path, graph] : annotated.graphs)
        for (const ir::Node* node = graph->graph->first(); node; node = node->next()) {
            if (node->op() != ir::Op::CallFunction || hasLabel(*node))
                continue;
            const auto found = events.find(node->id());
            out.push_back(explain(recording, path, *node, found == events.end() ? kNone : found->second));
        }
    return out;
}

Reason reasonOf(const trace::Recording& recording, const trace::Moment& annotated, ir::NodeId id)
{
    for (const auto& [path, graph] : annotated.graphs)
        if (const ir::Node* node = graph->graph->find(id)) {
            std::vector<const Event*> events;
            for (const Event& e : recording.events)
                if ((e.kind == EventKind::Attempt || e.kind == EventKind::Annotate) && touches(e, id))
                    events.push_back(&e);
            return explain(recording, path, *node, events);
        }
    return {};
}

std::vector<int> eventsOf(const trace::Recording& recording, ir::NodeId node)
{
    std::vector<int> out;
    for (std::size_t i = 0; i < recording.events.size(); ++i)
        if (touches(recording.events[i], node) && recording.events[i].kind != EventKind::Load)
            out.push_back(static_cast<int>(i));
    return out;
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
