#include "quant/observe_case.h"

namespace gb::quant {
namespace {

/// A torch error becomes the answer, any other goes up.
base::Result<ObserveResult> answer(ObserveResult result, const base::Error& error)
{
    if (!base::isTorchError(error.code))
        return error;
    result.error =
        std::string(base::exceptionName(error.code)) + ": " + error.sentence.substr(0, error.sentence.find('\n'));
    return result;
}

} // namespace

base::Result<ObserveResult> observeCase(const ir::ObserverConstructor& ctr, std::span<const ir::Tensor> inputs,
                                        std::stop_token stop)
{
    const auto made = makeObserver(ctr);
    if (!made)
        return answer({}, made.error());
    Observer& observer = **made;
    std::optional<ir::Tensor> last;
    for (const ir::Tensor& input : inputs) {
        if (stop.stop_requested())
            return base::Error{base::ErrorCode::Cancelled, "stopped", {}};
        auto returned = observer.forward(input);
        if (!returned)
            return answer({}, returned.error());
        last = std::move(returned).value();
    }
    ObserverState state = observer.state();
    ObserveResult result{state.minVal, state.maxVal, state.histogram, {}, {}, {}};
    auto qparams = observer.calculateQParams();
    if (!qparams)
        return answer(std::move(result), qparams.error());
    result.qparams = std::move(qparams).value();
    if (observer.inner())
        result.output = std::move(last);
    return result;
}

} // namespace gb::quant
