// scatter, scatter_add, index_add, one_hot, nonzero: elements written to places that another tensor names.
//
// Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp, Onehot.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/views.h"

#include <algorithm>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

/// a + b; int64 wraps around.
template <class T>
T sumOf(T a, T b)
{
    if constexpr (std::is_same_v<T, std::int64_t>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else
        return static_cast<T>(a + b);
}

/// For every element of `index` the place in self (offset in elements) that scatter writes to.
Result<std::vector<std::int64_t>> placesOf(const Tensor& self, std::int64_t dim, const Tensor& index)
{
    if (index.dtype() != DType::Int64 || index.dim() != self.dim() || self.dim() == 0)
        return runtimeError("scatter into {0} with {1}, int64 of as many dimensions expected", ir::describe(self),
                            ir::describe(index));
    for (std::int64_t d = 0; d < self.dim(); ++d)
        if (d != dim && index.size(d) > self.size(d))
            return runtimeError("scatter into {0} with {1}, sizes up to the tensor's expected", ir::describe(self),
                                ir::describe(index));
    const Tensor numbers = index.contiguous();
    std::vector<std::int64_t> out(static_cast<std::size_t>(numbers.elementCount()), 0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto left = static_cast<std::int64_t>(i);
        for (std::int64_t d = self.dim() - 1; d >= 0; --d) {
            std::int64_t at = left % numbers.size(d);
            left /= numbers.size(d);
            if (d == dim) {
                at = numbers.data<std::int64_t>()[i];
                if (at < 0 || at >= self.size(d))
                    return runtimeError("index {0}, 0 to {1} expected", at, self.size(d) - 1);
            }
            out[i] += at * self.strides()[static_cast<std::size_t>(d)];
        }
    }
    return out;
}

/// The elements of source that stand under index, in index's order.
Result<Tensor> sourceUnder(const Tensor& source, const Shape& index)
{
    if (source.dim() == 0) // a number
        return broadcastTo(source, index);
    for (std::size_t d = 0; d < index.size(); ++d)
        if (source.shape().size() != index.size() || index[d] > source.shape()[d])
            return runtimeError("scatter of {0} with an index {1}, sizes up to the source's expected",
                                ir::describe(source), ir::toText(index));
    return source.asStrided(index, source.strides());
}

Result<Value> scatterInto(const Call& call, const Tensor& self, const Tensor& source, bool add)
{
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    GB_ASSIGN(const Tensor index, call.tensor(2));
    GB_TRY(expectReal(self));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, self.dim()));
    Tensor out = self.to(computeDType(self.dtype())).clone();
    GB_ASSIGN(const std::vector<std::int64_t> places, placesOf(out, dim, index));
    GB_ASSIGN(const Tensor under, sourceUnder(source.to(out.dtype()), index.shape()));
    const Tensor values = under.contiguous();
    dispatchCompute(out.dtype(), [&]<class T>() {
        T* to = out.mutableData<T>();
        const T* from = values.data<T>();
        for (std::size_t i = 0; i < places.size(); ++i)
            to[places[i]] = add ? sumOf(to[places[i]], from[i]) : from[i];
    });
    return Value(out.to(self.dtype()));
}

Result<Value> scatter(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor source, operandAs(call, 3, self.dtype()));
    return scatterInto(call, self, source, false);
}

Result<Value> scatterAdd(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor source, call.tensor(3));
    GB_TRY(expectSameDType(self, source, "scatter_add"));
    return scatterInto(call, self, source, true);
}

