#include "ir/tensor.h"

#include "base/message.h"
#include "ir/block_cache.h"
#include "ir/half.h"

#include <cstdint>
#include <cstring>
#include <limits>

namespace gb::ir {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

/// Of all tensors. Where an address sanitizer watches for memory used after it was given back, nothing is kept.
BlockCache& blocks()
{
#if defined(__SANITIZE_ADDRESS__)
    constexpr std::size_t kKept = 0;
#else
    constexpr std::size_t kKept = std::size_t{128} << 20;
#endif
    static BlockCache& cache = *new BlockCache(kKept); // never destroyed: tensors may outlive every other object
    return cache;
}

class HeapStorage final : public Storage {
public:
    explicit HeapStorage(std::size_t size)
        : m_size(size)
        , m_memory(blocks().take(size))
    {
    }
    HeapStorage(const HeapStorage&) = delete;
    HeapStorage& operator=(const HeapStorage&) = delete;
    ~HeapStorage() override { blocks().give(m_memory, m_size); }

    [[nodiscard]] const std::byte* bytes() const override { return m_memory; }
    [[nodiscard]] std::size_t size() const override { return m_size; }
    [[nodiscard]] std::byte* writable() override { return m_memory; }

private:
    std::size_t m_size;
    std::byte* m_memory;
};

std::int64_t productOf(const Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

/// Calls visit(source element index) for every element in row-major order.
template <class F>
void forEachElement(const Shape& shape, const Shape& strides, F&& visit)
{
    const std::size_t rank = shape.size();
    if (rank == 0) {
        visit(std::int64_t{0});
        return;
    }
    if (productOf(shape) == 0)
        return;
    Shape index(rank, 0);
    std::int64_t at = 0;
    const std::int64_t inner = shape[rank - 1];
    const std::int64_t step = strides[rank - 1];
    while (true) {
        for (std::int64_t i = 0; i < inner; ++i)
            visit(at + i * step);
        std::size_t axis = rank - 1;
        while (axis > 0) {
            --axis;
            at += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            at -= strides[axis] * shape[axis];
            index[axis] = 0;
            if (axis == 0)
                return;
        }
        if (rank == 1)
            return;
    }
}

template <class T>
void copyStrided(const Tensor& from, T* to)
{
    const T* source = from.data<T>();
    forEachElement(from.shape(), from.strides(), [&](std::int64_t at) { *to++ = source[at]; });
}

/// Reads an element of any real dtype as double (int64 beyond 2^53 loses digits: only for tables).
double readElement(const Tensor& t, std::int64_t at)
{
    double out = 0;
    if (dispatch(t.dtype(), [&]<class T>() { out = static_cast<double>(t.data<T>()[at]); }))
        return out;
    if (t.dtype() == DType::Float16)
        return static_cast<double>(halfToFloat(t.data<std::uint16_t>()[at]));
    if (t.dtype() == DType::BFloat16)
        return static_cast<double>(bfloat16ToFloat(t.data<std::uint16_t>()[at]));
    return std::numeric_limits<double>::quiet_NaN();
}

template <class From, class To>
To convertElement(From value)
{
    if constexpr (std::is_same_v<To, bool>)
        return value != From{};
    else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        // torch truncates; out of range is undefined there and saturated here
        const double wide = static_cast<double>(value);
        if (!(wide > -9.3e18 && wide < 9.3e18))
            return wide > 0 && wide == wide ? std::numeric_limits<To>::max() : std::numeric_limits<To>::min();
        return static_cast<To>(static_cast<std::int64_t>(value));
    } else
        return static_cast<To>(value);
}

/// float16 and bfloat16 become float32 and back; everything else goes element by element.
Tensor widened(const Tensor& half)
{
    Tensor out = Tensor::empty(DType::Float32, half.shape());
    const auto* from = half.data<std::uint16_t>();
    auto* to = out.mutableData<float>();
    const bool brain = half.dtype() == DType::BFloat16;
    for (std::int64_t i = 0; i < half.elementCount(); ++i)
        to[i] = brain ? bfloat16ToFloat(from[i]) : halfToFloat(from[i]);
    return out;
}

Tensor narrowed(const Tensor& floats, DType dtype)
{
    Tensor out = Tensor::empty(dtype, floats.shape());
    const auto* from = floats.data<float>();
    auto* to = out.mutableData<std::uint16_t>();
    for (std::int64_t i = 0; i < floats.elementCount(); ++i)
        to[i] = dtype == DType::BFloat16 ? floatToBfloat16(from[i]) : floatToHalf(from[i]);
    return out;
}

bool isHalf(DType dtype)
{
    return dtype == DType::Float16 || dtype == DType::BFloat16;
}

} // namespace

