// Bottom dock: the selected observer, and beside it one that was pinned; below them their qparams and formulas.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "observers/observer_source.h"
#include "plots/histogram_view.h"
#include "session/session.h"
#include "theme/theme.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSplitter;
class QTableView;
class QToolButton;

namespace gb::views {

class ObserverColumn;
class QParamsModel;

class HistogramPanel final : public QWidget {
    Q_OBJECT

public:
    HistogramPanel(Session* session, Selection* selection, QWidget* parent = nullptr);
    ~HistogramPanel() override;
    void setTheme(const Theme& theme);

    /// The observer objects that are shown: instance numbers, -1 where none.
    [[nodiscard]] std::int64_t shownInstance() const { return m_shown; }
    [[nodiscard]] std::int64_t pinnedInstance() const { return m_pinned; }
    [[nodiscard]] const QParamsModel& qparams() const { return *m_qparams; }
    [[nodiscard]] HistogramView& shownView();
    [[nodiscard]] HistogramView& pinnedView();

public Q_SLOTS:
    void setPinned(bool pinned); ///< pins the shown observer, or takes the pinned one away

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectAll();
    void schedule();
    void refresh();
    void showInstance(std::int64_t instance);
    void showCards();
    void linkRanges();
    void shareRoom();

    Session* m_session;
    Selection* m_selection;
    const Theme* m_theme;
    ObserverSource m_source;
    std::int64_t m_shown = -1;
    std::int64_t m_pinned = -1;
    bool m_stale = true; ///< to be refreshed when shown
    bool m_scheduled = false;
    bool m_sized = false; ///< plots and cards have their first sizes
    ObserverColumn* m_left;
    ObserverColumn* m_right;
    QToolButton* m_pin;
    QCheckBox* m_link;
    QComboBox* m_scale;
    QSplitter* m_parts;
    QTableView* m_cards;
    QParamsModel* m_qparams;
};

} // namespace gb::views
