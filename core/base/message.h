// A sentence for the user: an English pattern and what stands in it.
//
// The core has no translator. It says `message("observer {0} saw {1} values", name, n)`; the window looks the pattern
// up in its catalogue (context "core") and puts the same arguments into the translation. text() is the English one,
// which the command line, dumps and recordings show.
//
// Thread: plain values, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gb::base {

struct Message {
    std::string pattern;                ///< "observer {0} saw {1} values"
    std::vector<std::string> arguments; ///< what {0}, {1}, ... stand for

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool empty() const { return pattern.empty(); }
    friend bool operator==(const Message&, const Message&) = default;
};

/// Puts the arguments into a pattern; "{7}" without an argument 7 is left as it is.
std::string substitute(std::string_view pattern, const std::vector<std::string>& arguments);

/// A number as a person reads it: integers as they are, floating point with 4 significant digits.
std::string shortNumber(double value);
/// 1234567 -> "1,234,567".
std::string grouped(long long value);

namespace detail {
std::string piece(std::string_view text);
std::string piece(const char* text);
std::string piece(const std::string& text);
std::string piece(double value);
std::string piece(float value);
template <class T>
std::string piece(T value)
{
    return std::to_string(value);
}
} // namespace detail

template <class... A>
Message message(std::string_view pattern, const A&... arguments)
{
    return {std::string(pattern), {detail::piece(arguments)...}};
}

/// The English text at once, for errors.
template <class... A>
std::string say(std::string_view pattern, const A&... arguments)
{
    return message(pattern, arguments...).text();
}

} // namespace gb::base
