// Where the accuracy goes, op by op, and what if an op were left in float.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "figures/sheet_view.h"
#include "numbers/what_if.h"

#include <QStringList>
#include <QWidget>

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
    void setMessage(const QString& sentence);
    /// Takes all changes back without saying so.
    void forgetChanges();
    [[nodiscard]] const std::vector<numbers::Change>& changes() const { return m_changes; }
    [[nodiscard]] const SheetView& sheet() const { return *m_sheet; }
    /// "left in float: conv2d_1 · output 11.68 dB → 40.78 dB"
    [[nodiscard]] QString gain() const;

public Q_SLOTS:
    /// Leaves the op of the current row in float, or quantizes it again.
    void toggleFloat();
    void takeBack();

Q_SIGNALS:
    void changesChanged();
    void failed(const QString& sentence);

private:
    void updateButtons();

    std::vector<numbers::Change> m_changes;
    SheetView* m_sheet;
    QToolButton* m_float;
    QToolButton* m_back;
    QLabel* m_gain;
};

} // namespace gb::views
