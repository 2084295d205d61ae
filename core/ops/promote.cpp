#include "ops/promote.h"

#include <algorithm>

namespace gb::ops {
namespace {

using ir::DType;

int category(DType dtype)
{
    if (ir::isFloatingPoint(dtype))
        return 2;
    return dtype == DType::Bool ? 0 : 1;
}

DType combine(const std::optional<DType>& higher, DType lower)
{
    if (!higher)
        return lower;
    return category(lower) > category(*higher) ? promoteTypes(*higher, lower) : *higher;
}

std::optional<DType> joined(const std::optional<DType>& have, DType more)
{
    return have ? promoteTypes(*have, more) : more;
}

bool isUnsigned(DType dtype)
{
    return ir::isInteger(dtype) && ir::integerMin(dtype) == 0;
}

} // namespace

DType promoteTypes(DType a, DType b)
{
    if (a == b)
        return a;
    const int ca = category(a);
    const int cb = category(b);
    if (ca != cb)
        return ca > cb ? a : b;
    const std::size_t sa = ir::itemSize(a);
    const std::size_t sb = ir::itemSize(b);
    if (ca == 2)
        return sa == sb ? DType::Float32 : (sa > sb ? a : b);
    if (isUnsigned(a) == isUnsigned(b))
        return sa > sb ? a : b;
    const DType signedOne = isUnsigned(a) ? b : a;
    const std::size_t unsignedSize = isUnsigned(a) ? sa : sb;
    if (ir::itemSize(signedOne) > unsignedSize)
        return signedOne;
    return unsignedSize == 1 ? DType::Int16 : unsignedSize == 2 ? DType::Int32 : DType::Int64;
}

ResultType& ResultType::add(const ir::Tensor& tensor)
{
    auto& slot = tensor.dim() > 0 ? m_dimensioned : m_zeroDim;
    slot = joined(slot, tensor.dtype());
    return *this;
}

ResultType& ResultType::add(const Scalar& scalar)
{
    m_number = joined(m_number, scalar.isFloat() ? DType::Float32 : scalar.dtype);
    return *this;
}

DType ResultType::get() const
{
    std::optional<DType> out = m_dimensioned;
    if (m_zeroDim)
        out = combine(out, *m_zeroDim);
    if (m_number)
        out = combine(out, *m_number);
    return out.value_or(DType::Float32);
}

DType toFloating(DType dtype)
{
    return ir::isFloatingPoint(dtype) ? dtype : DType::Float32;
}

bool canCast(DType from, DType to)
{
    return category(from) <= category(to);
}

} // namespace gb::ops
