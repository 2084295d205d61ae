// FusedMovingAvgObsFakeQuantize: a moving average of min and max, qparams and rounding in one op of torch, whose
// arithmetic is not that of the observer inside.
//
// Source: torchao/quantization/pt2e/fake_quantize.py (FusedMovingAvgObsFakeQuantize),
// torch.fused_moving_avg_obs_fake_quant (aten/src/ATen/native/quantized/cpu/fused_obs_fake_quant.cpp), FBGEMM's
// ChooseQuantizationParams.
//
// fakequant_f5: an infinite running value is replaced by the batch's, any other averaged in float32.
// fakequant_f6: qparams in double from the range widened to hold 0; a scale whose inverse is infinite becomes 0.1, one
//               below 6.1e-5 becomes that; symmetric: the zero point is the middle of the range where min < 0 < max.
//
// Thread: one at a time.
#pragma once

#include "quant/fake_quantize.h"
#include "quant/uniform_observer.h"

namespace gb::quant {

/// fbgemm::ChooseQuantizationParams with preserve_sparsity = symmetric. The scale is rounded to float32 by its users.
struct ChosenQParams {
    double scale = 1;
    std::int32_t zeroPoint = 0;
};
ChosenQParams chooseQParams(float min, float max, std::int32_t quantMin, std::int32_t quantMax, bool symmetric);

class FusedFakeQuantize final : public FakeQuantize {
public:
    /// As FakeQuantize::make, with quant_min 0 and quant_max 255 by default. Errors also: AssertionError for an
    /// observer that is no moving average.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords, const ObserverFactory& factory);

    [[nodiscard]] const char* typeName() const override { return "FusedMovingAvgObsFakeQuantize"; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<FusedFakeQuantize>(*this); }

private:
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) override;

    explicit FusedFakeQuantize(std::shared_ptr<Observer> observer);
    [[nodiscard]] UniformObserver& average() { return static_cast<UniformObserver&>(observer()); }
    base::Status prepareChannels(const ir::Tensor& x);
    base::Status updateRange(const ir::Tensor& x, base::Pool* pool);
    void chooseUsed();
};

} // namespace gb::quant
