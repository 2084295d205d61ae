// Holds a dump of ours against torchao's with the oracle's own tolerances (compare.py, run_cases.py).
#pragma once

#include "engine/run.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gb::test {

using Json = nlohmann::ordered_json;

enum class Tensors { Bits, DTypeAndShape };

/// What differs, as sentences; none where the dumps are the same. Scales may differ by 2e-5 relative, tensors that
/// convert stores may not differ in what is asked for.
std::vector<std::string> dumpDifferences(const Json& mine, const Json& theirs, Tensors tensors = Tensors::Bits);

/// What differs between outputs: float within 1e-4 of the largest, converted within 2e-2; and in PTQ, where nothing was
/// folded, prepared equal to float bit for bit.
std::vector<std::string> outputDifferences(const std::vector<std::pair<std::string, ir::Tensor>>& mine,
                                           const std::vector<std::pair<std::string, ir::Tensor>>& theirs,
                                           const Json& dump);

} // namespace gb::test
