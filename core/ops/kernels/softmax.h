// Softmax over rows, for the softmax ops and attention.
//
// Thread: pure functions.
#pragma once

#include "ops/call.h"

namespace gb::ops {

/// Replaces each row of `width` floats by its softmax (or its logarithm). A row of -inf alone becomes NaN, as in torch,
/// or zeros where `safe` (attention's _safe_softmax).
void softmaxRows(const Context& context, float* values, std::int64_t rows, std::int64_t width, bool logarithm,
                 bool safe);

} // namespace gb::ops
