// Axis ticks of the plots: counts on a transformed scale, quantized levels, real values with a true minus sign.
//
// Thread: the UI thread.
#pragma once

#include "plots/histogram_facts.h"
#include "plots/histogram_view.h"
#include "plots/qcp.h"

namespace gb::views {

/// The height of a count: its logarithm, root, or itself. Counts of 0 have no height (see heightFloor).
double heightOf(double count, CountScale scale);
double countOf(double height, CountScale scale);

class CountTicker final : public QCPAxisTicker {
public:
    CountScale scale = CountScale::Log;

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    int getSubTickCount(double) override { return 0; }
};

/// Ticks at levels of the representable range: as many labels as fit, with finer grid lines between them.
class LevelTicker final : public QCPAxisTicker {
public:
    explicit LevelTicker(const QCPAxis* axis)
        : m_axis(axis)
    {
    }
    void setFacts(const HistogramFacts& facts);
    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* tickLabels) override;
    /// How many levels apart things `pixels` wide may stand, a power of two.
    [[nodiscard]] double stepFor(const QCPRange& range, double pixels) const;

private:
    const QCPAxis* m_axis;
    double m_scale = 0; ///< 0: no levels
    double m_zeroPoint = 0;
    double m_min = 0;
    double m_max = 0;
};

class RealTicker final : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override { return m_step = QCPAxisTicker::getTickStep(range); }
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    double m_step = 1;
};

} // namespace gb::views
