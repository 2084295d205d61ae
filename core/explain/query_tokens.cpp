#include "explain/query_tokens.h"

#include "base/message.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gb::explain {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using Kind = QueryToken::Kind;

constexpr std::array<std::string_view, 8> kTextFields = {"op",  "name",   "module", "dtype",
                                                         "obs", "reason", "label",  "kind"};
constexpr std::array<std::string_view, 5> kNumberFields = {"scale", "zp", "min", "max", "batches"};

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

template <std::size_t N>
std::string listOf(const std::array<std::string_view, N>& names)
{
    std::string out;
    for (std::size_t i = 0; i < N; ++i)
        out += std::string(i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(names[i]);
    return out;
}

class Tokenizer {
public:
    explicit Tokenizer(std::string_view text)
        : m_text(text)
    {
    }

    Result<std::vector<QueryToken>> all()
    {
        std::vector<QueryToken> out;
        while (true) {
            while (m_at < m_text.size() && isSpace(m_text[m_at]))
                ++m_at;
            if (m_at == m_text.size())
                break;
            GB_ASSIGN(QueryToken token, next());
            out.push_back(std::move(token));
        }
        out.push_back(at(Kind::End));
        return out;
    }

private:
    [[nodiscard]] QueryToken at(Kind kind) const
    {
        QueryToken out;
        out.kind = kind;
        out.column = static_cast<int>(m_at) + 1;
        return out;
    }
    [[nodiscard]] Error fail(std::size_t where, std::string sentence) const
    {
        return {ErrorCode::Usage, std::move(sentence), say("column {0}", where + 1)};
    }

    Result<QueryToken> next()
    {
        QueryToken out = at(Kind::Word);
        if (m_text[m_at] == '(' || m_text[m_at] == ')') {
            out.kind = m_text[m_at] == '(' ? Kind::Open : Kind::Close;
            out.text = m_text[m_at++];
            return out;
        }
        const std::size_t begin = m_at;
        if (m_text[m_at] == '"') {
            GB_ASSIGN(out.text, quoted());
            return out;
        }
        const std::string word = bare("\":<>=()");
        const char after = m_at < m_text.size() ? m_text[m_at] : ' ';
        if (after == ':')
            return field(begin, word);
        if (after == '<' || after == '>' || after == '=')
            return number(begin, word);
        out.text = word + bare("()"); // a quote inside a word stands for itself
        return out;
    }

    /// Characters up to a space or one of `stops`.
    std::string bare(std::string_view stops)
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && !isSpace(m_text[m_at]) && stops.find(m_text[m_at]) == std::string_view::npos)
            ++m_at;
        return std::string(m_text.substr(begin, m_at - begin));
    }

    Result<std::string> quoted()
    {
        const std::size_t begin = m_at++;
        const std::size_t end = m_text.find('"', m_at);
        if (end == std::string_view::npos)
            return fail(begin, "an opening quote found, a closing one expected");
        std::string out(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return out;
    }

    Result<QueryToken> field(std::size_t begin, const std::string& name)
    {
        if (std::ranges::find(kNumberFields, name) != kNumberFields.end())
            return fail(begin, say("\"{0}:\" found, {0} followed by >, <, >=, <= or = expected", name));
        if (std::ranges::find(kTextFields, name) == kTextFields.end())
            return fail(begin, say("no field \"{0}\", {1} expected", name, listOf(kTextFields)));
        ++m_at; // the colon
        QueryToken out = at(Kind::Field);
        out.column = static_cast<int>(begin) + 1;
        out.field = name;
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            GB_ASSIGN(out.text, quoted());
        } else {
            out.text = bare("()");
        }
        if (out.text.empty())
            return fail(m_at, say("nothing found behind {0}:, a text expected", name));
        return out;
    }

    Result<QueryToken> number(std::size_t begin, const std::string& name)
    {
        if (std::ranges::find(kTextFields, name) != kTextFields.end())
            return fail(begin, say("\"{0}{1}\" found, {0}: expected", name, std::string(1, m_text[m_at])));
        if (std::ranges::find(kNumberFields, name) == kNumberFields.end())
            return fail(begin, say("no number \"{0}\", {1} expected", name, listOf(kNumberFields)));
        QueryToken out = at(Kind::Number);
        out.column = static_cast<int>(begin) + 1;
        out.field = name;
        out.comparison = m_text[m_at++];
        if (out.comparison != "=" && m_at < m_text.size() && m_text[m_at] == '=')
            out.comparison += m_text[m_at++];
        const std::size_t from = m_at;
        const std::string digits = bare("()");
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
        if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
            return fail(from, say("\"{0}\" found behind {1}{2}, a number expected", digits, name, out.comparison));
        return out;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Result<std::vector<QueryToken>> queryTokens(std::string_view text)
{
    return Tokenizer(text).all();
}

} // namespace gb::explain
