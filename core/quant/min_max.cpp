#include "quant/min_max.h"

#include "base/message.h"
#include "quant/value_loops.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::Tensor;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t kGrain = 1 << 16; // values of a piece that one thread looks through

Error indexError(std::string sentence)
{
    return {ErrorCode::IndexError, std::move(sentence), {}};
}

/// What the list arithmetic of PerChannelMinMaxObserver.forward accepts; gives the axis counted from the front.
base::Result<std::size_t> checkedAxis(const Tensor& x, std::optional<std::int64_t> channelAxis)
{
    if (!channelAxis)
        return Error{ErrorCode::TypeError, "list indices must be integers or slices, not NoneType", {}};
    const std::int64_t rank = x.dim();
    if (*channelAxis >= rank || *channelAxis < -rank || rank == 0)
        return indexError("list assignment index out of range");
    if (rank == 1)
        return indexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    return static_cast<std::size_t>(*channelAxis < 0 ? *channelAxis + rank : *channelAxis);
}

/// Elementwise over both, a single channel standing for all.
template <class F>
base::Result<Tensor> combine(const Tensor& running, const Tensor& current, F&& rule)
{
    const std::int64_t left = current.elementCount();
    const std::int64_t right = running.elementCount();
    if (left != right && left != 1 && right != 1) // minmax_m2
        return Error{
            ErrorCode::RuntimeError,
            say("The size of tensor a ({0}) must match the size of tensor b ({1}) at non-singleton dimension 0", left,
                right),
            {}};
    Tensor out = Tensor::empty(ir::DType::Float32, right == 1 ? current.shape() : running.shape());
    auto* to = out.mutableData<float>();
    for (std::int64_t i = 0; i < out.elementCount(); ++i)
        to[i] = rule(running.data<float>()[right == 1 ? 0 : i], current.data<float>()[left == 1 ? 0 : i]);
    return out;
}

template <class Min, class Max>
base::Result<MinMax> combine(const MinMax& running, const MinMax& current, Min&& min, Max&& max)
{
    GB_ASSIGN(Tensor low, combine(running.min, current.min, min));
    GB_ASSIGN(Tensor high, combine(running.max, current.max, max));
    return MinMax{std::move(low), std::move(high)};
}

} // namespace

base::Result<Tensor> toFloat32(const Tensor& x)
{
    const ir::DType dtype = x.dtype();
    const bool known = ir::isInteger(dtype) || dtype == ir::DType::Bool || dtype == ir::DType::Float16
                       || dtype == ir::DType::BFloat16 || dtype == ir::DType::Float32 || dtype == ir::DType::Float64;
    if (!known)
        return Error{ErrorCode::Unsupported, say("an observer does not take {0}", ir::name(dtype)), {}};
    return x.to(ir::DType::Float32).contiguous();
}

MinMax aminmax(const Tensor& x, base::Pool* pool)
{
    const Tensor packed = x.contiguous();
    const auto* values = packed.data<float>();
    const std::int64_t count = packed.elementCount();
    std::vector<Extremes> pieces(static_cast<std::size_t>((count + kGrain - 1) / kGrain));
    base::forEachChunk(pool, {}, count, kGrain, [&](std::int64_t begin, std::int64_t end) {
        widen(pieces[static_cast<std::size_t>(begin / kGrain)], values + begin, end - begin);
    });
    Extremes found;
    for (const Extremes& piece : pieces)
        widen(found, piece);
    return {Tensor::scalar(found.hasNaN ? kNaN : found.min), Tensor::scalar(found.hasNaN ? kNaN : found.max)};
}

base::Result<MinMax> aminmaxPerChannel(const Tensor& x, std::optional<std::int64_t> channelAxis, base::Pool* pool)
{
    GB_ASSIGN(const std::size_t axis, checkedAxis(x, channelAxis));
    const Tensor packed = x.contiguous();
    const std::int64_t channels = x.shape()[axis];
    std::int64_t outer = 1;
    std::int64_t inner = 1;
    for (std::size_t i = 0; i < x.shape().size(); ++i)
        (i < axis ? outer : inner) *= i == axis ? 1 : x.shape()[i];
    MinMax out{Tensor::empty(ir::DType::Float32, {channels}), Tensor::empty(ir::DType::Float32, {channels})};
    auto* min = out.min.mutableData<float>();
    auto* max = out.max.mutableData<float>();
    const auto* values = packed.data<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, outer * inner));
    base::forEachChunk(pool, {}, channels, grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Extremes> found(static_cast<std::size_t>(end - begin));
        for (std::int64_t i = 0; i < outer; ++i) // in the order of memory
            for (std::int64_t channel = begin; channel < end; ++channel)
                widen(found[static_cast<std::size_t>(channel - begin)], values + (i * channels + channel) * inner,
                      inner);
        for (std::int64_t channel = begin; channel < end; ++channel) {
            const Extremes& of = found[static_cast<std::size_t>(channel - begin)];
            min[channel] = of.hasNaN ? kNaN : of.min;
            max[channel] = of.hasNaN ? kNaN : of.max;
        }
    });
    return out;
}

base::Result<MinMax> widened(const MinMax& running, const MinMax& current)
{
    return combine( // minmax_m1
        running, current, [](float a, float b) { return a != a || b != b ? kNaN : std::min(a, b); },
        [](float a, float b) { return a != a || b != b ? kNaN : std::max(a, b); });
}

base::Result<MinMax> averaged(const MinMax& running, const MinMax& current, float constant)
{
    const auto step = [constant](float a, float b) { return a + constant * (b - a); }; // minmax_m3
    return combine(running, current, step, step);
}

} // namespace gb::quant
