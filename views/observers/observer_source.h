// Which observers the panels show, and which of them serves what is selected.
//
// At the cursor where there are observers and their run is not over; else as calibration left them, else as prepare
// did. So a panel shows the state after each batch while the cursor goes through calibration, and the final one at all
// other moments.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "observers/observer_cache.h"
#include "session/session.h"

#include <optional>

namespace gb::views {

class ObserverSource final {
public:
    explicit ObserverSource(Session* session);

    /// The observers to show now. Cheap when nothing changed since the last call.
    const std::vector<ObserverRow>& rows() { return *shared(); }
    /// The same, to be kept.
    const ObserverRowsPtr& shared();
    /// The event whose state rows() shows; -1 where there are no observers.
    [[nodiscard]] int event() const { return m_event; }
    /// "after calibration", "after batch 2", "no observers": when the shown state is from.
    QString when();

    /// The row that serves the selection: an observer itself; for a q/dq node the observer that it replaced; for a
    /// label the observer that prepare gave it; for any other node the observer of its output; for a group its
    /// observer. Null where there is none.
    const ObserverRow* find(const Selected& selected);
    /// The row of an observer object, or null.
    const ObserverRow* findInstance(std::int64_t instance);
    /// What to select for a row: its first node.
    static Selected selectionOf(const ObserverRow& row);

private:
    void refresh();
    void showMoment(const trace::MomentPtr& moment, int event);
    const ObserverRow* ofNode(ir::NodeId node);
    const ObserverRow* ofLabel(const ir::Position& position);
    const ObserverRow* ofGroup(int group);
    const ObserverRow* replacedBy(ir::NodeId node);
    const ObserverRow* observing(ir::NodeId node);

    Session* m_session;
    trace::RecordingPtr m_recording;
    trace::MomentPtr m_final; ///< of calibrated, else prepared; null: not looked up, or none
    int m_finalEvent = -1;
    trace::MomentPtr m_shown;
    int m_cursor = -2;
    int m_event = -1;
    ObserverRowsPtr m_rows; ///< never null
};

} // namespace gb::views
