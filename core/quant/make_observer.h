// From a constructor (class name and keyword arguments) to an observer, and from a spec to an observer.
//
// Thread: pure functions.
#pragma once

#include "quant/observer.h"

namespace gb::quant {

/// `ctr.name(**ctr.arguments)`. Errors: an unknown class or keyword (Usage, names what is allowed), a wrong value, and
/// what torchao's own constructors raise (ValueError, AssertionError, NotImplementedError).
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::ObserverConstructor& ctr);

/// _create_obs_or_fq_from_qspec for a QuantizationSpec (prepare.py): the constructor's own arguments, then the spec's
/// dtype, quant_min, quant_max, qscheme, ch_axis (only where the class name has "PerChannel") and is_dynamic.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::QuantizationSpec& spec);

/// FixedQParamsObserver, or with isQat FixedQParamsFakeQuantize.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::FixedQParamsQuantizationSpec& spec, bool isQat);

/// DerivedObserverOrFakeQuantize; `from` are the observers of spec.from, in order.
base::Result<std::shared_ptr<Observer>> makeObserver(const ir::DerivedQuantizationSpec& spec,
                                                     std::vector<std::shared_ptr<const Observer>> from);

} // namespace gb::quant
