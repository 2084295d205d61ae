// Observer cases and their answers (formats.md, section 7): the files of `greenbox observe`.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "quant/observe_case.h"

#include <string>
#include <string_view>
#include <vector>

namespace gb::io {

struct ObserveCase {
    ir::ObserverConstructor observer;
    std::vector<std::string> inputs; ///< array names, in order
};

/// A list of {"observer", "args", "inputs"}. Errors: Format, Usage (an unknown key or observer); place is the file and
/// the way to the key.
base::Result<std::vector<ObserveCase>> parseObserveCases(std::string_view text, const std::string& place);
/// The same from a file. Errors also: Io.
base::Result<std::vector<ObserveCase>> readObserveCases(const std::string& path);

/// The answers as a JSON list, one case a line. Floats are written so that they read back to the same double.
std::string observeAnswers(const std::vector<quant::ObserveResult>& results);

} // namespace gb::io
