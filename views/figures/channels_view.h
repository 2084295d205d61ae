// The channels of a per-channel observer: the strip of all, one of them large, their table, and what other axes would
// give.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/channel_strip.h"
#include "figures/sheet_view.h"
#include "jobs/job_runner.h"
#include "observers/observer_source.h"
#include "plots/histogram_view.h"
#include "session/session.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QTabBar;
class QStackedWidget;

namespace gb::views {

class ChannelsView final : public QWidget {
    Q_OBJECT

public:
    ChannelsView(Session* session, Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Whose values are asked for; null: ranges alone are shown.
    void setMaterial(numbers::MaterialPtr material);
    [[nodiscard]] bool busy() const { return m_jobs.running(); }
    [[nodiscard]] const std::shared_ptr<const numbers::ChannelsFigure>& figure() const { return m_figure; }
    [[nodiscard]] const ChannelStrip& strip() const { return *m_strip; }
    [[nodiscard]] const HistogramView& histogram() const { return *m_histogram; }
    [[nodiscard]] SheetView& sheet() const { return *m_sheet; }
    [[nodiscard]] const SheetView& axes() const { return *m_axes; }
    /// What stands above the plots: the axis in words and the pinned channel's figures.
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] StripUnit unit() const;
    /// For pictures and files: the table that is in front.
    [[nodiscard]] const numbers::Sheet& frontSheet() const;

public Q_SLOTS:
    /// Shows a channel in the main plot.
    void pin(int channel);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectAll();
    void refresh();
    void showObserver(std::int64_t instance);
    void showFigure(std::shared_ptr<const numbers::ChannelsFigure> figure);
    void showChannel();
    void followTable();

    Session* m_session;
    Selection* m_selection;
    ObserverSource m_source;
    JobRunner m_jobs;
    numbers::MaterialPtr m_material;
    std::shared_ptr<const numbers::ChannelsFigure> m_figure; ///< null: there is none to show
    std::int64_t m_instance = -1;
    int m_event = -2;
    bool m_stale = true;
    QComboBox* m_choice;
    QComboBox* m_unit;
    QLabel* m_sentence;
    ChannelStrip* m_strip;
    HistogramView* m_histogram;
    QTabBar* m_which;
    QStackedWidget* m_tables;
    SheetView* m_sheet;
    SheetView* m_axes;
};

} // namespace gb::views
