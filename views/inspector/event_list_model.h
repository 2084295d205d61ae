// The events that touched a node, in order: what happened, and for a refused attempt what failed, was found and
// expected.
//
// Thread: the UI thread.
#pragma once

#include "models/table_model.h"
#include "theme/theme.h"
#include "trace/recording.h"

#include <vector>

namespace gb::views {

class EventListModel final : public TableModel {
    Q_OBJECT

public:
    enum Column { Step, What, Condition, Found, Expected, ColumnCount };
    enum Role {
        EventRole = Qt::UserRole, ///< int: index of the event
    };

    using TableModel::TableModel;
    void setEvents(trace::RecordingPtr recording, std::vector<int> events);
    void setTheme(const Theme& theme);
    [[nodiscard]] int eventOf(int row) const { return m_events[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QString tsv() const;

private:
    [[nodiscard]] int rows() const override { return static_cast<int>(m_events.size()); }
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QVariant cell(int row, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;
    [[nodiscard]] QString text(const trace::Event& event, int index, int column) const;

    trace::RecordingPtr m_recording;
    std::vector<int> m_events;
    const Theme* m_theme = &Theme::of(ThemeKind::Light);
};

} // namespace gb::views
