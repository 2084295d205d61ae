// grid_sampler and affine_grid_generator: images read at places that a grid names.
//
// Source: aten/src/ATen/native/GridSampler.h, GridSampler.cpp, AffineGridGenerator.cpp; two spatial dimensions.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

enum class Method : std::uint8_t { Bilinear, Nearest, Bicubic };
enum class Outside : std::uint8_t { Zeros, Border, Reflection };

/// One spatial axis of the image.
struct Axis {
    std::int64_t size = 1;
    Outside outside = Outside::Zeros;
    bool alignCorners = false;
};

/// A grid's coordinate, -1 to 1, as a position in elements.
float positionOf(float coordinate, const Axis& axis)
{
    const auto size = static_cast<float>(axis.size);
    return axis.alignCorners ? (coordinate + 1.0F) / 2.0F * (size - 1.0F) : ((coordinate + 1.0F) * size - 1.0F) / 2.0F;
}

/// The position mirrored at the edges until it lies inside.
float reflected(float position, const Axis& axis)
{
    const float low = axis.alignCorners ? 0.0F : -0.5F;
    const float span = static_cast<float>(axis.alignCorners ? axis.size - 1 : axis.size);
    if (span <= 0.0F)
        return 0.0F;
    const float distance = std::fabs(position - low);
    const float rest = std::fmod(distance, span);
    const bool even = std::fmod(std::floor(distance / span), 2.0F) == 0.0F;
    return even ? rest + low : span - rest + low;
}

/// Where a position outside is read; with zeros it stays outside.
float bounded(float position, const Axis& axis)
{
    if (axis.outside == Outside::Zeros)
        return position;
    const float inside = axis.outside == Outside::Reflection ? reflected(position, axis) : position;
    const auto last = static_cast<float>(axis.size - 1);
    return inside > 0.0F ? std::min(inside, last) : 0.0F; // NaN: 0
}

/// A position as an index, -1 where it is none.
std::int64_t indexOf(float position, std::int64_t size)
{
    return position >= 0.0F && position < static_cast<float>(size) ? static_cast<std::int64_t>(position) : -1;
}

/// Up to four neighbours along one axis, with their weights; index -1 reads 0.
struct Neighbours {
    std::array<std::int64_t, 4> index{-1, -1, -1, -1};
    std::array<float, 4> weight{};
};

Neighbours cubicNeighbours(float position, const Axis& axis)
{
    constexpr float kA = -0.75F;
    const float first = std::floor(position);
    const float t = position - first;
    const auto near = [](float x) { return ((kA + 2.0F) * x - (kA + 3.0F)) * x * x + 1.0F; };
    const auto far = [](float x) { return ((kA * x - 5.0F * kA) * x + 8.0F * kA) * x - 4.0F * kA; };
    Neighbours out;
    out.weight = {far(t + 1.0F), near(t), near(1.0F - t), far(2.0F - t)};
    for (std::size_t i = 0; i < 4; ++i)
        out.index[i] = indexOf(bounded(first + static_cast<float>(i) - 1.0F, axis), axis.size);
    return out;
}

Neighbours neighboursOf(float coordinate, const Axis& axis, Method method)
{
    const float raw = positionOf(coordinate, axis);
    if (method == Method::Bicubic)
        return cubicNeighbours(raw, axis);
    const float position = bounded(raw, axis);
    Neighbours out;
    if (method == Method::Nearest) {
        out.index[0] = indexOf(std::nearbyint(position), axis.size);
        out.weight[0] = 1.0F;
        return out;
    }
    const float first = std::floor(position);
    out.index[0] = indexOf(first, axis.size);
    out.index[1] = indexOf(first + 1.0F, axis.size);
    out.weight[0] = first + 1.0F - position;
    out.weight[1] = position - first;
    return out;
}

float sampled(const float* plane, std::int64_t width, const Neighbours& v, const Neighbours& h)
{
    float sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        if (v.index[i] < 0)
            continue;
        float row = 0;
        for (std::size_t j = 0; j < 4; ++j)
            if (h.index[j] >= 0)
                row += plane[v.index[i] * width + h.index[j]] * h.weight[j];
        sum += row * v.weight[i];
    }
    return sum;
}

struct GridSample {
    Tensor image; ///< float32, contiguous, [N, C, H, W]
    Tensor grid;  ///< float32, contiguous, [N, h, w, 2]
    DType dtype = DType::Float32;
    Method method = Method::Bilinear;
    Axis height;
    Axis width;
};

