// How an observer came to its range, batch by batch.
//
// From the recording's observe events alone. A step is what the observer held after a batch (after all that it saw in
// it). `seen` is the smallest and largest value of that batch, where the event says so: what equation (1) of a moving
// average puts in, and what widened a range.
//
// Thread: pure functions.
#pragma once

#include "numbers/sheet.h"
#include "trace/recording.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gb::numbers {

struct Extremes {
    double min = 0;
    double max = 0;
};

struct HistoryStep {
    std::int64_t batch = 0; ///< its position among the inputs; a batch may be given several times
    int event = -1;         ///< the observe event
    std::shared_ptr<const trace::ObserverRecord> record;
    std::optional<Extremes> range; ///< min_val and max_val; of several channels the least and the most; absent before
                                   ///< anything was seen
    std::optional<Extremes> seen;
    bool widenedMin = false; ///< this batch moved the lower end down (of a running range: not by averaging)
    bool widenedMax = false;
    std::optional<double> rebinned; ///< a histogram that was moved into new bins: new bin width / old bin width
};

struct History {
    std::int64_t instance = -1;
    std::string graph;
    std::string name; ///< of its first observer node
    ir::NodeId node = ir::kNoNode;
    std::shared_ptr<const trace::ObserverInfo> info;
    std::vector<HistoryStep> steps;

    /// The last step at which the range changed by more than 1 % of its width; -1 where there is none.
    [[nodiscard]] int lastChange() const;
    /// At least four steps, and none of the newest quarter (two at least) changed the range by more than 1 %.
    [[nodiscard]] bool converged() const;
};

/// One an observer object, in the order in which they were first reached.
std::vector<History> historiesOf(const trace::Recording& recording);

/// Equation (1): min = min + c (batch min - min), with the numbers of a step in it; empty where the observer is no
/// moving average, for the first step (which takes the batch's own) and where the batch's extremes are not known.
std::vector<base::Message> averagingSentences(const History& history, std::size_t step);

/// A row a batch and observer.
Sheet historySheet(const std::vector<History>& histories);

} // namespace gb::numbers
