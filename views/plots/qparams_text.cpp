#include "plots/qparams_text.h"

#include "observers/number_text.h"
#include "picture/label_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::QParams", text);
}

QString dash()
{
    return QString(QChar(0x2014));
}

QString scaleLine(const HistogramFacts& facts, const quant::ObserverSettings& settings)
{
    const Formula& f = facts.formula;
    const bool floored = facts.has(Notice::FlooredAtEps);
    QString line;
    if (f.kind == Formula::Kind::Symmetric)
        line = QStringLiteral("scale = max(−min, max) / ((qmax − qmin) / 2) = max(%1, %2) / %3 = ")
                   .arg(displayNumber(-f.low), displayNumber(f.high), displayNumber(f.divisor));
    else
        line = QStringLiteral("scale = (max − min) / (qmax − qmin) = (%1 − %2) / (%3 − %4) = ")
                   .arg(displayNumber(f.high), operandText(f.low), displayNumber(static_cast<double>(*facts.quantMax)),
                        operandText(static_cast<double>(*facts.quantMin)));
    if (!floored)
        return line + displayNumber(f.kind == Formula::Kind::FloatQParams ? f.raw : f.scale);
    return line + displayNumber(f.raw)
           + QStringLiteral(" → max(…, eps = %1) = ").arg(displayNumber(settings.eps.value_or(0)))
           + displayNumber(f.scale);
}

QString zeroPointLine(const HistogramFacts& facts)
{
    const Formula& f = facts.formula;
    if (f.kind == Formula::Kind::Symmetric)
        return f.zeroPoint == 0
                   ? QStringLiteral("zp = 0 (%1)").arg(tr("symmetric"))
                   : QStringLiteral("zp = %1 (%2)")
                         .arg(displayNumber(f.zeroPoint), tr("symmetric: the middle of an unsigned range"));
    if (f.kind == Formula::Kind::FloatQParams)
        return QStringLiteral("zp = −min / scale = %1 / %2 = %3")
            .arg(displayNumber(-f.low), displayNumber(f.scale), displayNumber(f.zeroPoint));
    const auto qmin = static_cast<double>(*facts.quantMin);
    const QString sign = f.rounded <= 0 ? QStringLiteral("+") : QString(QChar(0x2212));
    QString line = QStringLiteral("zp = qmin − round(min / scale) = %1 − round(%2 / %3) = %1 %4 %5 = %6")
                       .arg(displayNumber(qmin), displayNumber(f.low), displayNumber(f.scale), sign,
                            displayNumber(std::abs(f.rounded)), displayNumber(f.unclamped));
    if (facts.has(Notice::ZeroPointClamped))
        line += QStringLiteral(" → %1").arg(displayNumber(f.zeroPoint));
    return line;
}

QString noticeText(Notice notice, const HistogramFacts& facts, const quant::ObserverSettings& settings)
{
    switch (notice) {
    case Notice::NoData: return tr("No data: scale 1 and zero point 0 are defaults.");
    case Notice::NoQParams: return tr("No qparams: %1").arg(QString::fromStdString(facts.noQParams));
    case Notice::ConstantTensor:
        return tr("Constant tensor: the only value is %1.").arg(displayNumber(facts.observed->min));
    case Notice::FlooredAtEps:
        return tr("The scale is floored at eps = %1.").arg(displayNumber(settings.eps.value_or(0)));
    case Notice::ZeroPointClamped:
        return tr("The zero point %1 was clamped to %2.")
            .arg(displayNumber(facts.formula.unclamped), displayNumber(facts.formula.zeroPoint));
    case Notice::WidenedToZero: return tr("The chosen range was widened to hold 0.");
    case Notice::UnusedLevels: {
        const double unused = (facts.covered->width() - (facts.formula.high - facts.formula.low)) / facts.formula.scale;
        return tr("Symmetric around 0: about %1 levels on one side are unused.").arg(countText(std::floor(unused)));
    }
    case Notice::NotSearched:
        return tr("The chosen range is not shown: a search over more than %1 bins is not repeated here.")
            .arg(countText(static_cast<double>(kMostSearchedBins)));
    }
    return {};
}

QParamsEntry entry(const QString& name, const QString& text, const QString& full = {})
{
    return {name, text, full.isEmpty() ? text : full};
}

QParamsEntry numberEntry(const QString& name, const std::optional<double>& value)
{
    return entry(name, shortText(value), value ? fullText(*value) : dash());
}

