#include "quant/fixed_qparams_observer.h"

#include <limits>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using ir::Tensor;

base::Result<std::int32_t> readZeroPoint(const Keywords& keywords)
{
    GB_ASSIGN(const std::optional<std::int64_t> value, keywords.integer("zero_point", 0));
    if (!value)
        return Error{ErrorCode::TypeError, "an integer is required", {}};
    if (*value < std::numeric_limits<std::int32_t>::min() || *value > std::numeric_limits<std::int32_t>::max())
        return Error{ErrorCode::RuntimeError, "value cannot be converted to type int without overflow", {}};
    return static_cast<std::int32_t>(*value);
}

} // namespace

FixedQParamsObserver::FixedQParamsObserver(ObserverSettings settings, QParams qparams)
    : m_settings(std::move(settings))
    , m_qparams(std::move(qparams))
{
}

base::Result<std::shared_ptr<Observer>> FixedQParamsObserver::make(const Keywords& keywords)
{
    GB_TRY(keywords.require({"scale", "zero_point"}));
    if (keywords.truth("is_dynamic"))
        return Error{ErrorCode::NotImplementedError, "FixedQParamsObserver doesn't support dynamic quantization", {}};
    GB_TRY(keywords.allowOnly({"scale", "zero_point", "dtype", "qscheme", "quant_min", "quant_max", "is_dynamic"},
                              "ObserverBase"));
    const QuantDType dtype = keywords.dtype();
    ObserverSettings settings;
    settings.dtype = dtype.storage;
    settings.dtypeName = dtype.name;
    GB_ASSIGN(settings.qscheme, keywords.qscheme("qscheme", ir::QScheme::PerTensorAffine));
    GB_ASSIGN(settings.quantMin, keywords.integer("quant_min", 0));
    GB_ASSIGN(settings.quantMax, keywords.integer("quant_max", 255));
    settings.isDynamic = false;
    GB_ASSIGN(const double scale, keywords.number("scale", 1));
    GB_ASSIGN(const std::int32_t zeroPoint, readZeroPoint(keywords));
    QParams qparams{Tensor::fromVector(std::vector<float>{static_cast<float>(scale)}),
                    Tensor::fromVector(std::vector<std::int32_t>{zeroPoint})};
    return std::shared_ptr<Observer>(new FixedQParamsObserver(std::move(settings), std::move(qparams)));
}

base::Result<Tensor> FixedQParamsObserver::run(const Tensor& x, base::Pool*)
{
    ++m_batches;
    return x;
}

ObserverState FixedQParamsObserver::state() const
{
    ObserverState state;
    state.qparams = m_qparams;
    state.batches = m_batches;
    return state;
}

} // namespace gb::quant
