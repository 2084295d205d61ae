#include "plots/tickers.h"

#include "observers/number_text.h"
#include "picture/label_text.h"

#include <cmath>

namespace gb::views {
namespace {

QString superscript(int number)
{
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString out;
    for (const QChar c : QString::number(std::abs(number)))
        out += kDigits[c.digitValue()];
    return (number < 0 ? QString(QChar(0x207B)) : QString()) + out;
}

/// 1, 2 or 5 times a power of ten, near to `value` from above.
double niceStep(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= value)
            return factor * power;
    return 10 * power;
}

} // namespace

double heightOf(double count, CountScale scale)
{
    switch (scale) {
    case CountScale::Log: return count > 0 ? std::log10(count) : -300;
    case CountScale::SquareRoot: return std::sqrt(count);
    case CountScale::Linear: break;
    }
    return count;
}

double countOf(double height, CountScale scale)
{
    switch (scale) {
    case CountScale::Log: return std::pow(10.0, height);
    case CountScale::SquareRoot: return height * height;
    case CountScale::Linear: break;
    }
    return height;
}

QVector<double> CountTicker::createTickVector(double, const QCPRange& range)
{
    QVector<double> ticks;
    if (scale == CountScale::Log) {
        const int first = static_cast<int>(std::ceil(range.lower));
        const int last = static_cast<int>(std::floor(range.upper));
        const int step = std::max(1, (last - first + 3) / 4);
        for (int power = first; power <= last; power += step)
            ticks << power;
        return ticks;
    }
    const double top = countOf(range.upper, scale);
    if (!(top > 0) || !std::isfinite(top))
        return ticks;
    const double step = niceStep(top / 4);
    for (int i = 0; i <= 8 && i * step <= top; ++i)
        ticks << heightOf(i * step, scale);
    return ticks;
}

QString CountTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    if (scale != CountScale::Log)
        return countText(std::round(countOf(tick, scale) * 1e6) / 1e6);
    const int power = static_cast<int>(std::lround(tick));
    return power == 0   ? QStringLiteral("1")
           : power == 1 ? QStringLiteral("10")
                        : QStringLiteral("10") + superscript(power);
}

void LevelTicker::setFacts(const HistogramFacts& facts)
{
    m_scale = facts.representable ? *facts.scale : 0;
    if (!facts.representable)
        return;
    m_zeroPoint = *facts.zeroPoint;
    m_min = static_cast<double>(*facts.quantMin);
    m_max = static_cast<double>(*facts.quantMax);
}

double LevelTicker::stepFor(const QCPRange& range, double pixels) const
{
    const double width = std::max(1, m_axis->axisRect()->width());
    const double levels = range.size() / m_scale * pixels / width;
    return levels <= 1 ? 1 : std::exp2(std::ceil(std::log2(levels)));
}

void LevelTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                           QVector<double>* subTicks, QVector<QString>* tickLabels)
{
    ticks.clear();
    if (subTicks)
        subTicks->clear();
    if (tickLabels)
        tickLabels->clear();
    if (!(m_scale > 0))
        return;
    const double first = std::max(m_min, std::floor(range.lower / m_scale + m_zeroPoint));
    const double last = std::min(m_max, std::ceil(range.upper / m_scale + m_zeroPoint));
    const double labelled = stepFor(range, 52);
    const double fine = std::min(labelled, stepFor(range, 6));
    if (!(last >= first) || (last - first) / fine > 4096)
        return;
    for (double q = std::ceil(first / fine) * fine; q <= last; q += fine) {
        const double at = (q - m_zeroPoint) * m_scale;
        if (std::fmod(q, labelled) == 0) {
            ticks << at;
            if (tickLabels)
                *tickLabels << displayNumber(q == 0 ? 0.0 : q); // ceil gives a negative zero
        } else if (subTicks) {
            *subTicks << at;
        }
    }
}

QString RealTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    if (std::abs(tick) < m_step * 1e-6)
        return QStringLiteral("0");
    const int needed = static_cast<int>(std::ceil(std::log10(std::abs(tick) / m_step))) + 2;
    return QString::number(tick, 'g', std::clamp(needed, 4, 15)).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace gb::views
