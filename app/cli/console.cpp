#include "cli/console.h"

#include <csignal>
#include <ctime>
#include <iomanip>
#include <mutex>
#include <ostream>
#include <thread>

#include <pthread.h>
#include <unistd.h>

namespace gb::cli {

ExitStatus statusOf(const base::Error& error)
{
    using base::ErrorCode;
    const bool refused =
        base::isTorchError(error.code) || error.code == ErrorCode::NoKernel || error.code == ErrorCode::Cancelled;
    return refused ? kRefused : kUnusable;
}

ExitStatus Console::fail(const base::Error& error) const
{
    err << "greenbox: " << error.text() << std::endl;
    return statusOf(error);
}

struct Interrupt::Impl {
    std::stop_source stop;
    sigset_t signals = {};
    sigset_t before = {};
    std::jthread watcher;

    void watch(const std::stop_token& done)
    {
        int seen = 0;
        while (!done.stop_requested()) {
            constexpr timespec kWait = {0, 50'000'000};
            const int signal = sigtimedwait(&signals, nullptr, &kWait);
            if (signal < 0)
                continue;
            if (++seen > 1)
                _exit(128 + signal);
            stop.request_stop();
        }
    }
};

Interrupt::Interrupt()
    : m_impl(std::make_unique<Impl>())
{
    sigemptyset(&m_impl->signals);
    sigaddset(&m_impl->signals, SIGINT);
    sigaddset(&m_impl->signals, SIGTERM);
    // blocked here, and so in every thread that is made from here on: only the watcher takes them
    pthread_sigmask(SIG_BLOCK, &m_impl->signals, &m_impl->before);
    m_impl->watcher = std::jthread([impl = m_impl.get()](const std::stop_token& done) { impl->watch(done); });
}

Interrupt::~Interrupt()
{
    m_impl->watcher.request_stop();
    m_impl->watcher.join();
    pthread_sigmask(SIG_SETMASK, &m_impl->before, nullptr);
}

std::stop_token Interrupt::token() const
{
    return m_impl->stop.get_token();
}

base::Work workOf(std::stop_token stop, bool showProgress, std::ostream& err)
{
    base::Work work{std::move(stop), {}};
    if (!showProgress)
        return work;
    struct Shown {
        std::mutex mutex;
        int percent = -1;
        std::string stage;
    };
    work.progress = [shown = std::make_shared<Shown>(), &err](int thousandths, const std::string& stage) {
        const std::lock_guard lock(shown->mutex);
        if (shown->percent == thousandths / 10 && shown->stage == stage)
            return;
        shown->percent = thousandths / 10;
        shown->stage = stage;
        err << "progress " << std::setw(3) << shown->percent << " % " << stage << std::endl;
    };
    return work;
}

} // namespace gb::cli
