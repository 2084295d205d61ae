#include "figures/figure_parts.h"

#include "observers/number_text.h"
#include "picture/label_text.h"
#include "session/translate.h"

#include <QCoreApplication>

#include <cmath>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::figures", text);
}

} // namespace

QVector<PlotCurve> rangeCurves(const numbers::History& history)
{
    PlotCurve low{tr("min"), {}, {}, Ink::Observed};
    PlotCurve high{tr("max"), {}, {}, Ink::Chosen};
    PlotCurve seen{tr("of the batch alone"), {}, {}, Ink::Muted, true};
    for (std::size_t s = 0; s < history.steps.size(); ++s) {
        const auto x = static_cast<double>(s);
        if (const auto& range = history.steps[s].range) {
            low.x << x;
            low.y << range->min;
            high.x << x;
            high.y << range->max;
        }
        if (const auto& of = history.steps[s].seen; of && std::isfinite(of->min) && std::isfinite(of->max)) {
            seen.x << x << x;
            seen.y << of->min << of->max;
        }
    }
    return {low, high, seen};
}

QStringList batchSentences(const numbers::History& history, int step)
{
    const numbers::HistoryStep& at = history.steps[static_cast<std::size_t>(step)];
    const numbers::HistoryStep* before = step > 0 ? &history.steps[static_cast<std::size_t>(step) - 1] : nullptr;
    const QString batch = at.batch < 0 ? tr("Step %1").arg(step + 1) : tr("Batch %1").arg(at.batch);
    QStringList out;
    QStringList moved;
    if (before && before->range && at.range) {
        if (at.widenedMin)
            moved << tr("min %1 → %2").arg(displayNumber(before->range->min), displayNumber(at.range->min));
        if (at.widenedMax)
            moved << tr("max %1 → %2").arg(displayNumber(before->range->max), displayNumber(at.range->max));
    }
    if (!before && at.range)
        out << tr("%1 is the first: the range is its own, %2 … %3")
                   .arg(batch, displayNumber(at.range->min), displayNumber(at.range->max));
    else if (!moved.isEmpty())
        out << tr("%1 widened %2").arg(batch, moved.join(QStringLiteral(", ")))
                   + (at.rebinned ? tr(": histogram re-binned, bins %1 times as wide").arg(displayNumber(*at.rebinned))
                                  : QString());
    else if (numbers::averagingSentences(history, static_cast<std::size_t>(step)).empty())
        out << tr("%1 changed nothing").arg(batch);
    for (const base::Message& sentence : numbers::averagingSentences(history, static_cast<std::size_t>(step)))
        out << translated(sentence);
    if (history.lastChange() >= 0)
        out << (history.converged() ? tr("Converged: since step %1 of %2 no batch has moved the range by more than 1 %")
                                    : tr("Not converged: step %1 of %2 still moved the range by more than 1 %"))
                   .arg(history.lastChange() + 1)
                   .arg(history.steps.size());
    return out;
}

PlotCurve normCurve(const numbers::SearchReplay& replay)
{
    PlotCurve norm{tr("norm"), {0}, {replay.widest}, Ink::Chosen};
    for (std::size_t i = 0; i < replay.moves.size(); ++i) {
        norm.x << static_cast<double>(i + 1);
        norm.y << replay.moves[i].norm;
    }
    return norm;
}

ValueRange rangeOfMove(const numbers::SearchReplay& replay, int move)
{
    if (move <= 0 || move > static_cast<int>(replay.moves.size()))
        return {replay.min, replay.max};
    const quant::SearchMove& at = replay.moves[static_cast<std::size_t>(move) - 1];
    return {replay.lowOf(at), replay.highOf(at)};
}

QStringList moveSentences(const numbers::SearchReplay& replay, int move)
{
    QStringList out;
    const auto count = static_cast<int>(replay.moves.size());
    const ValueRange tried = rangeOfMove(replay, move);
    if (move == 0) {
        out << tr("Before the first move: all %1 bins, norm %2").arg(replay.bins).arg(displayNumber(replay.widest));
    } else {
        const quant::SearchMove& at = replay.moves[static_cast<std::size_t>(move) - 1];
        out << tr("Move %1 of %2: bins %3 to %4, values %5 … %6, norm %7 (%8)")
                   .arg(move)
                   .arg(count)
                   .arg(at.startBin)
                   .arg(at.endBin)
                   .arg(displayNumber(tried.min), displayNumber(tried.max), displayNumber(at.norm),
                        at.kept ? tr("kept") : tr("refused"));
        out << tr("Counts that may be cut off: below %1 %, above %2 %")
                   .arg(displayNumber(100 * at.alpha), displayNumber(100 * (1 - at.beta)));
    }
    QString stop = translated(replay.stop);
    if (!stop.isEmpty())
        stop[0] = stop[0].toUpper(); // a core sentence begins in lower case
    out << stop;
    out << tr("Chosen: %1 … %2. That 0 must be in the range, or that both sides are as wide, comes after the search.")
               .arg(displayNumber(replay.result.min), displayNumber(replay.result.max));
    return out;
}

std::pair<ValueRange, std::vector<double>> countsOf(const quant::ObserverState& values)
{
    if (!values.histogram || !values.minVal || !values.maxVal || values.maxVal->elementCount() != 1)
        return {};
    const ValueRange counted{values.minVal->at(0), values.maxVal->at(0)};
    if (!(counted.width() >= 0))
        return {counted, {}};
    return {counted, values.histogram->toDoubles()};
}

} // namespace gb::views
