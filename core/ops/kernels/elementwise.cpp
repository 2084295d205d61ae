#include "ops/kernels/elementwise.h"

namespace gb::ops {

using base::Result;
using base::Status;
using ir::DType;
using ir::Tensor;

namespace {

Tensor scalarTensor(const Scalar& scalar, DType dtype)
{
    if (scalar.isFloat())
        return Tensor::scalar(scalar.real).to(dtype);
    return Tensor::scalar(scalar.integer).to(dtype);
}

/// What stands for a tensor operand; an undefined one is an error of its own.
bool isTensorOrNone(const Value& value)
{
    return value.tensor() || value.isNone();
}

} // namespace

Result<Tensor> operandAs(const Call& call, std::size_t index, DType dtype)
{
    if (isTensorOrNone(call.value(index))) {
        GB_ASSIGN(const Tensor tensor, call.tensor(index));
        GB_TRY(expectReal(tensor));
        return tensor.to(dtype);
    }
    GB_ASSIGN(const Scalar scalar, call.scalar(index));
    return scalarTensor(scalar, dtype);
}

Status addOperand(const Call& call, std::size_t index, ResultType& type)
{
    if (isTensorOrNone(call.value(index))) {
        GB_ASSIGN(const Tensor tensor, call.tensor(index));
        GB_TRY(expectReal(tensor));
        type.add(tensor);
        return {};
    }
    GB_ASSIGN(const Scalar scalar, call.scalar(index));
    type.add(scalar);
    return {};
}

} // namespace gb::ops
