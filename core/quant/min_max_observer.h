// MinMaxObserver: the smallest and largest value ever seen.
//
// Source: torchao/quantization/pt2e/observer.py (MinMaxObserver). Per tensor only.
//
// Thread: one at a time.
#pragma once

#include "quant/uniform_observer.h"

namespace gb::quant {

class MinMaxObserver : public UniformObserver {
public:
    /// Errors as the constructor's: NotImplementedError, TypeError, AssertionError.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);

    [[nodiscard]] const char* typeName() const override { return "MinMaxObserver"; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<MinMaxObserver>(*this); }

protected:
    MinMaxObserver(UniformConfig config, ObserverSettings settings);
    base::Status observe(const ir::Tensor& x, base::Pool* pool) override;
    [[nodiscard]] bool onlyWidens() const override { return true; }
};

} // namespace gb::quant