std::shared_ptr<Storage> allocate(std::size_t bytes)
{
    return std::make_shared<HeapStorage>(bytes);
}

Tensor::Tensor()
    : Tensor(allocate(0), DType::Float32, {0}, {1}, 0)
{
}

Tensor::Tensor(std::shared_ptr<Storage> storage, DType dtype, Shape shape, Shape strides, std::int64_t offset)
    : m_storage(std::move(storage))
    , m_dtype(dtype)
    , m_shape(std::move(shape))
    , m_strides(std::move(strides))
    , m_offset(offset)
    , m_count(productOf(m_shape))
{
}

Tensor Tensor::empty(DType dtype, Shape shape)
{
    Shape strides = contiguousStrides(shape);
    const auto count = static_cast<std::size_t>(productOf(shape));
    return {allocate(count * itemSize(dtype)), dtype, std::move(shape), std::move(strides), 0};
}

Tensor Tensor::zeros(DType dtype, Shape shape)
{
    Tensor out = empty(dtype, std::move(shape));
    std::memset(out.mutableRawData(), 0, out.byteCount());
    return out;
}

Result<Tensor> Tensor::view(std::shared_ptr<Storage> storage, DType dtype, Shape shape, Shape strides,
                            std::int64_t offset)
{
    GB_ASSIGN(const std::int64_t count, checkedElementCount(shape));
    if (strides.size() != shape.size())
        return Error{ErrorCode::Shape, say("{0} strides for {1} sizes", strides.size(), shape.size()), {}};
    if (offset < 0)
        return Error{ErrorCode::Shape, say("storage offset {0}, 0 or more expected", offset), {}};
    std::int64_t last = offset;
    for (std::size_t i = 0; i < shape.size() && count > 0; ++i) {
        std::int64_t reach = 0;
        if (strides[i] < 0 || __builtin_mul_overflow(shape[i] - 1, strides[i], &reach)
            || __builtin_add_overflow(last, reach, &last))
            return Error{ErrorCode::Shape, say("stride {0} of size {1} is out of range", strides[i], shape[i]), {}};
    }
    const auto have = static_cast<std::int64_t>(storage->size() / itemSize(dtype));
    if (count > 0 && last >= have)
        return Error{ErrorCode::Shape,
                     say("{0} bytes, at least {1} expected for {2} {3}",
                         base::grouped(static_cast<long long>(storage->size())),
                         last >= std::numeric_limits<std::int64_t>::max() / 16
                             ? std::string("2^60")
                             : base::grouped((last + 1) * static_cast<std::int64_t>(itemSize(dtype))),
                         name(dtype), toText(shape)),
                     {}};
    return Tensor(std::move(storage), dtype, std::move(shape), std::move(strides), count > 0 ? offset : 0);
}

std::byte* Tensor::mutableRawData()
{
    std::byte* memory = m_storage->writable();
    return memory ? memory + static_cast<std::size_t>(m_offset) * itemSize(m_dtype) : nullptr;
}

bool Tensor::isContiguous() const
{
    std::int64_t expected = 1;
    for (std::size_t i = m_shape.size(); i-- > 0;) {
        if (m_shape[i] == 1)
            continue;
        if (m_strides[i] != expected)
            return m_count == 0;
        expected *= m_shape[i];
    }
    return true;
}

Tensor Tensor::contiguous() const
{
    return isContiguous() ? *this : clone();
}

