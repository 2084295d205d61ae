// index, gather, index_put, copy_, tril and their like: elements picked and written by number.
//
// Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp, IndexingUtils.h, TriangularOps.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/views.h"

#include <algorithm>
#include <cstring>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using ir::DType;
using ir::Shape;
using ir::Tensor;

Result<std::int64_t> wrapIndex(std::int64_t index, std::int64_t size)
{
    if (index < -size || index >= size)
        return Error{ErrorCode::IndexError, base::say("index {0}, {1} to {2} expected", index, -size, size - 1), {}};
    return index < 0 ? index + size : index;
}

/// The positions of a mask's True elements, one tensor a dimension.
std::vector<Tensor> positionsOf(const Tensor& mask)
{
    const Tensor flags = mask.to(DType::Bool).contiguous();
    std::vector<std::vector<std::int64_t>> found(flags.shape().size());
    for (std::int64_t i = 0; i < flags.elementCount(); ++i) {
        if (!flags.data<bool>()[i])
            continue;
        std::int64_t left = i;
        for (std::size_t axis = found.size(); axis-- > 0;) {
            found[axis].push_back(left % flags.shape()[axis]);
            left /= flags.shape()[axis];
        }
    }
    std::vector<Tensor> out;
    for (const auto& column : found)
        out.push_back(Tensor::fromVector(column));
    return out;
}

/// An indexing expression: x seen with the indexed dimensions first, and the flat position of each picked block there.
struct Indexed {
    Tensor moved;                      ///< view of x: indexed dimensions, then the others
    std::size_t count = 0;             ///< of indexed dimensions
    Shape picked;                      ///< the indices' broadcast shape
    std::vector<std::int64_t> offsets; ///< into moved's memory, one a picked block
    std::size_t insertAt = 0;          ///< where the picked dimensions stand in the result
};

/// One tensor a dimension, masks expanded; empty where a dimension is taken whole.
Result<std::vector<std::optional<Tensor>>> readIndices(const Call& call, std::size_t at, const Tensor& x)
{
    GB_ASSIGN(const ValueList given, call.list(at));
    std::vector<std::optional<Tensor>> out;
    for (const Value& item : given) {
        if (item.isNone()) {
            out.emplace_back();
            continue;
        }
        const Tensor* index = item.tensor();
        if (!index)
            return call.wrongType(at, "list of int64 or bool tensors");
        if (ir::isFloatingPoint(index->dtype()))
            return Error{ErrorCode::IndexError,
                         base::say("index {0}, int64, int32, uint8 or bool expected; an observer on integers gives "
                                   "floats, so an index that was computed cannot be quantized",
                                   ir::describe(*index)),
                         {}};
        if (index->dtype() != DType::Bool && index->dtype() != DType::UInt8) {
            out.emplace_back(index->to(DType::Int64));
            continue;
        }
        for (std::size_t i = 0; i < index->shape().size(); ++i)
            if (out.size() + i >= x.shape().size() || index->shape()[i] != x.shape()[out.size() + i])
                return Error{ErrorCode::IndexError,
                             base::say("mask {0} over {1}, the same sizes expected", ir::toText(index->shape()),
                                       ir::toText(x.shape())),
                             {}};
        for (Tensor& column : positionsOf(*index))
            out.emplace_back(std::move(column));
    }
    if (out.size() > x.shape().size())
        return Error{ErrorCode::IndexError,
                     base::say("{0} indices for {1}, at most {2} expected", out.size(), ir::describe(x), x.dim()),
                     {}};
    out.resize(x.shape().size());
    return out;
}

Result<std::vector<std::int64_t>> blockOffsets(const Indexed& indexed, const std::vector<Tensor>& indices)
{
    GB_TRY(checkSize(indexed.picked));
    GB_ASSIGN(const std::int64_t count, ir::checkedElementCount(indexed.picked));
    std::vector<std::int64_t> out(static_cast<std::size_t>(count), 0);
    for (std::size_t d = 0; d < indices.size(); ++d) {
        GB_ASSIGN(const Tensor wide, broadcastTo(indices[d], indexed.picked));
        const Tensor numbers = wide.contiguous();
        for (std::size_t i = 0; i < out.size(); ++i) {
            GB_ASSIGN(const std::int64_t index, wrapIndex(numbers.data<std::int64_t>()[i], indexed.moved.shape()[d]));
            out[i] += index * indexed.moved.strides()[d];
        }
    }
    return out;
}

