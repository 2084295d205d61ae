// split, chunk, unbind: a tensor cut into views along one dimension.
//
// Source: aten/src/ATen/native/TensorShape.cpp.
#include "ops/kernels/families.h"
#include "ops/kernels/views.h"

#include <algorithm>

namespace gb::ops {
namespace {

using base::Result;
using ir::Shape;
using ir::Tensor;

/// The pieces of x along dim, of these sizes.
Result<Value> pieces(const Tensor& x, std::int64_t dim, const Shape& sizes)
{
    ValueList out;
    std::int64_t start = 0;
    for (const std::int64_t size : sizes) {
        GB_ASSIGN(Tensor piece, narrowTensor(x, dim, start, size));
        out.emplace_back(std::move(piece));
        start += size;
    }
    return Value(std::move(out));
}

constexpr std::int64_t kMostPieces = 1 << 20;

Result<Value> equalPieces(const Tensor& x, std::int64_t dim, std::int64_t size)
{
    const std::int64_t total = x.size(dim);
    if (size < 0 || (size == 0 && total != 0))
        return runtimeError("split size {0} of a dimension of {1}, 1 or more expected", size, total);
    if (size == 0 || total == 0)
        return Value(ValueList{x});
    if (total / size > kMostPieces)
        return runtimeError("{0} pieces, at most {1} expected", total / size, kMostPieces);
    Shape sizes;
    for (std::int64_t start = 0; start < total; start += size)
        sizes.push_back(std::min(size, total - start));
    return pieces(x, dim, sizes);
}

base::Status expectDimensions(const Tensor& x)
{
    return x.dim() > 0 ? base::Status() : runtimeError("a 0-dimensional tensor cannot be split, dimensions expected");
}

Result<Value> splitSize(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectDimensions(x));
    GB_ASSIGN(const std::int64_t size, call.integer(1));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 2, x.dim(), 0));
    return equalPieces(x, dim, size);
}

Result<Value> splitSizes(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectDimensions(x));
    GB_ASSIGN(const Shape sizes, call.ints(1));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 2, x.dim(), 0));
    std::int64_t left = x.size(dim);
    for (const std::int64_t size : sizes) {
        if (size < 0 || size > left)
            return runtimeError("split sizes {0} of a dimension of {1}, the same sum expected", ir::toText(sizes),
                                x.size(dim));
        left -= size;
    }
    if (left != 0)
        return runtimeError("split sizes {0} of a dimension of {1}, the same sum expected", ir::toText(sizes),
                            x.size(dim));
    return pieces(x, dim, sizes);
}

Result<Value> chunk(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectDimensions(x));
    GB_ASSIGN(const std::int64_t chunks, call.integer(1));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 2, x.dim(), 0));
    if (chunks <= 0)
        return runtimeError("{0} chunks, 1 or more expected", chunks);
    const std::int64_t total = x.size(dim);
    if (total == 0) {
        if (chunks > kMostPieces)
            return runtimeError("{0} chunks, at most {1} expected", chunks, kMostPieces);
        return Value(ValueList(static_cast<std::size_t>(chunks), Value(x)));
    }
    return equalPieces(x, dim, total / chunks + (total % chunks != 0 ? 1 : 0));
}

/// tensor_split(sections): the first ones are one longer where the sizes do not come out even.
Result<Value> splitSections(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectDimensions(x));
    GB_ASSIGN(const std::int64_t sections, call.integer(1));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 2, x.dim(), 0));
    if (sections <= 0 || sections > kMostPieces)
        return runtimeError("{0} sections, 1 to {1} expected", sections, kMostPieces);
    Shape sizes(static_cast<std::size_t>(sections), x.size(dim) / sections);
    for (std::int64_t i = 0; i < x.size(dim) % sections; ++i)
        ++sizes[static_cast<std::size_t>(i)];
    return pieces(x, dim, sizes);
}

/// tensor_split(indices): cut before each index, as Python slices do.
Result<Value> splitIndices(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectDimensions(x));
    GB_ASSIGN(const Shape indices, call.ints(1));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 2, x.dim(), 0));
    ValueList out;
    std::int64_t start = 0;
    for (std::size_t i = 0; i <= indices.size(); ++i) {
        const std::int64_t end = i < indices.size() ? indices[i] : x.size(dim);
        GB_ASSIGN(Tensor piece, sliceTensor(x, dim, start, end, 1));
        out.emplace_back(std::move(piece));
        start = end;
    }
    return Value(std::move(out));
}

Result<Value> unbind(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectDimensions(x));
    GB_ASSIGN(const std::int64_t dim, dimArgument(call, 1, x.dim(), 0));
    if (x.size(dim) > kMostPieces)
        return runtimeError("{0} pieces, at most {1} expected", x.size(dim), kMostPieces);
    ValueList out;
    for (std::int64_t i = 0; i < x.size(dim); ++i) {
        GB_ASSIGN(Tensor piece, selectTensor(x, dim, i));
        out.emplace_back(std::move(piece));
    }
    return Value(std::move(out));
}

constexpr Alias kView = Alias::Maybe;

const KernelRow kRows[] = {
    {"aten.split.Tensor", splitSize, "self split_size dim", kView},
    {"aten.split.sizes", splitSizes, "self split_size dim", kView},
    {"aten.split_with_sizes.default", splitSizes, "self split_sizes dim", kView},
    {"aten.split_copy.Tensor", copyOf<splitSize>, "self split_size dim"},
    {"aten.split_with_sizes_copy.default", copyOf<splitSizes>, "self split_sizes dim"},
    {"aten.chunk.default", chunk, "self chunks dim", kView},
    {"aten.unsafe_split.Tensor", copyOf<splitSize>, "self split_size dim"},
    {"aten.unsafe_chunk.default", copyOf<chunk>, "self chunks dim"},
    {"aten.tensor_split.sections", splitSections, "self sections dim", kView},
    {"aten.tensor_split.indices", splitIndices, "self indices dim", kView},
    {"aten.unbind.int", unbind, "self dim", kView},
    {"aten.unbind_copy.int", copyOf<unbind>, "self dim"},
};

} // namespace

std::span<const KernelRow> splitKernels()
{
    return kRows;
}

} // namespace gb::ops
