// Curves over a whole number (a batch, a move), with a marker that the user can set: drag or click.
//
// Wheel zooms along x, a double click shows all.
//
// Thread: the UI thread.
#pragma once

#include "theme/theme.h"

#include <QString>
#include <QVector>
#include <QWidget>

#include <memory>

class QCPPainter;

namespace gb::views {

struct PlotCurve {
    QString name;
    QVector<double> x;
    QVector<double> y;
    Ink ink = Ink::Observed;
    bool dotted = false; ///< a point each, not joined
};

class CurvePlot final : public QWidget {
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;
    void setTheme(const Theme& theme);
    void setCurves(QVector<PlotCurve> curves, const QString& xTitle, const QString& yTitle);
    void setMarker(double x);
    [[nodiscard]] double marker() const;
    /// For pictures: the plot as it is, at another size.
    void paintOn(QCPPainter& painter, const QSize& size);
    [[nodiscard]] QSize sizeHint() const override { return {320, 200}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 110}; }

Q_SIGNALS:
    void picked(double x); ///< by the user

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Plot;
    void rebuild();

    const Theme* m_theme;
    QVector<PlotCurve> m_curves;
    std::unique_ptr<Plot> m_plot;
};

} // namespace gb::views
