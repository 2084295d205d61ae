// The dtypes that torchao's observers quantize to: torch's integers and its older quantized dtypes.
//
// ir::DType has no quint8, qint8, qint32 and quint4x2, since no tensor of a program has them; here they are the
// defaults of torchao's constructors and the names that a user may give.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "ir/argument.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gb::quant {

struct QuantDType {
    std::string name = "quint8";                         ///< torch's name, without "torch."
    std::optional<ir::DType> storage = ir::DType::UInt8; ///< what holds the values; absent for no dtype at all

    friend bool operator==(const QuantDType&, const QuantDType&) = default;
    [[nodiscard]] bool isUnsigned8() const { return name == "quint8" || name == "uint8"; }
    [[nodiscard]] bool isSigned8() const { return name == "qint8" || name == "int8"; }
    [[nodiscard]] bool isSigned32() const { return name == "qint32" || name == "int32"; }
};

QuantDType quantDType(ir::DType dtype);
/// A dtype, or its name as text. Anything else becomes a QuantDType without storage that has the value's text as name:
/// torchao takes any object and says later what it thinks of it.
QuantDType quantDType(const ir::Argument& argument);
/// _ALLOWED_DTYPES of UniformQuantizationObserverBase.
bool isObservable(const QuantDType& dtype);
/// torch.iinfo(dtype): smallest and largest value. Errors: TypeError for a float dtype or no dtype at all.
base::Result<std::pair<std::int64_t, std::int64_t>> integerInfo(const QuantDType& dtype);
/// torch.iinfo(dtype).bits; precondition: integerInfo succeeds.
int integerBits(const QuantDType& dtype);

} // namespace gb::quant
