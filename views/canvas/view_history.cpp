#include "canvas/view_history.h"

#include <algorithm>

namespace gb::views {

void ViewHistory::leave(const View& from)
{
    m_forward.clear();
    m_back.push_back(from);
    if (m_back.size() > kMost)
        m_back.erase(m_back.begin());
}

std::optional<View> ViewHistory::back(const View& now)
{
    if (m_back.empty())
        return std::nullopt;
    m_forward.push_back(now);
    const View to = m_back.back();
    m_back.pop_back();
    return to;
}

std::optional<View> ViewHistory::forward(const View& now)
{
    if (m_forward.empty())
        return std::nullopt;
    m_back.push_back(now);
    const View to = m_forward.back();
    m_forward.pop_back();
    return to;
}

int ViewHistory::bookmark(const View& view)
{
    const auto free = std::find(m_bookmarks.begin(), m_bookmarks.end(), std::nullopt);
    int place = static_cast<int>(free - m_bookmarks.begin());
    if (free == m_bookmarks.end()) {
        place = m_oldest;
        m_oldest = (m_oldest + 1) % kBookmarks;
    }
    m_bookmarks[static_cast<std::size_t>(place)] = view;
    return place + 1;
}

std::optional<View> ViewHistory::bookmarked(int number) const
{
    return number >= 1 && number <= kBookmarks ? m_bookmarks[static_cast<std::size_t>(number) - 1] : std::nullopt;
}

void ViewHistory::clear()
{
    *this = {};
}

} // namespace gb::views
