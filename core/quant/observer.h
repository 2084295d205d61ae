// What every observer and fake quantize can do.
//
// Source: torchao/quantization/pt2e/observer.py (ObserverBase and its classes), fake_quantize.py.
// An observer returns its input unchanged and records a range; calculateQParams gives scale and zero point. Figures
// are torchao's to the last bit for the same input. Rules taken from there have labels: qparams_c1..c7 (qparams.h,
// uniform_config.h), minmax_m1..m4 (min_max.h), histogram_s1..s9 (histogram_bins.h, histogram_observer.h,
// histogram_search.h), fakequant_f1..f6 (fake_quantize.h and its neighbours).
//
// Thread: one at a time.
#pragma once

#include "base/pool.h"
#include "base/result.h"
#include "ir/graph.h"
#include "ir/spec.h"
#include "ir/tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gb::quant {

/// Per tensor: one element each. Per channel: one a channel.
struct QParams {
    ir::Tensor scale;     ///< float32 (or float64 where torchao gives float64)
    ir::Tensor zeroPoint; ///< int64 or int32; float32 for per_channel_affine_float_qparams
};

/// The attributes that an observer row of a dump shows; absent where torchao's module has no such attribute. A fake
/// quantize has those of its observer, as a dump shows.
struct ObserverSettings {
    std::optional<ir::DType> dtype;       ///< what holds the values; absent where the name is none of ir::DType's
    std::string dtypeName;                ///< torch's name of the dtype attribute, also where ir has no such: "quint8"
    std::optional<ir::QScheme> qscheme;   ///< absent: None, or no such attribute (hasQScheme)
    std::optional<std::int64_t> quantMin; ///< absent: None, or no such attribute (hasQuantRange)
    std::optional<std::int64_t> quantMax;
    bool hasQuantRange = true; ///< false: no quant_min / quant_max attributes at all (else absent means None)
    std::optional<std::int64_t> chAxis;
    bool hasChAxis = false; ///< the attribute exists (and may be None)
    std::optional<bool> isDynamic;
    std::optional<double> averagingConstant;
    std::optional<std::int64_t> bins;
    std::optional<double> eps;
    bool hasQScheme = true;
};

/// What an observer holds now. Tensors are copies: later batches do not change them.
struct ObserverState {
    std::optional<ir::Tensor> minVal; ///< absent where the class has no such buffer; empty before the first batch for
                                      ///< some classes, +-inf for others
    std::optional<ir::Tensor> maxVal;
    std::optional<ir::Tensor> histogram; ///< [bins], float32
    std::optional<QParams> qparams; ///< what calculate_qparams gives (scale 1, zero point 0 before the first batch);
                                    ///< absent where it raises
    std::string noQParams;          ///< then torchao's own sentence
    std::optional<QParams> used;    ///< fake quantize: what it last rounded with
    std::int64_t batches = 0;       ///< how many tensors it has been given, empty ones included
};

class Observer : public ir::Module {
public:
    /// The class's name: "HistogramObserver".
    [[nodiscard]] virtual const char* typeName() const = 0;
    [[nodiscard]] virtual const ObserverSettings& settings() const = 0;
    /// Records x and returns what the module returns (x itself for an observer). Any shape and strides. Errors are
    /// torch's, by type and sentence; as there, what was written before the error stays. pool: shares the passes over
    /// x; null: the calling thread alone. No figure depends on it.
    base::Result<ir::Tensor> forward(const ir::Tensor& x, base::Pool* pool = nullptr) { return run(x, pool); }
    /// forward of the tensor that it was given last, unchanged, for less than looking through it: true when that is
    /// done, false when it has to be given the tensor.
    virtual bool forwardAgain() { return false; }
    /// Errors: what torchao raises.
    [[nodiscard]] virtual base::Result<QParams> calculateQParams() const = 0;
    /// Min, max, histogram, qparams as they are now.
    [[nodiscard]] virtual ObserverState state() const = 0;
    /// A fake quantize's activation_post_process; null for an observer.
    [[nodiscard]] virtual const Observer* inner() const { return nullptr; }
    [[nodiscard]] virtual bool observerEnabled() const { return true; }
    [[nodiscard]] virtual bool fakeQuantEnabled() const { return false; }
    virtual void setObserverEnabled(bool) {}
    virtual void setFakeQuantEnabled(bool) {}
    /// An independent copy with the same state (for what-if and for running batches again). A derived observer's copy
    /// still derives from the same observers.
    [[nodiscard]] virtual std::shared_ptr<Observer> copy() const = 0;

protected:
    /// forward of the class.
    virtual base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) = 0;
};

} // namespace gb::quant
