// MovingAveragePerChannelMinMaxObserver: a moving average of each channel's smallest and largest values.
//
// Source: torchao/quantization/pt2e/observer.py (MovingAveragePerChannelMinMaxObserver). Per channel only.
//
// Thread: one at a time.
#pragma once

#include "quant/per_channel_min_max_observer.h"

namespace gb::quant {

class MovingAveragePerChannelMinMaxObserver final : public PerChannelMinMaxObserver {
public:
    /// averaging_constant is 0.01 and ch_axis 0 by default. Errors as PerChannelMinMaxObserver's.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);

    [[nodiscard]] const char* typeName() const override { return "MovingAveragePerChannelMinMaxObserver"; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override
    {
        return std::make_shared<MovingAveragePerChannelMinMaxObserver>(*this);
    }

private:
    MovingAveragePerChannelMinMaxObserver(UniformConfig config, ObserverSettings settings);
    [[nodiscard]] bool onlyWidens() const override { return false; }
    [[nodiscard]] base::Result<MinMax> merged(const MinMax& current) const override;
};

} // namespace gb::quant
