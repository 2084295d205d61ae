// PerChannelMinMaxObserver: the smallest and largest value ever seen of each channel.
//
// Source: torchao/quantization/pt2e/observer.py (PerChannelMinMaxObserver). Per channel only.
//
// Thread: one at a time.
#pragma once

#include "quant/uniform_observer.h"

namespace gb::quant {

class PerChannelMinMaxObserver : public UniformObserver {
public:
    /// ch_axis is 0 by default and may be None, which forward refuses. Errors as the constructor's:
    /// NotImplementedError, TypeError, AssertionError.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);

    [[nodiscard]] const char* typeName() const override { return "PerChannelMinMaxObserver"; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override
    {
        return std::make_shared<PerChannelMinMaxObserver>(*this);
    }

protected:
    PerChannelMinMaxObserver(UniformConfig config, ObserverSettings settings);
    base::Status observe(const ir::Tensor& x, base::Pool* pool) override;
    [[nodiscard]] bool onlyWidens() const override { return true; }
    /// What a later batch makes of the range so far.
    [[nodiscard]] virtual base::Result<MinMax> merged(const MinMax& current) const;
};

/// Reads ch_axis (0 where not given) into the settings.
base::Status addChannelAxis(ObserverSettings& settings, const Keywords& keywords);

} // namespace gb::quant
