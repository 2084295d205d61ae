// The values of each channel, counted: what the strip of channels is painted of.
//
// Bins are torch.histc's: equal ones from the smallest to the largest value, the largest in the last one; where all are
// one value v, from v - 1 to v + 1. Values that are no numbers are left out.
//
// Thread: pure functions.
#pragma once

#include "ir/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gb::numbers {

struct ChannelCounts {
    std::int64_t channels = 0;
    std::int64_t bins = 0;
    double min = 0; ///< of all channels that are counted
    double max = 0;
    std::vector<double> counts; ///< channel after channel, `bins` each

    [[nodiscard]] double at(std::int64_t channel, std::int64_t bin) const
    {
        return counts[static_cast<std::size_t>(channel * bins + bin)];
    }
};

/// All channels along `axis` over one range. `units` (one a channel, or none): values are counted in these, such as
/// the channel's scale; a unit of 0 counts as 1. Empty where the tensors have no such axis or are not alike in it.
ChannelCounts countChannels(std::span<const ir::Tensor> values, std::int64_t axis, std::int64_t bins,
                            std::span<const double> units = {});
/// One channel over its own range: channels is 1.
ChannelCounts countChannel(std::span<const ir::Tensor> values, std::int64_t axis, std::int64_t channel,
                           std::int64_t bins);

} // namespace gb::numbers
