#include "quant/histogram_bins.h"

#include "base/message.h"
#include "ir/half.h"
#include "quant/value_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::DType;
using ir::Tensor;

struct Edges {
    double left = 0;
    double right = 0;
};

/// An element type of torch: what it computes in, how results are rounded, how far it counts.
struct Float32 {
    using Real = float;
    using Element = float;
    static float round(float value) { return value; }
    static float widen(float element) { return element; }
    static constexpr double countLimit = 16777216;
    static constexpr double largest = 3.4028234663852886e+38;
    static constexpr double lowest = -largest;
    static constexpr const char* cppName = "float";
};

struct Float64 {
    using Real = double;
    using Element = double;
    static double round(double value) { return value; }
    static double widen(double element) { return element; }
    static constexpr double countLimit = 9007199254740992;
    static constexpr double largest = std::numeric_limits<double>::max();
    static constexpr double lowest = -largest;
    static constexpr const char* cppName = "double";
};

struct Float16 {
    using Real = float;
    using Element = std::uint16_t;
    static float round(float value) { return ir::halfToFloat(ir::floatToHalf(value)); }
    static float widen(std::uint16_t element) { return ir::halfToFloat(element); }
    static constexpr double countLimit = 2048;
    static constexpr double largest = 65504;
    static constexpr double lowest = -largest;
    static constexpr const char* cppName = "c10::Half";
};

struct BFloat16 {
    using Real = float;
    using Element = std::uint16_t;
    static float round(float value) { return ir::bfloat16ToFloat(ir::floatToBfloat16(value)); }
    static float widen(std::uint16_t element) { return ir::bfloat16ToFloat(element); }
    static constexpr double countLimit = 256;
    static constexpr double largest = 3.3895313892515355e+38;
    static constexpr double lowest = -largest;
    static constexpr const char* cppName = "c10::BFloat16";
};

