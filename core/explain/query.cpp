#include "explain/query.h"

#include "base/comparison.h"
#include "base/glob.h"
#include "base/message.h"
#include "explain/query_tokens.h"

#include <algorithm>

namespace gb::explain {

using base::containsText;
using base::Error;
using base::ErrorCode;
using base::globMatches;
using base::Result;
using base::say;
using base::shortOpName;

struct Query::Term {
    enum class Kind : unsigned char { And, Or, Not, Word, Text, Number };
    Kind kind = Kind::Word;
    std::vector<std::shared_ptr<const Term>> parts; ///< And, Or, Not
    std::string field;                              ///< Text, Number
    std::string text;                               ///< Word, Text
    std::string comparison;                         ///< Number: ">", ">=", "<", "<=", "="
    double number = 0.0;
};

namespace {

using Term = Query::Term;
using TermPtr = std::shared_ptr<const Term>;
constexpr int kDeepest = 200;

bool anyMatches(const std::vector<std::string>& texts, std::string_view pattern)
{
    return std::ranges::any_of(texts, [&](const std::string& text) { return globMatches(pattern, text); });
}

bool moduleMatches(const SearchRow& row, std::string_view pattern)
{
    const std::string below = std::string(pattern) + ".*";
    return std::ranges::any_of(row.modules, [&](const std::string& module) {
        return globMatches(pattern, module) || globMatches(below, module);
    });
}

bool textMatches(const Term& term, const SearchRow& row)
{
    const std::string& wanted = term.text;
    if (term.field == "name")
        return globMatches(wanted, row.name);
    if (term.field == "op")
        return globMatches(wanted, row.target) || globMatches(wanted, shortOpName(row.target));
    if (term.field == "module")
        return moduleMatches(row, wanted);
    if (term.field == "dtype")
        return anyMatches(row.dtypes, wanted);
    if (term.field == "obs")
        return anyMatches(row.observers, wanted);
    if (term.field == "reason")
        return anyMatches(row.codes, wanted);
    if (term.field == "label")
        return row.labelled == (globMatches(wanted, "yes") || globMatches(wanted, "true"));
    return globMatches(wanted, row.op) || (row.isObserver && globMatches(wanted, "observer"));
}

bool wordMatches(const std::string& word, const SearchRow& row)
{
    if (word.find_first_of("*?") != std::string::npos)
        return globMatches(word, row.name) || globMatches(word, row.target) || globMatches(word, row.module);
    return containsText(row.name, word) || containsText(row.target, word) || containsText(row.module, word);
}

bool numberMatches(const Term& term, const SearchRow& row)
{
    if (term.field == "batches")
        return row.batches && base::compares(*row.batches, term.comparison, term.number);
    const std::vector<double>& values = term.field == "scale" ? row.scale
                                        : term.field == "zp"  ? row.zeroPoint
                                        : term.field == "min" ? row.minVal
                                                              : row.maxVal;
    return std::ranges::any_of(values, [&](double v) { return base::compares(v, term.comparison, term.number); });
}

bool termMatches(const Term& term, const SearchRow& row)
{
    const auto matches = [&row](const TermPtr& part) { return termMatches(*part, row); };
    switch (term.kind) {
    case Term::Kind::And: return std::ranges::all_of(term.parts, matches);
    case Term::Kind::Or: return std::ranges::any_of(term.parts, matches);
    case Term::Kind::Not: return !termMatches(*term.parts.front(), row);
    case Term::Kind::Word: return wordMatches(term.text, row);
    case Term::Kind::Text: return textMatches(term, row);
    case Term::Kind::Number: return numberMatches(term, row);
    }
    return false;
}

class Parser {
public:
    explicit Parser(std::vector<QueryToken> tokens)
        : m_tokens(std::move(tokens))
    {
    }

