#include "ir/block_cache.h"

#include <cstdint>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace gb::ir {
namespace {

/// What the library's own allocator serves from memory that it holds.
constexpr std::size_t kSmall = std::size_t{1} << 16;

/// Asks for large pages under a large block: a model's weights are gone over once or twice in a run, where finding
/// small pages costs a good part of the time. Only a hint.
void wantLargePages([[maybe_unused]] std::byte* memory, [[maybe_unused]] std::size_t size)
{
#if defined(MADV_HUGEPAGE)
    constexpr std::size_t kWorthIt = std::size_t{1} << 20;
    constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
    if (size < kWorthIt)
        return;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory) & ~(kPage - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + size + kPage - 1) & ~(kPage - 1);
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

void release(std::byte* block)
{
    ::operator delete (block, std::align_val_t{BlockCache::kAlignment});
}

} // namespace

BlockCache::~BlockCache()
{
    for (const auto& [size, blocks] : m_free)
        for (std::byte* block : blocks)
            release(block);
}

std::byte* BlockCache::take(std::size_t bytes)
{
    if (bytes > kSmall) {
        const std::lock_guard lock(m_mutex);
        const auto found = m_free.find(bytes);
        if (found != m_free.end() && !found->second.empty()) {
            std::byte* block = found->second.back();
            found->second.pop_back();
            m_kept -= bytes;
            return block;
        }
    }
    auto* block = static_cast<std::byte*>(::operator new (bytes ? bytes : 1, std::align_val_t{kAlignment}));
    wantLargePages(block, bytes);
    return block;
}

void BlockCache::give(std::byte* block, std::size_t bytes) noexcept
{
    if (bytes > kSmall) {
        try {
            const std::lock_guard lock(m_mutex);
            if (bytes <= m_capacity - m_kept) {
                m_free[bytes].push_back(block);
                m_kept += bytes;
                return;
            }
        } catch (const std::bad_alloc&) { // no room to note it
        }
    }
    release(block);
}

std::size_t BlockCache::kept() const
{
    const std::lock_guard lock(m_mutex);
    return m_kept;
}

} // namespace gb::ir
