#include "ops/kernels/conv_compute.h"

#include "ops/constants.h"
#include "ops/gemm/gemm.h"
#include "ops/kernels/im2col.h"
#include "ops/kernels/kernel_sum.h"
#include "ops/kernels/padded_planes.h"
#include "ops/kernels/valid_outputs.h"

#include <algorithm>
#include <deque>

namespace gb::ops {
namespace {

/// Adds to what stands in `out`.
void depthwisePlane(const MicroKernel& kernel, const ConvGeometry& g, const float* in, const float* weight, float* out)
{
    for (std::int64_t e = 0; e < g.kernelSize(); ++e) {
        const std::int64_t kx = e % g.kernel[2] * g.dilation[2] - g.padding[2];
        const std::int64_t ky = e / g.kernel[2] % g.kernel[1] * g.dilation[1] - g.padding[1];
        const std::int64_t kz = e / g.kernel[2] / g.kernel[1] * g.dilation[0] - g.padding[0];
        const auto [x0, x1] = validOutputs(kx, g.stride[2], g.input[2], g.output[2]);
        const auto [y0, y1] = validOutputs(ky, g.stride[1], g.input[1], g.output[1]);
        const auto [z0, z1] = validOutputs(kz, g.stride[0], g.input[0], g.output[0]);
        for (std::int64_t z = z0; z < z1; ++z)
            for (std::int64_t y = y0; y < y1; ++y) {
                const float* from = in + ((z * g.stride[0] + kz) * g.input[1] + y * g.stride[1] + ky) * g.input[2] + kx;
                float* to = out + (z * g.output[1] + y) * g.output[2];
                if (g.stride[2] == 1)
                    kernel.axpy(weight[e], from + x0, to + x0, x1 - x0);
                else
                    kernel.axpyStep(weight[e], from + x0 * g.stride[2], g.stride[2], to + x0, x1 - x0);
            }
    }
}

/// Adds one output channel's rows of the product back to where they belong.
void scatterPatches(const ConvGeometry& g, const double* columns, double* out)
{
    for (std::int64_t e = 0; e < g.kernelSize(); ++e, columns += g.inputSize()) {
        const std::int64_t kx = e % g.kernel[2] * g.dilation[2] - g.padding[2];
        const std::int64_t ky = e / g.kernel[2] % g.kernel[1] * g.dilation[1] - g.padding[1];
        const std::int64_t kz = e / g.kernel[2] / g.kernel[1] * g.dilation[0] - g.padding[0];
        const auto [x0, x1] = validOutputs(kx, g.stride[2], g.output[2], g.input[2]);
        const auto [y0, y1] = validOutputs(ky, g.stride[1], g.output[1], g.input[1]);
        const auto [z0, z1] = validOutputs(kz, g.stride[0], g.output[0], g.input[0]);
        for (std::int64_t z = z0; z < z1; ++z)
            for (std::int64_t y = y0; y < y1; ++y) {
                const double* from = columns + (z * g.input[1] + y) * g.input[2];
                double* to = out + ((z * g.stride[0] + kz) * g.output[1] + y * g.stride[1] + ky) * g.output[2] + kx;
                for (std::int64_t x = x0; x < x1; ++x)
                    to[x * g.stride[2]] += from[x];
            }
    }
}

/// One plane of a plain convolution: adds weight (kernelSize elements) over `in` to `out`.
void addPlanePlain(const ConvGeometry& g, const double* in, const double* weight, double* out)
{
    for (std::int64_t o = 0; o < g.outputSize(); ++o) {
        const std::int64_t x = o % g.output[2] * g.stride[2] - g.padding[2];
        const std::int64_t y = o / g.output[2] % g.output[1] * g.stride[1] - g.padding[1];
        const std::int64_t z = o / g.output[2] / g.output[1] * g.stride[0] - g.padding[0];
        double sum = 0;
        for (std::int64_t e = 0; e < g.kernelSize(); ++e) {
            const std::int64_t ix = x + e % g.kernel[2] * g.dilation[2];
            const std::int64_t iy = y + e / g.kernel[2] % g.kernel[1] * g.dilation[1];
            const std::int64_t iz = z + e / g.kernel[2] / g.kernel[1] * g.dilation[0];
            if (ix >= 0 && ix < g.input[2] && iy >= 0 && iy < g.input[1] && iz >= 0 && iz < g.input[0])
                sum += weight[e] * in[(iz * g.input[1] + iy) * g.input[2] + ix];
        }
        out[o] += sum;
    }
}

/// One plane of a plain transposed convolution.
void addPlaneTransposed(const ConvGeometry& g, const double* in, const double* weight, double* out)
{
    std::vector<double> columns(static_cast<std::size_t>(g.kernelSize() * g.inputSize()));
    for (std::int64_t e = 0; e < g.kernelSize(); ++e)
        for (std::int64_t i = 0; i < g.inputSize(); ++i)
            columns[static_cast<std::size_t>(e * g.inputSize() + i)] = weight[e] * in[i];
    scatterPatches(g, columns.data(), out);
}

std::int64_t flatIndex(const ConvGeometry& g, const Triple& element)
{
    return (element[0] * g.kernel[1] + element[1]) * g.kernel[2] + element[2];
}

const float* groupInput(const ConvGeometry& g, const float* input, std::int64_t image, std::int64_t group)
{
    return input + (image * g.inChannels + group * g.inPerGroup()) * g.inputSize();
}

float* groupOutput(const ConvGeometry& g, float* out, std::int64_t image, std::int64_t group)
{
    return out + (image * g.outChannels + group * g.outPerGroup()) * g.outputSize();
}

/// The outputs of a transposed convolution at first + n * stride: with the kernel elements that reach them they are a
/// convolution with steps of one.
class TransposedPhase {
public:
    TransposedPhase(const ConvGeometry& g, const Triple& first)
        : m_g(g)
        , m_first(first)
        , m_patches(std::make_shared<PatchGrid>())
    {
        std::vector<Triple> reaching;
        for (const Triple& element : kernelElements(g))
            if (start(element))
                reaching.push_back(element);
        const KernelSum sum = sumOrder(g, reaching);
        m_block = sum.block;
        m_patches->input = g.input;
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_patches->grid[axis] = (g.output[axis] - first[axis] + g.stride[axis] - 1) / g.stride[axis];
        for (const KernelSum::Term& term : sum.terms) {
            m_columns.push_back(term.channel * g.outPerGroup() * g.kernelSize() + flatIndex(g, term.element));
            m_patches->taps.push_back({term.channel * g.inputSize(), *start(term.element)});
        }
    }

