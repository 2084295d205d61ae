// Long work off the UI thread: one job at a time, the newest wins.
//
// A job gets a base::Work (stop token, progress) and returns what is to be done on the UI thread with its result; that
// runs only when the job is still the newest and was not cancelled. Starting a job stops the one before. The runner
// joins its threads when it goes.
//
// Thread: the UI thread; the job itself runs on its own.
#pragma once

#include "base/progress.h"

#include <QObject>
#include <QString>

#include <functional>
#include <thread>
#include <vector>

namespace gb::views {

class JobRunner final : public QObject {
    Q_OBJECT

public:
    using Delivery = std::function<void()>;
    using Job = std::function<Delivery(const base::Work&)>;

    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// Returns the job's number. `title` is shown while it runs.
    int start(const QString& title, Job job);
    [[nodiscard]] bool running() const { return m_running != 0; }

public Q_SLOTS:
    void cancel(); ///< asks the running job to stop; `ended` follows, without a delivery

Q_SIGNALS:
    void started(const QString& title);
    void progressed(int thousandths, const QString& stage);
    void ended();

private:
    struct Thread {
        int number;
        std::jthread thread;
    };

    void finish(int number, const Delivery& delivery);

    std::vector<Thread> m_threads;
    int m_newest = 0;
    int m_running = 0; ///< number of the job whose result is wanted; 0 for none
};

} // namespace gb::views
