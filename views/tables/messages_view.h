// What the run said: errors, notes, comparisons of outputs, labels that were dropped. A click moves the cursor there
// and selects the first node that the message is about.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "models/table_model.h"
#include "session/session.h"
#include "tables/filtered_table.h"
#include "theme/theme.h"
#include "trace/recording.h"

#include <QWidget>

namespace gb::views {

class MessagesModel final : public TableModel {
    Q_OBJECT

public:
    enum Column { Step, Kind, Sentence, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole, ///< int for Step, else QString
        FullRole,                ///< QString: for the clipboard
        EventRole,               ///< int: index of the event
    };

    using TableModel::TableModel;
    void setRecording(trace::RecordingPtr recording);
    void setTheme(const Theme& theme);
    /// The row of an event, -1 where it is no message.
    [[nodiscard]] int rowOf(int event) const;
    [[nodiscard]] int eventOf(int row) const { return m_events[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int errorCount() const;

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_events.size()); }
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    trace::RecordingPtr m_recording;
    std::vector<int> m_events;
    const Theme* m_theme = &Theme::of(ThemeKind::Light);
};

class MessagesView final : public QWidget {
    Q_OBJECT

public:
    MessagesView(Session* session, Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    [[nodiscard]] const MessagesModel& model() const { return *m_model; }
    [[nodiscard]] FilteredTable& table() const { return *m_table; }

private:
    void showRecording();
    void go(int row);

    Session* m_session;
    Selection* m_selection;
    MessagesModel* m_model;
    FilteredTable* m_table;
};

} // namespace gb::views
