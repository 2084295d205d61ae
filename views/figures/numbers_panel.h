// The numbers of a run: errors and what-if, gains, batches, the histogram search, the observer zoo, qparams before and
// after, storage. Each tab is worked out when it is looked at, off the UI thread.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "jobs/job_runner.h"
#include "numbers/material.h"
#include "numbers/op_errors.h"
#include "observers/observer_source.h"
#include "session/session.h"
#include "theme/theme.h"

#include <QTabWidget>

#include <memory>
#include <set>

namespace gb::views {

class BatchesView;
class ErrorView;
class HistogramSearchView;
class SheetView;
class ZooBar;
class ZooView;

class NumbersPanel final : public QTabWidget {
    Q_OBJECT

public:
    enum Tab { Errors, Gains, Batches, Search, Zoo, QParams, Storage };

    NumbersPanel(Session* session, Selection* selection, QWidget* parent = nullptr);
    ~NumbersPanel() override;
    void setTheme(const Theme& theme);
    /// What the session's recording was made from; null for a recording from a file.
    void setMaterial(numbers::MaterialPtr material);
    void showTab(Tab tab) { setCurrentIndex(tab); }
    /// The tabs' names on the command line, by Tab.
    static QStringList tabNames();
    [[nodiscard]] bool busy() const { return m_jobs.running(); }
    [[nodiscard]] ErrorView& errors() const { return *m_errors; }
    [[nodiscard]] BatchesView& batches() const { return *m_batches; }
    [[nodiscard]] ZooView& zoo() const { return *m_zoo; }
    [[nodiscard]] SheetView& sheet(Tab tab) const;

Q_SIGNALS:
    void failed(const QString& sentence);
    /// The figures of the errors tab, to be painted on the graph.
    void overlayChanged(const gb::numbers::OverlayValues& values);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void stale();
    void refresh();
    void workOutErrors();
    void workOutZoo();
    void workOutSheet(Tab tab);
    void tell(Tab tab, const QString& sentence);
    void followSelection();
    [[nodiscard]] ir::NodeId zooSite() const;

    Session* m_session;
    Selection* m_selection;
    ObserverSource m_source;
    JobRunner m_jobs;
    numbers::MaterialPtr m_material;
    std::set<int> m_fresh;                                ///< tabs that show the recording and material that are here
    std::shared_ptr<const numbers::ErrorReport> m_before; ///< errors of the run as it was
    ir::NodeId m_zooSite = ir::kNoNode;                   ///< whose values the zoo shows

    ErrorView* m_errors;
    SheetView* m_gains;
    BatchesView* m_batches;
    HistogramSearchView* m_search;
    QWidget* m_zooTab;
    ZooBar* m_zooBar;
    ZooView* m_zoo;
    SheetView* m_qparams;
    SheetView* m_storage;
};

} // namespace gb::views
