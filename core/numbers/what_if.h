// What if a site were left in float, or had another observer, or another range: the converted model made anew from a
// changed copy of the calibrated one, without calibrating the rest again.
//
// Thread: the one that measures.
#pragma once

#include "ir/spec.h"
#include "numbers/op_errors.h"

#include <string>
#include <utility>
#include <vector>

namespace gb::numbers {

/// One change. Sites are names in the calibrated graph: an op, or the target of an observer node; an observer that
/// serves several nodes is changed for all of them.
struct Change {
    enum class Kind : std::uint8_t {
        FloatOp,       ///< `site` is an op: its inputs and weights are taken before their observers, its own output is
                       ///< not observed
        FloatObserver, ///< `site` is an observer: nobody quantizes there
        Observer,      ///< another class or settings: it sees what the observer saw, on the float model
        Range,         ///< the same settings, but the range is given (per tensor)
    };
    Kind kind = Kind::FloatOp;
    std::string site;
    ir::ObserverConstructor observer = {};
    double min = 0;
    double max = 0;
};

/// The calibrated model with the changes made, in order. Errors: NotFound for a site that is not there (names what is),
/// Usage for a range that is no range or an observer that has none; what the new observer raises.
base::Result<engine::CalibratedPtr> changed(const Material& material, const std::vector<Change>& changes,
                                            const base::Work& work = {});

/// The model's output before and after.
struct Gain {
    Gap before;
    Gap after;
    std::int64_t agreedBefore = 0; ///< see ErrorReport::agreed
    std::int64_t agreedAfter = 0;
    std::int64_t rows = 0;
    ErrorReport report; ///< after
};
/// `before` is the run as it was. Errors: those of changed() and opErrors().
base::Result<Gain> tryOut(const Material& material, const ErrorReport& before, const std::vector<Change>& changes,
                          const base::Work& work = {});

/// What the changes brought at the output, beside the run as it was: each change in words, SQNR, rows as in float.
std::vector<base::Message> gainNotes(const ErrorReport& before, const ErrorReport& after,
                                     const std::vector<Change>& changes);

/// Every quantized op left in float, one at a time, the largest gain at the output first.
base::Result<Sheet> gainSheet(const Material& material, const base::Work& work = {});

/// The keyword arguments that give an observer's settings again: what a user starts from. Empty name where the class
/// cannot be made from keywords (derived, fixed).
ir::ObserverConstructor constructorOf(const quant::Observer& observer);

} // namespace gb::numbers
