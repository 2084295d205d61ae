// The observers that look at nothing and have no qparams: PlaceholderObserver (dynamic quantization, float16),
// RecordingObserver, NoopObserver and ReuseInputObserver.
//
// Source: torchao/quantization/pt2e/observer.py. What RecordingObserver keeps (the tensors themselves) is shown
// nowhere, so it is not kept.
//
// Thread: one at a time.
#pragma once

#include "quant/keywords.h"
#include "quant/observer.h"

namespace gb::quant {

class PassiveObserver final : public Observer {
public:
    /// By keywords.className(), one of the four. Errors: TypeError.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);

    [[nodiscard]] const char* typeName() const override { return m_typeName.c_str(); }
    [[nodiscard]] const ObserverSettings& settings() const override { return m_settings; }
    /// Always the Exception "calculate_qparams should not be called for X".
    [[nodiscard]] base::Result<QParams> calculateQParams() const override;
    [[nodiscard]] ObserverState state() const override;
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<PassiveObserver>(*this); }

private:
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) override;

    PassiveObserver(std::string typeName, ObserverSettings settings);

    std::string m_typeName;
    ObserverSettings m_settings;
    std::int64_t m_batches = 0;
};

} // namespace gb::quant
