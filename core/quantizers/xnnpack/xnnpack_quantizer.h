// XNNPACKQuantizer of torchao's testing package.
//
// Source: torchao/testing/pt2e/_xnnpack_quantizer.py. Settings by module name are used first, then by module type, then
// the global one for what no other setting owns. set_operator_type is stored and read by nothing, as there.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/quantization_config.h"
#include "quantizers/quantizer.h"
#include "quantizers/report.h"

#include <optional>

namespace gb::quantizers::xnnpack {

class XnnpackQuantizer final : public Quantizer {
public:
    /// Runs the config calls of a recipe: set_global, set_operator_type, set_module_type, set_module_name.
    /// Errors: ValueError of a config, AssertionError of set_module_name(name, None).
    static base::Result<std::unique_ptr<Quantizer>> make(const Recipe& recipe);

    [[nodiscard]] const char* kind() const override { return "xnnpack"; }
    [[nodiscard]] const char* className() const override { return "XNNPACKQuantizer"; }
    base::Status transformForAnnotation(ir::GraphModule& model, trace::Recorder& recorder) override;
    base::Status annotate(ir::GraphModule& model, trace::Recorder& recorder) override;

private:
    using OptionalConfig = std::optional<QuantizationConfig>; ///< nullopt is None
    using Settings = std::vector<std::pair<std::string, OptionalConfig>>;

    base::Status annotateWith(RuleContext& context, const OptionalConfig& config, const Filter& filter, bool dynamic);

    OptionalConfig m_global;
    Settings m_moduleTypes;
    Settings m_moduleNames;
};

} // namespace gb::quantizers::xnnpack
