// cat, stack, repeat, roll, pixel_shuffle and their like: elements put together in another order, always copied.
//
// Source: aten/src/ATen/native/TensorShape.cpp, TensorTransformations.cpp, PixelShuffle.cpp.
#include "ops/kernels/join.h"
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/views.h"

#include <algorithm>

namespace gb::ops {
namespace {

using base::Result;
using ir::Shape;
using ir::Tensor;

bool isLegacyEmpty(const Tensor& x)
{
    return x.dim() == 1 && x.elementCount() == 0;
}

Result<Shape> joinedShape(const std::vector<Tensor>& parts, std::int64_t dim)
{
    Shape out;
    for (const Tensor& part : parts) {
        if (isLegacyEmpty(part))
            continue;
        if (out.empty()) {
            out = part.shape();
            continue;
        }
        bool fits = part.shape().size() == out.size();
        for (std::size_t i = 0; fits && i < out.size(); ++i)
            fits = static_cast<std::int64_t>(i) == dim || part.shape()[i] == out[i];
        if (!fits)
            return runtimeError("cat of {0} and {1} along dimension {2}, the other sizes alike expected",
                                ir::toText(out), ir::toText(part.shape()), dim);
        out[static_cast<std::size_t>(dim)] += part.size(dim);
    }
    return out;
}

} // namespace

Result<Tensor> joinTensors(const Context& context, const std::vector<Tensor>& parts, std::int64_t given)
{
    if (parts.empty())
        return base::Error{base::ErrorCode::ValueError, "cat of an empty list, tensors expected", {}};
    ResultType type;
    std::int64_t rank = 1;
    for (const Tensor& part : parts) {
        GB_TRY(expectReal(part));
        if (part.dim() == 0)
            return runtimeError("cat of a 0-dimensional tensor, dimensions expected");
        type.add(part);
        if (!isLegacyEmpty(part))
            rank = part.dim();
    }
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, rank));
    GB_ASSIGN(const Shape shape, joinedShape(parts, dim));
    if (shape.empty())
        return parts[0].to(type.get()).clone();
    GB_ASSIGN(const Tensor out, makeTensor(type.get(), shape));
    std::int64_t start = 0;
    for (const Tensor& part : parts) {
        if (isLegacyEmpty(part))
            continue;
        GB_ASSIGN(const Tensor place, narrowTensor(out, dim, start, part.size(dim)));
        GB_TRY(copyInto(context, place, part));
        start += part.size(dim);
    }
    return out;
}

namespace {

Result<Value> joinAlong(const Context& context, const std::vector<Tensor>& parts, std::int64_t dim)
{
    GB_ASSIGN(Tensor out, joinTensors(context, parts, dim));
    return Value(std::move(out));
}

Result<Value> cat(const Call& call)
{
    GB_ASSIGN(const std::vector<Tensor> parts, call.tensors(0));
    GB_ASSIGN(const std::int64_t dim, call.integer(1, 0));
    return joinAlong(call.context(), parts, dim);
}

Result<Value> stack(const Call& call)
{
    GB_ASSIGN(std::vector<Tensor> parts, call.tensors(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1, 0));
    if (parts.empty())
        return runtimeError("stack of an empty list, tensors expected");
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, parts[0].dim() + 1));
    for (const Tensor& part : parts)
        if (part.shape() != parts[0].shape())
            return runtimeError("stack of {0} and {1}, equal sizes expected", ir::toText(parts[0].shape()),
                                ir::toText(part.shape()));
    for (Tensor& part : parts)
        part = unsqueezeTensor(part, dim);
    return joinAlong(call.context(), parts, dim);
}

/// hstack (along dimension 1, or 0 for vectors) and vstack (along 0, vectors become rows).
template <bool Vertical>
Result<Value> stackAtLeast(const Call& call)
{
    GB_ASSIGN(std::vector<Tensor> parts, call.tensors(0));
    if (parts.empty())
        return runtimeError("stack of an empty list, tensors expected");
    for (Tensor& part : parts) {
        if (part.dim() == 0)
            part = unsqueezeTensor(part, 0);
        if (Vertical && part.dim() == 1)
            part = unsqueezeTensor(part, 0);
    }
    return joinAlong(call.context(), parts, Vertical || parts[0].dim() == 1 ? 0 : 1);
}

