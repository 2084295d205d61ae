#include "quant/per_channel_min_max_observer.h"

namespace gb::quant {

base::Status addChannelAxis(ObserverSettings& settings, const Keywords& keywords)
{
    GB_ASSIGN(settings.chAxis, keywords.integer("ch_axis", 0));
    settings.hasChAxis = true;
    return {};
}

PerChannelMinMaxObserver::PerChannelMinMaxObserver(UniformConfig config, ObserverSettings settings)
    : UniformObserver(std::move(config), std::move(settings), emptyRange())
{
}

base::Result<std::shared_ptr<Observer>> PerChannelMinMaxObserver::make(const Keywords& keywords)
{
    GB_TRY(requirePerChannel(keywords));
    GB_TRY(refuseDynamic(keywords));
    GB_ASSIGN(UniformConfig config, makeUniformConfig(keywords, ir::QScheme::PerChannelAffine, {"ch_axis"}));
    GB_TRY(refuseReducedSymmetric(config));
    ObserverSettings settings = settingsOf(config);
    GB_TRY(addChannelAxis(settings, keywords));
    return std::shared_ptr<Observer>(new PerChannelMinMaxObserver(std::move(config), std::move(settings)));
}

base::Status PerChannelMinMaxObserver::observe(const ir::Tensor& x, base::Pool* pool)
{
    GB_ASSIGN(const ir::Tensor values, toFloat32(x));
    GB_ASSIGN(MinMax current, aminmaxPerChannel(values, settings().chAxis, pool));
    setSeen(current);
    if (range().min.elementCount() > 0) {
        GB_ASSIGN(current, merged(current));
    }
    setRange(std::move(current));
    return {};
}

base::Result<MinMax> PerChannelMinMaxObserver::merged(const MinMax& current) const
{
    return widened(range(), current);
}

} // namespace gb::quant
