#include "io/tensor_bytes.h"

#include "base/message.h"

#include <cstring>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

namespace {

/// A part of another storage, as a storage of its own (Tensor::view takes a whole storage).
class Part final : public ir::Storage {
public:
    Part(std::shared_ptr<ir::Storage> whole, std::size_t offset, std::size_t size)
        : m_whole(std::move(whole))
        , m_offset(offset)
        , m_size(size)
    {
    }
    [[nodiscard]] const std::byte* bytes() const override { return m_whole->bytes() + m_offset; }
    [[nodiscard]] std::size_t size() const override { return m_size; }

private:
    std::shared_ptr<ir::Storage> m_whole;
    std::size_t m_offset;
    std::size_t m_size;
};

std::size_t alignmentOf(ir::DType dtype)
{
    const std::size_t size = ir::itemSize(dtype);
    return size > 8 ? 8 : size; // complex128 is two doubles
}

/// Elements from the storage's start to behind the last one that is looked at; error on overflow.
Result<std::int64_t> extent(const ir::Shape& shape, const ir::Shape& strides, std::int64_t offset)
{
    std::int64_t last = offset;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        std::int64_t step = 0;
        if (shape[i] == 0)
            return std::int64_t{0};
        if (strides[i] < 0 || __builtin_mul_overflow(shape[i] - 1, strides[i], &step)
            || __builtin_add_overflow(last, step, &last))
            return Error{
                ErrorCode::Shape,
                say("strides {0} for {1}, strides within the memory expected", ir::toText(strides), ir::toText(shape)),
                {}};
    }
    if (__builtin_add_overflow(last, 1, &last))
        return Error{ErrorCode::Shape, say("offset {0}, an offset within the memory expected", offset), {}};
    return last;
}

} // namespace

Result<std::int64_t> checkedShape(const ir::Shape& shape)
{
    if (shape.size() > kMostDims)
        return Error{ErrorCode::Shape, say("{0} dimensions, at most {1} expected", shape.size(), kMostDims), {}};
    ir::Shape sized; // row-major strides are products that leave out nothing, so a size of 0 must not hide an overflow
    for (const std::int64_t size : shape)
        sized.push_back(size == 0 ? 1 : size);
    const auto largest = ir::checkedElementCount(sized);
    if (!largest)
        return Error{largest.error().code, largest.error().sentence, {}};
    return ir::checkedElementCount(shape);
}

Bytes readable(const Bytes& bytes, ir::DType dtype)
{
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignmentOf(dtype) == 0;
    if (aligned && dtype != ir::DType::Bool)
        return {std::make_shared<Part>(bytes.storage, bytes.offset, bytes.size), 0, bytes.size};
    Bytes copy = bytesOf(bytes.text());
    if (dtype == ir::DType::Bool) {
        std::byte* at = copy.storage->writable();
        for (std::size_t i = 0; i < copy.size; ++i)
            at[i] = at[i] == std::byte{0} ? std::byte{0} : std::byte{1};
    }
    return copy;
}

Result<ir::Tensor> tensorOver(const Bytes& block, ir::DType dtype, const ir::Shape& shape, const ir::Shape& strides,
                              std::int64_t offset, const std::string& place)
{
    const auto at = [&](Error error) { return error.in(place); };
    const std::string what = std::string(ir::name(dtype)) + " " + ir::toText(shape);
    if (strides.size() != shape.size())
        return Error{ErrorCode::Shape, say("{0} strides, {1} expected for {2}", strides.size(), shape.size(), what),
                     place};
    const auto count = checkedShape(shape);
    if (!count)
        return at(count.error());
    if (offset < 0)
        return Error{ErrorCode::Shape, say("offset {0}, 0 or more expected for {1}", offset, what), place};
    const auto needed = extent(shape, strides, offset);
    if (!needed)
        return at(needed.error());
    const auto item = static_cast<std::int64_t>(ir::itemSize(dtype));
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(*needed, item, &bytes) || static_cast<std::uint64_t>(bytes) > block.size)
        return Error{ErrorCode::Shape,
                     say("{0} bytes in the archive, {1} expected for {2}",
                         base::grouped(static_cast<long long>(block.size)),
                         bytes > 0 ? base::grouped(bytes) : std::string("more than can be addressed"), what),
                     place};
    if (*count == 0) // nothing is looked at: offset and strides need not lie within the memory
        return ir::Tensor::zeros(dtype, shape);
    auto view = ir::Tensor::view(block.storage, dtype, shape, strides, offset);
    if (!view)
        return at(view.error());
    return view;
}

} // namespace gb::io