Tensor Tensor::clone() const
{
    Tensor out = empty(m_dtype, m_shape);
    if (isContiguous()) {
        if (byteCount() > 0)
            std::memcpy(out.mutableRawData(), rawData(), byteCount());
        return out;
    }
    switch (itemSize(m_dtype)) {
    case 1: {
        const auto* source = reinterpret_cast<const std::uint8_t*>(rawData());
        auto* to = reinterpret_cast<std::uint8_t*>(out.mutableRawData());
        forEachElement(m_shape, m_strides, [&](std::int64_t at) { *to++ = source[at]; });
        break;
    }
    case 2: copyStrided<std::uint16_t>(*this, out.mutableData<std::uint16_t>()); break;
    case 4: copyStrided<std::uint32_t>(*this, out.mutableData<std::uint32_t>()); break;
    case 8: copyStrided<std::uint64_t>(*this, out.mutableData<std::uint64_t>()); break;
    default: {
        const std::size_t size = itemSize(m_dtype);
        const std::byte* source = rawData();
        std::byte* to = out.mutableRawData();
        forEachElement(m_shape, m_strides, [&](std::int64_t at) {
            std::memcpy(to, source + static_cast<std::ptrdiff_t>(at) * static_cast<std::ptrdiff_t>(size), size);
            to += size;
        });
    }
    }
    return out;
}

Tensor Tensor::asStrided(Shape shape, Shape strides, std::int64_t extraOffset) const
{
    Tensor out(m_storage, m_dtype, std::move(shape), std::move(strides), m_offset + extraOffset);
#ifndef NDEBUG
    std::int64_t last = out.m_offset;
    for (std::size_t i = 0; i < out.m_shape.size(); ++i)
        last += (out.m_shape[i] - 1) * out.m_strides[i];
    assert(out.m_count == 0 || (last >= 0 && static_cast<std::size_t>(last) < m_storage->size() / itemSize(m_dtype)));
#endif
    return out;
}

Tensor Tensor::reshaped(Shape shape) const
{
    assert(productOf(shape) == m_count);
    const Tensor source = contiguous();
    Shape strides = contiguousStrides(shape);
    return {source.m_storage, m_dtype, std::move(shape), std::move(strides), source.m_offset};
}

Tensor Tensor::to(DType dtype) const
{
    if (dtype == m_dtype)
        return *this;
    const Tensor source = contiguous();
    if (isHalf(m_dtype))
        return widened(source).to(dtype);
    if (isHalf(dtype))
        return narrowed(source.to(DType::Float32), dtype);
    Tensor out = zeros(dtype, m_shape);
    dispatch(m_dtype, [&]<class From>() {
        const From* from = source.data<From>();
        dispatch(dtype, [&]<class To>() {
            To* into = out.mutableData<To>();
            for (std::int64_t i = 0; i < m_count; ++i)
                into[i] = convertElement<From, To>(from[i]);
        });
    });
    return out;
}

double Tensor::at(std::int64_t i) const
{
    std::int64_t position = 0;
    for (std::size_t axis = m_shape.size(); axis-- > 0;) {
        position += (i % m_shape[axis]) * m_strides[axis];
        i /= m_shape[axis];
    }
    return readElement(*this, position);
}

std::vector<double> Tensor::toDoubles() const
{
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(m_count));
    forEachElement(m_shape, m_strides, [&](std::int64_t at) { out.push_back(readElement(*this, at)); });
    return out;
}

Result<std::int64_t> checkedElementCount(const Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0)
            return Error{ErrorCode::Shape, say("size {0}, 0 or more expected", size), {}};
        if (__builtin_mul_overflow(count, size, &count) || count > (std::int64_t{1} << 58))
            return Error{ErrorCode::Shape, say("{0} has more elements than can be addressed", toText(shape)), {}};
    }
    return count;
}

Shape contiguousStrides(const Shape& shape)
{
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * (shape[i] > 1 ? shape[i] : 1);
    return strides;
}

std::string toText(const Shape& shape)
{
    std::string out = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        out += (i ? ", " : "") + std::to_string(shape[i]);
    return out + "]";
}

std::string describe(const Tensor& tensor)
{
    return std::string(name(tensor.dtype())) + " " + toText(tensor.shape());
}

} // namespace gb::ir
