#include "quant/derived_observer.h"

#include "base/message.h"
#include "quant/uniform_observer.h"

namespace gb::quant {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::Tensor;

DerivedObserver::DerivedObserver(ObserverSettings settings, std::vector<std::shared_ptr<const Observer>> from)
    : m_settings(std::move(settings))
    , m_from(std::move(from))
{
}

base::Result<std::shared_ptr<Observer>> DerivedObserver::make(const ir::DerivedQuantizationSpec& spec,
                                                              std::vector<std::shared_ptr<const Observer>> from)
{
    if (spec.derive != "bias")
        return Error{ErrorCode::Usage, say("derive '{0}', 'bias' expected", spec.derive), {}};
    if (spec.qscheme && ir::isPerChannel(*spec.qscheme) && !spec.chAxis)
        return Error{ErrorCode::AssertionError, "Must provide a valid ch_axis if qscheme is per channel", {}};
    ObserverSettings settings;
    settings.dtype = spec.dtype;
    settings.dtypeName = ir::name(spec.dtype);
    settings.qscheme = spec.qscheme;
    settings.quantMin = spec.quantMin;
    settings.quantMax = spec.quantMax;
    settings.chAxis = spec.chAxis;
    settings.hasChAxis = true;
    settings.isDynamic = false; // prepare does not hand the spec's is_dynamic on
    return std::shared_ptr<Observer>(new DerivedObserver(std::move(settings), std::move(from)));
}

base::Result<Tensor> DerivedObserver::run(const Tensor& x, base::Pool*)
{
    ++m_batches;
    return x;
}

base::Result<QParams> DerivedObserver::calculateQParams() const
{
    if (m_from.size() < 2)
        return Error{ErrorCode::IndexError, "list index out of range", {}};
    const Error none{ErrorCode::AttributeError, "'NoneType' object has no attribute 'calculate_qparams'", {}};
    if (!m_from[0])
        return none;
    GB_ASSIGN(const QParams activation, m_from[0]->calculateQParams());
    if (activation.scale.elementCount() != 1)
        return Error{ErrorCode::RuntimeError,
                     say("a Tensor with {0} elements cannot be converted to Scalar", activation.scale.elementCount()),
                     {}};
    if (!m_from[1])
        return none;
    GB_ASSIGN(const QParams weight, m_from[1]->calculateQParams());
    const auto factor = static_cast<float>(activation.scale.at(0));
    std::vector<float> scale;
    for (const double value : weight.scale.toDoubles())
        scale.push_back(factor * static_cast<float>(value));
    return QParams{Tensor::fromVector(scale), Tensor::fromVector(std::vector<std::int64_t>(scale.size(), 0))};
}

ObserverState DerivedObserver::state() const
{
    ObserverState state;
    state.batches = m_batches;
    addQParams(state, calculateQParams());
    return state;
}

} // namespace gb::quant