/// Each dimension `repeats` times: the input as [1, s] blocks seen with stride 0.
Result<Value> repeatTensor(const Tensor& x, const Shape& repeats)
{
    if (static_cast<std::int64_t>(repeats.size()) < x.dim())
        return runtimeError("{0} repeats for {1}, at least {2} expected", repeats.size(), ir::describe(x), x.dim());
    const std::size_t added = repeats.size() - x.shape().size();
    Shape full;
    Shape blocks;
    Shape strides;
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        const std::int64_t size = i < added ? 1 : x.shape()[i - added];
        std::int64_t product = 0;
        if (repeats[i] < 0 || __builtin_mul_overflow(repeats[i], size, &product))
            return runtimeError("repeats {0}, 0 or more expected", ir::toText(repeats));
        full.push_back(product);
        blocks.insert(blocks.end(), {repeats[i], size});
        strides.insert(strides.end(), {0, i < added ? 0 : x.strides()[i - added]});
    }
    GB_TRY(checkSize(full));
    return Value(x.asStrided(blocks, strides).clone().reshaped(full));
}

Result<Value> repeat(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Shape repeats, call.ints(1));
    return repeatTensor(x, repeats);
}

/// repeat with missing leading numbers taken as 1.
Result<Value> tile(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(Shape repeats, call.ints(1));
    while (static_cast<std::int64_t>(repeats.size()) < x.dim())
        repeats.insert(repeats.begin(), 1);
    return repeatTensor(x, repeats);
}

/// Every element `repeats` times in a row.
Result<Value> repeatInterleave(const Call& call)
{
    GB_ASSIGN(Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t repeats, call.integer(1));
    if (!call.has(2))
        x = x.reshaped({x.elementCount()});
    GB_ASSIGN(const std::int64_t given, call.integer(2, 0));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    if (repeats < 0)
        return runtimeError("repeats {0}, 0 or more expected", repeats);
    const Tensor wide = unsqueezeTensor(x, dim + 1);
    Shape counts(wide.shape().size(), 1);
    counts[static_cast<std::size_t>(dim + 1)] = repeats;
    GB_ASSIGN(const Value repeated, repeatTensor(wide, counts));
    Shape shape = x.shape();
    shape[static_cast<std::size_t>(dim)] *= repeats;
    return Value(repeated.tensor()->reshaped(shape));
}

/// Elements along `dim` taken from the positions that `from` gives.
template <class F>
Result<Tensor> pick(const Context& context, const Tensor& x, std::int64_t dim, const F& from)
{
    GB_ASSIGN(const Tensor out, makeTensor(x.dtype(), x.shape()));
    for (std::int64_t i = 0; i < x.size(dim); ++i) {
        GB_ASSIGN(const Tensor place, selectTensor(out, dim, i));
        GB_ASSIGN(const Tensor source, selectTensor(x, dim, from(i)));
        GB_TRY(copyInto(context, place, source));
    }
    return out;
}

Result<Value> roll(const Call& call)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(const Shape shifts, call.ints(1));
    Shape dims;
    if (call.has(2)) {
        GB_ASSIGN(dims, call.ints(2));
    }
    const bool flat = dims.empty();
    if (shifts.size() != (flat ? 1 : dims.size()))
        return runtimeError("{0} shifts for {1} dimensions, the same number expected", shifts.size(), dims.size());
    Tensor x = flat ? given.reshaped({given.elementCount()}) : given;
    for (std::size_t i = 0; i < shifts.size() && x.elementCount() > 0; ++i) {
        GB_ASSIGN(const std::int64_t dim, wrapDim(flat ? 0 : dims[i], x.dim()));
        const std::int64_t size = x.size(dim);
        const std::int64_t shift = (shifts[i] % size + size) % size;
        GB_ASSIGN(x, pick(call.context(), x, dim, [&](std::int64_t at) { return (at - shift + size) % size; }));
    }
    return Value(x.sharesStorage(given) ? x.clone().reshaped(given.shape()) : x.reshaped(given.shape()));
}