QParamsEntry integerEntry(const QString& name, const std::optional<std::int64_t>& value)
{
    if (!value)
        return entry(name, dash());
    return entry(name, QString::number(*value).replace(QLatin1Char('-'), QChar(0x2212)), QString::number(*value));
}

QParamsEntry rangeEntry(const QString& name, const std::optional<ValueRange>& range)
{
    return entry(name, rangeText(range),
                 range ? QStringLiteral("%1 .. %2").arg(fullText(range->min), fullText(range->max)) : dash());
}

QString levelsText(const HistogramFacts& facts)
{
    if (!facts.levelsUsed)
        return dash();
    return QStringLiteral("%1 / %2").arg(countText(static_cast<double>(*facts.levelsUsed)),
                                         countText(static_cast<double>(facts.levels)));
}

QString schemeText(const quant::ObserverSettings& settings)
{
    if (settings.qscheme)
        return QString::fromLatin1(ir::name(*settings.qscheme));
    return settings.hasQScheme ? QStringLiteral("None") : dash();
}

} // namespace

QString rangeText(const std::optional<ValueRange>& range)
{
    return range ? QStringLiteral("%1 … %2").arg(displayNumber(range->min), displayNumber(range->max)) : dash();
}

QString clippedText(const HistogramFacts& facts)
{
    if (!facts.clippedLeft || !facts.clippedRight || facts.total <= 0)
        return dash();
    return tr("left %1, right %2")
        .arg(percentText(*facts.clippedLeft / facts.total), percentText(*facts.clippedRight / facts.total));
}

QStringList formulaLines(const HistogramFacts& facts, const quant::ObserverSettings& settings)
{
    switch (facts.kind) {
    case ObserverKind::Fixed: return {tr("Scale and zero point are given, not observed.")};
    case ObserverKind::Derived: return {tr("Scale and zero point are computed from those of other observers.")};
    case ObserverKind::Dynamic: return {tr("Computed at run time by choose_qparams.")};
    case ObserverKind::Passive: return {tr("This observer has no qparams.")};
    case ObserverKind::Histogram:
    case ObserverKind::Range:
    case ObserverKind::PerChannel: break;
    }
    if (facts.formula.kind == Formula::Kind::None)
        return {};
    return {scaleLine(facts, settings), zeroPointLine(facts)};
}

QStringList noticeLines(const HistogramFacts& facts, const quant::ObserverSettings& settings)
{
    std::vector<Notice> sorted = facts.notices;
    std::ranges::sort(sorted);
    QStringList lines;
    for (const Notice notice : sorted)
        lines << noticeText(notice, facts, settings);
    return lines;
}

HistogramFacts factsOf(const ObserverRow& row, std::int64_t channel)
{
    return histogramFacts(row.info->inner.empty() ? row.info->type : row.info->inner, row.info->settings, row.state(),
                          channel);
}

std::vector<QParamsEntry> qparamsEntries(const ObserverRow& row, const HistogramFacts& facts)
{
    const quant::ObserverSettings& s = row.info->settings;
    std::vector<QParamsEntry> out;
    out.push_back(entry(tr("observer"), row.typeText()));
    out.push_back(entry(tr("dtype"), s.dtypeName.empty() ? dash() : QString::fromStdString(s.dtypeName)));
    out.push_back(entry(tr("qscheme"), schemeText(s)));
    out.push_back(integerEntry(tr("axis"), s.chAxis));
    out.push_back(integerEntry(tr("quant_min"), facts.quantMin));
    out.push_back(integerEntry(tr("quant_max"), facts.quantMax));
    out.push_back(numberEntry(tr("eps"), s.eps));
    if (facts.channels > 1)
        out.push_back(entry(tr("channel"), tr("%1 of %2").arg(facts.channel).arg(facts.channels)));
    else
        out.push_back(entry(tr("channel"), dash()));
    out.push_back(rangeEntry(tr("observed"), facts.observed));
    out.push_back(rangeEntry(tr("chosen"), facts.chosen));
    out.push_back(rangeEntry(tr("representable"), facts.representable));
    out.push_back(numberEntry(tr("scale"), facts.scale));
    out.push_back(numberEntry(tr("zero point"), facts.zeroPoint));
    out.push_back(entry(tr("levels used"), levelsText(facts)));
    out.push_back(entry(tr("clipped"), clippedText(facts)));
    out.push_back(integerEntry(tr("batches"), row.state().batches));
    return out;
}

} // namespace gb::views
