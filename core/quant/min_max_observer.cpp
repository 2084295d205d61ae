#include "quant/min_max_observer.h"

namespace gb::quant {

MinMaxObserver::MinMaxObserver(UniformConfig config, ObserverSettings settings)
    : UniformObserver(std::move(config), std::move(settings), untouchedRange())
{
}

base::Result<std::shared_ptr<Observer>> MinMaxObserver::make(const Keywords& keywords)
{
    GB_TRY(requirePerTensor(keywords));
    GB_ASSIGN(UniformConfig config, makeUniformConfig(keywords, ir::QScheme::PerTensorAffine, {}));
    GB_TRY(refuseReducedSymmetric(config));
    ObserverSettings settings = settingsOf(config);
    return std::shared_ptr<Observer>(new MinMaxObserver(std::move(config), std::move(settings)));
}

base::Status MinMaxObserver::observe(const ir::Tensor& x, base::Pool* pool)
{
    GB_ASSIGN(const ir::Tensor values, toFloat32(x));
    setSeen(aminmax(values, pool));
    GB_ASSIGN(MinMax range, widened(this->range(), *seen()));
    setRange(std::move(range));
    return {};
}

} // namespace gb::quant
