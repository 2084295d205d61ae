// HistogramObserver's search for the range that loses least, move by move (quant/histogram_search.h).
//
// Thread: pure functions.
#pragma once

#include "numbers/sheet.h"
#include "quant/histogram_search.h"
#include "quant/observer.h"

#include <optional>
#include <vector>

namespace gb::numbers {

struct SearchReplay {
    std::vector<quant::SearchMove> moves; ///< every move that was tried, the refused one last
    quant::SearchResult result;
    double widest = 0; ///< the norm of the whole histogram: where the search starts from
    std::int64_t bins = 0;
    float min = 0;
    float max = 0;
    base::Message stop; ///< why it ended

    /// Values at the outer ends of a move's first and last bin.
    [[nodiscard]] double lowOf(const quant::SearchMove& move) const;
    [[nodiscard]] double highOf(const quant::SearchMove& move) const;
};

/// Absent for an observer without a histogram or without data. `settings` decides how many levels there are (2 to the
/// power of the dtype's bits, as torchao's dst_nbins).
std::optional<SearchReplay> replaySearch(const quant::ObserverSettings& settings, const quant::ObserverState& state);

/// A row a move: bins, their values, alpha, beta, norm, kept.
Sheet searchSheet(const SearchReplay& replay);

} // namespace gb::numbers
