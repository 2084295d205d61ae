// SHA-256 of a tensor's elements.
//
// Thread: pure function.
#pragma once

#include "ir/tensor.h"

#include <string>

namespace gb::io {

/// Of the raw little-endian row-major bytes, as 64 hexadecimal digits: what a dump's `tensors` holds.
std::string sha256(const ir::Tensor& tensor);

} // namespace gb::io
