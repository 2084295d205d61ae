// copy_, fill_, tril, triu: whole tensors written or masked.
//
// Source: aten/src/ATen/native/Copy.cpp, Fill.cpp, TriangularOps.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/views.h"

#include <cstring>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

Result<Value> copyInPlace(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor source, operandAs(call, 1, self.dtype()));
    GB_TRY(copyInto(call.context(), self, source));
    return Value(self);
}

Result<Value> copyOut(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor source, call.tensor(1));
    const Tensor out = self.clone();
    GB_TRY(copyInto(call.context(), out, source));
    return Value(out);
}

Result<Value> fillInPlace(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor value, operandAs(call, 1, self.dtype()));
    if (value.dim() != 0)
        return runtimeError("fill with {0}, a 0-dimensional tensor expected", ir::describe(value));
    GB_TRY(copyInto(call.context(), self, value));
    return Value(self);
}

Result<Value> fillOut(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor value, operandAs(call, 1, self.dtype()));
    if (value.dim() != 0)
        return runtimeError("fill with {0}, a 0-dimensional tensor expected", ir::describe(value));
    GB_ASSIGN(const Tensor out, makeTensor(self.dtype(), self.shape()));
    GB_TRY(copyInto(call.context(), out, value));
    return Value(out);
}

Result<Value> zeroInPlace(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_TRY(copyInto(call.context(), self, Tensor::zeros(self.dtype(), {})));
    return Value(self);
}

/// Zeros above (tril) or below (triu) a diagonal of the last two dimensions.
template <bool Lower>
Result<Value> triangle(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const std::int64_t diagonal, call.integer(1, 0));
    if (x.dim() < 2)
        return runtimeError("triangle of {0}, two or more dimensions expected", ir::describe(x));
    Tensor out = x.clone();
    const std::int64_t rows = x.size(-2);
    const std::int64_t cols = x.size(-1);
    const std::size_t size = ir::itemSize(x.dtype());
    std::byte* to = out.mutableRawData();
    for (std::int64_t i = 0; i < out.elementCount(); ++i) {
        const std::int64_t distance = i % cols - i / cols % rows;
        if (Lower ? distance > diagonal : distance < diagonal)
            std::memset(to + static_cast<std::size_t>(i) * size, 0, size);
    }
    return Value(std::move(out));
}

/// A copy with a part written: slice_scatter and select_scatter.
Result<Value> sliceScatter(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor source, call.tensor(1));
    GB_ASSIGN(const std::int64_t given, call.integer(2, 0));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, self.dim()));
    GB_ASSIGN(const std::int64_t start, call.integer(3, 0));
    GB_ASSIGN(const std::int64_t end, call.integer(4, self.dim() > 0 ? self.size(dim) : 0));
    GB_ASSIGN(const std::int64_t step, call.integer(5, 1));
    const Tensor out = self.clone();
    GB_ASSIGN(const Tensor place, sliceTensor(out, dim, start, end, step));
    if (place.shape() != source.shape())
        return runtimeError("slice_scatter of {0} into {1}, the same sizes expected", ir::toText(source.shape()),
                            ir::toText(place.shape()));
    GB_TRY(copyInto(call.context(), place, source));
    return Value(out);
}

Result<Value> selectScatter(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor source, call.tensor(1));
    GB_ASSIGN(const std::int64_t given, call.integer(2));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, self.dim()));
    GB_ASSIGN(const std::int64_t index, call.integer(3));
    const Tensor out = self.clone();
    GB_ASSIGN(const Tensor place, selectTensor(out, dim, index));
    if (place.shape() != source.shape())
        return runtimeError("select_scatter of {0} into {1}, the same sizes expected", ir::toText(source.shape()),
                            ir::toText(place.shape()));
    GB_TRY(copyInto(call.context(), place, source));
    return Value(out);
}

const KernelRow kRows[] = {
    {"aten.copy_.default", copyInPlace, "self src non_blocking", Alias::Maybe},
    {"aten.copy.default", copyOut, "self src non_blocking"},
    {"aten.fill_.Scalar", fillInPlace, "self value", Alias::Maybe},
    {"aten.fill_.Tensor", fillInPlace, "self value", Alias::Maybe},
    {"aten.fill.Scalar", fillOut, "self value"},
    {"aten.fill.Tensor", fillOut, "self value"},
    {"aten.zero_.default", zeroInPlace, "self", Alias::Maybe},
    {"aten.tril.default", triangle<true>, "self diagonal"},
    {"aten.triu.default", triangle<false>, "self diagonal"},
    {"aten.slice_scatter.default", sliceScatter, "self src dim start end step"},
    {"aten.select_scatter.default", selectScatter, "self src dim index"},
};

} // namespace

std::span<const KernelRow> writeKernels()
{
    return kRows;
}

} // namespace gb::ops
