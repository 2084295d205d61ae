#include "io/sym_expr.h"

#include "base/message.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

struct Expr {
    std::string head; ///< "Mul", "Symbol", ...; empty: a literal
    std::string text; ///< of a literal (number, quoted text, true), or a symbol's name
    std::vector<Expr> args;
    std::string printed; ///< made once, when the arguments have theirs: printing is linear whatever the nesting
};

std::string printNew(const Expr& e);

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    Result<Expr> run()
    {
        GB_ASSIGN(Expr out, expression(0));
        if (m_at != m_text.size())
            return broken("something after the expression, its end");
        return out;
    }

private:
    static constexpr int kDeepest = 100;

    [[nodiscard]] Error broken(const std::string& what) const
    {
        return {ErrorCode::Format,
                say("symbolic size \"{0}\": found {1} expected at character {2}", m_text.substr(0, 80), what, m_at),
                {}};
    }
    void skipSpace()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    bool eat(char c)
    {
        skipSpace();
        const bool there = m_at < m_text.size() && m_text[m_at] == c;
        m_at += there;
        return there;
    }
    std::string word()
    {
        skipSpace();
        const std::size_t from = m_at;
        while (m_at < m_text.size()
               && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || std::strchr("_.+-", m_text[m_at])))
            ++m_at;
        return std::string(m_text.substr(from, m_at - from));
    }

    Result<Expr> expression(int depth)
    {
        if (depth > kDeepest)
            return broken(say("more than {0} nested calls, fewer", kDeepest));
        skipSpace();
        if (eat('\''))
            return quoted();
        Expr out;
        out.text = word();
        if (out.text.empty())
            return broken("no expression, one");
        if (!eat('(')) {
            out.printed = out.text;
            return out;
        }
        out.head = std::exchange(out.text, {});
        while (!eat(')')) {
            GB_ASSIGN(Expr argument, expression(depth + 1));
            if (eat('=')) { // an assumption such as integer=True
                GB_TRY(expression(depth + 1));
            } else {
                out.args.push_back(std::move(argument));
            }
            if (!eat(',') && (m_at >= m_text.size() || m_text[m_at] != ')'))
                return broken("neither a comma nor a bracket, one");
        }
        if (out.head == "Symbol" && !out.args.empty())
            out.text = out.args[0].text;
        if (out.head == "Mul")
            foldNumbers(out);
        out.printed = printNew(out);
        return out;
    }

    /// srepr writes -2*x as Mul(Integer(-1), Integer(2), x); sympify makes one number of it.
    static void foldNumbers(Expr& product)
    {
        std::int64_t number = 1;
        std::size_t count = 0;
        while (count < product.args.size() && product.args[count].head == "Integer"
               && product.args[count].printed.size() < 18
               && !__builtin_mul_overflow(number, std::atoll(product.args[count].printed.c_str()), &number))
            ++count;
        if (count < 2)
            return;
        Expr folded = product.args[0];
        folded.printed = folded.args[0].text = folded.args[0].printed = std::to_string(number);
        product.args.erase(product.args.begin(), product.args.begin() + static_cast<std::ptrdiff_t>(count));
        product.args.insert(product.args.begin(), std::move(folded));
    }

    Result<Expr> quoted()
    {
        const std::size_t end = m_text.find('\'', m_at);
        if (end == std::string_view::npos)
            return broken("a text without an end, its end");
        Expr out;
        out.text = out.printed = std::string(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return out;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

// sympy/printing/precedence.py
enum Precedence {
    kOr = 20,
    kAnd = 30,
    kRelational = 35,
    kBitwiseOr = 36,
    kBitwiseAnd = 38,
    kAdd = 40,
    kMul = 50,
    kPow = 60,
    kNot = 100,
    kAtom = 1000
};

bool isNumber(const Expr& e)
{
    return e.head == "Integer" || e.head == "Rational" || e.head == "Float" || e.head.empty();
}

const std::string& print(const Expr& e)
{
    return e.printed;
}

int precedence(const Expr& e)
{
    static const std::map<std::string, int, std::less<>> kTable = {
        {"Add", kAdd},
        {"Mul", kMul},
        {"Pow", kPow},
        {"Or", kOr},
        {"And", kAnd},
        {"Rational", kMul},
        {"StrictGreaterThan", kRelational},
        {"GreaterThan", kRelational},
        {"StrictLessThan", kRelational},
        {"LessThan", kRelational},
        // torch's own functions stand lower than a sum, so that inside one they have brackets
        {"FloorDiv", kRelational},
        {"CleanDiv", kRelational},
        {"ModularIndexing", kRelational},
        {"Where", kRelational},
        {"PythonMod", kRelational},
        {"Mod", kRelational},
        {"FloatTrueDiv", kRelational},
        {"IntTrueDiv", kRelational},
        {"PowByNatural", kMul},
        {"FloatPow", kPow},
    };
    if (isNumber(e) && print(e).starts_with('-'))
        return kAdd;
    if (e.head == "Mul" && !e.args.empty() && isNumber(e.args[0]) && print(e.args[0]).starts_with('-'))
        return kAdd;
    const auto found = kTable.find(e.head);
    return found == kTable.end() ? kAtom : found->second;
}

std::string bracketed(const Expr& e, int level, bool strict = false)
{
    const int mine = precedence(e);
    return mine < level || (!strict && mine == level) ? "(" + print(e) + ")" : print(e);
}

/// A term as coefficient and powers of what it is made of.
struct Term {
    const Expr* expr;
    std::map<std::string, int> powers;
};

Term termOf(const Expr& e)
{
    Term out{&e, {}};
    const auto add = [&](const Expr& factor) {
        if (isNumber(factor))
            return;
        if (factor.head == "Pow" && factor.args.size() == 2 && isNumber(factor.args[1]))
            out.powers[print(factor.args[0])] += std::atoi(print(factor.args[1]).c_str());
        else
            ++out.powers[print(factor)];
    };
    if (e.head == "Mul")
        for (const Expr& factor : e.args)
            add(factor);
    else
        add(e);
    return out;
}

/// as_ordered_terms: descending lexicographic order of the powers; "1 - x" is the one exception.
std::vector<const Expr*> orderedTerms(const Expr& sum)
{
    const auto negativeProduct = [](const Expr& e) {
        return e.head == "Mul" && e.args.size() == 2 && isNumber(e.args[0]) && print(e.args[0]).starts_with('-');
    };
    if (sum.args.size() == 2)
        for (std::size_t i = 0; i < 2; ++i)
            if (isNumber(sum.args[i]) && !print(sum.args[i]).starts_with('-') && negativeProduct(sum.args[1 - i]))
                return {&sum.args[i], &sum.args[1 - i]};
    std::vector<Term> terms;
    std::map<std::string, int> generators;
    for (const Expr& e : sum.args) {
        terms.push_back(termOf(e));
        for (const auto& [name, power] : terms.back().powers)
            generators[name] = 0;
    }
    std::ranges::stable_sort(terms, [&](const Term& a, const Term& b) {
        for (const auto& [name, unused] : generators) {
            const auto inA = a.powers.find(name);
            const auto inB = b.powers.find(name);
            const int powerA = inA == a.powers.end() ? 0 : inA->second;
            const int powerB = inB == b.powers.end() ? 0 : inB->second;
            if (powerA != powerB)
                return powerA > powerB;
        }
        return false;
    });
    std::vector<const Expr*> out;
    for (const Term& term : terms)
        out.push_back(term.expr);
    return out;
}

std::string printSum(const Expr& e)
{
    std::string out;
    for (const Expr* term : orderedTerms(e)) {
        std::string text = print(*term);
        const bool negative = text.starts_with('-');
        if (!out.empty()) {
            out += negative ? " - " : " + ";
            text = negative ? text.substr(1) : text;
        }
        out += precedence(*term) < kAdd ? "(" + text + ")" : text;
    }
    return out;
}

std::string printProduct(const Expr& e)
{
    std::vector<std::string> above;
    std::vector<std::string> below;
    std::string sign;
    for (const Expr& factor : e.args) {
        const std::string text = print(factor);
        if (isNumber(factor)) {
            const std::string digits = text.starts_with('-') ? text.substr(1) : text;
            sign = text.starts_with('-') ? "-" : "";
            const std::size_t slash = digits.find('/');
            if (const std::string top = digits.substr(0, slash); top != "1")
                above.push_back(top);
            if (slash != std::string::npos)
                below.push_back(digits.substr(slash + 1));
        } else if (factor.head == "Pow" && factor.args.size() == 2 && print(factor.args[1]).starts_with('-')) {
            const std::string power = print(factor.args[1]).substr(1);
            const std::string base = bracketed(factor.args[0], kPow);
            below.push_back(power == "1" ? base : base + "**" + power);
        } else {
            above.push_back(bracketed(factor, kMul, true));
        }
    }
    const auto joined = [](const std::vector<std::string>& parts) {
        std::string out;
        for (const std::string& part : parts)
            out += (out.empty() ? "" : "*") + part;
        return out;
    };
    std::string out = sign + (above.empty() ? "1" : joined(above));
    if (!below.empty())
        out += below.size() == 1 ? "/" + below[0] : "/(" + joined(below) + ")";
    return out;
}

std::string printPower(const Expr& e)
{
    if (e.args.size() != 2)
        return "Pow()";
    const std::string power = print(e.args[1]);
    if (power == "1/2")
        return "sqrt(" + print(e.args[0]) + ")";
    if (power == "-1")
        return "1/" + bracketed(e.args[0], kPow);
    return bracketed(e.args[0], kPow) + "**" + bracketed(e.args[1], kPow);
}

std::string printInfix(const Expr& e, const char* sign, int level)
{
    std::string out;
    for (const Expr& argument : e.args)
        out += (out.empty() ? "" : sign) + bracketed(argument, level);
    return out;
}

std::string printCall(const Expr& e)
{
    static const std::map<std::string, std::string, std::less<>> kNames = {{"Equality", "Eq"}, {"Unequality", "Ne"}};
    const auto found = kNames.find(e.head);
    std::string out = (found == kNames.end() ? e.head : found->second) + "(";
    for (std::size_t i = 0; i < e.args.size(); ++i)
        out += (i ? ", " : "") + print(e.args[i]);
    return out + ")";
}

std::string printNew(const Expr& e)
{
    static const std::map<std::string, const char*, std::less<>> kRelations = {
        {"StrictGreaterThan", " > "}, {"GreaterThan", " >= "}, {"StrictLessThan", " < "}, {"LessThan", " <= "}};
    if (e.head.empty() || e.head == "Symbol")
        return e.text;
    if ((e.head == "Integer" || e.head == "Float") && !e.args.empty())
        return e.args[0].text;
    if (e.head == "Rational" && e.args.size() == 2)
        return print(e.args[0]) + "/" + print(e.args[1]);
    if (e.head == "Add")
        return printSum(e);
    if (e.head == "Mul")
        return printProduct(e);
    if (e.head == "Pow")
        return printPower(e);
    if (e.head == "FloorDiv" || e.head == "CleanDiv") // torch's own: "(s0//2)"
        return "(" + printInfix(e, "//", kAtom - 1) + ")";
    if (e.head == "And")
        return printInfix(e, " & ", kBitwiseAnd);
    if (e.head == "Or")
        return printInfix(e, " | ", kBitwiseOr);
    if (e.head == "Not" && e.args.size() == 1)
        return "~" + bracketed(e.args[0], kNot);
    if (const auto found = kRelations.find(e.head); found != kRelations.end())
        return printInfix(e, found->second, kRelational);
    return printCall(e);
}

} // namespace

Result<std::string> printSymbolic(std::string_view srepr)
{
    GB_ASSIGN(const Expr expr, Parser(srepr).run());
    return expr.printed;
}

} // namespace gb::io
