// Symbolic sizes: from the text that torch.export stores to the one that it prints.
//
// A .pt2 holds sympy's srepr ("Mul(Integer(2), Symbol('s77', integer=True))"); str(node.meta["val"].shape[0]), dumps
// and people see sympy's str ("2*s77"). Source: sympy/printing/str.py (StrPrinter), sympy/core/expr.py
// (as_ordered_terms) and torch/utils/_sympy/functions.py (FloorDiv and the other functions of sizes).
//
// Thread: pure functions.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace gb::io {

/// The printed form of an srepr text. Error (Format): not an srepr, or nested deeper than 100 calls.
base::Result<std::string> printSymbolic(std::string_view srepr);

} // namespace gb::io
