#include "inspector/event_list_model.h"

#include "session/translate.h"

namespace gb::views {

using trace::EventKind;

void EventListModel::setEvents(trace::RecordingPtr recording, std::vector<int> events)
{
    beginResetModel();
    m_recording = std::move(recording);
    m_events = std::move(events);
    endResetModel();
}

void EventListModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, 0), index(rows() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

QString EventListModel::text(const trace::Event& event, int index, int column) const
{
    switch (column) {
    case Step: return QString::number(index);
    case What: return translated(event.sentence);
    case Condition: return QString::fromStdString(event.text("condition"));
    case Found: return QString::fromStdString(event.text("found"));
    default: return QString::fromStdString(event.text("expected"));
    }
}

QVariant EventListModel::cell(int row, int column, int role) const
{
    const int at = m_events[static_cast<std::size_t>(row)];
    const trace::Event& event = m_recording->events[static_cast<std::size_t>(at)];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return text(event, at, column);
    case Qt::ForegroundRole:
        // what was refused is quieter than what took effect
        return m_theme->ink(event.kind == EventKind::Attempt ? Ink::Muted : Ink::Text);
    case EventRole: return at;
    default: return {};
    }
}

QVariant EventListModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Step: return tr("Event");
    case What: return tr("What happened");
    case Condition: return tr("Failed condition");
    case Found: return tr("Found");
    default: return tr("Expected");
    }
}

QString EventListModel::tsv() const
{
    QStringList lines;
    for (const int event : m_events) {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells << text(m_recording->events[static_cast<std::size_t>(event)], event, column);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gb::views
