// HistogramObserver: a histogram over everything seen, and a range chosen from it.
//
// Source: torchao/quantization/pt2e/observer.py (HistogramObserver). Per tensor only.
//
// histogram_s1: infinite values are left out; a batch with nothing else is not looked at.
// histogram_s5: a later batch is counted over the range of both. Unchanged range: counts are added. A single value so
//               far: its count goes to its bin. Otherwise the old counts are upscaled into the new range.
// histogram_s7: the range so far may be 0 wide, then its count is the sum of all bins.
// histogram_s2 to s4 and s6: histogram_bins.h. histogram_s8 and s9: histogram_search.h.
//
// Thread: one at a time.
#pragma once

#include "quant/histogram_search.h"
#include "quant/uniform_observer.h"

#include <memory>
#include <mutex>

namespace gb::quant {

class HistogramObserver final : public UniformObserver {
public:
    /// bins is 2048 by default. Errors as the constructor's: NotImplementedError, TypeError, AssertionError,
    /// RuntimeError; Unsupported for more than kMostBins.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords);
    static constexpr std::int64_t kMostBins = 1 << 20;

    [[nodiscard]] const char* typeName() const override { return "HistogramObserver"; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<HistogramObserver>(*this); }
    /// The search runs once a state, its result is kept until the next batch; copies of the same state share it, and
    /// may ask for it from several threads.
    [[nodiscard]] base::Result<QParams> calculateQParams() const override;
    [[nodiscard]] ObserverState state() const override;
    /// What the search looks at; valid until the next batch.
    [[nodiscard]] HistogramView histogram() const;

private:
    HistogramObserver(UniformConfig config, ObserverSettings settings);
    base::Status observe(const ir::Tensor& x, base::Pool* pool) override;
    base::Status begin(const ir::Tensor& x, double min, double max, base::Pool* pool);
    base::Status extend(const ir::Tensor& x, double min, double max, base::Pool* pool);
    [[nodiscard]] base::Result<std::vector<float>> moved(double newMin, double newMax) const;
    [[nodiscard]] base::Result<QParams> searchQParams() const;

    ir::Tensor m_histogram; ///< replaced with each batch, never written
    struct Chosen {
        std::once_flag once;
        std::optional<base::Result<QParams>> qparams;
    };
    std::shared_ptr<Chosen> m_chosen = std::make_shared<Chosen>(); ///< of the state as it is now; replaced with it
};

} // namespace gb::quant
