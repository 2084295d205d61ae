// The observer zoo: several observers on the same recorded data, side by side.
//
// Each observer sees the tensors in order, as torchao's would; its qparams are then tried out on the same tensors by
// fake quantize's own rounding: how many levels are used, which share is clipped, the SQNR.
//
// Thread: pure functions.
#pragma once

#include "base/progress.h"
#include "numbers/measure.h"
#include "numbers/sheet.h"
#include "quant/make_observer.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gb::numbers {

struct ZooAnimal {
    ir::ObserverConstructor observer;
    std::string error; ///< "Type: message" of what torchao raises; the rest is then empty
    std::string type;  ///< "HistogramObserver"; a fake quantize's inner class
    quant::ObserverSettings settings;
    quant::ObserverState state;
    std::optional<std::int64_t> levelsUsed; ///< different values that the quantized data has (most of a channel)
    std::optional<double> clipped;          ///< share of the values beyond the range by more than half a level
    std::optional<Gap> gap;                 ///< values against their quantized and dequantized form
};

/// Errors: Cancelled, and those that are this program's own (Usage: an unknown class).
base::Result<std::vector<ZooAnimal>> runZoo(const std::vector<ir::ObserverConstructor>& observers,
                                            std::span<const ir::Tensor> values, const base::Work& work = {});

/// A row a property, a column an observer: kind, dtype, qscheme, axis, quant_min, quant_max, eps, min, max, scale,
/// zero point, levels used, clipped, SQNR; the last column says whether the observers differ there.
Sheet zooSheet(const std::vector<ZooAnimal>& animals);

/// The qscheme that a constructor is given; absent where it is given none, or an unknown one.
std::optional<ir::QScheme> schemeOf(const ir::ObserverConstructor& observer);
/// "HistogramObserver, affine": the class, and the scheme where it is known.
base::Message shortName(const ir::ObserverConstructor& observer);

/// The usual choices for activations (per tensor) or weights (per channel of `axis`), of a dtype and range.
std::vector<ir::ObserverConstructor> usualObservers(ir::DType dtype, std::int64_t quantMin, std::int64_t quantMax,
                                                    std::optional<std::int64_t> axis);

} // namespace gb::numbers
