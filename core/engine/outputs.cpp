#include "engine/outputs.h"

#include "engine/value_range.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace gb::engine {
namespace {

using ir::DType;
using ir::Tensor;

std::optional<Tensor> asTensor(const ops::Value& value)
{
    if (const Tensor* tensor = value.tensor())
        return tensor->dtype() == DType::BFloat16 ? tensor->to(DType::Float32) : tensor->clone();
    if (const auto* number = value.as<std::int64_t>())
        return Tensor::scalar(*number);
    if (const auto* number = value.as<double>())
        return Tensor::scalar(*number);
    if (const auto* flag = value.as<bool>())
        return Tensor::scalar(static_cast<std::uint8_t>(*flag)).to(DType::Bool);
    return std::nullopt;
}

double gap(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0.0;
    const double out = std::fabs(a - b);
    return std::isnan(out) ? std::numeric_limits<double>::infinity() : out;
}

} // namespace

NamedTensors namedOutputs(const std::string& prefix, const ops::ValueList& values)
{
    NamedTensors out;
    for (const ops::Value& value : values)
        if (auto tensor = asTensor(value))
            out.emplace_back(prefix + "." + std::to_string(out.size()), std::move(*tensor));
    return out;
}

Difference difference(const NamedTensors& a, const NamedTensors& b)
{
    Difference out;
    for (const auto& [name, tensor] : a)
        if (const ValueRange range = rangeOf(tensor); range.low <= range.high)
            out.magnitude = std::max({out.magnitude, std::fabs(range.low), std::fabs(range.high)});
    if (a.size() != b.size()) {
        out.equal = false;
        out.largest = std::numeric_limits<double>::infinity();
        return out;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Tensor x = a[i].second.contiguous();
        const Tensor y = b[i].second.contiguous();
        if (x.shape() != y.shape()) {
            out.equal = false;
            out.largest = std::numeric_limits<double>::infinity();
            continue;
        }
        if (x.dtype() == y.dtype() && std::memcmp(x.rawData(), y.rawData(), x.byteCount()) == 0)
            continue;
        out.equal = false;
        for (std::int64_t k = 0; k < x.elementCount(); ++k)
            out.largest = std::max(out.largest, gap(x.at(k), y.at(k)));
    }
    return out;
}

} // namespace gb::engine
