// Blocks of memory that are given back and taken again, so that a tensor made in every batch does not cost new pages
// from the system each time.
//
// Thread: any.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace gb::ir {

class BlockCache {
public:
    static constexpr std::size_t kAlignment = 64;

    /// Keeps at most `capacity` bytes of blocks that nobody uses.
    explicit BlockCache(std::size_t capacity)
        : m_capacity(capacity)
    {
    }
    ~BlockCache();
    BlockCache(const BlockCache&) = delete;
    BlockCache& operator=(const BlockCache&) = delete;

    /// `bytes` bytes, not initialised, aligned to kAlignment. Throws bad_alloc.
    std::byte* take(std::size_t bytes);
    /// A block that take(bytes) gave. Kept for the next taker of as many bytes where there is room.
    void give(std::byte* block, std::size_t bytes) noexcept;
    /// Bytes that are kept for later.
    [[nodiscard]] std::size_t kept() const;

private:
    mutable std::mutex m_mutex;
    std::map<std::size_t, std::vector<std::byte*>> m_free; ///< by size
    std::size_t m_capacity;
    std::size_t m_kept = 0;
};

} // namespace gb::ir
