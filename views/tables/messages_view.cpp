#include "tables/messages_view.h"

#include "session/translate.h"

#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {
namespace {

using trace::EventKind;

bool isMessage(const trace::Event& event)
{
    return event.kind == EventKind::Error || event.kind == EventKind::Note || event.kind == EventKind::Compare
           || event.kind == EventKind::Drop;
}

QString kindText(EventKind kind)
{
    switch (kind) {
    case EventKind::Error: return MessagesModel::tr("error");
    case EventKind::Compare: return MessagesModel::tr("compared");
    case EventKind::Drop: return MessagesModel::tr("no observer");
    default: return MessagesModel::tr("note");
    }
}

Ink inkOf(EventKind kind)
{
    return kind == EventKind::Error ? Ink::Error : kind == EventKind::Drop ? Ink::Warning : Ink::Text;
}

} // namespace

void MessagesModel::setRecording(trace::RecordingPtr recording)
{
    beginResetModel();
    m_recording = std::move(recording);
    m_events.clear();
    if (m_recording)
        for (std::size_t i = 0; i < m_recording->events.size(); ++i)
            if (isMessage(m_recording->events[i]))
                m_events.push_back(static_cast<int>(i));
    endResetModel();
}

void MessagesModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, 0), index(rows() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int MessagesModel::rowOf(int event) const
{
    const auto found = std::ranges::find(m_events, event);
    return found == m_events.end() ? -1 : static_cast<int>(found - m_events.begin());
}

int MessagesModel::errorCount() const
{
    return static_cast<int>(std::ranges::count_if(
        m_events, [this](int i) { return m_recording->events[static_cast<std::size_t>(i)].kind == EventKind::Error; }));
}

QVariant MessagesModel::cell(int row, int column, int role) const
{
    const int at = m_events[static_cast<std::size_t>(row)];
    const trace::Event& event = m_recording->events[static_cast<std::size_t>(at)];
    switch (role) {
    case SortRole:
        if (column == Step)
            return at;
        [[fallthrough]];
    case FullRole:
    case Qt::ToolTipRole:
    case Qt::DisplayRole:
        if (column == Step)
            return QString::number(at);
        return column == Kind ? kindText(event.kind) : translated(event.sentence);
    case Qt::ForegroundRole: return column == Kind ? m_theme->ink(inkOf(event.kind)) : QVariant();
    case EventRole: return at;
    default: return {};
    }
}

QVariant MessagesModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == Step ? tr("Event") : column == Kind ? tr("Kind") : tr("What the run said");
}

MessagesView::MessagesView(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_model(new MessagesModel(this))
    , m_table(
          new FilteredTable(m_model, MessagesModel::SortRole, MessagesModel::FullRole, tr("Nothing to report."), this))
{
    m_table->view().setAccessibleName(tr("Messages of the run"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    connect(m_session, &Session::recordingChanged, this, &MessagesView::showRecording);
    connect(m_session, &Session::cursorChanged, this,
            [this](int event) { m_table->setCurrentRow(m_model->rowOf(event)); });
    connect(m_table, &FilteredTable::rowActivated, this, &MessagesView::go);
    showRecording();
}

void MessagesView::go(int row)
{
    const int event = m_model->eventOf(row);
    m_session->setCursor(event);
    const auto& nodes = m_session->recording()->events[static_cast<std::size_t>(event)].nodes;
    if (!nodes.empty())
        m_selection->selectNode(nodes.front());
}

void MessagesView::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
    m_model->setTheme(theme);
}

void MessagesView::showRecording()
{
    m_model->setRecording(m_session->recording());
    m_table->setCurrentRow(m_model->rowOf(m_session->cursor()));
}

} // namespace gb::views
