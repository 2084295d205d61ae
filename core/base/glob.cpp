#include "base/glob.h"

#include <algorithm>

namespace gb::base {
namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

bool globMatches(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos; // the last *, and where its text began
    std::size_t from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool containsText(std::string_view text, std::string_view part)
{
    return part.empty()
           || !std::ranges::search(text, part, [](char a, char b) { return lower(a) == lower(b); }).empty();
}

std::string_view shortOpName(std::string_view target)
{
    const std::size_t dot = target.find('.');
    if (dot == std::string_view::npos)
        return target;
    const std::string_view rest = target.substr(dot + 1);
    return rest.substr(0, rest.find('.'));
}

} // namespace gb::base
