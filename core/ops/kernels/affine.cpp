#include "ops/kernels/affine.h"

#include "ops/gemm/micro_kernel.h"

#include <algorithm>

namespace gb::ops {

using base::Result;
using ir::Tensor;

Result<Tensor> channelAffine(const Context& context, const Tensor& x, const std::vector<float>& scale,
                             const std::vector<float>& shift)
{
    GB_ASSIGN(Tensor out, makeTensor(ir::DType::Float32, x.shape()));
    const std::int64_t channels = x.size(1);
    const std::int64_t planes = x.size(0) * channels;
    const std::int64_t size = planes == 0 ? 0 : x.elementCount() / planes;
    const MicroKernel& kernel = bestMicroKernel();
    const float* from = x.data<float>();
    float* to = out.mutableData<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 15) / std::max<std::int64_t>(1, size));
    context.forEachChunk(planes, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane) {
            const float a = scale[static_cast<std::size_t>(plane % channels)];
            const float b = shift[static_cast<std::size_t>(plane % channels)];
            kernel.scaleShift(from + plane * size, a, b, to + plane * size, size);
        }
    });
    return out;
}

Moments momentsOf(const float* values, std::int64_t count)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(values[i]);
    Moments out;
    out.mean = sum / static_cast<double>(count);
    double squares = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double distance = static_cast<double>(values[i]) - out.mean;
        squares += distance * distance;
    }
    out.variance = squares / static_cast<double>(count);
    return out;
}

Result<std::vector<float>> channelValues(const std::optional<Tensor>& tensor, std::int64_t count, float otherwise,
                                         const char* what)
{
    if (!tensor)
        return std::vector<float>(static_cast<std::size_t>(count), otherwise);
    if (tensor->elementCount() != count)
        return runtimeError("{0} {1}, {2} elements expected", what, ir::describe(*tensor), count);
    GB_TRY(expectFloat(*tensor, what));
    const Tensor values = tensor->to(ir::DType::Float32).contiguous();
    return std::vector<float>(values.data<float>(), values.data<float>() + count);
}

} // namespace gb::ops