template <class Type>
Edges ownRange(const Tensor& x)
{
    const auto* elements = x.data<typename Type::Element>();
    auto low = Type::widen(elements[0]);
    auto high = low;
    for (std::int64_t i = 0; i < x.elementCount(); ++i) {
        const auto value = Type::widen(elements[i]);
        if (value != value)
            return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return {static_cast<double>(low), static_cast<double>(high)};
}

/// bins_edges_correction: float32 and float64 know their neighbours, the half types do not.
Edges widenedByOne(const Edges& edges, DType dtype)
{
    Edges out{edges.left - 1, edges.right + 1};
    if (dtype == DType::Float32) {
        constexpr float most = std::numeric_limits<float>::max();
        out.left =
            std::min<double>(static_cast<double>(std::nextafter(static_cast<float>(edges.left), -most)), out.left);
        out.right =
            std::max<double>(static_cast<double>(std::nextafter(static_cast<float>(edges.right), most)), out.right);
    } else if (dtype == DType::Float64) {
        constexpr double most = std::numeric_limits<double>::max();
        out.left = std::min(std::nextafter(edges.left, -most), out.left);
        out.right = std::max(std::nextafter(edges.right, most), out.right);
    }
    return out;
}

/// As a C++ stream prints it, with NaN's sign.
std::string streamed(double value)
{
    return (std::isnan(value) && std::signbit(value) ? "-" : "") + base::shortNumber(value);
}

/// histc_select_outer_bin_edges (histogram_s2).
template <class Type>
base::Result<Edges> chooseEdges(const Tensor& x, Edges edges)
{
    if (edges.left == edges.right)
        edges = ownRange<Type>(x);
    if (edges.left == edges.right)
        edges = widenedByOne(edges, x.dtype());
    if (!std::isfinite(edges.left) || !std::isfinite(edges.right))
        return Error{ErrorCode::RuntimeError,
                     say("torch.histc: range of [{0}, {1}] is not finite", streamed(edges.left), streamed(edges.right)),
                     {}};
    if (!(edges.left < edges.right))
        return Error{ErrorCode::RuntimeError, "torch.histc: max must be larger than min", {}};
    if (edges.left < Type::lowest || edges.right < Type::lowest || edges.left > Type::largest
        || edges.right > Type::largest)
        return Error{
            ErrorCode::RuntimeError, say("value cannot be converted to type {0} without overflow", Type::cppName), {}};
    return edges;
}

/// Counts of values by slot. Neighbouring values are often equal (zeros after a relu): they go to tables of their own,
/// so that no count waits for the one before it.
class Counter {
public:
    /// slots: counted ones; one more takes what is not counted.
    explicit Counter(std::int64_t slots)
        : m_size(static_cast<std::size_t>(slots) + 1)
        , m_tables(kTables * m_size, 0)
    {
    }

    /// count < 2^32 over all calls, as memory has it.
    void add(const std::int32_t* slots, std::int64_t count)
    {
        std::uint32_t* tables[kTables];
        for (std::size_t t = 0; t < kTables; ++t)
            tables[t] = m_tables.data() + t * m_size;
        constexpr auto step = static_cast<std::int64_t>(kTables);
        std::int64_t i = 0;
        for (; i + step <= count; i += step)
            for (std::size_t t = 0; t < kTables; ++t)
                ++tables[t][slots[i + static_cast<std::int64_t>(t)]];
        for (; i < count; ++i)
            ++tables[0][slots[i]];
    }

    /// Adds the counts to `into`, one a slot.
    void addTo(std::vector<std::int64_t>& into) const
    {
        for (std::size_t t = 0; t < kTables; ++t)
            for (std::size_t slot = 0; slot < into.size(); ++slot)
                into[slot] += m_tables[t * m_size + slot];
    }

private:
    static constexpr std::size_t kTables = 4;
    std::size_t m_size;
    std::vector<std::uint32_t> m_tables;
};

/// The rule of the LINEAR_INTERPOLATION loop of histogramdd_cpu_contiguous (histogram_s3).
template <class Type>
BinRule<typename Type::Real> binRule(std::int64_t bins, const Edges& edges)
{
    using Real = typename Type::Real;
    const auto narrow = [](auto value) { return Type::round(static_cast<Real>(value)); };
    const Real start = narrow(edges.left);
    const Real end = narrow(edges.right);
    const Real binsReal = narrow(bins);
    // the ends of linspace(start, end, bins + 1): NaN where the step overflows, and then nothing is counted
    const Real step = narrow(narrow(end - start) / binsReal);
    const Real left = narrow(start + narrow(step * 0));
    const Real right = narrow(end - narrow(step * 0));
    return {left, right, narrow(right - left), binsReal, static_cast<std::int32_t>(bins) - 1};
}

template <class Type>
std::vector<std::int64_t> countValues(const Tensor& x, std::int64_t bins, const Edges& edges, base::Pool* pool)
{
    const auto rule = binRule<Type>(bins, edges);
    const auto* elements = x.data<typename Type::Element>();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins), 0);
    std::mutex mutex; // the order in which whole numbers are added does not matter
    // as many pieces as pay for tables of their own
    const std::int64_t grain = std::max<std::int64_t>({x.elementCount() / 8 + 1, 32 * bins, 1 << 15});
    base::forEachChunk(pool, {}, x.elementCount(), grain, [&](std::int64_t begin, std::int64_t end) {
        constexpr std::int64_t kBlock = 1024; // slots of a block stay in the first-level cache
        std::int32_t slots[kBlock];
        Counter counter(bins);
        for (std::int64_t done = begin; done < end; done += kBlock) {
            const std::int64_t count = std::min(kBlock, end - done);
            if constexpr (std::is_same_v<Type, Float32>)
                findSlots(elements + done, count, rule, slots);
            else
                for (std::int64_t i = 0; i < count; ++i)
                    slots[i] = slotOf(Type::widen(elements[done + i]), rule, &Type::round);
            counter.add(slots, count);
        }
        const std::lock_guard lock(mutex);
        counter.addTo(counts);
    });
    return counts;
}

template <class Type>
base::Result<std::vector<float>> histcOf(const Tensor& x, std::int64_t bins, const Edges& range, base::Pool* pool)
{
    GB_ASSIGN(const Edges edges, chooseEdges<Type>(x, range));
    const std::vector<std::int64_t> counts = countValues<Type>(x, bins, edges, pool);
    std::vector<float> out;
    out.reserve(counts.size());
    for (const std::int64_t count : counts) // histogram_s4
        out.push_back(static_cast<float>(std::min(static_cast<double>(count), Type::countLimit)));
    return out;
}

/// An integer type: torch finds the edges, makes them integers and then has no kernel.
template <class T, class Names>
struct Integer {
    using Element = T;
    static double widen(T element) { return static_cast<double>(element); }
    static constexpr auto largest = static_cast<double>(std::numeric_limits<T>::max());
    static constexpr auto lowest = static_cast<double>(std::numeric_limits<T>::min());
    static constexpr const char* cppName = Names::cppName;
};
struct Byte {
    static constexpr const char* cppName = "uint8_t";
};
struct Char {
    static constexpr const char* cppName = "int8_t";
};
struct Short {
    static constexpr const char* cppName = "int16_t";
};
struct Int {
    static constexpr const char* cppName = "int";
};
struct Long {
    static constexpr const char* cppName = "int64_t";
};

