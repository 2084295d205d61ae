// The words to histogram_facts: the formula with its numbers, what to beware of, and the rows of a qparams card.
//
// Thread: pure functions (the texts are translated).
#pragma once

#include "observers/observer_rows.h"
#include "plots/histogram_facts.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace gb::views {

/// "scale = (max − min) / (qmax − qmin) = (5.58 − (−1.9)) / (127 − (−128)) = 0.02933" and
/// "zp = qmin − round(min / scale) = −128 − round(−1.9 / 0.02933) = −128 + 65 = −63"; for observers without a formula
/// one line that says where the qparams come from.
QStringList formulaLines(const HistogramFacts& facts, const quant::ObserverSettings& settings);
/// One sentence a notice, the weightiest first.
QStringList noticeLines(const HistogramFacts& facts, const quant::ObserverSettings& settings);
/// "−1.93 … 6.12"
QString rangeText(const std::optional<ValueRange>& range);
/// "left 0.002 %, right 0.31 %"; "—" where there is no histogram.
QString clippedText(const HistogramFacts& facts);

/// One row of a card.
struct QParamsEntry {
    QString name;
    QString text; ///< 4 significant digits
    QString full; ///< every digit, for the clipboard and for telling whether two differ
};

/// kind, dtype, qscheme, axis, quant_min, quant_max, eps, min, max, chosen, representable, scale, zero point, levels
/// used, clipped, batches: always the same rows in the same order, "—" where an observer has no such thing.
std::vector<QParamsEntry> qparamsEntries(const ObserverRow& row, const HistogramFacts& facts);

/// The facts of a row; its inner observer's class decides for a fake quantize.
HistogramFacts factsOf(const ObserverRow& row, std::int64_t channel = 0);

} // namespace gb::views
