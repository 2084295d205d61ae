// How far quantized values are from exact ones.
//
// SQNR is torchao's compute_error: 20 log10(|x| / |x - y|), in dB, larger is better; inf where nothing differs. Cosine
// is torch.nn.functional.cosine_similarity over all values. Both in double, so that they do not hang on the order.
//
// Thread: values and pure functions.
#pragma once

#include "ir/tensor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gb::numbers {

/// Sums over pairs of values; more pairs (the next batch) are added on top.
struct Gap {
    double signal = 0;  ///< sum of x^2
    double noise = 0;   ///< sum of (x - y)^2
    double other = 0;   ///< sum of y^2
    double product = 0; ///< sum of x y
    double largest = 0; ///< largest |x - y|; inf where one of them is no number
    std::int64_t count = 0;

    void add(double x, double y);
    void add(const Gap& more);
    /// dB; inf where there is no noise, absent where there is neither signal nor noise.
    [[nodiscard]] std::optional<double> sqnr() const;
    /// 1 is the same direction; absent where one side is all 0.
    [[nodiscard]] std::optional<double> cosine() const;
    [[nodiscard]] bool equal() const { return largest == 0; }
};

/// The gap over all values, and one a channel (axis 1; tensors of less than two dimensions have none).
class ChannelGaps {
public:
    /// Tensors of the same shape and a real dtype; others are left out. True when they were added.
    bool add(const ir::Tensor& exact, const ir::Tensor& other);
    [[nodiscard]] const Gap& all() const { return m_all; }
    [[nodiscard]] const std::vector<Gap>& channels() const { return m_channels; }
    /// The median of the channels' SQNR, of channels with a signal: one loud channel does not hide the others. Without
    /// channels that of all values.
    [[nodiscard]] std::optional<double> typicalSqnr() const;
    /// The channel with the least SQNR, or -1.
    [[nodiscard]] std::int64_t worstChannel() const;

private:
    Gap m_all;
    std::vector<Gap> m_channels;
};

/// The gap over all values of two tensors of the same shape.
Gap gapBetween(const ir::Tensor& exact, const ir::Tensor& other);

} // namespace gb::numbers
