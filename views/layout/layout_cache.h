// Layouts that were made already, by content: equal levels are laid out once, and folding back costs nothing.
//
// Thread: any, several at once.
#pragma once

#include "layout/layout.h"

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace gb::views {

class LayoutCache {
public:
    /// `most` boxes and lines are kept; the least recently used go.
    explicit LayoutCache(std::size_t most = 400000)
        : m_most(most)
    {
    }

    /// layout(), or what it gave for the same input before.
    base::Result<std::shared_ptr<const LayoutResult>> layout(const LayoutInput& input, const std::stop_token& stop,
                                                             double dotLimit);
    /// How many layouts were made, not found.
    [[nodiscard]] int made() const;

private:
    struct Entry {
        std::shared_ptr<const LayoutResult> result;
        std::list<const std::string*>::iterator place;
    };

    mutable std::mutex m_mutex;
    std::size_t m_most;
    std::size_t m_size = 0;
    int m_made = 0;
    std::unordered_map<std::string, Entry> m_entries; ///< by content
    std::list<const std::string*> m_used;             ///< newest first
};

} // namespace gb::views
