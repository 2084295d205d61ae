// Ops that draw random numbers: refused by name, since torch's own sequence cannot be repeated here and a run with
// other numbers would show other ranges than the user's.
#include "base/message.h"
#include "ops/kernels/families.h"

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Result<Value> refused(const Call& call)
{
    return Error{
        ErrorCode::NoKernel,
        base::say("{0} draws random numbers, which differ from torch's; a program without it expected", call.target()),
        {}};
}

constexpr const char* kLike = "self dtype layout device pin_memory memory_format";

const KernelRow kRows[] = {
    {"aten.rand.default", refused, "size dtype layout device pin_memory"},
    {"aten.randn.default", refused, "size dtype layout device pin_memory"},
    {"aten.randint.default", refused, "high size dtype layout device pin_memory"},
    {"aten.randint.low", refused, "low high size dtype layout device pin_memory"},
    {"aten.randperm.default", refused, "n dtype layout device pin_memory"},
    {"aten.rand_like.default", refused, kLike},
    {"aten.randn_like.default", refused, kLike},
    {"aten.randint_like.default", refused, "self high dtype layout device pin_memory memory_format"},
    {"aten.randint_like.low_dtype", refused, "self low high dtype layout device pin_memory memory_format"},
    {"aten.bernoulli.default", refused, "self"},
    {"aten.bernoulli.p", refused, "self p"},
    {"aten.bernoulli_.float", refused, "self p", Alias::Maybe},
    {"aten.bernoulli_.Tensor", refused, "self p", Alias::Maybe},
    {"aten.multinomial.default", refused, "self num_samples replacement"},
    {"aten.normal.Tensor_Tensor", refused, "mean std"},
    {"aten.normal.Tensor_float", refused, "mean std"},
    {"aten.normal.float_float", refused, "mean std size"},
    {"aten.normal_.default", refused, "self mean std", Alias::Maybe},
    {"aten.uniform_.default", refused, "self from to", Alias::Maybe},
    {"aten.poisson.default", refused, "self"},
    {"aten.exponential_.default", refused, "self lambd", Alias::Maybe},
    {"aten.rrelu_with_noise.default", refused, "self noise lower upper training"},
};

} // namespace

std::span<const KernelRow> randomKernels()
{
    return kRows;
}

} // namespace gb::ops
