#include "quant/uniform_observer.h"

#include <limits>

namespace gb::quant {

UniformObserver::UniformObserver(UniformConfig config, ObserverSettings settings, MinMax start)
    : m_config(std::move(config))
    , m_settings(std::move(settings))
    , m_range(std::move(start))
{
}

base::Result<ir::Tensor> UniformObserver::run(const ir::Tensor& x, base::Pool* pool)
{
    ++m_batches;
    m_seen.reset();
    if (x.elementCount() > 0)
        GB_TRY(observe(x, pool));
    return x;
}

bool UniformObserver::forwardAgain()
{
    if (!onlyWidens())
        return false;
    ++m_batches;
    return true;
}

base::Result<QParams> UniformObserver::calculateQParams() const
{
    return quant::calculateQParams(m_config, m_range.min, m_range.max);
}

ObserverState UniformObserver::state() const
{
    ObserverState state;
    state.minVal = m_range.min;
    state.maxVal = m_range.max;
    state.batches = m_batches;
    addQParams(state, calculateQParams());
    return state;
}

MinMax untouchedRange()
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    return {ir::Tensor::scalar(inf), ir::Tensor::scalar(-inf)};
}

MinMax emptyRange()
{
    return {ir::Tensor::zeros(ir::DType::Float32, {0}), ir::Tensor::zeros(ir::DType::Float32, {0})};
}

void addQParams(ObserverState& state, const base::Result<QParams>& qparams)
{
    if (qparams) {
        state.qparams = *qparams;
        return;
    }
    const std::string& sentence = qparams.error().sentence;
    state.noQParams =
        sentence.empty() ? base::exceptionName(qparams.error().code) : sentence.substr(0, sentence.find('\n'));
}

} // namespace gb::quant
