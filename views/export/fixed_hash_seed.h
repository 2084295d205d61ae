// The order of Qt's hashes follows a seed that is another one in every process. Who writes bytes out of such an order
// (QPdfEngine its fonts, QCustomPlot its axes) does so while one of these lives.
//
// Thread: any; one thread at a time, which may hold several.
#pragma once

#include <QHashSeed>

#include <mutex>

namespace gb::views {

class FixedHashSeed {
public:
    FixedHashSeed()
        : m_lock(mutex())
    {
        if (depth()++ == 0)
            QHashSeed::setDeterministicGlobalSeed();
    }
    ~FixedHashSeed()
    {
        if (--depth() == 0)
            QHashSeed::resetRandomGlobalSeed();
    }
    FixedHashSeed(const FixedHashSeed&) = delete;
    FixedHashSeed& operator=(const FixedHashSeed&) = delete;

private:
    static std::recursive_mutex& mutex()
    {
        static std::recursive_mutex kMutex;
        return kMutex;
    }
    static int& depth()
    {
        static int depth = 0; // under the lock
        return depth;
    }
    std::lock_guard<std::recursive_mutex> m_lock;
};

} // namespace gb::views
