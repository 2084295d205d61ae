#include "quant/tensor_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

namespace gb::quant {
namespace {

constexpr std::size_t kLineWidth = 80;
constexpr std::size_t kThreshold = 1000; // more elements are summarized
constexpr std::size_t kEdgeItems = 3;
constexpr std::size_t kIndent = 7; // "tensor("

/// _Formatter: how all elements of one tensor are printed.
class Formatter {
public:
    explicit Formatter(const std::vector<double>& values);
    [[nodiscard]] std::string text(double value) const;
    [[nodiscard]] std::size_t width() const { return m_width; }

private:
    [[nodiscard]] std::string bare(double value) const;

    bool m_integers = true;
    bool m_scientific = false;
    std::size_t m_width = 1;
};

std::string printed(const char* format, double value)
{
    std::array<char, 400> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), format, value);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

Formatter::Formatter(const std::vector<double>& values)
{
    std::vector<double> shown;
    for (const double value : values)
        if (std::isfinite(value) && value != 0)
            shown.push_back(value);
    if (shown.empty())
        return;
    double least = std::abs(shown.front());
    double most = least;
    for (const double value : shown) {
        least = std::min(least, std::abs(value));
        most = std::max(most, std::abs(value));
        m_integers = m_integers && value == std::ceil(value);
    }
    m_scientific = most / least > 1000 || most > 1e8 || (!m_integers && least < 1e-4);
    for (const double value : shown)
        m_width = std::max(m_width, bare(value).size());
}

std::string Formatter::bare(double value) const
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    if (m_scientific)
        return printed("%.4e", value);
    return m_integers ? printed("%.0f", value) + "." : printed("%.4f", value);
}

std::string Formatter::text(double value) const
{
    std::string out = bare(value);
    return out.size() < m_width ? std::string(m_width - out.size(), ' ') + out : out;
}

} // namespace

std::string pythonFloat(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::array<char, 64> buffer{};
    const auto magnitude = std::abs(value);
    const bool scientific = value != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   scientific ? std::chars_format::scientific : std::chars_format::fixed);
    std::string out(buffer.data(), end.ptr);
    return scientific || out.find('.') != std::string::npos ? out : out + ".0";
}

std::string tensorText(const ir::Tensor& tensor)
{
    std::vector<double> values = tensor.toDoubles();
    if (tensor.dim() == 0)
        return pythonFloat(values.front());
    const bool summarized = values.size() > kThreshold;
    if (summarized)
        values.erase(values.begin() + kEdgeItems, values.end() - kEdgeItems);
    const Formatter formatter(values);
    const std::size_t aLine = std::max<std::size_t>(1, (kLineWidth - kIndent) / (formatter.width() + 2));
    std::vector<std::string> elements;
    for (const double value : values)
        elements.push_back(formatter.text(value));
    if (summarized)
        elements.insert(elements.begin() + kEdgeItems, " ...");
    std::string out = "tensor([";
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (i > 0)
            out += i % aLine == 0 ? ",\n" + std::string(kIndent + 1, ' ') : ", ";
        out += elements[i];
    }
    return out + "])";
}

} // namespace gb::quant
