// MovingAverageMinMaxObserver: a moving average of the batches' smallest and largest values.
//
// Source: torchao/quantization/pt2e/observer.py (MovingAverageMinMaxObserver). Per tensor only.
//
// Thread: one at a time.
#pragma once

#include "quant/min_max_observer.h"

namespace gb::quant {

class MovingAverageMinMaxObserver final : public MinMaxObserver {
public:
    /// averaging_constant is 0.01 by default. Errors: as MinMaxObserver's, and NotImplementedError for is_dynamic with
    /// an averaging_constant other than 1.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);

    [[nodiscard]] const char* typeName() const override { return "MovingAverageMinMaxObserver"; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override
    {
        return std::make_shared<MovingAverageMinMaxObserver>(*this);
    }

private:
    MovingAverageMinMaxObserver(UniformConfig config, ObserverSettings settings);
    /// minmax_m4: the first batch (min_val inf and max_val -inf) is taken as it is.
    base::Status observe(const ir::Tensor& x, base::Pool* pool) override;
    [[nodiscard]] bool onlyWidens() const override { return false; }
};

/// The averaging_constant keyword: a number, 0.01 where it is not given.
base::Result<double> averagingConstant(const Keywords& keywords);

} // namespace gb::quant
