// One observer over a list of tensors: what `greenbox observe` answers for a case.
//
// Thread: pure function.
#pragma once

#include "quant/make_observer.h"

#include <span>
#include <stop_token>

namespace gb::quant {

/// What the observer holds after the last tensor. Absent where torchao's module has no such attribute, and after an
/// error where torchao's runner would not have come to it.
struct ObserveResult {
    std::optional<ir::Tensor> minVal;
    std::optional<ir::Tensor> maxVal;
    std::optional<ir::Tensor> histogram;
    std::optional<QParams> qparams;
    std::optional<ir::Tensor> output; ///< a fake quantize: what it returned for the last tensor
    std::string error;                ///< "Type: message" as Python prints it, first line; empty where there was none
};

/// Makes the observer and shows it the inputs in order. What torchao raises is a result (its error field), not an
/// error. Errors: those that are this program's own (an unknown class: Usage, a setting that it has not: Unsupported),
/// and Cancelled.
base::Result<ObserveResult> observeCase(const ir::ObserverConstructor& ctr, std::span<const ir::Tensor> inputs,
                                        std::stop_token stop = {});

} // namespace gb::quant
