// The rows of the observers at the newest moments, worked out once for all panels of a session.
//
// Thread: the UI thread.
#pragma once

#include "observers/observer_rows.h"

#include <QObject>

#include <array>
#include <memory>
#include <vector>

namespace gb::views {

using ObserverRowsPtr = std::shared_ptr<const std::vector<ObserverRow>>;

class ObserverCache final : public QObject {
    Q_OBJECT

public:
    /// The one of a session: a child of it, made when it is asked for first.
    static ObserverCache& of(QObject* session);

    /// Never null; empty for no moment.
    ObserverRowsPtr rowsOf(const trace::MomentPtr& moment);

private:
    using QObject::QObject;

    struct Entry {
        std::weak_ptr<const trace::Moment> moment; ///< not held: a graph that is looked at has to be copied
        ObserverRowsPtr rows;
    };
    std::array<Entry, 2> m_entries; ///< the newest first: panels change between the cursor's and the final moment
};

} // namespace gb::views
