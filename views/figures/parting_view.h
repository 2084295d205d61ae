// Where this run and another one part: the same program by another recipe, op by op; or another recording, observer by
// observer.
//
// Thread: the UI thread; runs go on in a job.
#pragma once

#include "canvas/selection.h"
#include "figures/sheet_view.h"
#include "jobs/job_runner.h"
#include "numbers/material.h"
#include "session/session.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace gb::views {

class PartingView final : public QWidget {
    Q_OBJECT

public:
    PartingView(Session* session, Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// What the session's recording was made from; null: recordings alone can be held against each other.
    void setMaterial(numbers::MaterialPtr material);
    [[nodiscard]] bool busy() const { return m_jobs.running(); }
    [[nodiscard]] const SheetView& sheet() const { return *m_sheet; }

public Q_SLOTS:
    /// A recipe (.json) or a recording.
    void compareWith(const QString& path);

private:
    void ask(const QString& title, const QString& filter);
    void clear();

    Session* m_session;
    numbers::MaterialPtr m_material;
    QToolButton* m_recipe;
    QToolButton* m_recording;
    QLabel* m_against;
    SheetView* m_sheet;
    JobRunner m_jobs;
};

} // namespace gb::views
