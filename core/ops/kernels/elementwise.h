// Loops for ops that give one element for one element (of each operand).
//
// An op is a functor with a template call operator over the element type. float16 and bfloat16 are computed in float32
// and rounded once at the end, as torch's vectorised kernels do; integers in int64 and cut back, which wraps around as
// their own arithmetic would. So a loop exists for four types, not for eleven.
//
// Thread: pure functions; long loops are shared among the context's pool.
#pragma once

#include "ops/call.h"
#include "ops/promote.h"
#include "ops/strided.h"

#include <type_traits>

namespace gb::ops {

/// A number or tensor operand as a tensor of this dtype; numbers become 0-dimensional.
base::Result<ir::Tensor> operandAs(const Call& call, std::size_t index, ir::DType dtype);
/// Adds a number or tensor operand to a result type. TypeError for something else.
base::Status addOperand(const Call& call, std::size_t index, ResultType& type);
/// float32 for float16 and bfloat16, int64 for integers, else itself.
inline ir::DType computeDType(ir::DType dtype)
{
    if (ir::isInteger(dtype))
        return ir::DType::Int64;
    return isHalf(dtype) ? ir::DType::Float32 : dtype;
}

/// ir::dispatch for the dtypes that computeDType gives.
template <class F>
void dispatchCompute(ir::DType dtype, const F& f)
{
    switch (dtype) {
    case ir::DType::Bool: f.template operator()<bool>(); break;
    case ir::DType::Int64: f.template operator()<std::int64_t>(); break;
    case ir::DType::Float64: f.template operator()<double>(); break;
    default: f.template operator()<float>(); break;
    }
}

template <class In, class Out, class F>
void mapRows(const Context& context, ir::Tensor& out, const ir::Tensor& in, const F& f)
{
    Out* to = out.mutableData<Out>();
    const In* from = in.data<In>();
    forEachRow<2>(context, {&out, &in}, [&](const auto& at, std::int64_t count, const auto& step) {
        Out* o = to + at[0];
        const In* x = from + at[1];
        if (step[0] == 1 && step[1] == 1) {
            for (std::int64_t i = 0; i < count; ++i)
                o[i] = static_cast<Out>(f(x[i]));
        } else {
            for (std::int64_t i = 0; i < count; ++i)
                o[i * step[0]] = static_cast<Out>(f(x[i * step[1]]));
        }
    });
}

template <class In, class Out, class F>
void zipRows(const Context& context, ir::Tensor& out, const ir::Tensor& a, const ir::Tensor& b, const F& f)
{
    Out* to = out.mutableData<Out>();
    const In* left = a.data<In>();
    const In* right = b.data<In>();
    forEachRow<3>(context, {&out, &a, &b}, [&](const auto& at, std::int64_t count, const auto& step) {
        Out* o = to + at[0];
        const In* x = left + at[1];
        const In* y = right + at[2];
        if (step[0] == 1 && step[1] == 1 && step[2] == 1) {
            for (std::int64_t i = 0; i < count; ++i)
                o[i] = static_cast<Out>(f(x[i], y[i]));
        } else if (step[0] == 1 && step[1] == 1 && step[2] == 0) {
            const In fixed = *y;
            for (std::int64_t i = 0; i < count; ++i)
                o[i] = static_cast<Out>(f(x[i], fixed));
        } else {
            for (std::int64_t i = 0; i < count; ++i)
                o[i * step[0]] = static_cast<Out>(f(x[i * step[1]], y[i * step[2]]));
        }
    });
}

/// f over a tensor of any real dtype, the result of the same dtype.
template <class F>
base::Result<ir::Tensor> mapSame(const Context& context, const ir::Tensor& x, const F& f)
{
    GB_TRY(expectReal(x));
    const ir::Tensor in = x.to(computeDType(x.dtype()));
    GB_ASSIGN(ir::Tensor out, makeTensor(in.dtype(), in.shape()));
    dispatchCompute(in.dtype(), [&]<class T>() { mapRows<T, T>(context, out, in, f); });
    return out.to(x.dtype());
}

/// f over a tensor made floating point (integers and bool become float32).
template <class F>
base::Result<ir::Tensor> mapFloat(const Context& context, const ir::Tensor& x, const F& f)
{
    GB_TRY(expectReal(x));
    const ir::DType dtype = toFloating(x.dtype());
    const ir::Tensor in = x.to(computeDType(dtype));
    GB_ASSIGN(ir::Tensor out, makeTensor(in.dtype(), in.shape()));
    if (in.dtype() == ir::DType::Float64)
        mapRows<double, double>(context, out, in, f);
    else
        mapRows<float, float>(context, out, in, f);
    return out.to(dtype);
}

/// f over a tensor of any real dtype, giving bool.
template <class F>
base::Result<ir::Tensor> mapToBool(const Context& context, const ir::Tensor& x, const F& f)
{
    GB_TRY(expectReal(x));
    const ir::Tensor in = x.to(computeDType(x.dtype()));
    GB_ASSIGN(ir::Tensor out, makeTensor(ir::DType::Bool, in.shape()));
    dispatchCompute(in.dtype(), [&]<class T>() { mapRows<T, bool>(context, out, in, f); });
    return out;
}

/// f over two tensors of one dtype that computeDType gives, broadcast. The result has `outDType`: bool where f gives
/// bool, else that dtype.
template <class F>
base::Result<ir::Tensor> zip(const Context& context, const ir::Tensor& a, const ir::Tensor& b, ir::DType outDType,
                             const F& f)
{
    GB_ASSIGN(const ir::Shape shape, broadcastShapes(a.shape(), b.shape()));
    GB_ASSIGN(const ir::Tensor left, broadcastTo(a, shape));
    GB_ASSIGN(const ir::Tensor right, broadcastTo(b, shape));
    GB_ASSIGN(ir::Tensor out, makeTensor(outDType, shape));
    dispatchCompute(a.dtype(), [&]<class T>() {
        using Out = std::conditional_t<std::is_same_v<decltype(f(T{}, T{})), bool>, bool, T>;
        zipRows<T, Out>(context, out, left, right, f);
    });
    return out;
}

/// f over two operands in torch.result_type.
template <class F>
base::Result<Value> binarySame(const Call& call, const F& f, bool floating = false)
{
    ResultType type;
    GB_TRY(addOperand(call, 0, type));
    GB_TRY(addOperand(call, 1, type));
    const ir::DType dtype = floating ? toFloating(type.get()) : type.get();
    GB_ASSIGN(const ir::Tensor a, operandAs(call, 0, computeDType(dtype)));
    GB_ASSIGN(const ir::Tensor b, operandAs(call, 1, computeDType(dtype)));
    GB_ASSIGN(const ir::Tensor out, zip(call.context(), a, b, a.dtype(), f));
    return Value(out.to(dtype));
}

/// f over two operands compared in torch.result_type, giving bool.
template <class F>
base::Result<Value> binaryBool(const Call& call, const F& f)
{
    ResultType type;
    GB_TRY(addOperand(call, 0, type));
    GB_TRY(addOperand(call, 1, type));
    const ir::DType dtype = computeDType(type.get());
    GB_ASSIGN(const ir::Tensor a, operandAs(call, 0, dtype));
    GB_ASSIGN(const ir::Tensor b, operandAs(call, 1, dtype));
    GB_ASSIGN(ir::Tensor out, zip(call.context(), a, b, ir::DType::Bool, f));
    return Value(std::move(out));
}

} // namespace gb::ops
