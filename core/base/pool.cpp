#include "base/pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gb::base {
namespace {

using Body = std::function<void(std::int64_t, std::int64_t)>;

/// One call of forEachChunk.
struct Loop {
    const Work* work = nullptr;
    const Body* body = nullptr;
    std::int64_t count = 0;
    std::int64_t grain = 1;
    std::atomic<std::int64_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;

    void runChunks() noexcept
    {
        while (!work->cancelled()) {
            const std::int64_t begin = next.fetch_add(grain);
            if (begin >= count)
                return;
            try {
                (*body)(begin, std::min(count, begin + grain));
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure)
                    failure = std::current_exception();
                next = count;
            }
        }
    }
};

/// Waits a moment without sleeping: loops follow one another closely, and waking a thread costs as much as a short
/// loop.
template <class Condition>
void spinWhile(const Condition& condition)
{
    constexpr int kTurns = 2000; // well under a tenth of a millisecond
    for (int i = 0; i < kTurns && condition(); ++i) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

} // namespace

struct Pool::State {
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable finished;
    Loop* loop = nullptr;
    // these change under the mutex only; they are atomic for those who look without it before they sleep
    std::atomic<std::uint64_t> turn{0}; ///< grows with every loop, so that a worker joins each loop once
    std::atomic<unsigned> busy{0};
    std::atomic<bool> stopping{false};
    std::vector<std::thread> workers;

    void serve()
    {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex);
        while (true) {
            lock.unlock();
            spinWhile([&] { return turn == seen && !stopping; });
            lock.lock();
            wake.wait(lock, [&] { return stopping || (loop && turn != seen); });
            if (stopping)
                return;
            seen = turn;
            Loop* mine = loop;
            ++busy;
            lock.unlock();
            mine->runChunks();
            lock.lock();
            if (--busy == 0)
                finished.notify_one();
        }
    }
};

Pool::Pool(unsigned threads)
    : m_state(std::make_unique<State>())
{
    const unsigned wanted = threads ? threads : std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 1; i < std::min(wanted, 64U); ++i)
        m_state->workers.emplace_back([state = m_state.get()] { state->serve(); });
}

Pool::~Pool()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->stopping = true;
    }
    m_state->wake.notify_all();
    for (std::thread& worker : m_state->workers)
        worker.join();
}

unsigned Pool::threads() const
{
    return static_cast<unsigned>(m_state->workers.size()) + 1;
}

void Pool::forEachChunk(const Work& work, std::int64_t count, std::int64_t grain, const Body& body)
{
    Loop loop;
    loop.work = &work;
    loop.body = &body;
    loop.count = count;
    loop.grain = std::max<std::int64_t>(1, grain);
    const bool shared = count > loop.grain && !m_state->workers.empty();
    if (shared) {
        const std::lock_guard lock(m_state->mutex);
        m_state->loop = &loop;
        ++m_state->turn;
    }
    if (shared)
        m_state->wake.notify_all();
    loop.runChunks();
    if (shared) {
        // no worker may join any more before the loop goes out of scope
        std::unique_lock lock(m_state->mutex);
        m_state->loop = nullptr;
        lock.unlock();
        spinWhile([this] { return m_state->busy != 0; });
        lock.lock();
        m_state->finished.wait(lock, [&] { return m_state->busy == 0; });
    }
    if (loop.failure)
        std::rethrow_exception(loop.failure);
}

void forEachChunk(Pool* pool, const Work& work, std::int64_t count, std::int64_t grain, const Body& body)
{
    if (pool) {
        pool->forEachChunk(work, count, grain, body);
        return;
    }
    const std::int64_t step = std::max<std::int64_t>(1, grain);
    for (std::int64_t begin = 0; begin < count && !work.cancelled(); begin += step)
        body(begin, std::min(count, begin + step));
}

} // namespace gb::base