    void run(const Context& context, const float* input, const float* weight, float* out) const
    {
        const MicroKernel& kernel = bestMicroKernel();
        const std::int64_t columns = m_patches->columns();
        std::vector<float> result(static_cast<std::size_t>(m_g.outPerGroup() * columns));
        for (std::int64_t group = 0; group < m_g.groups; ++group) {
            // the weight is [in, out, kernel]
            const float* from = weight + group * m_g.inPerGroup() * m_g.outPerGroup() * m_g.kernelSize();
            const LeftFactor left(context, kernel, m_g.outPerGroup(), static_cast<std::int64_t>(m_columns.size()),
                                  {from, m_g.kernelSize(), 1, m_columns.data()}, packingFor(columns));
            for (std::int64_t n = 0; n < m_g.batch && !context.work.cancelled(); ++n) {
                multiply(context, kernel,
                         {{&left, packPatches(m_patches, groupInput(m_g, input, n, group)), columns, result.data(),
                           columns, m_block}});
                scatter(result.data(), groupOutput(m_g, out, n, group));
            }
        }
    }

private:
    /// Where the phase's first output reads with a kernel element; nothing where it falls between two inputs.
    [[nodiscard]] std::optional<Triple> start(const Triple& element) const
    {
        Triple out;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int64_t at = m_first[axis] + m_g.padding[axis] - element[axis] * m_g.dilation[axis];
            if (at % m_g.stride[axis] != 0)
                return std::nullopt;
            out[axis] = at / m_g.stride[axis];
        }
        return out;
    }

