// What all observers of a range have in common: their configuration, min_val and max_val, and the state made of them.
//
// Source: torchao/quantization/pt2e/observer.py (UniformQuantizationObserverBase).
//
// Thread: one at a time.
#pragma once

#include "quant/min_max.h"
#include "quant/qparams.h"

namespace gb::quant {

class UniformObserver : public Observer {
public:
    [[nodiscard]] const ObserverSettings& settings() const final { return m_settings; }
    bool forwardAgain() final;
    [[nodiscard]] base::Result<QParams> calculateQParams() const override;
    [[nodiscard]] ObserverState state() const override;

    [[nodiscard]] const UniformConfig& config() const { return m_config; }
    /// min_val and max_val. For the fused fake quantize, which writes them itself; a tensor is replaced, never written.
    [[nodiscard]] const MinMax& range() const { return m_range; }
    void setRange(MinMax range) { m_range = std::move(range); }
    /// The smallest and largest value (of each channel) of the newest batch; absent before the first one, and for one
    /// without elements. Infinite values count, also where the observer then leaves them out.
    [[nodiscard]] const std::optional<MinMax>& seen() const { return m_seen; }
    void setSeen(MinMax seen) { m_seen = std::move(seen); }

protected:
    UniformObserver(UniformConfig config, ObserverSettings settings, MinMax start);
    /// Takes in a tensor with at least one element; pool as forward.
    virtual base::Status observe(const ir::Tensor& x, base::Pool* pool) = 0;

    /// True where a tensor that was just taken in changes nothing the second time.
    [[nodiscard]] virtual bool onlyWidens() const { return false; }

private:
    /// Counts the batch and returns x; an empty x is not looked at (no observer of torchao does).
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) final;

    UniformConfig m_config;
    ObserverSettings m_settings;
    MinMax m_range;
    std::optional<MinMax> m_seen;
    std::int64_t m_batches = 0;
};

/// inf and -inf, 0-dimensional: the buffers of a per-tensor observer before the first batch.
MinMax untouchedRange();
/// Two empty tensors: those of a per-channel observer.
MinMax emptyRange();

/// The state that every observer and fake quantize shares: qparams or torchao's sentence why there are none.
void addQParams(ObserverState& state, const base::Result<QParams>& qparams);

} // namespace gb::quant
