// Where the accuracy goes, op by op; what if an op were left in float, or an observer another one; and which figure is
// painted on the graph.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/sheet_view.h"
#include "figures/what_if_bar.h"
#include "numbers/what_if.h"

#include <QStringList>
#include <QWidget>

#include <optional>

class QActionGroup;
class QLabel;
class QToolButton;

namespace gb::views {

class ErrorView final : public QWidget {
    Q_OBJECT

public:
    explicit ErrorView(Selection* selection, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// The figures of a run; `before` those of the run as it was, where changes are tried out.
    void setReport(const numbers::ErrorReport& report, const numbers::ErrorReport* before);
    void setSites(std::vector<numbers::ObserverSite> sites, const ir::Graph* graph);
    void setMessage(const QString& sentence);
    /// Takes all changes back without saying so.
    void forgetChanges();
    [[nodiscard]] const std::vector<numbers::Change>& changes() const { return m_changes; }
    [[nodiscard]] const SheetView& sheet() const { return *m_sheet; }
    [[nodiscard]] WhatIfBar& whatIf() const { return *m_whatIf; }
    /// "conv2d_1 in float · output 11.68 dB → 40.78 dB"
    [[nodiscard]] QString gain() const;
    /// The figure that the graph is to show; absent: none.
    [[nodiscard]] std::optional<numbers::ErrorFigure> painted() const;

public Q_SLOTS:
    /// Leaves the op of the current row in float, or quantizes it again.
    void toggleFloat();
    /// Tries a change out; it takes the place of one of the same site.
    void tryOut(const gb::numbers::Change& change);
    void takeBack();
    void setPainted(bool on);

Q_SIGNALS:
    void changesChanged();
    void paintedChanged();
    void failed(const QString& sentence);

private:
    void makePaintMenu();
    void updateButtons();
    void follow();

    Selection* m_selection;
    std::vector<numbers::Change> m_changes;
    SheetView* m_sheet;
    WhatIfBar* m_whatIf;
    QToolButton* m_float;
    QToolButton* m_other;
    QToolButton* m_back;
    QToolButton* m_paint;
    QActionGroup* m_figures;
    QLabel* m_gain;
};

} // namespace gb::views
