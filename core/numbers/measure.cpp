#include "numbers/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::numbers {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// float32 and float64 as they are, others through double; calls f(i, x, y) in row-major order.
template <class F>
void forEachPair(const ir::Tensor& exact, const ir::Tensor& other, F&& f)
{
    const ir::Tensor a = exact.contiguous();
    const ir::Tensor b = other.contiguous();
    if (a.dtype() == ir::DType::Float32 && b.dtype() == ir::DType::Float32) {
        const auto* x = a.data<float>();
        const auto* y = b.data<float>();
        for (std::int64_t i = 0; i < a.elementCount(); ++i)
            f(i, static_cast<double>(x[i]), static_cast<double>(y[i]));
        return;
    }
    for (std::int64_t i = 0; i < a.elementCount(); ++i)
        f(i, a.at(i), b.at(i));
}

bool isReal(ir::DType dtype)
{
    return dtype != ir::DType::Complex32 && dtype != ir::DType::Complex64 && dtype != ir::DType::Complex128;
}

} // namespace

void Gap::add(double x, double y)
{
    ++count;
    if (x == y) { // equal infinities have no distance
        if (std::isfinite(x)) {
            signal += x * x;
            other += y * y;
            product += x * y;
        }
        return;
    }
    const double d = x - y;
    signal += x * x;
    other += y * y;
    product += x * y;
    noise += d * d;
    largest = std::isnan(d) ? (std::isnan(x) && std::isnan(y) ? largest : kInf) : std::max(largest, std::fabs(d));
}

void Gap::add(const Gap& more)
{
    signal += more.signal;
    noise += more.noise;
    other += more.other;
    product += more.product;
    largest = std::max(largest, more.largest);
    count += more.count;
}

std::optional<double> Gap::sqnr() const
{
    if (signal == 0 && noise == 0)
        return std::nullopt;
    return noise == 0 ? kInf : 10 * std::log10(signal / noise);
}

std::optional<double> Gap::cosine() const
{
    if (signal == 0 || other == 0)
        return std::nullopt;
    return product / (std::sqrt(signal) * std::sqrt(other));
}

bool ChannelGaps::add(const ir::Tensor& exact, const ir::Tensor& other)
{
    if (exact.shape() != other.shape() || !isReal(exact.dtype()) || !isReal(other.dtype()))
        return false;
    const std::int64_t channels = exact.dim() > 1 ? exact.size(1) : 0;
    if (m_channels.empty() && m_all.count == 0)
        m_channels.resize(static_cast<std::size_t>(channels));
    else if (static_cast<std::int64_t>(m_channels.size()) != channels)
        m_channels.clear(); // another shape in another batch: no channels to speak of
    std::int64_t inner = 1;
    for (std::int64_t axis = 2; axis < exact.dim(); ++axis)
        inner *= exact.size(axis);
    if (m_channels.empty()) {
        forEachPair(exact, other, [this](std::int64_t, double x, double y) { m_all.add(x, y); });
        return true;
    }
    std::vector<Gap> now(m_channels.size());
    std::int64_t left = inner;
    std::size_t channel = 0;
    forEachPair(exact, other, [&](std::int64_t, double x, double y) {
        now[channel].add(x, y);
        if (--left == 0) {
            left = inner;
            channel = channel + 1 == now.size() ? 0 : channel + 1;
        }
    });
    for (std::size_t c = 0; c < now.size(); ++c) {
        m_channels[c].add(now[c]);
        m_all.add(now[c]);
    }
    return true;
}

std::optional<double> ChannelGaps::typicalSqnr() const
{
    std::vector<double> values;
    for (const Gap& gap : m_channels)
        if (gap.signal > 0)
            values.push_back(*gap.sqnr());
    if (values.empty())
        return m_all.sqnr();
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    if (values.size() % 2 == 1 || values[half - 1] == values[half])
        return values[half];
    return (values[half - 1] + values[half]) / 2;
}

std::int64_t ChannelGaps::worstChannel() const
{
    std::int64_t worst = -1;
    double least = kInf;
    for (std::size_t c = 0; c < m_channels.size(); ++c)
        if (const auto sqnr = m_channels[c].sqnr(); sqnr && *sqnr < least) {
            least = *sqnr;
            worst = static_cast<std::int64_t>(c);
        }
    return worst;
}

Gap gapBetween(const ir::Tensor& exact, const ir::Tensor& other)
{
    Gap gap;
    if (exact.shape() == other.shape())
        forEachPair(exact, other, [&gap](std::int64_t, double x, double y) { gap.add(x, y); });
    else
        gap.largest = kInf;
    return gap;
}

} // namespace gb::numbers
