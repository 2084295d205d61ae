#include "quant/moving_average_per_channel_min_max_observer.h"

#include "quant/moving_average_min_max_observer.h"

namespace gb::quant {

MovingAveragePerChannelMinMaxObserver::MovingAveragePerChannelMinMaxObserver(UniformConfig config,
                                                                             ObserverSettings settings)
    : PerChannelMinMaxObserver(std::move(config), std::move(settings))
{
}

base::Result<std::shared_ptr<Observer>> MovingAveragePerChannelMinMaxObserver::make(const Keywords& keywords)
{
    GB_TRY(requirePerChannel(keywords));
    GB_TRY(refuseDynamic(keywords));
    GB_ASSIGN(UniformConfig config,
              makeUniformConfig(keywords, ir::QScheme::PerChannelAffine, {"ch_axis", "averaging_constant"}));
    GB_TRY(refuseReducedSymmetric(config));
    ObserverSettings settings = settingsOf(config);
    GB_TRY(addChannelAxis(settings, keywords));
    GB_ASSIGN(settings.averagingConstant, averagingConstant(keywords));
    return std::shared_ptr<Observer>(new MovingAveragePerChannelMinMaxObserver(std::move(config), std::move(settings)));
}

base::Result<MinMax> MovingAveragePerChannelMinMaxObserver::merged(const MinMax& current) const
{
    return averaged(range(), current, static_cast<float>(*settings().averagingConstant));
}

} // namespace gb::quant
