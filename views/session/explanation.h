// What explain says of the session's recording, worked out off the UI thread.
//
// Panels share one: they show nothing (or "working it out") until changed() comes with the report.
//
// Thread: the UI thread.
#pragma once

#include "explain/report.h"
#include "explain/search_index.h"
#include "jobs/job_runner.h"
#include "session/session.h"

#include <QObject>
#include <QString>

namespace gb::views {

class Explanation final : public QObject {
    Q_OBJECT

public:
    explicit Explanation(Session* session, QObject* parent = nullptr);

    /// Null without a recording, while it is worked out, and where it could not be (then problem() says why).
    [[nodiscard]] const explain::ReportPtr& report() const { return m_report; }
    /// The nodes to search; empty while report() is null.
    [[nodiscard]] const explain::SearchIndex& index() const { return *m_index; }
    [[nodiscard]] bool busy() const { return m_jobs.running(); }
    [[nodiscard]] const QString& problem() const { return m_problem; }

Q_SIGNALS:
    void changed();

private:
    void start();

    Session* m_session;
    JobRunner m_jobs;
    explain::ReportPtr m_report;
    std::shared_ptr<const explain::SearchIndex> m_index;
    QString m_problem;
};

} // namespace gb::views
