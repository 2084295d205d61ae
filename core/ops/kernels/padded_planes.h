// A convolution's input, padded and cut by its steps, so that the matrix that im2col would build stands in it: row k is
// one stretch of memory, from which the product reads without packing.
//
// A step of s makes s planes of every axis (the inputs at 0, s, 2s, ...; at 1, s + 1, ...), each with room for the
// padding. Output (z, y, x) then reads at the same distance from where its kernel element stands for output (0, 0, 0).
// Rows of a plane are longer than those of the output: the columns in between are computed and dropped.
//
// Thread: made with the context's pool; then only read.
#pragma once

#include "ops/kernels/im2col.h"

#include <memory>
#include <optional>

namespace gb::ops {

class PaddedPlanes {
public:
    /// Nothing where padding and steps would cost more than im2col does. `input`: the first of `channels`.
    static std::optional<PaddedPlanes> make(const Context& context, const PatchGrid& patches, const float* input,
                                            std::int64_t channels);

    /// Valid as long as this.
    [[nodiscard]] const StandingRight& factor() const { return m_factor; }

private:
    PaddedPlanes() = default;

    std::unique_ptr<float[]> m_values;
    StandingRight m_factor;
};

} // namespace gb::ops
