// searchsorted and bucketize.
//
// Source: aten/src/ATen/native/Bucketization.cpp (cus_lower_bound, cus_upper_bound).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <algorithm>

namespace gb::ops {
namespace {

using base::Result;
using ir::DType;
using ir::Tensor;

struct Search {
    Tensor sequence;             ///< contiguous, sorted along the last dimension
    Tensor values;               ///< contiguous
    std::optional<Tensor> order; ///< int64 as sequence: where its sorted elements stand
    bool right = false;
    bool asInt32 = false;
};

/// The first position whose element is not less than (or, from the right, greater than) the value.
template <class T>
std::int64_t positionOf(const T* row, const std::int64_t* order, std::int64_t width, T value, bool right)
{
    std::int64_t start = 0;
    std::int64_t end = width;
    while (start < end) {
        const std::int64_t middle = start + (end - start) / 2;
        const T element = row[order ? order[middle] : middle];
        if (right ? element > value : element >= value)
            end = middle;
        else
            start = middle + 1;
    }
    return start;
}

base::Status checkSearch(const Search& search)
{
    const Tensor& sequence = search.sequence;
    GB_TRY(expectReal(sequence));
    if (sequence.dim() == 0)
        return runtimeError("sorted sequence {0}, one or more dimensions expected", ir::describe(sequence));
    const bool alike =
        search.values.dim() == sequence.dim()
        && std::equal(sequence.shape().begin(), sequence.shape().end() - 1, search.values.shape().begin());
    if (sequence.dim() != 1 && !alike)
        return runtimeError("values {0} for a sorted sequence {1}, the same sizes but the last expected",
                            ir::toText(search.values.shape()), ir::toText(sequence.shape()));
    if (!search.order)
        return {};
    if (search.order->shape() != sequence.shape() || search.order->dtype() != DType::Int64)
        return runtimeError("sorter {0}, int64 {1} expected", ir::describe(*search.order),
                            ir::toText(sequence.shape()));
    const std::int64_t* order = search.order->data<std::int64_t>();
    for (std::int64_t i = 0; i < search.order->elementCount(); ++i)
        if (order[i] < 0 || order[i] >= sequence.size(-1))
            return runtimeError("sorter index {0}, 0 to {1} expected", order[i], sequence.size(-1) - 1);
    return {};
}

Result<Value> run(const Search& search)
{
    GB_TRY(expectReal(search.values));
    GB_TRY(checkSearch(search));
    GB_ASSIGN(Tensor out, makeTensor(DType::Int64, search.values.shape()));
    const DType dtype = computeDType(ResultType().add(search.sequence).add(search.values).get());
    const Tensor sequence = search.sequence.to(dtype);
    const Tensor values = search.values.to(dtype);
    const std::int64_t width = sequence.size(-1);
    const std::int64_t perRow =
        sequence.dim() == 1 ? std::max<std::int64_t>(1, values.elementCount()) : values.size(-1);
    auto* to = out.mutableData<std::int64_t>();
    dispatchCompute(dtype, [&]<class T>() {
        for (std::int64_t i = 0; i < values.elementCount(); ++i) {
            const std::int64_t at = i / perRow * width;
            const std::int64_t* order = search.order ? search.order->data<std::int64_t>() + at : nullptr;
            to[i] = positionOf<T>(sequence.data<T>() + at, order, width, values.data<T>()[i], search.right);
        }
    });
    return Value(search.asInt32 ? out.to(DType::Int32) : out);
}

Result<Value> searchSorted(const Call& call)
{
    Search search;
    GB_ASSIGN(const Tensor sequence, call.tensor(0));
    search.sequence = sequence.contiguous();
    GB_ASSIGN(const Tensor values,
              operandAs(call, 1, call.value(1).tensor() ? call.value(1).tensor()->dtype() : sequence.dtype()));
    search.values = values.contiguous();
    GB_ASSIGN(search.asInt32, call.boolean(2, false));
    GB_ASSIGN(search.right, call.boolean(3, false));
    GB_ASSIGN(const std::string_view side, call.text(4, search.right ? "right" : "left"));
    if (side != "left" && side != "right")
        return runtimeError("side '{0}', 'left' or 'right' expected", side);
    if (search.right && side == "left")
        return runtimeError("side 'left' with right True, one of them expected");
    search.right = side == "right";
    GB_ASSIGN(const std::optional<Tensor> order, call.maybeTensor(5));
    if (order)
        search.order = order->contiguous();
    return run(search);
}

Result<Value> bucketize(const Call& call)
{
    Search search;
    GB_ASSIGN(const Tensor boundaries, call.tensor(1));
    if (boundaries.dim() != 1)
        return runtimeError("boundaries {0}, one dimension expected", ir::describe(boundaries));
    search.sequence = boundaries.contiguous();
    GB_ASSIGN(const Tensor values, operandAs(call, 0, boundaries.dtype()));
    search.values = values.contiguous();
    GB_ASSIGN(search.asInt32, call.boolean(2, false));
    GB_ASSIGN(search.right, call.boolean(3, false));
    return run(search);
}

constexpr const char* kSearchNames = "sorted_sequence self out_int32 right side sorter";

const KernelRow kRows[] = {
    {"aten.searchsorted.Tensor", searchSorted, kSearchNames},
    {"aten.searchsorted.Scalar", searchSorted, kSearchNames},
    {"aten.bucketize.Tensor", bucketize, "self boundaries out_int32 right"},
    {"aten.bucketize.Scalar", bucketize, "self boundaries out_int32 right"},
};

} // namespace

std::span<const KernelRow> searchKernels()
{
    return kRows;
}

} // namespace gb::ops
