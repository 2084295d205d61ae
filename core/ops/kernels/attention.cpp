// scaled_dot_product_attention.
//
// Source: aten/src/ATen/native/transformers/attention.cpp (_scaled_dot_product_attention_math), sdp_utils_cpp.cpp
// (which calls take the fused kernel).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/flash_attention.h"
#include "ops/kernels/product.h"
#include "ops/kernels/softmax.h"

#include <cmath>
#include <limits>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

constexpr float kMasked = -std::numeric_limits<float>::infinity();

Tensor transposedLast(const Tensor& x)
{
    Shape shape = x.shape();
    Shape strides = x.strides();
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
    return x.asStrided(shape, strides);
}

/// Grouped query attention: each head of key and value serves several heads of the query.
Result<Tensor> repeatHeads(const Tensor& x, std::int64_t heads)
{
    const std::int64_t own = x.size(-3);
    if (own == heads)
        return x;
    if (own == 0 || heads % own != 0)
        return runtimeError("{0} heads of keys for {1} of the query, a divisor expected", own, heads);
    const auto at = static_cast<std::ptrdiff_t>(x.dim() - 3);
    Shape shape = x.shape();
    Shape strides = x.strides();
    shape.insert(shape.begin() + at + 1, heads / own);
    strides.insert(strides.begin() + at + 1, 0);
    Shape merged = x.shape();
    merged[static_cast<std::size_t>(at)] = heads;
    GB_TRY(checkSize(merged));
    return x.asStrided(shape, strides).contiguous().reshaped(merged);
}

/// A mask of floats, with -inf where a mask of bools is False, seen with the shape of the scores.
Result<Tensor> floatMask(const Context& context, const Tensor& mask, const Shape& shape)
{
    Tensor added = mask.to(DType::Float32);
    if (mask.dtype() == DType::Bool) {
        GB_ASSIGN(Tensor floats, makeTensor(DType::Float32, mask.shape()));
        mapRows<bool, float>(context, floats, mask, [](bool keep) { return keep ? 0.0F : kMasked; });
        added = floats;
    }
    return broadcastTo(added, shape);
}

void maskFuture(Tensor& scores)
{
    const std::int64_t rows = scores.size(-2);
    const std::int64_t cols = scores.size(-1);
    float* values = scores.mutableData<float>();
    for (std::int64_t at = 0; at < scores.elementCount(); at += rows * cols)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = i + 1; j < cols; ++j)
                values[at + i * cols + j] = kMasked;
}

struct Attention {
    Tensor query;
    Tensor key;
    Tensor value;
    std::optional<Tensor> mask;
    bool causal = false;
    float scale = 1.0F;
};

Result<Attention> read(const Call& call)
{
    Attention out;
    GB_ASSIGN(out.query, call.tensor(0));
    GB_ASSIGN(out.key, call.tensor(1));
    GB_ASSIGN(out.value, call.tensor(2));
    GB_ASSIGN(out.mask, call.maybeTensor(3));
    GB_ASSIGN(const double dropout, call.real(4, 0.0));
    GB_ASSIGN(out.causal, call.boolean(5, false));
    for (const Tensor* x : {&out.query, &out.key, &out.value}) {
        GB_TRY(expectFloat(*x, "attention operand"));
        if (x->dim() < 2)
            return runtimeError("attention operand {0}, two or more dimensions expected", ir::describe(*x));
    }
    GB_TRY(expectSameDType(out.query, out.key, "attention"));
    GB_TRY(expectSameDType(out.query, out.value, "attention"));
    if (dropout != 0.0)
        return Error{ErrorCode::NoKernel, base::say("dropout_p {0} draws random numbers, 0 expected", dropout), {}};
    if (out.causal && out.mask)
        return runtimeError("is_causal with an attn_mask, one of them expected");
    GB_ASSIGN(const double scale, call.real(6, 1.0 / std::sqrt(static_cast<double>(out.query.size(-1)))));
    out.scale = static_cast<float>(scale);
    GB_ASSIGN(const bool grouped, call.boolean(7, false));
    if (grouped && out.query.dim() >= 3 && out.key.dim() >= 3 && out.value.dim() >= 3) {
        GB_ASSIGN(out.key, repeatHeads(out.key, out.query.size(-3)));
        GB_ASSIGN(out.value, repeatHeads(out.value, out.query.size(-3)));
    }
    return out;
}

/// torch's fused kernel takes four dimensions, the same batches and heads, and heads of one width.
bool isFused(const Attention& a)
{
    if (a.query.dtype() != DType::Float32 || a.query.dim() != 4 || a.key.dim() != 4 || a.value.dim() != 4)
        return false;
    bool same = a.key.size(2) == a.value.size(2) && a.query.size(3) == a.key.size(3);
    for (const std::int64_t axis : {0, 1, 3})
        same = same && a.query.size(axis) == a.key.size(axis) && a.query.size(axis) == a.value.size(axis);
    return same && a.query.elementCount() > 0 && a.key.elementCount() > 0;
}

Result<Value> fused(const Context& context, const Attention& a)
{
    FlashAttention out{a.query, a.key, a.value, {}, a.causal, a.scale};
    if (a.mask) {
        const Shape scores{a.query.size(0), a.query.size(1), a.query.size(2), a.key.size(2)};
        GB_ASSIGN(out.mask, floatMask(context, *a.mask, scores));
    }
    GB_ASSIGN(Tensor result, flashAttention(context, out));
    return Value(std::move(result));
}

Result<Value> attention(const Call& call)
{
    GB_ASSIGN(const Attention a, read(call));
    const Context& context = call.context();
    if (isFused(a))
        return fused(context, a);
    const DType wide = DType::Float32;
    GB_ASSIGN(const Tensor raw, matmulTensors(context, a.query.to(wide), transposedLast(a.key.to(wide))));
    GB_ASSIGN(Tensor scores, mapSame(context, raw, [&]<class T>(T x) { return x * static_cast<T>(a.scale); }));
    if (a.mask) {
        GB_ASSIGN(const Tensor mask, floatMask(context, *a.mask, scores.shape()));
        GB_ASSIGN(scores, addTensors(context, scores, mask));
    }
    if (a.causal)
        maskFuture(scores);
    const std::int64_t width = scores.size(-1);
    softmaxRows(context, scores.mutableData<float>(), width == 0 ? 0 : scores.elementCount() / width, width, false,
                true);
    GB_ASSIGN(const Tensor out, matmulTensors(context, scores, a.value.to(wide)));
    return Value(out.to(a.query.dtype()));
}

const KernelRow kRows[] = {
    {"aten.scaled_dot_product_attention.default", attention,
     "query key value attn_mask dropout_p is_causal scale enable_gqa"},
};

} // namespace

std::span<const KernelRow> attentionKernels()
{
    return kRows;
}

} // namespace gb::ops
