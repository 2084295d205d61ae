// The curves and sentences of the panels' figures, for the panels and for pictures alike.
//
// Thread: pure functions.
#pragma once

#include "figures/curve_plot.h"
#include "numbers/history.h"
#include "numbers/search_replay.h"
#include "plots/histogram_facts.h"

#include <QStringList>

namespace gb::views {

/// The ends of the range after each batch, and what each batch alone had.
QVector<PlotCurve> rangeCurves(const numbers::History& history);
/// What a batch did to the range: widened, re-binned, averaged (with the numbers in the equation); converged or not.
QStringList batchSentences(const numbers::History& history, int step);

/// The norm after each move of the search; move 0 is the whole histogram.
PlotCurve normCurve(const numbers::SearchReplay& replay);
/// What a move did and why the search ended.
QStringList moveSentences(const numbers::SearchReplay& replay, int move);
/// The values between the ends of a move's bins.
ValueRange rangeOfMove(const numbers::SearchReplay& replay, int move);

/// The counts of a HistogramObserver's state with the range that they stand for; none where it has none.
std::pair<ValueRange, std::vector<double>> countsOf(const quant::ObserverState& values);

} // namespace gb::views