Result<Value> flip(const Call& call)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(const Shape dims, call.ints(1));
    Tensor x = given;
    if (dims.empty() || x.dim() == 0)
        return Value(x.clone());
    GB_ASSIGN(const Shape wrapped, wrapDims(dims, x.dim()));
    for (const std::int64_t dim : wrapped) {
        const std::int64_t last = x.size(dim) - 1;
        GB_ASSIGN(x, pick(call.context(), x, dim, [last](std::int64_t at) { return last - at; }));
    }
    return Value(x);
}

/// The last three sizes regrouped: x as `shape`, its dimensions in `order` after the leading ones, then as `result`.
Result<Value> regroup(const Tensor& x, Shape shape, const Shape& order, Shape result)
{
    const std::int64_t leading = x.dim() - 3;
    const Shape head(x.shape().begin(), x.shape().begin() + leading);
    shape.insert(shape.begin(), head.begin(), head.end());
    result.insert(result.begin(), head.begin(), head.end());
    Shape full;
    for (std::int64_t i = 0; i < leading; ++i)
        full.push_back(i);
    for (const std::int64_t dim : order)
        full.push_back(leading + dim);
    GB_ASSIGN(const Tensor moved, permuteTensor(x.reshaped(shape), full));
    return Value(moved.clone().reshaped(result));
}

Result<Value> pixelShuffle(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t r, call.integer(1));
    if (x.dim() < 3 || r < 1 || r > 32768 || x.size(-3) % (r * r) != 0)
        return runtimeError("pixel_shuffle of {0} by {1}, channels divisible by its square expected", ir::describe(x),
                            r);
    const std::int64_t c = x.size(-3) / (r * r);
    const std::int64_t h = x.size(-2);
    const std::int64_t w = x.size(-1);
    return regroup(x, {c, r, r, h, w}, {0, 3, 1, 4, 2}, {c, h * r, w * r});
}

Result<Value> pixelUnshuffle(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t r, call.integer(1));
    if (x.dim() < 3 || r < 1 || r > 32768 || x.size(-2) % r != 0 || x.size(-1) % r != 0)
        return runtimeError("pixel_unshuffle of {0} by {1}, height and width divisible by it expected", ir::describe(x),
                            r);
    const std::int64_t c = x.size(-3);
    const std::int64_t h = x.size(-2) / r;
    const std::int64_t w = x.size(-1) / r;
    return regroup(x, {c, h, r, w, r}, {0, 2, 4, 1, 3}, {c * r * r, h, w});
}

Result<Value> channelShuffle(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t groups, call.integer(1));
    if (x.dim() < 3 || groups < 1 || x.size(1) % groups != 0)
        return runtimeError("channel_shuffle of {0} in {1} groups, a divisor of the channels expected", ir::describe(x),
                            groups);
    const std::int64_t batch = x.size(0);
    const std::int64_t channels = x.size(1);
    std::int64_t rest = 1;
    for (std::int64_t dim = 2; dim < x.dim(); ++dim)
        rest *= x.size(dim);
    GB_ASSIGN(const Tensor moved, permuteTensor(x.reshaped({batch, groups, channels / groups, rest}), {0, 2, 1, 3}));
    return Value(moved.clone().reshaped(x.shape()));
}

const KernelRow kRows[] = {
    {"aten.cat.default", cat, "tensors dim"},
    {"aten.concat.default", cat, "tensors dim"},
    {"aten.concatenate.default", cat, "tensors dim"},
    {"aten.stack.default", stack, "tensors dim"},
    {"aten.hstack.default", stackAtLeast<false>, "tensors"},
    {"aten.vstack.default", stackAtLeast<true>, "tensors"},
    {"aten.repeat.default", repeat, "self repeats"},
    {"aten.tile.default", tile, "self dims"},
    {"aten.repeat_interleave.self_int", repeatInterleave, "self repeats dim output_size"},
    {"aten.roll.default", roll, "self shifts dims"},
    {"aten.flip.default", flip, "self dims"},
    {"aten.pixel_shuffle.default", pixelShuffle, "self upscale_factor"},
    {"aten.pixel_unshuffle.default", pixelUnshuffle, "self downscale_factor"},
    {"aten.channel_shuffle.default", channelShuffle, "self groups"},
};

} // namespace

std::span<const KernelRow> joinKernels()
{
    return kRows;
}

} // namespace gb::ops