Result<Indexed> indexInto(const Call& call, std::size_t at, const Tensor& x)
{
    GB_ASSIGN(const std::vector<std::optional<Tensor>> given, readIndices(call, at, x));
    Indexed out;
    std::vector<Tensor> indices;
    Shape order;
    Shape rest;
    bool adjacent = true;
    for (std::size_t d = 0; d < given.size(); ++d) {
        const auto dim = static_cast<std::int64_t>(d);
        if (!given[d]) {
            rest.push_back(dim);
            continue;
        }
        adjacent = adjacent && (order.empty() || order.back() + 1 == dim);
        order.push_back(dim);
        indices.push_back(*given[d]);
        const Result<Shape> picked = broadcastShapes(out.picked, given[d]->shape());
        if (!picked.ok())
            return Error{ErrorCode::IndexError, picked.error().sentence, {}};
        out.picked = *picked;
    }
    out.count = order.size();
    out.insertAt = adjacent && !order.empty() ? static_cast<std::size_t>(order[0]) : 0;
    order.insert(order.end(), rest.begin(), rest.end());
    GB_ASSIGN(out.moved, permuteTensor(x, order));
    GB_ASSIGN(out.offsets, blockOffsets(out, indices));
    return out;
}

/// The block of an indexed tensor at one picked position.
Tensor blockAt(const Indexed& indexed, std::size_t i)
{
    const auto skip = static_cast<std::ptrdiff_t>(indexed.count);
    const Shape shape(indexed.moved.shape().begin() + skip, indexed.moved.shape().end());
    const Shape strides(indexed.moved.strides().begin() + skip, indexed.moved.strides().end());
    return indexed.moved.asStrided(shape, strides, indexed.moved.elementCount() == 0 ? 0 : indexed.offsets[i]);
}

/// Picked dimensions first, then the rest; and the order that puts the picked ones at their place.
Shape pickedFirstShape(const Indexed& indexed)
{
    Shape shape = indexed.picked;
    shape.insert(shape.end(), indexed.moved.shape().begin() + static_cast<std::ptrdiff_t>(indexed.count),
                 indexed.moved.shape().end());
    return shape;
}

Shape placeOrder(const Indexed& indexed)
{
    const std::size_t total = pickedFirstShape(indexed).size();
    Shape order;
    for (std::size_t i = 0; i < indexed.insertAt; ++i)
        order.push_back(static_cast<std::int64_t>(indexed.picked.size() + i));
    for (std::size_t i = 0; i < indexed.picked.size(); ++i)
        order.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = order.size(); i < total; ++i)
        order.push_back(static_cast<std::int64_t>(i));
    return order;
}

Result<Value> index(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Indexed indexed, indexInto(call, 1, x));
    GB_ASSIGN(Tensor out, makeTensor(x.dtype(), pickedFirstShape(indexed)));
    const std::size_t blocks = indexed.offsets.size();
    const std::int64_t size = blocks == 0 ? 0 : out.elementCount() / static_cast<std::int64_t>(blocks);
    for (std::size_t i = 0; i < blocks && size > 0; ++i) {
        const Tensor block = blockAt(indexed, i).contiguous();
        std::memcpy(out.mutableRawData() + i * block.byteCount(), block.rawData(), block.byteCount());
    }
    GB_ASSIGN(const Tensor placed, permuteTensor(out, placeOrder(indexed)));
    return Value(placed.contiguous());
}

/// Writes (or adds) values into self, in order.
Status putInto(const Call& call, const Tensor& self, const Indexed& indexed, const Tensor& values, bool accumulate)
{
    if (values.dtype() != self.dtype())
        return runtimeError("index_put of {0} into {1}, the same dtype expected", ir::describe(values),
                            ir::describe(self));
    // the values have the shape of the result of indexing: put its picked dimensions first
    Shape placed;
    const Shape first = pickedFirstShape(indexed);
    const Shape order = placeOrder(indexed);
    for (const std::int64_t dim : order)
        placed.push_back(first[static_cast<std::size_t>(dim)]);
    GB_ASSIGN(const Tensor wide, broadcastTo(values, placed));
    Shape back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    GB_ASSIGN(const Tensor moved, permuteTensor(wide, back));
    const Tensor source = moved.clone();
    const std::size_t blocks = indexed.offsets.size();
    const std::int64_t size = blocks == 0 ? 0 : source.elementCount() / static_cast<std::int64_t>(blocks);
    for (std::size_t i = 0; i < blocks && size > 0; ++i) {
        const Tensor target = blockAt(indexed, i);
        Tensor block = source.asStrided(target.shape(), ir::contiguousStrides(target.shape()),
                                        static_cast<std::int64_t>(i) * size);
        if (accumulate) {
            const DType wideType = computeDType(self.dtype());
            GB_ASSIGN(const Tensor sum,
                      zip(call.context(), target.to(wideType), block.to(wideType), wideType, []<class T>(T a, T b) {
                          if constexpr (std::is_same_v<T, std::int64_t>)
                              return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
                          else
                              return static_cast<T>(a + b);
                      }));
            block = sum.to(self.dtype());
        }
        GB_TRY(copyInto(call.context(), target, block));
    }
    return {};
}

