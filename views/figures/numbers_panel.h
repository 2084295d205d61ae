// The numbers of a run: errors and what-if, gains, batches, the histogram search, the observer zoo, channels, qparams
// before and after, storage, where two runs part, and prepare and convert by hand. Each tab is worked out when it is
// looked at, off the UI thread. What the tab in front shows can be written as a picture, CSV or JSON.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "jobs/job_runner.h"
#include "numbers/figures.h"
#include "numbers/op_errors.h"
#include "observers/observer_source.h"
#include "session/session.h"
#include "theme/theme.h"

#include <QTabWidget>

#include <memory>
#include <optional>
#include <set>

namespace gb::views {

class BatchesView;
class ChannelsView;
class ErrorView;
class HandView;
class HistogramSearchView;
class PartingView;
class SheetView;
class ZooBar;
class ZooView;

class NumbersPanel final : public QTabWidget {
    Q_OBJECT

public:
    enum Tab { Errors, Gains, Batches, Search, Zoo, Channels, QParams, Storage, TwoRuns, Hand };

    NumbersPanel(Session* session, Selection* selection, QWidget* parent = nullptr);
    ~NumbersPanel() override;
    void setTheme(const Theme& theme);
    /// What the session's recording was made from; null for a recording from a file.
    void setMaterial(numbers::MaterialPtr material);
    void showTab(Tab tab) { setCurrentIndex(tab); }
    /// The tabs' names on the command line, by Tab.
    static QStringList tabNames();
    [[nodiscard]] bool busy() const;
    [[nodiscard]] ErrorView& errors() const { return *m_errors; }
    [[nodiscard]] BatchesView& batches() const { return *m_batches; }
    [[nodiscard]] ZooView& zoo() const { return *m_zoo; }
    [[nodiscard]] ChannelsView& channels() const { return *m_channels; }
    [[nodiscard]] PartingView& parting() const { return *m_parting; }
    [[nodiscard]] HandView& hand() const { return *m_hand; }
    [[nodiscard]] SheetView& sheet(Tab tab) const;

    /// What the tab in front shows; of batches the rows of the shown observer, or of all. Absent where there is
    /// nothing.
    [[nodiscard]] std::optional<numbers::Figure> figure(bool all) const;
    /// Writes it: .png, .svg or .pdf as a picture, else the table as JSON or CSV. Errors: Io, Usage.
    base::Status writeTo(const QString& path) const;
    /// Stops painting the errors on the graph, without saying so: another overlay is there.
    void stopPainting();

public Q_SLOTS:
    void exportFigure(); ///< asks for the file
    void copyPicture();  ///< what writeTo() would write, to the clipboard

Q_SIGNALS:
    void failed(const QString& sentence);
    void said(const QString& sentence);
    /// A figure of the errors tab, to be painted on the graph; without values: none any more.
    void overlayChanged(const QString& title, const gb::numbers::OverlayValues& values);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void addTabs();
    void addExport();
    void connectAll();
    void stale();
    void refresh();
    void beginByHand();
    void chooseByHand();
    void workOutErrors();
    void workOutZoo();
    void workOutSheet(Tab tab);
    void paintErrors();
    void tell(Tab tab, const QString& sentence);
    void followSelection();
    [[nodiscard]] ir::NodeId zooSite() const;
    [[nodiscard]] QString title() const;

    Session* m_session;
    Selection* m_selection;
    ObserverSource m_source;
    JobRunner m_jobs;
    numbers::MaterialPtr m_material;
    std::set<int> m_fresh;                                ///< tabs that show the recording and material that are here
    std::shared_ptr<const numbers::ErrorReport> m_before; ///< errors of the run as it was
    std::shared_ptr<const numbers::ErrorReport> m_report; ///< errors that are shown
    ir::NodeId m_zooSite = ir::kNoNode;                   ///< whose values the zoo shows

    ErrorView* m_errors;
    SheetView* m_gains;
    BatchesView* m_batches;
    HistogramSearchView* m_search;
    QWidget* m_zooTab;
    ZooBar* m_zooBar;
    ZooView* m_zoo;
    ChannelsView* m_channels;
    SheetView* m_qparams;
    SheetView* m_storage;
    PartingView* m_parting;
    HandView* m_hand;
};

} // namespace gb::views
