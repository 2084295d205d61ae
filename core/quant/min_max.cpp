#include "quant/min_max.h"

#include "base/message.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::Tensor;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Extremes {
    float min = kInf;
    float max = -kInf;
    bool hasNaN = false;

    void finish()
    {
        if (hasNaN)
            min = max = kNaN;
    }
};

void takeOne(Extremes& into, float value)
{
    into.min = value < into.min ? value : into.min;
    into.max = value > into.max ? value : into.max;
    into.hasNaN |= value != value;
}

constexpr int kLanes = 4;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
typedef std::int32_t Ints __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

/// Takes in `count` neighbouring values, in several registers at once: NaN compares false and is told apart.
void take(Extremes& into, const float* values, std::int64_t count)
{
    constexpr int registers = 4;
    constexpr std::int64_t step = registers * kLanes;
    std::int64_t i = 0;
    if (count >= step) {
        Floats min[registers];
        Floats max[registers];
        Ints nan[registers] = {};
        for (int r = 0; r < registers; ++r) {
            min[r] = Floats{} + into.min;
            max[r] = Floats{} + into.max;
        }
        for (; i + step <= count; i += step) {
#pragma GCC unroll 4
            for (int r = 0; r < registers; ++r) {
                const Floats value = *reinterpret_cast<const Floats*>(values + i + r * kLanes);
                min[r] = value < min[r] ? value : min[r];
                max[r] = value > max[r] ? value : max[r];
                nan[r] |= value != value;
            }
        }
        for (int r = 0; r < registers; ++r)
            for (int lane = 0; lane < kLanes; ++lane) {
                takeOne(into, min[r][lane]);
                takeOne(into, max[r][lane]);
                into.hasNaN |= nan[r][lane] != 0;
            }
    }
    for (; i < count; ++i)
        takeOne(into, values[i]);
}

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

MinMax aminmax(const Tensor& x)
{
    const Tensor packed = x.contiguous();
    Extremes found;
    take(found, packed.data<float>(), packed.elementCount());
    found.finish();
    return {Tensor::scalar(found.min), Tensor::scalar(found.max)};
}

base::Result<MinMax> aminmaxPerChannel(const Tensor& x, std::optional<std::int64_t> channelAxis)
{
    GB_ASSIGN(const std::size_t axis, checkedAxis(x, channelAxis));
    const Tensor packed = x.contiguous();
    const auto channels = static_cast<std::size_t>(x.shape()[axis]);
    std::int64_t outer = 1;
    std::int64_t inner = 1;
    for (std::size_t i = 0; i < x.shape().size(); ++i)
        (i < axis ? outer : inner) *= i == axis ? 1 : x.shape()[i];
    std::vector<Extremes> found(channels);
    const auto* values = packed.data<float>();
    for (std::int64_t i = 0; i < outer; ++i)
        for (Extremes& channel : found) {
            take(channel, values, inner);
            values += inner;
        }
    MinMax out{Tensor::empty(ir::DType::Float32, {static_cast<std::int64_t>(channels)}),
               Tensor::empty(ir::DType::Float32, {static_cast<std::int64_t>(channels)})};
    for (std::size_t i = 0; i < channels; ++i) {
        found[i].finish();
        out.min.mutableData<float>()[i] = found[i].min;
        out.max.mutableData<float>()[i] = found[i].max;
    }
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
