// The observer zoo: histograms of two to eight observers on the same values, their table below, one cursor over all.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/sheet_view.h"
#include "numbers/figures.h"
#include "plots/histogram_view.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QHBoxLayout;

namespace gb::views {

class ZooView final : public QWidget {
    Q_OBJECT

public:
    explicit ZooView(Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setFigure(numbers::ZooFigure figure);
    /// What is shown; null while a message is.
    [[nodiscard]] const std::shared_ptr<const numbers::ZooFigure>& figure() const { return m_figure; }
    void setMessage(const QString& sentence);
    [[nodiscard]] const SheetView& sheet() const { return *m_sheet; }
    [[nodiscard]] const std::vector<HistogramView*>& plots() const { return m_plots; }

Q_SIGNALS:
    void removeWanted(int observer); ///< the user took an observer away

private:
    void link(HistogramView* plot);

    const Theme* m_theme;
    std::shared_ptr<const numbers::ZooFigure> m_figure;
    QLabel* m_title;
    QWidget* m_columns; ///< in a scroll area
    QHBoxLayout* m_row;
    SheetView* m_sheet;
    std::vector<HistogramView*> m_plots;
};

} // namespace gb::views
