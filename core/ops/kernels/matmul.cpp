// linear, matmul and their like.
//
// Source: aten/src/ATen/native/Linear.cpp, LinearAlgebra.cpp.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/product.h"

namespace gb::ops {
namespace {

using base::Result;
using ir::Tensor;

Result<Value> linear(const Call& call)
{
    GB_ASSIGN(const Tensor x, call.tensor(0));
    GB_ASSIGN(const Tensor weight, call.tensor(1));
    GB_ASSIGN(const std::optional<Tensor> bias, call.maybeTensor(2));
    GB_ASSIGN(Tensor out, linearTensors(call.context(), x, weight, bias));
    return Value(std::move(out));
}

Result<Value> matmul(const Call& call)
{
    GB_ASSIGN(const Tensor a, call.tensor(0));
    GB_ASSIGN(const Tensor b, call.tensor(1));
    GB_ASSIGN(Tensor out, matmulTensors(call.context(), a, b));
    return Value(std::move(out));
}

/// A product of operands with fixed numbers of dimensions.
template <int DimA, int DimB>
Result<Value> product(const Call& call)
{
    GB_ASSIGN(const Tensor a, call.tensor(0));
    GB_ASSIGN(const Tensor b, call.tensor(1));
    if (a.dim() != DimA || b.dim() != DimB)
        return runtimeError("{0} and {1}, {2} and {3} dimensions expected", ir::describe(a), ir::describe(b), DimA,
                            DimB);
    if (DimA == 3 && a.size(0) != b.size(0))
        return runtimeError("batches of {0} and {1} matrices, the same number expected", a.size(0), b.size(0));
    GB_ASSIGN(Tensor out, matmulTensors(call.context(), a, b));
    return Value(std::move(out));
}

Result<Tensor> scaled(const Context& context, const Tensor& x, double factor)
{
    if (factor == 1.0)
        return x;
    return mapSame(context, x, [factor]<class T>(T v) { return static_cast<T>(v * static_cast<T>(factor)); });
}

/// beta * self + alpha * (mat1 @ mat2)
template <int Dims>
Result<Value> addProduct(const Call& call)
{
    GB_ASSIGN(const Tensor self, call.tensor(0));
    GB_ASSIGN(const Tensor a, call.tensor(1));
    GB_ASSIGN(const Tensor b, call.tensor(2));
    GB_ASSIGN(const double beta, call.real(3, 1.0));
    GB_ASSIGN(const double alpha, call.real(4, 1.0));
    if (a.dim() != Dims || b.dim() != Dims)
        return runtimeError("{0} and {1}, {2} dimensions each expected", ir::describe(a), ir::describe(b), Dims);
    GB_TRY(expectSameDType(self, a, "sum of a tensor and a product"));
    GB_ASSIGN(const Tensor raw, matmulTensors(call.context(), a, b));
    GB_ASSIGN(const Tensor out, scaled(call.context(), raw, alpha));
    GB_ASSIGN(const Tensor wide, broadcastTo(self, out.shape()));
    if (beta == 0.0)
        return Value(out);
    GB_ASSIGN(const Tensor added, scaled(call.context(), wide, beta));
    GB_ASSIGN(Tensor sum, addTensors(call.context(), added, out));
    return Value(std::move(sum));
}

const KernelRow kRows[] = {
    {"aten.linear.default", linear, "input weight bias"},
    {"aten.matmul.default", matmul, "self other"},
    {"aten.mm.default", product<2, 2>, "self mat2"},
    {"aten.bmm.default", product<3, 3>, "self mat2"},
    {"aten.mv.default", product<2, 1>, "self vec"},
    {"aten.dot.default", product<1, 1>, "self tensor"},
    {"aten.addmm.default", addProduct<2>, "self mat1 mat2 beta alpha"},
    {"aten.baddbmm.default", addProduct<3>, "self batch1 batch2 beta alpha"},
};

} // namespace

std::span<const KernelRow> matmulKernels()
{
    return kRows;
}

} // namespace gb::ops
