// From a constructor (class name and keyword arguments) to an observer, and from a spec to an observer.
//
// Source: torchao/quantization/pt2e/prepare.py (_create_obs_or_fq_from_qspec), observer.py (_with_args).
//
// Thread: pure functions.
#pragma once

#include "quant/observer.h"

namespace gb::quant {

/// The classes of torchao.quantization.pt2e that makeObserver knows, sorted.
std::vector<std::string> observerClasses();

/// `ctr.name(**ctr.arguments)`. dtype and qscheme arguments may be values or torch's names as text; the observer of a
/// fake quantize is a class name or {"observer": name, "args": {...}}. Errors: an unknown class (Usage, names what is
/// allowed); what torchao's own constructors raise, by type and sentence (TypeError for an unknown keyword, ValueError,
/// AssertionError, NotImplementedError, ...); Unsupported for settings that torchao has and this program has not.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::ObserverConstructor& ctr);

/// _create_obs_or_fq_from_qspec for a QuantizationSpec (prepare.py): the constructor's own arguments, then the spec's
/// dtype, quant_min, quant_max, qscheme, ch_axis (only where the class name has "PerChannel") and is_dynamic. What the
/// spec leaves out goes on top as None, as in torchao.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::QuantizationSpec& spec);

/// FixedQParamsObserver, or with isQat FixedQParamsFakeQuantize.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::FixedQParamsQuantizationSpec& spec, bool isQat);

/// DerivedObserverOrFakeQuantize; `from` are the observers of spec.from, in order.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::DerivedQuantizationSpec& spec,
                                                     std::vector<std::shared_ptr<const Observer>> from);

} // namespace gb::quant
