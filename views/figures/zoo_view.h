// The observer zoo: histograms of two to eight observers on the same values, their table below, one cursor over all.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/sheet_view.h"
#include "numbers/zoo.h"
#include "plots/histogram_view.h"

#include <QWidget>

#include <vector>

class QLabel;
class QSplitter;

namespace gb::views {

class ZooView final : public QWidget {
    Q_OBJECT

public:
    explicit ZooView(Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `what` names the values that all saw.
    void setAnimals(std::vector<numbers::ZooAnimal> animals, const QString& what);
    void setMessage(const QString& sentence);
    [[nodiscard]] const SheetView& sheet() const { return *m_sheet; }
    [[nodiscard]] const std::vector<HistogramView*>& plots() const { return m_plots; }

Q_SIGNALS:
    void failed(const QString& sentence);

private:
    void link(HistogramView* plot);

    const Theme* m_theme;
    QLabel* m_title;
    QSplitter* m_columns;
    SheetView* m_sheet;
    std::vector<HistogramView*> m_plots;
};

} // namespace gb::views
