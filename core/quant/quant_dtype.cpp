#include "quant/quant_dtype.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gb::quant {
namespace {

using ir::DType;

struct OldName {
    const char* name;
    DType storage;
};

constexpr std::array kOldNames = {
    OldName{"quint8", DType::UInt8},
    OldName{"qint8", DType::Int8},
    OldName{"qint32", DType::Int32},
    OldName{"quint4x2", DType::UInt8},
};

constexpr std::array<std::string_view, 11> kObservable = {
    "qint8", "quint8", "quint4x2",    "qint32",        "int8",   "uint8",
    "int16", "int32",  "float8_e5m2", "float8_e4m3fn", "uint16",
};

} // namespace

QuantDType quantDType(DType dtype)
{
    return {ir::name(dtype), dtype};
}

QuantDType quantDType(const ir::Argument& argument)
{
    if (const auto* dtype = argument.as<DType>())
        return quantDType(*dtype);
    const auto* text = argument.as<std::string>();
    if (!text)
        return {"None", std::nullopt};
    std::string name = text->starts_with("torch.") ? text->substr(6) : *text;
    for (const OldName& old : kOldNames)
        if (name == old.name)
            return {std::move(name), old.storage};
    if (const auto dtype = ir::dtypeFromName(name))
        return quantDType(*dtype);
    return {std::move(name), std::nullopt};
}

bool isObservable(const QuantDType& dtype)
{
    return dtype.storage && std::find(kObservable.begin(), kObservable.end(), dtype.name) != kObservable.end();
}

base::Result<std::pair<std::int64_t, std::int64_t>> integerInfo(const QuantDType& dtype)
{
    if (!dtype.storage || !ir::isInteger(*dtype.storage))
        return base::Error{base::ErrorCode::TypeError,
                           "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'",
                           {}};
    return std::pair{ir::integerMin(*dtype.storage), ir::integerMax(*dtype.storage)};
}

int integerBits(const QuantDType& dtype)
{
    return static_cast<int>(ir::itemSize(*dtype.storage)) * 8;
}

} // namespace gb::quant
