// embedding.
//
// Source: aten/src/ATen/native/Embedding.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"

#include <cstring>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using ir::Tensor;

Result<Value> embedding(const Call& call)
{
    GB_ASSIGN(const Tensor given, call.tensor(0));
    GB_ASSIGN(const Tensor numbers, call.tensor(1));
    if (given.dim() != 2)
        return runtimeError("embedding weight {0}, two dimensions expected", ir::describe(given));
    if (numbers.dtype() != DType::Int64 && numbers.dtype() != DType::Int32)
        return runtimeError("embedding indices {0}, int64 or int32 expected", ir::describe(numbers));
    const Tensor weight = given.contiguous();
    const Tensor indices = numbers.to(DType::Int64).contiguous();
    ir::Shape shape = indices.shape();
    shape.push_back(weight.size(1));
    GB_ASSIGN(Tensor out, makeTensor(weight.dtype(), shape));
    const std::size_t row = static_cast<std::size_t>(weight.size(1)) * ir::itemSize(weight.dtype());
    std::byte* to = out.mutableRawData();
    for (std::int64_t i = 0; i < indices.elementCount(); ++i, to += row) {
        const std::int64_t index = indices.data<std::int64_t>()[i];
        if (index < 0 || index >= weight.size(0))
            return Error{
                ErrorCode::IndexError, base::say("index {0}, 0 to {1} expected", index, weight.size(0) - 1), {}};
        std::memcpy(to, weight.rawData() + static_cast<std::size_t>(index) * row, row);
    }
    return Value(std::move(out));
}

const KernelRow kRows[] = {
    {"aten.embedding.default", embedding, "weight indices padding_idx scale_grad_by_freq sparse"},
};

} // namespace

std::span<const KernelRow> embeddingKernels()
{
    return kRows;
}

} // namespace gb::ops
