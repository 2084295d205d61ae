// A strided view of elements in shared memory, as torch.Tensor on a CPU.
//
// The memory is reference counted and may be a heap block or a mapped file: a Tensor does not care. Copying a Tensor
// copies the view. Sizes and strides count elements. A 0-dimensional tensor has one element.
//
// Thread: values; the elements of a tensor that others hold are not written to (see mutableData).
#pragma once

#include "base/result.h"
#include "ir/dtype.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gb::ir {

using Shape = std::vector<std::int64_t>;

/// Memory that tensors look into. Owners derive from it; bytes() stays valid as long as the Storage lives.
class Storage {
public:
    virtual ~Storage() = default;
    [[nodiscard]] virtual const std::byte* bytes() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// Null for read-only memory (a mapped file).
    [[nodiscard]] virtual std::byte* writable() { return nullptr; }
};

class Tensor {
public:
    /// float32, shape [0].
    Tensor();

    /// New, zero-filled, contiguous. The size must have been checked (checkedElementCount).
    static Tensor zeros(DType dtype, Shape shape);
    /// New and contiguous, elements not initialised: for outputs that a kernel fills.
    static Tensor empty(DType dtype, Shape shape);
    /// A view; offset in elements. Error (Shape) when it would read outside the storage, on negative sizes or overflow.
    static base::Result<Tensor> view(std::shared_ptr<Storage> storage, DType dtype, Shape shape, Shape strides,
                                     std::int64_t offset);
    template <class T>
    static Tensor fromVector(const std::vector<T>& values, Shape shape);
    template <class T>
    static Tensor fromVector(const std::vector<T>& values)
    {
        return fromVector(values, {static_cast<std::int64_t>(values.size())});
    }
    /// 0-dimensional.
    template <class T>
    static Tensor scalar(T value)
    {
        return fromVector(std::vector<T>{value}, {});
    }

    [[nodiscard]] DType dtype() const { return m_dtype; }
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    [[nodiscard]] const Shape& strides() const { return m_strides; }
    [[nodiscard]] std::int64_t offset() const { return m_offset; }
    [[nodiscard]] std::int64_t dim() const { return static_cast<std::int64_t>(m_shape.size()); }
    [[nodiscard]] std::int64_t size(std::int64_t axis) const
    {
        return m_shape[static_cast<std::size_t>(axis < 0 ? axis + dim() : axis)];
    }
    [[nodiscard]] std::int64_t elementCount() const { return m_count; }
    [[nodiscard]] std::size_t byteCount() const { return static_cast<std::size_t>(m_count) * itemSize(m_dtype); }
    [[nodiscard]] bool isContiguous() const;
    /// Itself when contiguous, else a row-major copy.
    [[nodiscard]] Tensor contiguous() const;
    /// A contiguous copy that nobody else holds.
    [[nodiscard]] Tensor clone() const;
    /// The same elements seen with other sizes and strides, relative to this tensor's first element. Our own callers
    /// must stay inside the storage (asserted).
    [[nodiscard]] Tensor asStrided(Shape shape, Shape strides, std::int64_t extraOffset = 0) const;
    /// Another shape of the same element count: a view where contiguous, else a copy.
    [[nodiscard]] Tensor reshaped(Shape shape) const;
    /// Converted elementwise as torch's `.to(dtype)`: float to integer truncates, to bool is != 0.
    [[nodiscard]] Tensor to(DType dtype) const;
    /// True when both look into the same storage.
    [[nodiscard]] bool sharesStorage(const Tensor& other) const { return m_storage == other.m_storage; }

