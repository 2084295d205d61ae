// Short ways to make tensors and constructors in the tests of core/quant.
#pragma once

#include "quant/make_observer.h"

#include <initializer_list>
#include <vector>

namespace gb::test {

inline ir::Tensor floats(const std::vector<float>& values, ir::Shape shape)
{
    return ir::Tensor::fromVector(values, std::move(shape));
}

inline ir::Tensor floats(const std::vector<float>& values)
{
    return ir::Tensor::fromVector(values);
}

using Arguments = std::vector<std::pair<std::string, ir::Argument>>;

inline ir::ObserverConstructor constructor(const std::string& name, Arguments arguments)
{
    return {name, std::move(arguments)};
}

/// The observer, or null where it is refused.
inline std::shared_ptr<quant::Observer> made(const std::string& name, Arguments arguments)
{
    auto result = quant::makeObserver(constructor(name, std::move(arguments)));
    return result ? *result : nullptr;
}

/// "Type: sentence" of what the constructor refuses, or nothing.
inline std::string refusal(const std::string& name, Arguments arguments)
{
    const auto result = quant::makeObserver(constructor(name, std::move(arguments)));
    return result ? std::string() : base::exceptionName(result.error().code) + (": " + result.error().sentence);
}

/// int8, -128 to 127, with what the caller adds.
inline Arguments int8Arguments(std::initializer_list<std::pair<std::string, ir::Argument>> more = {})
{
    Arguments all = {{"dtype", ir::DType::Int8}, {"quant_min", -128}, {"quant_max", 127}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// A deterministic sequence of values in (-1, 1), the same on every machine.
inline std::vector<float> sequence(std::size_t count, std::uint32_t seed = 1)
{
    std::vector<float> out;
    std::uint32_t state = seed;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        out.push_back(static_cast<float>(static_cast<std::int32_t>(state)) / 2147483648.0F);
    }
    return out;
}

} // namespace gb::test