Result<Value> indexPutInto(const Call& call, const Tensor& self)
{
    GB_ASSIGN(const Tensor values, call.tensor(2));
    GB_ASSIGN(const bool accumulate, call.boolean(3, false));
    GB_TRY(expectReal(self));
    GB_ASSIGN(const Indexed indexed, indexInto(call, 1, self));
    GB_TRY(putInto(call, self, indexed, values, accumulate));
    return Value(self);
}

Result<Value> indexPut(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    return indexPutInto(call, x.clone());
}

Result<Value> indexPutInPlace(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    return indexPutInto(call, x);
}

Result<Value> indexSelect(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    GB_ASSIGN(const Tensor numbers, call.tensor(2));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    if (numbers.dim() > 1 || (numbers.dtype() != DType::Int64 && numbers.dtype() != DType::Int32) || x.dim() == 0)
        return runtimeError("index_select with {0}, one dimension of int64 or int32 expected", ir::describe(numbers));
    const Tensor indices = numbers.to(DType::Int64).contiguous();
    Shape shape = x.shape();
    shape[static_cast<std::size_t>(dim)] = indices.elementCount();
    GB_ASSIGN(const Tensor out, makeTensor(x.dtype(), shape));
    for (std::int64_t i = 0; i < indices.elementCount(); ++i) {
        const std::int64_t at = indices.data<std::int64_t>()[i];
        if (at < 0 || at >= x.size(dim))
            return Error{ErrorCode::IndexError, base::say("index {0}, 0 to {1} expected", at, x.size(dim) - 1), {}};
        GB_ASSIGN(const Tensor place, selectTensor(out, dim, i));
        GB_ASSIGN(const Tensor source, selectTensor(x, dim, at));
        GB_TRY(copyInto(call.context(), place, source));
    }
    return Value(out);
}

Result<Value> gather(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    GB_ASSIGN(const Tensor numbers, call.tensor(2));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, x.dim()));
    if (numbers.dtype() != DType::Int64 || numbers.dim() != x.dim() || x.dim() == 0)
        return runtimeError("gather of {0} with {1}, int64 of as many dimensions expected", ir::describe(x),
                            ir::describe(numbers));
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (d != dim && numbers.size(d) > x.size(d))
            return runtimeError("gather of {0} with {1}, sizes up to the tensor's expected", ir::describe(x),
                                ir::describe(numbers));
    const Tensor indices = numbers.contiguous();
    GB_ASSIGN(Tensor out, makeTensor(x.dtype(), indices.shape()));
    const std::size_t size = ir::itemSize(x.dtype());
    std::byte* to = out.mutableRawData();
    for (std::int64_t i = 0; i < indices.elementCount(); ++i, to += size) {
        std::int64_t left = i;
        std::int64_t at = 0;
        for (std::int64_t d = x.dim() - 1; d >= 0; --d) {
            std::int64_t position = left % indices.size(d);
            left /= indices.size(d);
            if (d == dim) {
                position = indices.data<std::int64_t>()[i];
                if (position < 0 || position >= x.size(d))
                    return runtimeError("index {0}, 0 to {1} expected", position, x.size(d) - 1);
            }
            at += position * x.strides()[static_cast<std::size_t>(d)];
        }
        std::memcpy(to, x.rawData() + static_cast<std::size_t>(at) * size, size);
    }
    return Value(std::move(out));
}

const KernelRow kRows[] = {
    {"aten.index.Tensor", index, "self indices"},
    {"aten.index_put.default", indexPut, "self indices values accumulate"},
    {"aten.index_put_.default", indexPutInPlace, "self indices values accumulate", Alias::Maybe},
    {"aten.index_select.default", indexSelect, "self dim index"},
    {"aten.gather.default", gather, "self dim index sparse_grad"},
};

} // namespace

std::span<const KernelRow> indexKernels()
{
    return kRows;
}

} // namespace gb::ops
