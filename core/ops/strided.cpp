#include "ops/strided.h"

namespace gb::ops {
namespace {

using base::Result;
using base::Status;
using ir::Shape;
using ir::Tensor;

template <class T>
void copyRows(const Context& context, Tensor& target, const Tensor& source)
{
    T* to = target.mutableData<T>();
    const T* from = source.data<T>();
    forEachRow<2>(context, {&target, &source}, [&](const auto& at, std::int64_t count, const auto& step) {
        T* out = to + at[0];
        const T* in = from + at[1];
        for (std::int64_t i = 0; i < count; ++i)
            out[i * step[0]] = in[i * step[1]];
    });
}

} // namespace

Result<Shape> broadcastShapes(const Shape& a, const Shape& b)
{
    const std::size_t rank = std::max(a.size(), b.size());
    Shape out(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t sa = i + a.size() >= rank ? a[i + a.size() - rank] : 1;
        const std::int64_t sb = i + b.size() >= rank ? b[i + b.size() - rank] : 1;
        if (sa != sb && sa != 1 && sb != 1)
            return runtimeError("{0} and {1} do not broadcast: sizes {2} and {3} at dimension {4}", ir::toText(a),
                                ir::toText(b), sa, sb, i);
        out[i] = sa == 1 ? sb : sa;
    }
    return out;
}

Result<Tensor> broadcastTo(const Tensor& tensor, const Shape& shape)
{
    if (tensor.shape() == shape)
        return tensor;
    GB_TRY(ir::checkedElementCount(shape));
    const std::size_t rank = shape.size();
    const std::size_t own = tensor.shape().size();
    if (own > rank)
        return runtimeError("{0} does not broadcast to {1}", ir::toText(tensor.shape()), ir::toText(shape));
    Shape strides(rank, 0);
    for (std::size_t i = 0; i < own; ++i) {
        const std::size_t at = i + rank - own;
        if (tensor.shape()[i] == shape[at])
            strides[at] = tensor.strides()[i];
        else if (tensor.shape()[i] != 1)
            return runtimeError("{0} does not broadcast to {1}", ir::toText(tensor.shape()), ir::toText(shape));
    }
    return tensor.asStrided(shape, strides);
}

Status copyInto(const Context& context, Tensor target, const Tensor& source)
{
    if (!target.mutableRawData())
        return runtimeError("{0} is read-only memory, a buffer of the run expected", ir::describe(target));
    Tensor converted = source;
    if (source.dtype() != target.dtype()) {
        GB_TRY(expectReal(source));
        GB_TRY(expectReal(target));
        converted = source.to(target.dtype());
    }
    // an operand that overlaps the target is read before anything is written
    if (converted.sharesStorage(target))
        converted = converted.clone();
    GB_ASSIGN(const Tensor wide, broadcastTo(converted, target.shape()));
    switch (ir::itemSize(target.dtype())) {
    case 1: copyRows<std::int8_t>(context, target, wide); break;
    case 2: copyRows<std::int16_t>(context, target, wide); break;
    case 4: copyRows<std::int32_t>(context, target, wide); break;
    case 8: copyRows<std::int64_t>(context, target, wide); break;
    default: return runtimeError("{0} cannot be copied", ir::describe(target));
    }
    return {};
}

} // namespace gb::ops