    /// Null for an empty query.
    Result<TermPtr> whole()
    {
        if (m_tokens.size() == 1) // the end
            return TermPtr();
        GB_ASSIGN(TermPtr out, alternatives());
        if (now().kind != QueryToken::Kind::End)
            return fail(say("\"{0}\" found, the end or another condition expected", now().text));
        return out;
    }

private:
    [[nodiscard]] const QueryToken& now() const { return m_tokens[m_at]; }
    [[nodiscard]] bool isWord(std::string_view word) const
    {
        return now().kind == QueryToken::Kind::Word && now().text == word;
    }
    [[nodiscard]] Error fail(std::string sentence) const
    {
        return {ErrorCode::Usage, std::move(sentence), say("column {0}", now().column)};
    }

    static TermPtr joined(Term::Kind kind, std::vector<TermPtr> parts)
    {
        if (parts.size() == 1)
            return parts.front();
        auto out = std::make_shared<Term>();
        out->kind = kind;
        out->parts = std::move(parts);
        return out;
    }

    Result<TermPtr> alternatives()
    {
        std::vector<TermPtr> parts;
        while (true) {
            GB_ASSIGN(TermPtr part, conditions());
            parts.push_back(std::move(part));
            if (!isWord("or"))
                return joined(Term::Kind::Or, std::move(parts));
            ++m_at;
        }
    }

    Result<TermPtr> conditions()
    {
        std::vector<TermPtr> parts;
        while (true) {
            GB_ASSIGN(TermPtr part, condition());
            parts.push_back(std::move(part));
            if (isWord("and"))
                ++m_at;
            else if (now().kind == QueryToken::Kind::End || now().kind == QueryToken::Kind::Close || isWord("or"))
                return joined(Term::Kind::And, std::move(parts));
        }
    }

    Result<TermPtr> condition()
    {
        if (++m_depth > kDeepest)
            return fail(say("more than {0} conditions inside each other found", kDeepest));
        Result<TermPtr> out = isWord("not") ? negated() : simple();
        --m_depth;
        return out;
    }

    Result<TermPtr> negated()
    {
        ++m_at;
        auto out = std::make_shared<Term>();
        out->kind = Term::Kind::Not;
        GB_ASSIGN(TermPtr part, condition());
        out->parts.push_back(std::move(part));
        return TermPtr(std::move(out));
    }

    Result<TermPtr> simple()
    {
        const QueryToken token = now();
        if (token.kind == QueryToken::Kind::Open) {
            ++m_at;
            GB_ASSIGN(TermPtr out, alternatives());
            if (now().kind != QueryToken::Kind::Close)
                return fail("the end found, a closing parenthesis expected");
            ++m_at;
            return out;
        }
        if (token.kind == QueryToken::Kind::End || token.kind == QueryToken::Kind::Close || isWord("or")
            || isWord("and"))
            return fail(say("{0} found, a condition expected",
                            token.kind == QueryToken::Kind::End ? std::string("the end") : "\"" + token.text + "\""));
        ++m_at;
        return termOf(token);
    }

    Result<TermPtr> termOf(const QueryToken& token) const
    {
        auto out = std::make_shared<Term>();
        out->text = token.text;
        if (token.kind == QueryToken::Kind::Field) {
            out->kind = Term::Kind::Text;
            out->field = token.field;
        } else if (token.kind == QueryToken::Kind::Number) {
            out->kind = Term::Kind::Number;
            out->field = token.field;
            out->comparison = token.comparison;
            out->number = token.number;
        }
        return TermPtr(std::move(out));
    }

    std::vector<QueryToken> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Result<Query> Query::parse(std::string_view text)
{
    GB_ASSIGN(std::vector<QueryToken> tokens, queryTokens(text));
    Query out;
    GB_ASSIGN(out.m_root, Parser(std::move(tokens)).whole());
    return out;
}

bool Query::matches(const SearchRow& row) const
{
    return m_root && termMatches(*m_root, row);
}

std::vector<ir::NodeId> Query::run(const SearchIndex& index) const
{
    std::vector<ir::NodeId> out;
    for (const SearchRow& row : index.rows)
        if (matches(row))
            out.push_back(row.id);
    return out;
}

} // namespace gb::explain
