// The range that an observer's scale and zero point were computed from.
//
// Internal to explain. Thread: pure functions.
#pragma once

#include "quant/histogram_search.h"
#include "quant/observer.h"

#include <optional>
#include <vector>

namespace gb::explain {

struct ChosenRange {
    double min = 0;
    double max = 0;
    /// Of a histogram observer: how the search came to it. Absent for all others.
    struct Search {
        double seenMin = 0;
        double seenMax = 0;
        std::int64_t bins = 0;
        double norm = 0; ///< of the whole histogram
        std::vector<quant::SearchMove> moves;
        quant::SearchResult result;
    };
    std::optional<Search> search;
};

/// min_val and max_val, or what the search of a histogram observer cut them to. Absent where the observer has no single
/// range or has seen nothing.
std::optional<ChosenRange> chosenRange(const quant::ObserverState& state, const quant::ObserverSettings& settings);

} // namespace gb::explain
