// The list of stages and events; the row of the cursor is highlighted, a click moves the cursor.
//
// Thread: the UI thread.
#pragma once

#include "session/session.h"
#include "stages/event_tree_model.h"

#include <QTreeView>

namespace gb::views {

class StagesView final : public QTreeView {
    Q_OBJECT

public:
    explicit StagesView(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] const EventTreeModel& events() const { return *m_model; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void showRecording();
    void showCursor();

    Session* m_session;
    EventTreeModel* m_model;
    bool m_following = false; ///< the current row is being set from the cursor
};

} // namespace gb::views
