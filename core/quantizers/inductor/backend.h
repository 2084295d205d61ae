// What X86InductorQuantizer and ArmInductorQuantizer differ in: their ops, their names and their config function.
//
// Source: torchao/quantization/pt2e/quantizer/x86_inductor_quantizer.py and arm_inductor_quantizer.py (a subclass that
// runs fewer of the same rules).
//
// Thread: constants.
#pragma once

#include "quantizers/quantization_config.h"
#include "quantizers/recipe.h"

#include <string>
#include <string_view>
#include <vector>

namespace gb::quantizers::inductor {

using OpSet = std::vector<std::string_view>;
bool contains(const OpSet& ops, std::string_view target);

/// Ops that run in int8 when their input is int8.
const OpSet& int8InInt8OutOps();
/// quantizable_ops of the x86 quantizer (both use it to look at flatten's users).
const OpSet& quantizableOps();

struct Backend {
    const char* kind;
    const char* className;
    QuantizationConfig (*config)(const ConfigArguments&);
    OpSet defaultOps; ///< default_quantizable_ops: what a global config reaches
    bool isX86;       ///< runs the rules that the arm quantizer leaves out
    /// module_function_to_aten_operator_type: a module's or function's dotted name -> its op.
    std::vector<std::pair<std::string_view, std::string_view>> operators;

    /// The op, or empty for a name that cannot be configured.
    [[nodiscard]] std::string_view operatorFor(std::string_view name) const;
};
const Backend& x86Backend();
const Backend& armBackend();

} // namespace gb::quantizers::inductor
