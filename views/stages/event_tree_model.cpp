#include "stages/event_tree_model.h"

#include "session/session.h"
#include "session/translate.h"

namespace gb::views {

using trace::Event;
using trace::EventKind;

EventTreeModel::EventTreeModel(QObject* parent)
    : TreeModel(parent)
{
}

void EventTreeModel::setRecording(trace::RecordingPtr recording)
{
    beginResetModel();
    m_recording = std::move(recording);
    build();
    endResetModel();
}

QModelIndex EventTreeModel::indexOfEvent(int event) const
{
    const bool known = event >= 0 && event < static_cast<int>(m_rowOfEvent.size());
    const int row = known ? m_rowOfEvent[static_cast<std::size_t>(event)] : kRoot;
    return row == kRoot ? QModelIndex() : indexOf(row);
}

int EventTreeModel::addRow(Row row)
{
    const int number = static_cast<int>(m_rows.size());
    std::vector<int>& siblings = row.parent == kRoot ? m_top : m_rows[static_cast<std::size_t>(row.parent)].children;
    row.place = static_cast<int>(siblings.size());
    siblings.push_back(number);
    if (row.event >= 0)
        m_rowOfEvent[static_cast<std::size_t>(row.event)] = number;
    m_rows.push_back(std::move(row));
    return number;
}

void EventTreeModel::count(Row& row, int event) const
{
    const Event& e = m_recording->events[static_cast<std::size_t>(event)];
    row.effect = e.changesSomething();
    row.labels = e.kind == EventKind::Annotate ? 1 : 0;
    row.observers = e.kind == EventKind::Insert ? 1 : 0;
    if (e.kind == EventKind::Load)
        return; // the exported graph itself is no change
    for (const trace::Edit& edit : e.edits) {
        row.added += std::holds_alternative<trace::NodeAdded>(edit) ? 1 : 0;
        row.erased += std::holds_alternative<trace::NodeErased>(edit) ? 1 : 0;
    }
}

/// Adds the sums of a row's children to it; called once a row, children first.
void EventTreeModel::sumUp(int number)
{
    int labels = 0;
    int observers = 0;
    int added = 0;
    int erased = 0;
    bool effect = false;
    for (const int child : m_rows[static_cast<std::size_t>(number)].children) {
        const Row& c = m_rows[static_cast<std::size_t>(child)];
        labels += c.labels;
        observers += c.observers;
        added += c.added;
        erased += c.erased;
        effect = effect || c.effect;
    }
    Row& row = m_rows[static_cast<std::size_t>(number)];
    row.labels += labels;
    row.observers += observers;
    row.added += added;
    row.erased += erased;
    row.effect = row.effect || effect;
}

void EventTreeModel::addEvents(int first, int last, int parent)
{
    std::vector<int> inert;
    for (int i = first; i <= last;) {
        const Event& e = m_recording->events[static_cast<std::size_t>(i)];
        const int end = std::max(i, e.last);
        bool effect = false;
        for (int k = i; k <= end && !effect; ++k)
            effect = m_recording->events[static_cast<std::size_t>(k)].changesSomething();
        if (!effect) {
            inert.push_back(i);
        } else {
            Row row;
            row.event = i;
            row.parent = parent;
            count(row, i);
            const int number = addRow(std::move(row));
            addEvents(i + 1, std::min(end, last), number);
            sumUp(number);
        }
        i = end + 1;
    }
    if (inert.empty())
        return;
    Row fold;
    fold.parent = parent;
    fold.fold = true;
    const int number = addRow(std::move(fold));
    for (const int event : inert) {
        const int until = std::max(event, m_recording->events[static_cast<std::size_t>(event)].last);
        for (int k = event; k <= until; ++k)
            m_rows[static_cast<std::size_t>(number)].attempts +=
                m_recording->events[static_cast<std::size_t>(k)].kind == EventKind::Attempt ? 1 : 0;
        Row row;
        row.event = event;
        row.parent = number;
        count(row, event);
        const int inner = addRow(std::move(row));
        const int end = m_recording->events[static_cast<std::size_t>(event)].last;
        for (int k = event + 1; k <= end; ++k) {
            Row deeper;
            deeper.event = k;
            deeper.parent = inner;
            addRow(std::move(deeper));
        }
    }
}

void EventTreeModel::build()
{
    m_rows.clear();
    m_top.clear();
    m_rowOfEvent.assign(m_recording ? m_recording->events.size() : 0, kRoot);
    if (!m_recording)
        return;
    const int end = static_cast<int>(m_recording->events.size());
    for (int first = 0; first < end;) {
        int stage = first;
        while (stage < end && m_recording->events[static_cast<std::size_t>(stage)].kind != EventKind::Stage)
            ++stage;
        if (stage == end) { // the run ended here
            addEvents(first, end - 1, kRoot);
            break;
        }
        Row row;
        row.event = stage;
        row.effect = true;
        const int number = addRow(std::move(row));
        addEvents(first, stage - 1, number);
        sumUp(number);
        first = stage + 1;
    }
}

int EventTreeModel::parentOf(int number) const
{
    return m_rows[static_cast<std::size_t>(number)].parent;
}

int EventTreeModel::placeOf(int number) const
{
    return m_rows[static_cast<std::size_t>(number)].place;
}

const std::vector<int>& EventTreeModel::childrenOf(int number) const
{
    return number == kRoot ? m_top : m_rows[static_cast<std::size_t>(number)].children;
}

QString EventTreeModel::sentenceOf(const Row& row) const
{
    if (row.fold) {
        const int count = static_cast<int>(row.children.size());
        if (row.attempts == count)
            return tr("%n attempt(s) without effect", nullptr, count);
        const QString text = tr("%n without effect", nullptr, count);
        return row.attempts == 0 ? text : tr("%1, with %n attempt(s)", nullptr, row.attempts).arg(text);
    }
    const Event& e = m_recording->events[static_cast<std::size_t>(row.event)];
    return e.kind == EventKind::Stage ? stageTitle(QString::fromStdString(e.name)) : translated(e.sentence);
}

QString EventTreeModel::deltaOf(const Row& row) const
{
    QStringList parts;
    if (row.labels > 0)
        parts << tr("+%n label(s)", nullptr, row.labels);
    if (row.observers > 0)
        parts << tr("+%n observer(s)", nullptr, row.observers);
    const int others = row.added - row.observers;
    if (others > 0)
        parts << tr("+%n node(s)", nullptr, others);
    if (row.erased > 0)
        parts << tr("−%n node(s)", nullptr, row.erased);
    return parts.join(QStringLiteral(", "));
}

QVariant EventTreeModel::cell(int number, int column, int role) const
{
    const Row& row = m_rows[static_cast<std::size_t>(number)];
    switch (role) {
    case Qt::DisplayRole: return column == Sentence ? sentenceOf(row) : deltaOf(row);
    case Qt::ToolTipRole: return column == Sentence ? sentenceOf(row) : deltaOf(row);
    case EventRole: return row.event;
    case KindRole:
        return row.fold
                   ? QStringLiteral("fold")
                   : QString::fromLatin1(trace::name(m_recording->events[static_cast<std::size_t>(row.event)].kind));
    case EffectRole: return row.effect;
    default: return {};
    }
}

QVariant EventTreeModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == Sentence ? tr("What happened") : tr("Change");
}

} // namespace gb::views
