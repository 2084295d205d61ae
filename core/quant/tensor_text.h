// A tensor as Python's f"{tensor}" prints it, for the sentences of torchao's assertions.
//
// Source: torch/_tensor_str.py (_Formatter, _vector_str), with torch's default print options.
//
// Thread: pure functions.
#pragma once

#include "ir/tensor.h"

#include <string>

namespace gb::quant {

/// repr() of a Python float: the fewest digits that read back, an exponent below 1e-4 and from 1e16 on.
std::string pythonFloat(double value);

/// float32, 0-dimensional (as its Python float) or 1-dimensional ("tensor([1.0000, nan])"), with torch's line breaks.
std::string tensorText(const ir::Tensor& tensor);

} // namespace gb::quant
