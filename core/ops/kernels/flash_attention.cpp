#include "ops/kernels/flash_attention.h"

#include "base/processor.h"
#include "ops/checks.h"
#include "ops/gemm/gemm.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace gb::ops {
namespace {

using base::Result;
using ir::Tensor;

constexpr std::int64_t kKeyBlock = 512;
constexpr std::size_t kLanes = 16; ///< that powers are summed in, as torch does with AVX-512
constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// e^x with an error of up to 20 units in the last place, which is what torch's kernel uses here.
[[gnu::always_inline]] inline float roughPower(float x)
{
    const float least = std::bit_cast<float>(0xc2aeac50U); // the logarithm of the smallest normal float
    const float clipped = std::min(std::max(x, least), std::bit_cast<float>(0x42b17218U));
    const float q = __builtin_floorf(__builtin_fmaf(clipped, std::bit_cast<float>(0x3fb8aa3bU), 0.5F));
    const float rest = __builtin_fmaf(-q, std::bit_cast<float>(0x3f317218U), clipped);
    float u = __builtin_fmaf(rest, 0.00828929059F, 0.0418978221F);
    u = __builtin_fmaf(rest, u, 0.166676521F);
    u = __builtin_fmaf(rest, u, 0.499991506F);
    u = __builtin_fmaf(rest, u, 0.999999701F);
    u = __builtin_fmaf(rest, u, 1.0F);
    u = u * std::bit_cast<float>((static_cast<int>(q) + 126) << 23) * 2.0F;
    return x < least ? 0.0F : u;
}

/// e^x rounded once, as torch's kernel has it outside its vectors.
float power(float x)
{
    return static_cast<float>(std::exp(static_cast<double>(x)));
}

[[gnu::always_inline]] inline void roughPowers(float* __restrict row, std::size_t count, float largest,
                                               float* __restrict lanes)
{
    for (std::size_t i = 0; i < count; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            row[i + lane] = roughPower(row[i + lane] - largest);
            lanes[lane] += row[i + lane];
        }
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void roughPowersAvx2(float* row, std::size_t count, float largest, float* lanes)
{
    roughPowers(row, count, largest, lanes);
}
#endif

/// row[i] = e^(row[i] - largest), and their sum: whole vectors roughly, the rest exactly.
float toPowers(float* row, std::int64_t width, float largest)
{
    std::array<float, kLanes> lanes{};
    const std::size_t whole = static_cast<std::size_t>(width) / kLanes * kLanes;
#if defined(__x86_64__)
    if (base::hasAvx2AndFma())
        roughPowersAvx2(row, whole, largest, lanes.data());
    else
#endif
        roughPowers(row, whole, largest, lanes.data());
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane)
            lanes[lane] += lanes[lane + half];
    float sum = lanes[0];
    for (auto i = static_cast<std::int64_t>(whole); i < width; ++i)
        sum += row[i] = power(row[i] - largest);
    return sum;
}

/// What is kept of the keys seen so far, for each query of a block.
struct Running {
    std::vector<float> largest;
    std::vector<float> sum;
};

/// One head: matrices and where they lie.
struct Head {
    MatrixView query;
    MatrixView key;
    MatrixView value;
    const float* mask = nullptr; ///< of the first query and key; null: none
    std::int64_t maskRow = 0;
    std::int64_t maskCol = 0;
    float* out = nullptr; ///< rows of `width`
};

struct Sizes {
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    std::int64_t width = 0;
    float scale = 1.0F;
    bool causal = false;
};

/// Scales a row of scores and masks it.
void finishScores(const Head& head, const Sizes& s, std::int64_t query, std::int64_t key, std::int64_t count,
                  float* row)
{
    if (s.causal)
        std::fill(row + std::clamp<std::int64_t>(query + 1 - key, 0, count), row + count, kMasked);
    if (!head.mask) {
        for (std::int64_t i = 0; i < count; ++i)
            row[i] *= s.scale;
        return;
    }
    const float* mask = head.mask + query * head.maskRow + key * head.maskCol;
    for (std::int64_t i = 0; i < count; ++i)
        row[i] = std::fma(row[i], s.scale, mask[i * head.maskCol]);
}

/// Turns a row of scores into powers, and brings what was summed before to the new largest score.
void takeRow(Running& running, std::size_t query, float* row, std::int64_t count, float* out, std::int64_t width)
{
    const float before = running.largest[query];
    float largest = before;
    for (std::int64_t i = 0; i < count; ++i)
        largest = row[i] > largest || row[i] != row[i] ? row[i] : largest;
    if (largest == kMasked) {
        std::fill_n(row, count, 0.0F);
        return;
    }
    const float sum = toPowers(row, count, largest);
    const float shrink = std::exp(before - largest);
    running.sum[query] = before == kMasked ? sum : std::fma(shrink, running.sum[query], sum);
    running.largest[query] = largest;
    if (before != kMasked)
        for (std::int64_t i = 0; i < width; ++i)
            out[i] *= shrink;
}

MatrixView moved(const MatrixView& m, std::int64_t rows)
{
    return {m.data + rows * m.rowStride, m.rowStride, m.colStride};
}

/// All queries of a head. Keys that a causal mask hides are computed too, as in torch: they are part of how a sum is
/// cut.
void runHead(const Context& context, const Head& head, const Sizes& s)
{
    Running running{std::vector<float>(static_cast<std::size_t>(s.queries), kMasked),
                    std::vector<float>(static_cast<std::size_t>(s.queries), 0.0F)};
    std::vector<float> scores(static_cast<std::size_t>(s.queries * std::min(s.keys, kKeyBlock)));
    for (std::int64_t key = 0; key < s.keys; key += kKeyBlock) {
        const std::int64_t count = std::min(kKeyBlock, s.keys - key);
        const MatrixView block = moved(head.key, key);
        multiply(context, s.queries, count, s.width, head.query, {block.data, block.colStride, block.rowStride},
                 scores.data());
        for (std::int64_t i = 0; i < s.queries; ++i) {
            float* row = scores.data() + i * count;
            finishScores(head, s, i, key, count, row);
            takeRow(running, static_cast<std::size_t>(i), row, count, head.out + i * s.width, s.width);
        }
        multiply(context, s.queries, s.width, count, {scores.data(), count, 1}, moved(head.value, key), head.out,
                 key > 0);
    }
    for (std::int64_t i = 0; i < s.queries; ++i) {
        const float sum = running.sum[static_cast<std::size_t>(i)];
        const float inverse = sum == 0.0F ? 1.0F : 1.0F / sum;
        for (std::int64_t j = 0; j < s.width; ++j)
            head.out[i * s.width + j] *= inverse;
    }
}

MatrixView matrixOf(const Tensor& x, std::int64_t batch, std::int64_t head)
{
    return {x.data<float>() + batch * x.strides()[0] + head * x.strides()[1], x.strides()[2], x.strides()[3]};
}

} // namespace

Result<Tensor> flashAttention(const Context& context, const FlashAttention& a)
{
    const std::int64_t heads = a.query.size(1);
    const Sizes sizes{a.query.size(2), a.key.size(2), a.query.size(3), a.scale, a.causal};
    GB_ASSIGN(Tensor out, makeTensor(ir::DType::Float32, a.query.shape()));
    float* to = out.mutableData<float>();
    context.forEachChunk(a.query.size(0) * heads, 1, [&](std::int64_t begin, std::int64_t end) {
        const Context alone{context.work, nullptr, nullptr};
        for (std::int64_t at = begin; at < end && !context.work.cancelled(); ++at) {
            Head head{matrixOf(a.query, at / heads, at % heads), matrixOf(a.key, at / heads, at % heads),
                      matrixOf(a.value, at / heads, at % heads)};
            if (a.mask) {
                const MatrixView mask = matrixOf(*a.mask, at / heads, at % heads);
                head.mask = mask.data;
                head.maskRow = mask.rowStride;
                head.maskCol = mask.colStride;
            }
            head.out = to + at * sizes.queries * sizes.width;
            runHead(alone, head, sizes);
        }
    });
    return out;
}

} // namespace gb::ops
