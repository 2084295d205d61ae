// Checks that every kernel makes before it allocates or reads.
//
// Thread: pure functions.
#pragma once

#include "base/message.h"
#include "base/result.h"
#include "ir/tensor.h"

#include <cstdint>
#include <string>
#include <utility>

namespace gb::ops {

/// More elements than this are not made, so that a broken graph cannot ask for all memory.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;

/// Error (Shape) on a negative size or more than kMaxElements.
base::Status checkSize(const ir::Shape& shape);
/// A new tensor, elements not initialised. Error (Shape) on a negative size or more than kMaxElements.
base::Result<ir::Tensor> makeTensor(ir::DType dtype, const ir::Shape& shape);
/// The same, filled with zeros.
base::Result<ir::Tensor> makeZeros(ir::DType dtype, const ir::Shape& shape);

/// A dimension counted from the end made positive. IndexError when out of range; a 0-dimensional tensor has the
/// dimensions -1 and 0, as in torch.
base::Result<std::int64_t> wrapDim(std::int64_t dim, std::int64_t rank);
/// wrapDim for a list, sorted; an empty list gives all dimensions. RuntimeError when one is named twice.
base::Result<ir::Shape> wrapDims(const ir::Shape& dims, std::int64_t rank);

/// What torch raises as RuntimeError.
template <class... A>
base::Error runtimeError(std::string_view pattern, const A&... arguments)
{
    return {base::ErrorCode::RuntimeError, base::say(pattern, arguments...), {}};
}

/// What torch raises as AssertionError.
inline base::Error assertionError(std::string sentence)
{
    return {base::ErrorCode::AssertionError, std::move(sentence), {}};
}

/// What torch raises as NotImplementedError: an op that has no kernel for a dtype.
template <class... A>
base::Error notImplemented(std::string_view pattern, const A&... arguments)
{
    return {base::ErrorCode::NotImplementedError, base::say(pattern, arguments...), {}};
}

/// RuntimeError unless the tensor is float32, float64, float16 or bfloat16.
base::Status expectFloat(const ir::Tensor& tensor, std::string_view what);
/// RuntimeError for a dtype that no kernel computes with (complex, float8).
base::Status expectReal(const ir::Tensor& tensor);
/// RuntimeError unless both have one dtype, as torch's matrix products ask.
base::Status expectSameDType(const ir::Tensor& a, const ir::Tensor& b, std::string_view what);

/// float16 or bfloat16: computed in float32 and rounded back.
inline bool isHalf(ir::DType dtype)
{
    return dtype == ir::DType::Float16 || dtype == ir::DType::BFloat16;
}

} // namespace gb::ops
