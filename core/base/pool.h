// A few threads that share the chunks of one loop.
//
// The chunks of a loop depend on its length and grain alone, never on the number of threads, so that a result does not
// either. A chunk must write only what no other chunk writes.
//
// Thread: forEachChunk is called by one thread at a time (the interpreter's).
#pragma once

#include "base/progress.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace gb::base {

class Pool {
public:
    /// threads: workers including the caller; 0 takes the machine's number.
    explicit Pool(unsigned threads = 0);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    [[nodiscard]] unsigned threads() const;
    /// Calls body(begin, end) for [0, count) cut into pieces of `grain`; returns when all are done. Pieces that have
    /// not begun when `work` is cancelled are skipped: the caller asks work.cancelled() afterwards. An exception of
    /// body (bad_alloc) is thrown on, once.
    void forEachChunk(const Work& work, std::int64_t count, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// pool->forEachChunk; the same loop on the calling thread where pool is null.
void forEachChunk(Pool* pool, const Work& work, std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t, std::int64_t)>& body);

} // namespace gb::base
