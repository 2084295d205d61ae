#include "jobs/job_runner.h"

#include <QMetaObject>

#include <utility>

namespace gb::views {

JobRunner::JobRunner(QObject* parent)
    : QObject(parent)
{
}

JobRunner::~JobRunner()
{
    for (Thread& t : m_threads)
        t.thread.request_stop();
    m_threads.clear(); // joins
}

int JobRunner::start(const QString& title, Job job)
{
    cancel();
    const int number = ++m_newest;
    m_running = number;
    Q_EMIT started(title);
    const auto progress = [this, number](int thousandths, const std::string& stage) {
        const QString text = QString::fromStdString(stage);
        QMetaObject::invokeMethod(
            this,
            [this, number, thousandths, text] {
                if (number == m_running)
                    Q_EMIT progressed(thousandths, text);
            },
            Qt::QueuedConnection);
    };
    m_threads.push_back({number, std::jthread([this, number, progress, work = std::move(job)](std::stop_token stop) {
                             const Delivery delivery = work(base::Work{std::move(stop), progress});
                             QMetaObject::invokeMethod(
                                 this, [this, number, delivery] { finish(number, delivery); }, Qt::QueuedConnection);
                         })});
    return number;
}

void JobRunner::cancel()
{
    if (m_running == 0)
        return;
    for (Thread& t : m_threads)
        t.thread.request_stop();
    m_running = 0;
    Q_EMIT ended();
}

void JobRunner::finish(int number, const Delivery& delivery)
{
    const bool wanted = number == m_running;
    if (wanted) {
        m_running = 0;
        if (delivery)
            delivery();
    }
    // its thread has nothing left to do but to end
    std::erase_if(m_threads, [number](const Thread& t) { return t.number == number; });
    if (wanted && m_running == 0)
        Q_EMIT ended();
}

} // namespace gb::views
