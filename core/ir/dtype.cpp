#include "ir/dtype.h"

#include <array>
#include <limits>

namespace gb::ir {
namespace {

struct Row {
    DType dtype;
    const char* name;
    const char* alias;
    std::size_t size;
    int exportNumber; ///< torch/_export/serde/schema.py, class ScalarType
};

// The order is that of the enum.
constexpr std::array kRows = {
    Row{DType::UInt8, "uint8", "", 1, 1},
    Row{DType::Int8, "int8", "", 1, 2},
    Row{DType::Int16, "int16", "short", 2, 3},
    Row{DType::Int32, "int32", "int", 4, 4},
    Row{DType::Int64, "int64", "long", 8, 5},
    Row{DType::Float16, "float16", "half", 2, 6},
    Row{DType::Float32, "float32", "float", 4, 7},
    Row{DType::Float64, "float64", "double", 8, 8},
    Row{DType::Complex32, "complex32", "chalf", 4, 9},
    Row{DType::Complex64, "complex64", "cfloat", 8, 10},
    Row{DType::Complex128, "complex128", "cdouble", 16, 11},
    Row{DType::Bool, "bool", "", 1, 12},
    Row{DType::BFloat16, "bfloat16", "", 2, 13},
    Row{DType::Float8E4M3FN, "float8_e4m3fn", "", 1, 29},
    Row{DType::Float8E5M2, "float8_e5m2", "", 1, 30},
    Row{DType::UInt16, "uint16", "", 2, 28},
    Row{DType::UInt32, "uint32", "", 4, 34},
    Row{DType::UInt64, "uint64", "", 8, 35},
};

const Row& row(DType dtype)
{
    return kRows[static_cast<std::size_t>(dtype)];
}

} // namespace

const char* name(DType dtype)
{
    return row(dtype).name;
}

std::optional<DType> dtypeFromName(std::string_view text)
{
    for (const Row& r : kRows)
        if (text == r.name || (*r.alias && text == r.alias))
            return r.dtype;
    return std::nullopt;
}

std::size_t itemSize(DType dtype)
{
    return row(dtype).size;
}

bool isFloatingPoint(DType dtype)
{
    switch (dtype) {
    case DType::Float16:
    case DType::Float32:
    case DType::Float64:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2: return true;
    default: return false;
    }
}

bool isInteger(DType dtype)
{
    switch (dtype) {
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64: return true;
    default: return false;
    }
}

std::optional<DType> dtypeFromExportNumber(int number)
{
    for (const Row& r : kRows)
        if (r.exportNumber == number)
            return r.dtype;
    return std::nullopt;
}

std::int64_t integerMin(DType dtype)
{
    switch (dtype) {
    case DType::Int8: return -128;
    case DType::Int16: return std::numeric_limits<std::int16_t>::min();
    case DType::Int32: return std::numeric_limits<std::int32_t>::min();
    case DType::Int64: return std::numeric_limits<std::int64_t>::min();
    default: return 0;
    }
}

std::int64_t integerMax(DType dtype)
{
    switch (dtype) {
    case DType::UInt8: return 255;
    case DType::Int8: return 127;
    case DType::Int16: return std::numeric_limits<std::int16_t>::max();
    case DType::UInt16: return std::numeric_limits<std::uint16_t>::max();
    case DType::Int32: return std::numeric_limits<std::int32_t>::max();
    case DType::UInt32: return std::numeric_limits<std::uint32_t>::max();
    case DType::Bool: return 1;
    default: return std::numeric_limits<std::int64_t>::max();
    }
}

} // namespace gb::ir
