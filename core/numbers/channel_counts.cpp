#include "numbers/channel_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::numbers {
namespace {

using ir::Tensor;

/// The number of channels; 0 where the tensors do not agree.
std::int64_t channelsOf(std::span<const Tensor> values, std::int64_t axis)
{
    std::int64_t out = 0;
    for (const Tensor& value : values) {
        if (axis < 0 || axis >= value.dim() || (out != 0 && value.size(axis) != out))
            return 0;
        out = value.size(axis);
    }
    return out;
}

/// Calls visit(channel, value) for every value that is a number.
template <class Visit>
void forEachValue(std::span<const Tensor> values, std::int64_t axis, Visit visit)
{
    for (const Tensor& value : values) {
        const Tensor plain = value.contiguous();
        std::int64_t inner = 1;
        for (std::int64_t d = axis + 1; d < plain.dim(); ++d)
            inner *= plain.size(d);
        const std::int64_t channels = plain.size(axis);
        for (std::int64_t i = 0; i < plain.elementCount(); ++i)
            if (const double x = plain.at(i); std::isfinite(x))
                visit((i / inner) % channels, x);
    }
}

/// `scaled(channel, x)` is the value that is counted in row `rowOf(channel)`; a row below 0 leaves it out.
template <class Scaled, class RowOf>
ChannelCounts count(std::span<const Tensor> values, std::int64_t axis, std::int64_t bins, std::int64_t rows,
                    Scaled scaled, RowOf rowOf)
{
    ChannelCounts out;
    if (rows < 1 || bins < 1)
        return out;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    forEachValue(values, axis, [&](std::int64_t channel, double x) {
        if (rowOf(channel) < 0)
            return;
        least = std::min(least, scaled(channel, x));
        most = std::max(most, scaled(channel, x));
    });
    if (!(least <= most))
        return out;
    out = {rows, bins, least, most, std::vector<double>(static_cast<std::size_t>(rows * bins))};
    if (least == most) {
        out.min -= 1;
        out.max += 1;
    }
    const double perBin = static_cast<double>(bins) / (out.max - out.min);
    forEachValue(values, axis, [&](std::int64_t channel, double x) {
        const std::int64_t row = rowOf(channel);
        if (row < 0)
            return;
        const auto bin = static_cast<std::int64_t>((scaled(channel, x) - out.min) * perBin);
        out.counts[static_cast<std::size_t>(row * bins + std::clamp<std::int64_t>(bin, 0, bins - 1))] += 1;
    });
    return out;
}

} // namespace

ChannelCounts countChannels(std::span<const Tensor> values, std::int64_t axis, std::int64_t bins,
                            std::span<const double> units)
{
    const std::int64_t channels = channelsOf(values, axis);
    if (!units.empty() && static_cast<std::int64_t>(units.size()) != channels)
        return {};
    const auto scaled = [&](std::int64_t channel, double x) {
        const double unit = units.empty() ? 1 : units[static_cast<std::size_t>(channel)];
        return unit == 0 ? x : x / unit;
    };
    return count(values, axis, bins, channels, scaled, [](std::int64_t channel) { return channel; });
}

ChannelCounts countChannel(std::span<const Tensor> values, std::int64_t axis, std::int64_t channel, std::int64_t bins)
{
    if (channel < 0 || channel >= channelsOf(values, axis))
        return {};
    return count(
        values, axis, bins, 1, [](std::int64_t, double x) { return x; },
        [channel](std::int64_t at) { return at == channel ? 0 : std::int64_t(-1); });
}

} // namespace gb::numbers