/// Rows of source, times alpha, added to the rows of self that index names.
Result<Value> indexAdd(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const std::int64_t given, call.integer(1));
    GB_ASSIGN(const Tensor index, call.tensor(2));
    GB_ASSIGN(const Tensor source, call.tensor(3));
    GB_ASSIGN(const std::optional<Scalar> alpha, call.maybeScalar(4));
    GB_TRY(expectSameDType(self, source, "index_add"));
    GB_TRY(expectReal(self));
    GB_ASSIGN(const std::int64_t dim, wrapDim(given, self.dim()));
    if (index.dim() > 1 || !ir::isInteger(index.dtype()) || self.dim() == 0 || source.dim() != self.dim()
        || source.size(dim) != index.elementCount())
        return runtimeError("index_add of {0} to {1} by {2}, an index for each row expected", ir::describe(source),
                            ir::describe(self), ir::describe(index));
    const Tensor numbers = index.to(DType::Int64).contiguous();
    const DType wide = computeDType(self.dtype());
    const Scalar factor = alpha.value_or(Scalar{DType::Int64, 1, 0.0});
    const Tensor out = self.clone();
    for (std::int64_t i = 0; i < numbers.elementCount(); ++i) {
        const std::int64_t at = numbers.data<std::int64_t>()[i];
        if (at < 0 || at >= self.size(dim))
            return runtimeError("index {0}, 0 to {1} expected", at, self.size(dim) - 1);
        GB_ASSIGN(const Tensor place, selectTensor(out, dim, at));
        GB_ASSIGN(const Tensor row, selectTensor(source, dim, i));
        GB_ASSIGN(const Tensor sum, zip(call.context(), place.to(wide), row.to(wide), wide, [&]<class T>(T a, T b) {
                      if constexpr (std::is_same_v<T, std::int64_t>)
                          return sumOf(a, static_cast<T>(static_cast<std::uint64_t>(factor.to<T>())
                                                         * static_cast<std::uint64_t>(b)));
                      else
                          return sumOf(a, static_cast<T>(factor.to<T>() * b));
                  }));
        if (sum.shape() != place.shape())
            return runtimeError("index_add of {0} to {1}, the same sizes expected", ir::describe(row),
                                ir::describe(place));
        GB_TRY(copyInto(call.context(), place, sum));
    }
    return Value(out);
}

Result<Value> oneHot(const Call& call)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(std::int64_t classes, call.integer(1, -1));
    if (given.dtype() != DType::Int64)
        return runtimeError("one_hot of {0}, int64 expected", ir::describe(given));
    const Tensor x = given.contiguous();
    const std::int64_t* numbers = x.data<std::int64_t>();
    if (classes < 0)
        for (std::int64_t i = 0; i < x.elementCount(); ++i)
            classes = std::max(classes, numbers[i] + 1);
    Shape shape = x.shape();
    shape.push_back(classes);
    GB_ASSIGN(Tensor out, makeZeros(DType::Int64, shape));
    for (std::int64_t i = 0; i < x.elementCount(); ++i) {
        if (numbers[i] < 0 || numbers[i] >= classes)
            return runtimeError("class {0}, 0 to {1} expected", numbers[i], classes - 1);
        out.mutableData<std::int64_t>()[i * classes + numbers[i]] = 1;
    }
    return Value(std::move(out));
}

/// The positions of all elements that are not zero, a row each.
Result<Value> nonzero(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_TRY(expectReal(x));
    const Tensor flags = x.to(DType::Bool).contiguous();
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < flags.elementCount(); ++i)
        if (flags.data<bool>()[i])
            found.push_back(i);
    GB_ASSIGN(Tensor out, makeTensor(DType::Int64, {static_cast<std::int64_t>(found.size()), x.dim()}));
    for (std::size_t row = 0; row < found.size(); ++row) {
        std::int64_t left = found[row];
        for (std::int64_t d = x.dim() - 1; d >= 0; --d) {
            out.mutableData<std::int64_t>()[static_cast<std::int64_t>(row) * x.dim() + d] = left % x.size(d);
            left /= x.size(d);
        }
    }
    return Value(std::move(out));
}

constexpr Alias kInPlace = Alias::InPlace;

const KernelRow kRows[] = {
    {"aten.scatter.src", scatter, "self dim index src"},
    {"aten.scatter.value", scatter, "self dim index value"},
    {"aten.scatter_.src", scatter, "self dim index src", kInPlace},
    {"aten.scatter_.value", scatter, "self dim index value", kInPlace},
    {"aten.scatter_add.default", scatterAdd, "self dim index src"},
    {"aten.index_add.default", indexAdd, "self dim index source alpha"},
    {"aten.one_hot.default", oneHot, "self num_classes"},
    {"aten.nonzero.default", nonzero, "self"},
};

} // namespace

std::span<const KernelRow> scatterKernels()
{
    return kRows;
}

} // namespace gb::ops
