// EmbeddingQuantizer: labels the weight of every embedding, in uint8 with float qparams.
//
// Source: torchao/quantization/pt2e/quantizer/embedding_quantizer.py. It takes no settings and does not mark what it
// labels, so that a later member of a composable quantizer may label the node too.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/quantizer.h"

namespace gb::quantizers::embedding {

class EmbeddingQuantizer final : public Quantizer {
public:
    [[nodiscard]] const char* kind() const override { return "embedding"; }
    [[nodiscard]] const char* className() const override { return "EmbeddingQuantizer"; }
    base::Status annotate(ir::GraphModule& model, trace::Recorder& recorder) override;
};

} // namespace gb::quantizers::embedding
