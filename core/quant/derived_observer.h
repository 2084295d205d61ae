// DerivedObserverOrFakeQuantize: qparams computed from those of other observers.
//
// Source: torchao/quantization/pt2e/__init__.py (DerivedObserverOrFakeQuantize); the "bias" function is bias_qparams of
// the recipes: scale = activation scale x weight scale, zero point 0.
//
// Thread: one at a time, and not while one of the observers that it derives from is written.
#pragma once

#include "ir/spec.h"
#include "quant/observer.h"

namespace gb::quant {

class DerivedObserver final : public Observer {
public:
    /// `from` are the observers of spec.from, in order; null where that position is not quantized. Errors:
    /// AssertionError for a per-channel scheme without ch_axis, Usage for an unknown derive function.
    static base::Result<std::shared_ptr<Observer>> make(const ir::DerivedQuantizationSpec& spec,
                                                        std::vector<std::shared_ptr<const Observer>> from);

    [[nodiscard]] const char* typeName() const override { return "DerivedObserverOrFakeQuantize"; }
    [[nodiscard]] const ObserverSettings& settings() const override { return m_settings; }
    /// scale float32 and zero point int64, one a channel of the second observer. Errors: those of the observers,
    /// RuntimeError where the first has several scales, IndexError where there are not two observers, AttributeError
    /// where one of them is null.
    [[nodiscard]] base::Result<QParams> calculateQParams() const override;
    [[nodiscard]] ObserverState state() const override;
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<DerivedObserver>(*this); }

private:
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) override;

    DerivedObserver(ObserverSettings settings, std::vector<std::shared_ptr<const Observer>> from);

    ObserverSettings m_settings;
    std::vector<std::shared_ptr<const Observer>> m_from;
    std::int64_t m_batches = 0;
};

} // namespace gb::quant
