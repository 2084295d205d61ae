// Which dtype an op of several operands computes in.
//
// Source: c10/core/ScalarType.cpp (promoteTypes), aten/src/ATen/native/TypeProperties.cpp (result_type): tensors with
// dimensions come before 0-dimensional tensors, those before Python numbers; a lower one only counts when it is of a
// higher category (bool < int < float).
//
// Thread: pure functions.
#pragma once

#include "ir/dtype.h"
#include "ir/tensor.h"
#include "ops/call.h"

#include <optional>

namespace gb::ops {

/// torch.promote_types for the dtypes that kernels compute with.
ir::DType promoteTypes(ir::DType a, ir::DType b);

/// Collects operands and gives torch.result_type.
class ResultType {
public:
    ResultType& add(const ir::Tensor& tensor);
    ResultType& add(const Scalar& scalar);
    [[nodiscard]] ir::DType get() const;

private:
    std::optional<ir::DType> m_dimensioned;
    std::optional<ir::DType> m_zeroDim;
    std::optional<ir::DType> m_number;
};

/// What an op of floating point makes of a dtype: itself, or float32 for integers and bool.
ir::DType toFloating(ir::DType dtype);

/// True where an in-place result of `from` may be written to `to` (torch.can_cast).
bool canCast(ir::DType from, ir::DType to);

} // namespace gb::ops