    void scatter(const float* from, float* out) const
    {
        const Triple& grid = m_patches->grid;
        for (std::int64_t c = 0; c < m_g.outPerGroup(); ++c)
            for (std::int64_t z = 0; z < grid[0]; ++z)
                for (std::int64_t y = 0; y < grid[1]; ++y) {
                    const std::int64_t row = (c * m_g.output[0] + m_first[0] + z * m_g.stride[0]) * m_g.output[1]
                                             + m_first[1] + y * m_g.stride[1];
                    float* to = out + row * m_g.output[2] + m_first[2];
                    for (std::int64_t x = 0; x < grid[2]; ++x)
                        to[x * m_g.stride[2]] = *from++;
                }
    }

    const ConvGeometry& m_g;
    Triple m_first;
    std::shared_ptr<PatchGrid> m_patches;
    std::vector<std::int64_t> m_columns; ///< of the weight, in the order of k
    std::int64_t m_block = 0;
};

/// What a group's product needs, apart from the numbers.
struct ConvMatrices {
    std::shared_ptr<PatchGrid> patches;
    std::vector<std::int64_t> columns; ///< of the weight, in the order of k
    std::int64_t block = 0;
    bool biasFirst = false;
};

ConvMatrices matricesOf(const ConvGeometry& g)
{
    const KernelSum sum = sumOrder(g, kernelElements(g));
    ConvMatrices out{
        std::make_shared<PatchGrid>(PatchGrid{{}, g.input, g.output, g.stride}), {}, sum.block, sum.biasFirst};
    for (const KernelSum::Term& term : sum.terms) {
        out.columns.push_back(term.channel * g.kernelSize() + flatIndex(g, term.element));
        Tap tap{term.channel * g.inputSize(), {}};
        for (std::size_t axis = 0; axis < 3; ++axis)
            tap.at[axis] = term.element[axis] * g.dilation[axis] - g.padding[axis];
        out.patches->taps.push_back(tap);
    }
    return out;
}

/// The left factors of all groups, and how they are summed up.
struct ConvWeights final : Kept {
    /// ahead: packed now, whatever order suits the product.
    ConvWeights(const Context& context, const ConvGeometry& g, const float* weight, bool ahead)
        : matrices(matricesOf(g))
    {
        const std::int64_t rowStride = g.inPerGroup() * g.kernelSize();
        const auto depth = static_cast<std::int64_t>(matrices.columns.size());
        factors.reserve(static_cast<std::size_t>(g.groups));
        for (std::int64_t group = 0; group < g.groups; ++group)
            factors.emplace_back(
                context, bestMicroKernel(), g.outPerGroup(), depth,
                MatrixView{weight + group * g.outPerGroup() * rowStride, rowStride, 1, matrices.columns.data()},
                packingFor(g.batch * g.outputSize()), ahead);
    }
    ConvWeights(const ConvWeights&) = delete;
    ConvWeights& operator=(const ConvWeights&) = delete;

    [[nodiscard]] std::size_t bytes() const override
    {
        std::size_t out = matrices.columns.size() * (sizeof(std::int64_t) + sizeof(Tap));
        for (const LeftFactor& factor : factors)
            out += factor.bytes();
        return out;
    }

    ConvMatrices matrices;
    std::vector<LeftFactor> factors; ///< of each group
};

Constants::Key keyOf(const ConvGeometry& g)
{
    Constants::Key key{g.batch, g.inChannels, g.outChannels, g.groups};
    for (const Triple& triple : {g.input, g.kernel, g.output, g.stride, g.padding, g.dilation})
        key.insert(key.end(), triple.begin(), triple.end());
    return key;
}

std::shared_ptr<const ConvWeights> weightsOf(const Context& context, const ConvGeometry& g, const ir::Tensor& weight)
{
    const auto whole = [&] {
        Context steady = context;
        steady.work = {}; // a form that lasts is not left half done
        return std::make_shared<const ConvWeights>(steady, g, weight.data<float>(), true);
    };
    std::shared_ptr<const ConvWeights> kept;
    if (context.constants)
        kept = context.constants->form<ConvWeights>(weight, keyOf(g), whole);
    return kept ? kept : std::make_shared<const ConvWeights>(context, g, weight.data<float>(), false);
}

/// The right factor of one image's group: where it stands, in padded planes, or packed.
void setRight(const Context& context, const std::shared_ptr<PatchGrid>& patches, const float* input,
              std::int64_t channels, std::deque<PaddedPlanes>& planes, Product& product)
{
    auto standing = isPointwise(*patches) ? std::nullopt : PaddedPlanes::make(context, *patches, input, channels);
    if (standing) {
        product.standing = &planes.emplace_back(std::move(*standing)).factor();
        product.cols = product.standing->columns();
        return;
    }
    product.right = packPatches(patches, input);
    product.cols = patches->columns();
}

} // namespace

