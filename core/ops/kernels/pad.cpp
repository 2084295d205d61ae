// pad, constant_pad_nd, reflection and replication padding.
//
// Source: aten/src/ATen/native/PadNd.cpp, ReflectionPad.cpp, ReplicationPadding.cpp. Pairs (before, after) begin with
// the last dimension; negative ones crop.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/views.h"

#include <algorithm>

namespace gb::ops {
namespace {

using base::Result;
using ir::Shape;
using ir::Tensor;

constexpr std::int64_t kLargest = std::int64_t{1} << 30;

struct Padding {
    Shape before; ///< one a dimension of the tensor
    Shape after;
    Shape shape; ///< of the result
};

Result<Padding> readPadding(const Tensor& x, const Shape& pairs)
{
    const auto rank = x.shape().size();
    if (pairs.size() % 2 != 0 || pairs.size() / 2 > rank)
        return runtimeError("padding {0} for {1}, a pair for at most each dimension expected", ir::toText(pairs),
                            ir::describe(x));
    Padding out{Shape(rank, 0), Shape(rank, 0), x.shape()};
    for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
        const std::size_t axis = rank - 1 - i;
        for (const std::int64_t pad : {pairs[2 * i], pairs[2 * i + 1]})
            if (pad < -kLargest || pad > kLargest)
                return runtimeError("padding {0} is out of range", pad);
        out.before[axis] = pairs[2 * i];
        out.after[axis] = pairs[2 * i + 1];
        out.shape[axis] += out.before[axis] + out.after[axis];
        if (out.shape[axis] < 0)
            return runtimeError("padding {0} of {1}, a result of size 0 or more expected", ir::toText(pairs),
                                ir::describe(x));
    }
    return out;
}

Result<Value> padConstant(const Call& call, const Tensor& x, const Shape& pairs, const Scalar& fill)
{
    GB_ASSIGN(const Padding padding, readPadding(x, pairs));
    GB_ASSIGN(const Tensor out, makeTensor(x.dtype(), padding.shape));
    const Tensor value = fill.isFloat() ? Tensor::scalar(fill.real) : Tensor::scalar(fill.integer);
    GB_TRY(copyInto(call.context(), out, value));
    Tensor source = x;
    Tensor place = out;
    for (std::int64_t dim = 0; dim < x.dim(); ++dim) {
        const auto axis = static_cast<std::size_t>(dim);
        const std::int64_t cropped = std::max<std::int64_t>(0, -padding.before[axis]);
        const std::int64_t start = std::max<std::int64_t>(0, padding.before[axis]);
        const std::int64_t length =
            std::max<std::int64_t>(0, std::min(x.size(dim) - cropped, padding.shape[axis] - start));
        GB_ASSIGN(source, narrowTensor(source, dim, std::min(cropped, x.size(dim)), length));
        GB_ASSIGN(place, narrowTensor(place, dim, std::min(start, padding.shape[axis]), length));
    }
    GB_TRY(copyInto(call.context(), place, source));
    return Value(out);
}

std::int64_t reflected(std::int64_t at, std::int64_t size)
{
    const std::int64_t positive = at < 0 ? -at : at;
    return positive >= size ? 2 * (size - 1) - positive : positive;
}

std::int64_t replicated(std::int64_t at, std::int64_t size)
{
    return std::clamp<std::int64_t>(at, 0, size - 1);
}

std::int64_t circular(std::int64_t at, std::int64_t size)
{
    return (at % size + size) % size;
}

using Source = std::int64_t (*)(std::int64_t, std::int64_t);

/// Every padded dimension made longer by elements of its own.
Result<Value> padFrom(const Call& call, const Tensor& given, const Shape& pairs, Source from)
{
    GB_ASSIGN(const Padding padding, readPadding(given, pairs));
    Tensor x = given;
    for (std::int64_t dim = 0; dim < given.dim(); ++dim) {
        const auto axis = static_cast<std::size_t>(dim);
        const std::int64_t before = padding.before[axis];
        const std::int64_t after = padding.after[axis];
        if (before == 0 && after == 0)
            continue;
        const std::int64_t size = x.size(dim);
        const std::int64_t most = from == reflected ? size - 1 : from == circular ? size : kLargest;
        if (size == 0 || before > most || after > most)
            return runtimeError("padding {0} and {1} of a dimension of {2}, at most {3} expected", before, after, size,
                                most);
        Shape shape = x.shape();
        shape[axis] = padding.shape[axis];
        GB_ASSIGN(const Tensor out, makeTensor(x.dtype(), shape));
        for (std::int64_t i = 0; i < shape[axis]; ++i) {
            GB_ASSIGN(const Tensor place, selectTensor(out, dim, i));
            GB_ASSIGN(const Tensor source, selectTensor(x, dim, from(i - before, size)));
            GB_TRY(copyInto(call.context(), place, source));
        }
        x = out;
    }
    return Value(x.sharesStorage(given) ? x.clone() : x);
}

Result<Value> constantPad(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape pairs, call.ints(1));
    GB_ASSIGN(const std::optional<Scalar> value, call.maybeScalar(2));
    return padConstant(call, x, pairs, value.value_or(Scalar{}));
}

template <Source From>
Result<Value> ownPad(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape pairs, call.ints(1));
    return padFrom(call, x, pairs, From);
}

Result<Value> pad(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape pairs, call.ints(1));
    GB_ASSIGN(const std::string_view mode, call.text(2, "constant"));
    GB_ASSIGN(const std::optional<Scalar> value, call.maybeScalar(3));
    if (mode == "constant")
        return padConstant(call, x, pairs, value.value_or(Scalar{}));
    if (mode == "reflect")
        return padFrom(call, x, pairs, reflected);
    if (mode == "replicate")
        return padFrom(call, x, pairs, replicated);
    if (mode == "circular")
        return padFrom(call, x, pairs, circular);
    return runtimeError("padding mode '{0}', 'constant', 'reflect', 'replicate' or 'circular' expected", mode);
}

const KernelRow kRows[] = {
    {"aten.pad.default", pad, "self pad mode value"},
    {"aten.constant_pad_nd.default", constantPad, "self pad value"},
    {"aten.reflection_pad1d.default", ownPad<reflected>, "self padding"},
    {"aten.reflection_pad2d.default", ownPad<reflected>, "self padding"},
    {"aten.replication_pad1d.default", ownPad<replicated>, "self padding"},
    {"aten.replication_pad2d.default", ownPad<replicated>, "self padding"},
};

} // namespace

std::span<const KernelRow> padKernels()
{
    return kRows;
}

} // namespace gb::ops
