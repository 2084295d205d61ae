#include "ops/kernels/product.h"

#include "ops/gemm/gemm.h"
#include "ops/kernels/elementwise.h"

namespace gb::ops {

using base::Result;
using ir::DType;
using ir::Shape;
using ir::Tensor;

namespace {

/// A stack of matrices [batch..., rows, cols].
struct Matrices {
    Tensor tensor;
    [[nodiscard]] std::int64_t rows() const { return tensor.size(-2); }
    [[nodiscard]] std::int64_t cols() const { return tensor.size(-1); }
    [[nodiscard]] std::int64_t rowStride() const { return tensor.strides()[tensor.strides().size() - 2]; }
    [[nodiscard]] std::int64_t colStride() const { return tensor.strides().back(); }
};

/// The offsets of all matrices of a stack, in row-major order.
std::vector<std::int64_t> matrixOffsets(const Tensor& stack)
{
    std::vector<std::int64_t> out{0};
    for (std::size_t axis = 0; axis + 2 < stack.shape().size(); ++axis) {
        std::vector<std::int64_t> next;
        next.reserve(out.size() * static_cast<std::size_t>(stack.shape()[axis]));
        for (const std::int64_t offset : out)
            for (std::int64_t i = 0; i < stack.shape()[axis]; ++i)
                next.push_back(offset + i * stack.strides()[axis]);
        out = std::move(next);
    }
    return out;
}

template <class T>
void plainProduct(const Context& context, const Matrices& a, const Matrices& b, Tensor& out)
{
    const std::vector<std::int64_t> left = matrixOffsets(a.tensor);
    const std::vector<std::int64_t> right = matrixOffsets(b.tensor);
    const std::int64_t m = a.rows();
    const std::int64_t n = b.cols();
    T* to = out.mutableData<T>();
    for (std::size_t batch = 0; batch < left.size(); ++batch) {
        const T* x = a.tensor.data<T>() + left[batch];
        const T* y = b.tensor.data<T>() + right[batch];
        T* c = to + static_cast<std::int64_t>(batch) * m * n;
        context.forEachChunk(m, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    // int64 wraps around
                    using Sum = std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>;
                    Sum sum = Sum(0);
                    for (std::int64_t k = 0; k < a.cols(); ++k)
                        sum = static_cast<Sum>(sum
                                               + static_cast<Sum>(x[i * a.rowStride() + k * a.colStride()])
                                                     * static_cast<Sum>(y[k * b.rowStride() + j * b.colStride()]));
                    c[i * n + j] = static_cast<T>(sum);
                }
        });
    }
}

void floatProduct(const Context& context, const Matrices& a, const Matrices& b, Tensor& out)
{
    const std::vector<std::int64_t> left = matrixOffsets(a.tensor);
    const std::vector<std::int64_t> right = matrixOffsets(b.tensor);
    const std::int64_t m = a.rows();
    const std::int64_t n = b.cols();
    float* to = out.mutableData<float>();
    for (std::size_t batch = 0; batch < left.size() && !context.work.cancelled(); ++batch)
        multiply(context, m, n, a.cols(), {a.tensor.data<float>() + left[batch], a.rowStride(), a.colStride()},
                 {b.tensor.data<float>() + right[batch], b.rowStride(), b.colStride()},
                 to + static_cast<std::int64_t>(batch) * m * n);
}

/// Both of at least two dimensions and of one dtype; batches broadcast.
Result<Tensor> multiplyStacks(const Context& context, const Tensor& a, const Tensor& b)
{
    if (a.size(-1) != b.size(-2))
        return runtimeError("matrix sizes {0} and {1} do not fit: {2} columns, {3} rows", ir::toText(a.shape()),
                            ir::toText(b.shape()), a.size(-1), b.size(-2));
    const Shape batchA(a.shape().begin(), a.shape().end() - 2);
    const Shape batchB(b.shape().begin(), b.shape().end() - 2);
    GB_ASSIGN(const Shape batch, broadcastShapes(batchA, batchB));
    Shape shapeA = batch;
    shapeA.insert(shapeA.end(), {a.size(-2), a.size(-1)});
    Shape shapeB = batch;
    shapeB.insert(shapeB.end(), {b.size(-2), b.size(-1)});
    Shape shape = batch;
    shape.insert(shape.end(), {a.size(-2), b.size(-1)});
    GB_ASSIGN(const Tensor wideA, broadcastTo(a.to(computeDType(a.dtype())), shapeA));
    GB_ASSIGN(const Tensor wideB, broadcastTo(b.to(computeDType(b.dtype())), shapeB));
    GB_ASSIGN(Tensor out, makeTensor(wideA.dtype(), shape));
    if (out.elementCount() == 0)
        return out.to(a.dtype());
    dispatchCompute(out.dtype(), [&]<class T>() {
        if constexpr (std::is_same_v<T, float>)
            floatProduct(context, {wideA}, {wideB}, out);
        else
            plainProduct<T>(context, {wideA}, {wideB}, out);
    });
    return out.to(a.dtype());
}