void convByProduct(const Context& context, const ConvGeometry& g, const float* input, const ir::Tensor& weight,
                   const float* bias, float* out)
{
    const std::shared_ptr<const ConvWeights> weights = weightsOf(context, g, weight);
    const ConvMatrices& matrices = weights->matrices;
    std::deque<PaddedPlanes> planes; // products point to them
    std::vector<Product> products;
    for (std::int64_t n = 0; n < g.batch; ++n)
        for (std::int64_t group = 0; group < g.groups; ++group) {
            Product& product = products.emplace_back();
            product.left = &weights->factors[static_cast<std::size_t>(group)];
            product.c = groupOutput(g, out, n, group);
            product.ldc = g.outputSize();
            product.depthBlock = matrices.block;
            product.bias = bias ? bias + group * g.outPerGroup() : nullptr;
            product.biasFirst = matrices.biasFirst;
            setRight(context, matrices.patches, groupInput(g, input, n, group), g.inPerGroup(), planes, product);
        }
    multiply(context, bestMicroKernel(), products);
}

void convDepthwise(const Context& context, const ConvGeometry& g, const float* input, const float* weight,
                   const float* bias, float* out)
{
    const MicroKernel& kernel = bestMicroKernel();
    const std::int64_t multiplier = g.outPerGroup();
    context.forEachChunk(g.batch * g.outChannels, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            const std::int64_t image = plane / g.outChannels;
            const std::int64_t channel = plane % g.outChannels;
            std::fill_n(out + plane * g.outputSize(), g.outputSize(), bias ? bias[channel] : 0.0F);
            depthwisePlane(kernel, g, input + (image * g.inChannels + channel / multiplier) * g.inputSize(),
                           weight + channel * g.kernelSize(), out + plane * g.outputSize());
        }
    });
}

void convTransposed(const Context& context, const ConvGeometry& g, const float* input, const float* weight, float* out)
{
    for (std::int64_t z = 0; z < std::min(g.stride[0], g.output[0]); ++z)
        for (std::int64_t y = 0; y < std::min(g.stride[1], g.output[1]); ++y)
            for (std::int64_t x = 0; x < std::min(g.stride[2], g.output[2]) && !context.work.cancelled(); ++x)
                TransposedPhase(g, {z, y, x}).run(context, input, weight, out);
}

void convPlain(const Context& context, const ConvGeometry& g, const double* input, const double* weight, double* out,
               bool transposed)
{
    const std::int64_t ins = g.inPerGroup();
    const std::int64_t outs = g.outPerGroup();
    context.forEachChunk(g.batch * g.outChannels, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            const std::int64_t image = plane / g.outChannels;
            const std::int64_t channel = plane % g.outChannels;
            const std::int64_t group = channel / outs;
            double* to = out + plane * g.outputSize();
            std::fill_n(to, g.outputSize(), 0.0);
            for (std::int64_t c = 0; c < ins; ++c) {
                const double* in = input + (image * g.inChannels + group * ins + c) * g.inputSize();
                if (transposed)
                    addPlaneTransposed(g, in, weight + ((group * ins + c) * outs + channel % outs) * g.kernelSize(),
                                       to);
                else
                    addPlanePlain(g, in, weight + (channel * ins + c) * g.kernelSize(), to);
            }
        }
    });
}

} // namespace gb::ops
