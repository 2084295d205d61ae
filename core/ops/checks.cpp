#include "ops/checks.h"

#include <algorithm>

namespace gb::ops {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

Status checkSize(const ir::Shape& shape)
{
    GB_ASSIGN(const std::int64_t count, ir::checkedElementCount(shape));
    if (count > kMaxElements)
        return Error{ErrorCode::Shape,
                     say("{0} has {1} elements, at most {2} expected", ir::toText(shape), base::grouped(count),
                         base::grouped(kMaxElements)),
                     {}};
    return {};
}

Result<ir::Tensor> makeTensor(ir::DType dtype, const ir::Shape& shape)
{
    GB_TRY(checkSize(shape));
    return ir::Tensor::empty(dtype, shape);
}

Result<ir::Tensor> makeZeros(ir::DType dtype, const ir::Shape& shape)
{
    GB_TRY(checkSize(shape));
    return ir::Tensor::zeros(dtype, shape);
}

Result<std::int64_t> wrapDim(std::int64_t dim, std::int64_t rank)
{
    const std::int64_t dims = std::max<std::int64_t>(rank, 1);
    if (dim < -dims || dim >= dims)
        return Error{ErrorCode::IndexError, say("dimension {0}, {1} to {2} expected", dim, -dims, dims - 1), {}};
    return dim < 0 ? dim + dims : dim;
}

Result<ir::Shape> wrapDims(const ir::Shape& dims, std::int64_t rank)
{
    ir::Shape out;
    for (const std::int64_t dim : dims) {
        GB_ASSIGN(const std::int64_t wrapped, wrapDim(dim, rank));
        out.push_back(wrapped);
    }
    if (dims.empty())
        for (std::int64_t dim = 0; dim < rank; ++dim)
            out.push_back(dim);
    std::sort(out.begin(), out.end());
    const auto twice = std::adjacent_find(out.begin(), out.end());
    if (twice != out.end())
        return runtimeError("dimension {0} appears twice, each dimension once expected", *twice);
    return out;
}

Status expectFloat(const ir::Tensor& tensor, std::string_view what)
{
    if (tensor.dtype() == ir::DType::Float32 || tensor.dtype() == ir::DType::Float64 || isHalf(tensor.dtype()))
        return {};
    return runtimeError("{0} is {1}, floating point expected", std::string(what), ir::describe(tensor));
}

Status expectReal(const ir::Tensor& tensor)
{
    switch (tensor.dtype()) {
    case ir::DType::Complex32:
    case ir::DType::Complex64:
    case ir::DType::Complex128:
    case ir::DType::Float8E4M3FN:
    case ir::DType::Float8E5M2:
        return runtimeError("{0} is not computed with, a real dtype expected", ir::describe(tensor));
    default: return {};
    }
}

Status expectSameDType(const ir::Tensor& a, const ir::Tensor& b, std::string_view what)
{
    if (a.dtype() == b.dtype())
        return {};
    return runtimeError("{0}: {1} and {2}, the same dtype expected", std::string(what), ir::name(a.dtype()),
                        ir::name(b.dtype()));
}

} // namespace gb::ops
