#include "layout/layout_cache.h"

namespace gb::views {
namespace {

template <class Value>
void put(std::string& out, Value value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Everything that the result hangs on.
std::string contentOf(const LayoutInput& input, double dotLimit)
{
    std::string out;
    put(out, input.rankGap);
    put(out, input.boxGap);
    put(out, dotLimit);
    put(out, input.boxes.size());
    for (const LayoutBox& box : input.boxes) {
        put(out, box.width);
        put(out, box.height);
        put(out, box.pin);
    }
    for (const LayoutEdge& edge : input.edges) {
        put(out, edge.from);
        put(out, edge.to);
        put(out, edge.fromX);
        put(out, edge.toX);
    }
    return out;
}

std::size_t weight(const LayoutResult& result)
{
    return result.boxes.size() + result.edges.size() + 1;
}

} // namespace

base::Result<std::shared_ptr<const LayoutResult>> LayoutCache::layout(const LayoutInput& input,
                                                                      const std::stop_token& stop, double dotLimit)
{
    const std::string content = contentOf(input, dotLimit);
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_entries.find(content); found != m_entries.end()) {
            m_used.splice(m_used.begin(), m_used, found->second.place);
            return found->second.result;
        }
    }
    GB_ASSIGN(LayoutResult made, views::layout(input, stop, dotLimit));
    auto result = std::make_shared<const LayoutResult>(std::move(made));
    const std::lock_guard lock(m_mutex);
    ++m_made;
    const auto [entry, isNew] = m_entries.try_emplace(content);
    if (!isNew)
        return entry->second.result;
    m_used.push_front(&entry->first);
    entry->second = {result, m_used.begin()};
    m_size += weight(*result);
    while (m_size > m_most && m_used.size() > 1) {
        const auto oldest = m_entries.find(*m_used.back());
        m_size -= weight(*oldest->second.result);
        m_used.pop_back();
        m_entries.erase(oldest);
    }
    return result;
}

int LayoutCache::made() const
{
    const std::lock_guard lock(m_mutex);
    return m_made;
}

} // namespace gb::views
