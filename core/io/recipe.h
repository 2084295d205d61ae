// Reads a recipe (formats.md, section 1): which quantizer, with which settings.
//
// Nothing is ignored: an unknown key, a wrong type, an unknown quantizer, observer, dtype or qscheme is an error whose
// place is the file and the way to the key ("r.json: rules[0].inputs[1].arg") and whose sentence says what is allowed.
// What only torchao can refuse (quant_min above quant_max, a config that is None) is left to the flow, where its own
// error is raised.
//
// Keys by quantizer:
//   xnnpack                      quantizer global operator_type module_type module_name
//   x86_inductor, arm_inductor   quantizer global function_type module_type module_name
//   embedding                    quantizer
//   composable                   quantizer quantizers
//   rules                        quantizer specs rules
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "quantizers/recipe.h"

#include <string>
#include <string_view>

namespace gb::io {

/// A recipe from JSON text; `place` is what errors start with. Errors: Format (broken JSON, a wrong type), Usage (an
/// unknown key or name). The recipe's `json` is the same document on one line.
base::Result<quantizers::Recipe> parseRecipe(std::string_view text, const std::string& place);

/// The same from a file. Errors also: Io (cannot be read), Format (larger than any recipe: 16 MiB).
base::Result<quantizers::Recipe> readRecipe(const std::string& path);

} // namespace gb::io
