#include "base/message.h"

#include <cmath>
#include <cstdio>

namespace gb::base {

std::string substitute(std::string_view pattern, const std::vector<std::string>& arguments)
{
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string_view::npos;
        std::size_t index = 0;
        bool number = close != std::string_view::npos && close > i + 1 && close - i <= 3;
        for (std::size_t k = i + 1; number && k < close; ++k) {
            number = pattern[k] >= '0' && pattern[k] <= '9';
            index = index * 10 + static_cast<std::size_t>(pattern[k] - '0');
        }
        if (number && index < arguments.size()) {
            out += arguments[index];
            i = close;
        } else {
            out += pattern[i];
        }
    }
    return out;
}

std::string Message::text() const
{
    return substitute(pattern, arguments);
}

std::string shortNumber(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, value == std::floor(value) && std::abs(value) < 1e15 ? "%.0f" : "%.4g", value);
    return buffer;
}

std::string grouped(long long value)
{
    const std::string digits = std::to_string(value);
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0)
            out += ',';
        out += digits[i];
    }
    return out;
}

namespace detail {
std::string piece(std::string_view text)
{
    return std::string(text);
}
std::string piece(const char* text)
{
    return text;
}
std::string piece(const std::string& text)
{
    return text;
}
std::string piece(double value)
{
    return shortNumber(value);
}
std::string piece(float value)
{
    return shortNumber(static_cast<double>(value));
}
} // namespace detail

} // namespace gb::base
