#include "quant/moving_average_min_max_observer.h"

#include "base/message.h"
#include "quant/tensor_text.h"

#include <limits>

namespace gb::quant {

base::Result<double> averagingConstant(const Keywords& keywords)
{
    return keywords.number("averaging_constant", 0.01);
}

namespace {

/// As Python prints it: an int without a point.
std::string constantText(const Keywords& keywords, double constant)
{
    const ir::Argument* given = keywords.find("averaging_constant");
    const auto* integer = given ? given->as<std::int64_t>() : nullptr;
    return integer ? std::to_string(*integer) : pythonFloat(constant);
}

} // namespace

MovingAverageMinMaxObserver::MovingAverageMinMaxObserver(UniformConfig config, ObserverSettings settings)
    : MinMaxObserver(std::move(config), std::move(settings))
{
}

base::Result<std::shared_ptr<Observer>> MovingAverageMinMaxObserver::make(const Keywords& keywords)
{
    GB_TRY(requirePerTensor(keywords));
    GB_ASSIGN(const double constant, averagingConstant(keywords));
    if (keywords.truth("is_dynamic") && constant != 1)
        return base::Error{base::ErrorCode::NotImplementedError,
                           base::say("MovingAverageMinMaxObserver doesn't support dynamic quantization for averaging "
                                     "constant of {0}",
                                     constantText(keywords, constant)),
                           {}};
    GB_ASSIGN(UniformConfig config, makeUniformConfig(keywords, ir::QScheme::PerTensorAffine, {"averaging_constant"}));
    GB_TRY(refuseReducedSymmetric(config));
    ObserverSettings settings = settingsOf(config);
    settings.averagingConstant = constant;
    return std::shared_ptr<Observer>(new MovingAverageMinMaxObserver(std::move(config), std::move(settings)));
}

base::Status MovingAverageMinMaxObserver::observe(const ir::Tensor& x, base::Pool* pool)
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    GB_ASSIGN(const ir::Tensor values, toFloat32(x));
    MinMax current = aminmax(values, pool);
    setSeen(current);
    const bool first = *range().min.data<float>() == inf && *range().max.data<float>() == -inf; // minmax_m4
    if (!first) {
        GB_ASSIGN(current, averaged(range(), current, static_cast<float>(*settings().averagingConstant)));
    }
    setRange(std::move(current));
    return {};
}

} // namespace gb::quant
