#include "base/result.h"

namespace gb::base {

const char* exceptionName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::TypeError: return "TypeError";
    case ErrorCode::ValueError: return "ValueError";
    case ErrorCode::AssertionError: return "AssertionError";
    case ErrorCode::KeyError: return "KeyError";
    case ErrorCode::IndexError: return "IndexError";
    case ErrorCode::AttributeError: return "AttributeError";
    case ErrorCode::StopIteration: return "StopIteration";
    case ErrorCode::RecursionError: return "RecursionError";
    case ErrorCode::Exception: return "Exception";
    case ErrorCode::NotImplementedError: return "NotImplementedError";
    default: return "RuntimeError";
    }
}

bool isTorchError(ErrorCode code)
{
    switch (code) {
    case ErrorCode::TypeError:
    case ErrorCode::ValueError:
    case ErrorCode::AssertionError:
    case ErrorCode::RuntimeError:
    case ErrorCode::KeyError:
    case ErrorCode::IndexError:
    case ErrorCode::AttributeError:
    case ErrorCode::NotImplementedError:
    case ErrorCode::StopIteration:
    case ErrorCode::RecursionError:
    case ErrorCode::Exception: return true;
    default: return false;
    }
}

std::string Error::text() const
{
    return place.empty() ? sentence : place + ": " + sentence;
}

Error Error::in(const std::string& outer) const
{
    return {code, sentence, place.empty() ? outer : outer + ": " + place};
}

} // namespace gb::base
