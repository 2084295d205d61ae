// One observer in the histogram panel: its title, its plot, and below it the formula and what to beware of.
//
// Thread: the UI thread.
#pragma once

#include "observers/observer_rows.h"
#include "plots/histogram_view.h"
#include "theme/theme.h"

#include <QWidget>

class QLabel;

namespace gb::views {

class ObserverColumn final : public QWidget {
    Q_OBJECT

public:
    explicit ObserverColumn(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `when` says from which moment the state is. Null: shows `nothing` instead.
    void showRow(const ObserverRow* row, const QString& when, const QString& nothing, bool keepZoom);
    [[nodiscard]] HistogramView& view() const { return *m_view; }
    /// Name, then class, what is observed and when; empty where nothing is shown.
    [[nodiscard]] QString title() const;
    /// Formula and notices, a line each.
    [[nodiscard]] QString formula() const;

private:
    void showFormula();

    quant::ObserverSettings m_settings;
    bool m_empty = true;
    QLabel* m_title;
    QLabel* m_caption;
    QLabel* m_formula;
    QLabel* m_notices;
    HistogramView* m_view;
};

} // namespace gb::views
