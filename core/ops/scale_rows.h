// Rows of a large tensor times one factor each, for results that nobody reads soon.
//
// Thread: shared among the threads of the context's pool.
#pragma once

#include "ops/call.h"

namespace gb::ops {

/// x[i, ...] * factors[i], the same bits as aten.mul of float32. The result is written past the caches, so that weights
/// that are much larger than these cost no reading of the memory that is about to be overwritten. Nothing where x is no
/// contiguous float32 tensor or factors is not float32 [x.size(0)]: aten.mul does those.
/// Error as makeTensor gives it.
base::Result<std::optional<ir::Tensor>> scaleRows(const Context& context, const ir::Tensor& x,
                                                  const ir::Tensor& factors);

} // namespace gb::ops
