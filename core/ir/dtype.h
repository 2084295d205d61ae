// Element types, by torch's names.
//
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gb::ir {

enum class DType : std::uint8_t {
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Float32,
    Float64,
    Complex32,
    Complex64,
    Complex128,
    Bool,
    BFloat16,
    Float8E4M3FN,
    Float8E5M2,
    UInt16,
    UInt32,
    UInt64,
};

/// "float32", as `str(torch.float32)` without "torch.".
const char* name(DType dtype);
/// The dtype that `name` gives this text for; torch's other spellings ("float", "long", "half") too.
std::optional<DType> dtypeFromName(std::string_view text);
/// Bytes of one element.
std::size_t itemSize(DType dtype);
bool isFloatingPoint(DType dtype);
/// Signed and unsigned integers; not bool.
bool isInteger(DType dtype);
/// torch._export.serde.schema.ScalarType's number; nothing for one that this program does not know.
std::optional<DType> dtypeFromExportNumber(int number);
/// Smallest and largest value of an integer dtype (torch.iinfo).
std::int64_t integerMin(DType dtype);
std::int64_t integerMax(DType dtype);

} // namespace gb::ir
