// Recoverable errors as values.
//
// Every function that can fail on input returns Result<T>. An Error has a code, a sentence and a place (file,
// archive entry, node). The sentence gives what was found and what was expected, begins in lower case and has
// no final stop. Asserts are for our own bugs only.
//
// Thread: plain values, any thread.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace gb::base {

/// What went wrong, most specific first. The names are written into no file.
enum class ErrorCode {
    Io,                  ///< cannot read or write (permission, missing, disk full)
    Format,              ///< not the format that it claims to be, or broken
    Unsupported,         ///< well formed, but a version, opcode or dtype that this program does not take
    Usage,               ///< a recipe, option or argument that is wrong
    NotFound,            ///< a name that refers to nothing
    Shape,               ///< shapes or dtypes that do not fit
    NoKernel,            ///< an op that the interpreter has no kernel for
    TypeError,           ///< torchao raises TypeError here
    ValueError,          ///< torchao raises ValueError here
    AssertionError,      ///< torchao raises AssertionError here
    RuntimeError,        ///< torchao or torch raises RuntimeError here
    KeyError,            ///< torchao raises KeyError here
    IndexError,          ///< torchao or torch raises IndexError here
    AttributeError,      ///< torchao or torch raises AttributeError here
    NotImplementedError, ///< torchao raises NotImplementedError here
    StopIteration,       ///< Python's next() found nothing
    RecursionError,      ///< torchao recurses without end here
    Exception,           ///< torchao raises a bare Exception here
    Cancelled,           ///< the user stopped it
};

/// The Python exception name that a dump's "error.type" has for this code ("RuntimeError" for our own codes).
const char* exceptionName(ErrorCode code);
/// True for the codes that stand for an exception that torch or torchao raises (exit status 1, not 2).
bool isTorchError(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::Format;
    std::string sentence; ///< "864 bytes in the archive, 1,152 expected for float32 [8, 3, 4, 3]"
    std::string place;    ///< "model.pt2: data/weights/weight_3", "node conv2d"; may be empty

    /// "place: sentence", or the sentence alone.
    [[nodiscard]] std::string text() const;
    /// The same error with `outer` before its place ("outer: place").
    [[nodiscard]] Error in(const std::string& outer) const;
};

/// A value or an error. Never both, never neither.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const& { return std::get<1>(m_state); }
    [[nodiscard]] Error&& error() && { return std::get<1>(std::move(m_state)); }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an error: `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_failed(true)
    {
    }

    [[nodiscard]] bool ok() const { return !m_failed; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
    bool m_failed = false;
};

using Status = Result<void>;

} // namespace gb::base

/// Returns the error of a Result from the enclosing function, else continues.
#define GB_TRY(expression)                                                                                             \
    do {                                                                                                               \
        if (auto gbStatus = (expression); !gbStatus.ok())                                                              \
            return gbStatus.error();                                                                                   \
    } while (false)

#define GB_CONCAT_INNER(a, b) a##b
#define GB_CONCAT(a, b) GB_CONCAT_INNER(a, b)
/// `GB_ASSIGN(auto x, f());` declares x with f's value or returns f's error.
#define GB_ASSIGN(declaration, expression)                                                                             \
    auto GB_CONCAT(gbResult, __LINE__) = (expression);                                                                 \
    if (!GB_CONCAT(gbResult, __LINE__).ok())                                                                           \
        return std::move(GB_CONCAT(gbResult, __LINE__)).error();                                                       \
    declaration = std::move(GB_CONCAT(gbResult, __LINE__)).value()