/// What torch computes as addmm: the product is added to the bias, block by block, and not the bias to the product.
bool isPlainLinear(const Tensor& x, const Tensor& weight, const Tensor& bias)
{
    const bool floats =
        x.dtype() == DType::Float32 && weight.dtype() == DType::Float32 && bias.dtype() == DType::Float32;
    return floats && x.dim() >= 2 && (x.dim() == 2 || x.isContiguous()) && x.elementCount() > 0 && weight.dim() == 2
           && x.size(-1) == weight.size(1) && bias.dim() == 1 && bias.size(0) == weight.size(0);
}

Result<Tensor> linearOnBias(const Context& context, const Tensor& x, const Tensor& weight, const Tensor& bias)
{
    const std::int64_t rows = x.elementCount() / x.size(-1);
    Shape shape = x.shape();
    shape.back() = weight.size(0);
    GB_ASSIGN(Tensor out, makeTensor(DType::Float32, {rows, weight.size(0)}));
    GB_ASSIGN(const Tensor start, broadcastTo(bias, out.shape()));
    GB_TRY(copyInto(context, out, start));
    const MatrixView left{x.data<float>(), x.dim() == 2 ? x.strides()[0] : x.size(-1), x.strides().back()};
    const MatrixView right{weight.data<float>(), weight.strides()[1], weight.strides()[0]};
    multiply(context, rows, weight.size(0), x.size(-1), left, right, out.mutableData<float>(), true);
    return out.reshaped(shape);
}

Tensor withAxis(const Tensor& t, std::size_t at)
{
    Shape shape = t.shape();
    Shape strides = t.strides();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(at), 1);
    return t.asStrided(shape, strides);
}

} // namespace

Result<Tensor> matmulTensors(const Context& context, const Tensor& a, const Tensor& b)
{
    GB_TRY(expectReal(a));
    GB_TRY(expectSameDType(a, b, "matrix product"));
    if (a.dim() == 0 || b.dim() == 0)
        return runtimeError("both arguments of a matrix product need at least one dimension, {0} and {1} given",
                            ir::describe(a), ir::describe(b));
    const Tensor left = a.dim() == 1 ? withAxis(a, 0) : a;
    const Tensor right = b.dim() == 1 ? withAxis(b, 1) : b;
    // a stack times one matrix is one product of more rows
    if (left.dim() > 2 && right.dim() == 2 && left.isContiguous() && b.dim() == 2) {
        Shape shape = left.shape();
        const std::int64_t k = shape.back();
        shape.back() = right.size(-1);
        const std::int64_t rows = k == 0 ? 0 : left.elementCount() / k;
        if (rows > 0) {
            GB_ASSIGN(const Tensor flat, multiplyStacks(context, left.reshaped({rows, k}), right));
            return flat.reshaped(shape);
        }
    }
    GB_ASSIGN(const Tensor out, multiplyStacks(context, left, right));
    Shape shape = out.shape();
    if (b.dim() == 1)
        shape.pop_back();
    if (a.dim() == 1)
        shape.erase(shape.end() - (b.dim() == 1 ? 1 : 2));
    return out.reshaped(shape);
}

Result<Tensor> addTensors(const Context& context, const Tensor& a, const Tensor& b)
{
    const DType wide = computeDType(a.dtype());
    GB_ASSIGN(const Tensor out,
              zip(context, a.to(wide), b.to(wide), wide, []<class T>(T x, T y) { return static_cast<T>(x + y); }));
    return out.to(a.dtype());
}

Result<Tensor> linearTensors(const Context& context, const Tensor& x, const Tensor& weight,
                             const std::optional<Tensor>& bias)
{
    if (weight.dim() != 2 && weight.dim() != 1)
        return runtimeError("weight {0}, two dimensions expected", ir::describe(weight));
    if (bias && isHalf(x.dtype()) && x.dtype() == weight.dtype() && x.dtype() == bias->dtype()) {
        // rounded once, after the bias
        const DType wide = DType::Float32;
        GB_ASSIGN(const Tensor out, linearTensors(context, x.to(wide), weight.to(wide), bias->to(wide)));
        return out.to(x.dtype());
    }
    if (bias && isPlainLinear(x, weight, *bias))
        return linearOnBias(context, x, weight, *bias);
    const Tensor transposed = weight.dim() == 1 ? weight
                                                : weight.asStrided({weight.size(1), weight.size(0)},
                                                                   {weight.strides()[1], weight.strides()[0]});
    GB_ASSIGN(const Tensor out, matmulTensors(context, x.contiguous(), transposed));
    if (!bias)
        return out;
    GB_TRY(expectSameDType(out, *bias, "linear bias"));
    GB_ASSIGN(Tensor sum, addTensors(context, out, *bias));
    if (sum.shape() != out.shape())
        return runtimeError("bias {0} does not fit the result {1}", ir::toText(bias->shape()), ir::toText(out.shape()));
    return sum;
}

} // namespace gb::ops
