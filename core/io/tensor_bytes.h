// Tensors over raw bytes from a file.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "io/file.h"
#include "ir/tensor.h"

namespace gb::io {

constexpr std::size_t kMostDims = 64; ///< as torch and numpy

/// ir::checkedElementCount, and neither more than kMostDims dimensions nor strides that would overflow.
base::Result<std::int64_t> checkedShape(const ir::Shape& shape);

/// A storage whose elements may be read as `dtype`: the mapped memory itself where it is aligned, else a copy. A bool
/// is always copied and made 0 or 1, since any other byte is undefined when read as a C++ bool.
Bytes readable(const Bytes& bytes, ir::DType dtype);

/// A strided view over a block as `readable` gave it, as torch.as_strided. Errors (Shape) say the bytes found and the
/// bytes that dtype, shape, strides and offset need. `place` is the entry.
base::Result<ir::Tensor> tensorOver(const Bytes& block, ir::DType dtype, const ir::Shape& shape,
                                    const ir::Shape& strides, std::int64_t offset, const std::string& place);

} // namespace gb::io
