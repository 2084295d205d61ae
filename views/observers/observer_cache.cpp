#include "observers/observer_cache.h"

#include <utility>

namespace gb::views {

ObserverCache& ObserverCache::of(QObject* session)
{
    auto* known = session->findChild<ObserverCache*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new ObserverCache(session);
}

ObserverRowsPtr ObserverCache::rowsOf(const trace::MomentPtr& moment)
{
    static const auto kNone = std::make_shared<const std::vector<ObserverRow>>();
    if (!moment)
        return kNone;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].moment.lock() == moment) {
            std::swap(m_entries[0], m_entries[i]);
            return m_entries[0].rows;
        }
    m_entries[1] = std::move(m_entries[0]);
    m_entries[0] = {moment, std::make_shared<const std::vector<ObserverRow>>(observerRows(*moment))};
    return m_entries[0].rows;
}

} // namespace gb::views
