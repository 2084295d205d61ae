#include "ir/namespace.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gb::ir {
namespace {

// torch/fx/graph.py, _illegal_names: Python's keywords and builtins, and the names that torch.fx generates code with.
constexpr std::array<std::string_view, 196> kIllegalNames = {
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NoneType",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
    "__build_class__",
    "__debug__",
    "__doc__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "and",
    "anext",
    "any",
    "as",
    "ascii",
    "assert",
    "async",
    "await",
    "bin",
    "bool",
    "break",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "class",
    "classmethod",
    "compile",
    "complex",
    "continue",
    "copyright",
    "credits",
    "def",
    "del",
    "delattr",
    "device",
    "dict",
    "dir",
    "divmod",
    "elif",
    "else",
    "enumerate",
    "eval",
    "except",
    "exec",
    "exit",
    "filter",
    "finally",
    "float",
    "for",
    "format",
    "from",
    "frozenset",
    "fx_pytree",
    "getattr",
    "global",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "if",
    "import",
    "in",
    "inf",
    "input",
    "int",
    "is",
    "isinstance",
    "issubclass",
    "iter",
    "lambda",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "nan",
    "next",
    "nonlocal",
    "not",
    "object",
    "oct",
    "open",
    "or",
    "ord",
    "pass",
    "pow",
    "print",
    "property",
    "pytree",
    "quit",
    "raise",
    "range",
    "repr",
    "return",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "torch",
    "try",
    "tuple",
    "type",
    "vars",
    "while",
    "with",
    "yield",
    "zip",
};

bool isIllegal(std::string_view name)
{
    return std::ranges::binary_search(kIllegalNames, name);
}

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string cleaned(std::string_view candidate)
{
    std::string out;
    bool bad = false; // a run of illegal characters becomes one "_"
    for (const char c : candidate) {
        if (isWord(c) && static_cast<unsigned char>(c) < 0x80) {
            out += c;
            bad = false;
        } else if (!bad) {
            out += '_';
            bad = true;
        }
    }
    if (out.empty())
        out = "_unnamed";
    if (std::isdigit(static_cast<unsigned char>(out[0])))
        out = "_" + out;
    return out;
}

/// Splits "conv2d_1" into "conv2d" and 1; number is -1 without one (or one too long to count with).
std::pair<std::string, long long> split(const std::string& name)
{
    std::size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])))
        --digits;
    const std::size_t count = name.size() - digits;
    if (count == 0 || count > 17 || digits < 2 || name[digits - 1] != '_')
        return {name, -1};
    return {name.substr(0, digits - 1), std::stoll(name.substr(digits))};
}

} // namespace

std::string Namespace::create(std::string_view text)
{
    std::string candidate = cleaned(text);
    auto [base, number] = split(candidate);
    if (number < 0 || m_used.contains(candidate)) {
        const auto found = m_baseCount.find(base);
        number = found == m_baseCount.end() ? 0 : found->second;
        if (isIllegal(candidate)) {
            ++number;
            candidate = base + "_" + std::to_string(number);
        }
    }
    while (m_used.contains(candidate)) {
        ++number;
        candidate = base + "_" + std::to_string(number);
    }
    m_used.insert(candidate);
    m_baseCount[base] = number;
    return candidate;
}

std::string candidateFromTarget(std::string_view op, std::string_view target)
{
    std::string text(target);
    if (op == "call_function") {
        // an OpOverload's __name__ is "conv2d.default" (the namespace is not in it); a plain function's its own
        constexpr std::string_view kBuiltin = "<built-in function ";
        if (text.starts_with(kBuiltin) && text.ends_with('>'))
            text = text.substr(kBuiltin.size(), text.size() - kBuiltin.size() - 1);
        else if (const std::size_t dot = text.find('.'); dot != std::string::npos)
            text = text.substr(dot + 1);
    } else if (text.size() > 4 && text.starts_with("__") && text.ends_with("__")) {
        text = text.substr(2, text.size() - 4);
    }
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && std::isupper(static_cast<unsigned char>(text[i]))
            && std::islower(static_cast<unsigned char>(text[i - 1])))
            out += '_';
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
    return out;
}

} // namespace gb::ir
