// Which nodes of a graph can be computed now, and their values.
//
// Source: torchao/quantization/pt2e/constant_fold.py (ConstantFolder, with skip_constructors). Values are computed only
// where a quantize needs them, or where an in-place op writes to an attribute (torch's folder runs such ops too).
//
// Thread: the one that runs the passes.
#pragma once

#include "ops/value.h"
#include "passes/pass_context.h"

#include <unordered_map>
#include <vector>

namespace gb::passes {

struct ConstantValues {
    /// Quantize nodes whose value is constant, in graph order.
    std::vector<std::pair<ir::Node*, ir::Tensor>> quantized;
    /// Attributes that in-place ops wrote to, by name.
    std::map<std::string, ir::Tensor> written;
};

/// Errors: what the kernels say, NoKernel among them; Cancelled.
base::Result<ConstantValues> computeConstants(const ir::GraphModule& model, PassContext& context);

} // namespace gb::passes
