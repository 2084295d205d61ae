// X86InductorQuantizer and ArmInductorQuantizer.
//
// Source: x86_inductor_quantizer.py and arm_inductor_quantizer.py. Settings by module name come first, then by operator
// type, then the global one; each runs all rules, over what the ones before left unmarked.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/inductor/settings.h"
#include "quantizers/quantizer.h"

namespace gb::quantizers::inductor {

class InductorQuantizer final : public Quantizer {
public:
    /// Runs the config calls of a recipe: set_global, set_function_type_qconfig, set_module_type_qconfig,
    /// set_module_name_qconfig.
    InductorQuantizer(const Backend& backend, const Recipe& recipe)
        : m_backend(backend)
        , m_settings(backend, recipe)
    {
    }
    [[nodiscard]] const char* kind() const override { return m_backend.kind; }
    [[nodiscard]] const char* className() const override { return m_backend.className; }
    base::Status annotate(ir::GraphModule& model, trace::Recorder& recorder) override;

private:
    const Backend& m_backend;
    Settings m_settings;
};

} // namespace gb::quantizers::inductor
