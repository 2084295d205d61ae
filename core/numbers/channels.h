// The channels of a per-channel observer, or of any tensor along an axis.
//
// Thread: pure functions.
#pragma once

#include "numbers/sheet.h"
#include "quant/observer.h"

#include <optional>
#include <string>
#include <vector>

namespace gb::numbers {

struct ChannelRow {
    std::int64_t channel = 0;
    double min = 0;
    double max = 0;
    double scale = 0;
    double zeroPoint = 0;
    bool outlier = false; ///< its scale is more than 4 times the median, or less than a quarter of it
    double ratio = 1;     ///< scale / median scale
};

struct Channels {
    std::vector<ChannelRow> rows;
    double medianScale = 0;
    std::int64_t axis = 0;
};

/// Empty rows for an observer that is not per channel or has no data.
Channels channelsOf(const quant::ObserverSettings& settings, const quant::ObserverState& state);

/// What an axis of a weight is, in words: of aten.conv2d.default axis 0 is "output channels", axis 1 "input channels"
/// (of a transposed convolution the other way round), then "kernel rows"; "axis N" where the op is not known.
base::Message axisWords(const std::string& target, std::int64_t axis);

/// The same values with a scale for each channel of each axis: what an observer of that axis would find.
struct AxisChoice {
    std::int64_t axis = 0; ///< -1: one scale for all
    base::Message words;
    std::int64_t scales = 0;
    std::optional<double> sqnr;
    double worstRatio = 1; ///< largest scale / median scale
};
/// One scale, then axis 0, then axis 1 (where there is one), with PerChannelMinMaxObserver or MinMaxObserver of the
/// dtype, range and eps in `settings`, symmetric or affine as there. Errors: what the observers raise.
base::Result<std::vector<AxisChoice>> compareAxes(const quant::ObserverSettings& settings, const ir::Tensor& values,
                                                  const std::string& target);

/// One channel as an observer of its own: per tensor, with the channel's min, max, scale and zero point.
struct OneChannel {
    quant::ObserverSettings settings;
    quant::ObserverState state;
};
/// Absent for a channel that is not there.
std::optional<OneChannel> oneChannel(const quant::ObserverSettings& settings, const quant::ObserverState& state,
                                     std::int64_t channel);

Sheet channelSheet(const Channels& channels);
Sheet axisSheet(const std::vector<AxisChoice>& choices);

} // namespace gb::numbers