    /// First element. T must match dtype(). Only for contiguous() tensors may it be walked without strides.
    template <class T>
    [[nodiscard]] const T* data() const
    {
        assert(sizeof(T) == itemSize(m_dtype));
        return reinterpret_cast<const T*>(m_storage->bytes()) + m_offset;
    }
    /// For a tensor just made by zeros/empty/clone, or a buffer that the model mutates. Null for mapped memory.
    template <class T>
    [[nodiscard]] T* mutableData()
    {
        assert(sizeof(T) == itemSize(m_dtype));
        std::byte* memory = m_storage->writable();
        return memory ? reinterpret_cast<T*>(memory) + m_offset : nullptr;
    }
    [[nodiscard]] const std::byte* rawData() const
    {
        return m_storage->bytes() + static_cast<std::size_t>(m_offset) * itemSize(m_dtype);
    }
    [[nodiscard]] std::byte* mutableRawData();

    /// Element i in row-major order as double; for small tensors, tests and tables.
    [[nodiscard]] double at(std::int64_t i) const;
    /// All elements in row-major order, as double.
    [[nodiscard]] std::vector<double> toDoubles() const;

private:
    Tensor(std::shared_ptr<Storage> storage, DType dtype, Shape shape, Shape strides, std::int64_t offset);

    std::shared_ptr<Storage> m_storage;
    DType m_dtype = DType::Float32;
    Shape m_shape;
    Shape m_strides;
    std::int64_t m_offset = 0;
    std::int64_t m_count = 0;
};

/// Number of elements, or an error (Shape) on a negative size or when the byte count of any dtype would overflow.
base::Result<std::int64_t> checkedElementCount(const Shape& shape);
/// Row-major strides.
Shape contiguousStrides(const Shape& shape);
/// "[8, 3, 3, 3]"
std::string toText(const Shape& shape);
/// "float32 [8, 3, 3, 3]"
std::string describe(const Tensor& tensor);
/// A heap block of `bytes` bytes (16-byte aligned at least 64).
std::shared_ptr<Storage> allocate(std::size_t bytes);

template <class T>
constexpr DType dtypeOf();
template <>
constexpr DType dtypeOf<float>()
{
    return DType::Float32;
}
template <>
constexpr DType dtypeOf<double>()
{
    return DType::Float64;
}
template <>
constexpr DType dtypeOf<std::int8_t>()
{
    return DType::Int8;
}
template <>
constexpr DType dtypeOf<std::uint8_t>()
{
    return DType::UInt8;
}
template <>
constexpr DType dtypeOf<std::int16_t>()
{
    return DType::Int16;
}
template <>
constexpr DType dtypeOf<std::int32_t>()
{
    return DType::Int32;
}
template <>
constexpr DType dtypeOf<std::int64_t>()
{
    return DType::Int64;
}

template <class T>
Tensor Tensor::fromVector(const std::vector<T>& values, Shape shape)
{
    Tensor out = empty(dtypeOf<T>(), std::move(shape));
    assert(out.elementCount() == static_cast<std::int64_t>(values.size()));
    T* to = out.mutableData<T>();
    for (std::size_t i = 0; i < values.size(); ++i)
        to[i] = values[i];
    return out;
}

/// Calls f.template operator()<T>() with the C++ type of a real dtype: integers, bool (as bool), float32, float64.
/// Returns false for the others (float16, complex, ...).
template <class F>
bool dispatch(DType dtype, F&& f)
{
    switch (dtype) {
    case DType::UInt8: f.template operator()<std::uint8_t>(); return true;
    case DType::Int8: f.template operator()<std::int8_t>(); return true;
    case DType::Int16: f.template operator()<std::int16_t>(); return true;
    case DType::UInt16: f.template operator()<std::uint16_t>(); return true;
    case DType::Int32: f.template operator()<std::int32_t>(); return true;
    case DType::UInt32: f.template operator()<std::uint32_t>(); return true;
    case DType::Int64: f.template operator()<std::int64_t>(); return true;
    case DType::UInt64: f.template operator()<std::uint64_t>(); return true;
    case DType::Bool: f.template operator()<bool>(); return true;
    case DType::Float32: f.template operator()<float>(); return true;
    case DType::Float64: f.template operator()<double>(); return true;
    default: return false;
    }
}

} // namespace gb::ir