Result<GridSample> read(const Call& call)
{
    GB_ASSIGN(const Tensor image, call.tensor(0));
    GB_ASSIGN(const Tensor grid, call.tensor(1));
    GB_ASSIGN(const std::int64_t method, call.integer(2));
    GB_ASSIGN(const std::int64_t outside, call.integer(3));
    GB_ASSIGN(const bool alignCorners, call.boolean(4, false));
    GB_TRY(expectFloat(image, "image"));
    GB_TRY(expectSameDType(image, grid, "grid sample"));
    if (image.dim() != 4 || grid.dim() != 4 || grid.size(3) != 2 || image.size(0) != grid.size(0))
        return runtimeError("image {0} and grid {1}, [N, C, H, W] and [N, h, w, 2] expected", ir::describe(image),
                            ir::describe(grid));
    if (image.size(2) < 1 || image.size(3) < 1 || method < 0 || method > 2 || outside < 0 || outside > 2)
        return runtimeError("image {0}, interpolation {1} and padding {2}, elements and modes of 0 to 2 expected",
                            ir::describe(image), method, outside);
    GridSample out;
    out.image = image.to(DType::Float32).contiguous();
    out.grid = grid.to(DType::Float32).contiguous();
    out.dtype = image.dtype();
    out.method = static_cast<Method>(method);
    out.height = {image.size(2), static_cast<Outside>(outside), alignCorners};
    out.width = {image.size(3), static_cast<Outside>(outside), alignCorners};
    return out;
}

Result<Value> gridSample(const Call& call)
{
    GB_ASSIGN(const GridSample s, read(call));
    const std::int64_t channels = s.image.size(1);
    const std::int64_t places = s.grid.size(1) * s.grid.size(2);
    const std::int64_t plane = s.height.size * s.width.size;
    GB_ASSIGN(Tensor out, makeTensor(DType::Float32, {s.image.size(0), channels, s.grid.size(1), s.grid.size(2)}));
    const auto* image = s.image.data<float>();
    const auto* grid = s.grid.data<float>();
    auto* to = out.mutableData<float>();
    call.context().forEachChunk(s.image.size(0) * places, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at) {
            const Neighbours h = neighboursOf(grid[2 * at], s.width, s.method);
            const Neighbours v = neighboursOf(grid[2 * at + 1], s.height, s.method);
            const std::int64_t n = at / places;
            for (std::int64_t c = n * channels; c < (n + 1) * channels; ++c)
                to[c * places + at % places] = sampled(image + c * plane, s.width.size, v, h);
        }
    });
    return Value(out.to(s.dtype));
}

/// The coordinates of `size` elements, -1 to 1.
std::vector<float> coordinates(std::int64_t size, bool alignCorners)
{
    std::vector<float> out(static_cast<std::size_t>(size), 0.0F);
    for (std::int64_t i = 0; i < size && size > 1; ++i) {
        const double even = -1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(size - 1);
        const double shrink = alignCorners ? 1.0 : static_cast<double>(size - 1) / static_cast<double>(size);
        out[static_cast<std::size_t>(i)] = static_cast<float>(even * shrink);
    }
    return out;
}

Result<Value> affineGrid(const Call& call)
{
    GB_ASSIGN(const Tensor theta, call.tensor(0));
    GB_ASSIGN(const ir::Shape size, call.ints(1));
    GB_ASSIGN(const bool alignCorners, call.boolean(2, false));
    GB_TRY(expectFloat(theta, "theta"));
    if (size.size() != 4 || theta.shape() != ir::Shape{size[0], 2, 3})
        return runtimeError("theta {0} for size {1}, [N, 2, 3] and four sizes expected", ir::describe(theta),
                            ir::toText(size));
    GB_TRY(checkSize(size));
    GB_ASSIGN(Tensor out, makeTensor(DType::Float32, {size[0], size[2], size[3], 2}));
    const Tensor matrix = theta.to(DType::Float32).contiguous();
    const std::vector<float> xs = coordinates(size[3], alignCorners);
    const std::vector<float> ys = coordinates(size[2], alignCorners);
    auto* to = out.mutableData<float>();
    for (std::int64_t n = 0; n < size[0]; ++n) {
        const float* m = matrix.data<float>() + n * 6;
        for (const float y : ys)
            for (const float x : xs)
                for (std::int64_t row = 0; row < 2; ++row)
                    *to++ = x * m[row * 3] + y * m[row * 3 + 1] + m[row * 3 + 2];
    }
    return Value(out.to(theta.dtype()));
}

const KernelRow kRows[] = {
    {"aten.grid_sampler.default", gridSample, "input grid interpolation_mode padding_mode align_corners"},
    {"aten.grid_sampler_2d.default", gridSample, "input grid interpolation_mode padding_mode align_corners"},
    {"aten.affine_grid_generator.default", affineGrid, "theta size align_corners"},
};

} // namespace

std::span<const KernelRow> sampleKernels()
{
    return kRows;
}

} // namespace gb::ops
