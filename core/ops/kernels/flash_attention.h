// Attention as torch's CPU kernel computes it: block by block over the keys, never the whole matrix of scores.
//
// Source: aten/src/ATen/native/cpu/FlashAttentionKernel.cpp. To the last bit where its products are (ops/gemm).
//
// Thread: pure functions; heads are shared among the context's pool.
#pragma once

#include "ops/call.h"

namespace gb::ops {

struct FlashAttention {
    ir::Tensor query; ///< float32 [batch, heads, length, width], as key and value
    ir::Tensor key;
    ir::Tensor value;
    std::optional<ir::Tensor> mask; ///< float32, added to the scores: [batch, heads, length, keys]
    bool causal = false;
    float scale = 1.0F;
};

/// [batch, heads, length, width] of the query. Precondition: sizes that fit, none of them 0.
base::Result<ir::Tensor> flashAttention(const Context& context, const FlashAttention& attention);

} // namespace gb::ops
