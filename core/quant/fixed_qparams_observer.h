// FixedQParamsObserver: scale and zero point as given; looks at nothing.
//
// Source: torchao/quantization/pt2e/observer.py (FixedQParamsObserver).
//
// Thread: one at a time.
#pragma once

#include "quant/keywords.h"
#include "quant/observer.h"

namespace gb::quant {

class FixedQParamsObserver final : public Observer {
public:
    /// scale and zero_point must be given; quant_min is 0 and quant_max 255 by default, each may be None.
    /// Errors: TypeError, NotImplementedError for is_dynamic, RuntimeError for a zero_point that is no int32.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);

    [[nodiscard]] const char* typeName() const override { return "FixedQParamsObserver"; }
    [[nodiscard]] const ObserverSettings& settings() const override { return m_settings; }
    [[nodiscard]] base::Result<QParams> calculateQParams() const override { return m_qparams; }
    [[nodiscard]] ObserverState state() const override;
    [[nodiscard]] std::shared_ptr<Observer> copy() const override
    {
        return std::make_shared<FixedQParamsObserver>(*this);
    }

private:
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) override;

    FixedQParamsObserver(ObserverSettings settings, QParams qparams);

    ObserverSettings m_settings;
    QParams m_qparams; ///< float32 and int32, one element each
    std::int64_t m_batches = 0;
};

} // namespace gb::quant