template <class T, class Names>
base::Result<std::vector<float>> refuseInteger(const Tensor& x, const Edges& range, const char* scalarType)
{
    GB_TRY((chooseEdges<Integer<T, Names>>(x, range)));
    return Error{ErrorCode::NotImplementedError, say("\"histogram_cpu\" not implemented for '{0}'", scalarType), {}};
}

/// searchsorted's upper bound less one: the last boundary that is not above value. `near` is where to look first.
std::int64_t bucketOf(const std::vector<float>& boundaries, float value, std::int64_t near)
{
    std::int64_t low = 0;
    auto high = static_cast<std::int64_t>(boundaries.size());
    if (near >= 0 && near + 1 < high && boundaries[static_cast<std::size_t>(near)] <= value) {
        if (boundaries[static_cast<std::size_t>(near) + 1] > value)
            return near;
        low = near + 1;
    }
    while (low < high) {
        const std::int64_t middle = low + ((high - low) >> 1);
        if (!(boundaries[static_cast<std::size_t>(middle)] > value))
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

} // namespace

base::Result<std::vector<float>> histc(const Tensor& x, std::int64_t bins, double min, double max, base::Pool* pool)
{
    if (bins <= 0)
        return Error{
            ErrorCode::RuntimeError, say("torch.histogram(): bins must be > 0, but got {0} for dimension 0", bins), {}};
    switch (x.dtype()) {
    case DType::Float32: return histcOf<Float32>(x, bins, {min, max}, pool);
    case DType::Float64: return histcOf<Float64>(x, bins, {min, max}, pool);
    case DType::Float16: return histcOf<Float16>(x, bins, {min, max}, pool);
    case DType::BFloat16: return histcOf<BFloat16>(x, bins, {min, max}, pool);
    case DType::Bool: return Error{ErrorCode::NotImplementedError, "\"linspace_cpu\" not implemented for 'Bool'", {}};
    case DType::UInt8: return refuseInteger<std::uint8_t, Byte>(x, {min, max}, "Byte");
    case DType::Int8: return refuseInteger<std::int8_t, Char>(x, {min, max}, "Char");
    case DType::Int16: return refuseInteger<std::int16_t, Short>(x, {min, max}, "Short");
    case DType::Int32: return refuseInteger<std::int32_t, Int>(x, {min, max}, "Int");
    case DType::Int64: return refuseInteger<std::int64_t, Long>(x, {min, max}, "Long");
    default: return Error{ErrorCode::Unsupported, say("histc does not take {0}", ir::name(x.dtype())), {}};
    }
}

std::vector<float> linspace(float start, float end, std::int64_t steps)
{
    std::vector<float> out(static_cast<std::size_t>(steps));
    const float step = (end - start) / static_cast<float>(steps - 1);
    const std::int64_t half = steps / 2;
    for (std::int64_t i = 0; i < steps; ++i)
        out[static_cast<std::size_t>(i)] = i < half ? std::fma(step, static_cast<float>(i), start)
                                                    : std::fma(-step, static_cast<float>(steps - i - 1), end);
    return out;
}

std::vector<float> upscaled(std::span<const float> counts, float min, float max, float newMin, float newMax)
{
    constexpr std::int64_t rate = 16; // upsample_rate
    const auto bins = static_cast<std::int64_t>(counts.size());
    const float partSize = (max - min) / static_cast<float>(bins * rate);
    const float halfPart = 0.5F * partSize;
    const std::vector<float> parts = linspace(min, max, bins * rate + 1);
    const std::vector<float> boundaries = linspace(newMin, newMax, bins + 1);
    // where rounding made the boundaries fall, only the full search finds what torch finds
    const bool ordered = std::is_sorted(boundaries.begin(), boundaries.end());
    std::vector<float> out(counts.size(), 0.0F);
    std::int64_t bucket = -1;
    for (std::int64_t i = 0; i < bins * rate; ++i) {
        bucket = bucketOf(boundaries, parts[static_cast<std::size_t>(i)] + halfPart, ordered ? bucket : -1);
        const std::int64_t to = std::clamp<std::int64_t>(bucket, 0, bins - 1);
        out[static_cast<std::size_t>(to)] += counts[static_cast<std::size_t>(i / rate)] / 16.0F; // histogram_s6
    }
    return out;
}

} // namespace gb::quant
