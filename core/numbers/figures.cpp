#include "numbers/figures.h"

#include "numbers/site_values.h"

namespace gb::numbers {
namespace {

constexpr std::int64_t kStripBins = 160; ///< about what a strip has pixels for

} // namespace

base::Result<ZooFigure> zooFigure(const Material& material, ir::NodeId site,
                                  const std::vector<ir::ObserverConstructor>& observers, const base::Work& work)
{
    const auto floats = withoutObservers(*material.calibrated->module);
    GB_ASSIGN(const auto values, valuesOf(material, *floats, site, material.calibration, work));
    ZooFigure out;
    GB_ASSIGN(out.animals, runZoo(observers, values, work));
    GB_ASSIGN(auto counted, runZoo({{"HistogramObserver", {{"dtype", ir::DType::Int8}}}}, values, work));
    out.values = std::move(counted.front().state);
    out.what = floats->graph().nameOf(site);
    return out;
}

ChannelsFigure channelsFigure(const ir::Graph& graph, ir::NodeId observer, const quant::ObserverSettings& settings,
                              const quant::ObserverState& state)
{
    ChannelsFigure out;
    out.settings = settings;
    out.state = state;
    out.channels = channelsOf(settings, state);
    if (const ir::Node* node = graph.find(observer)) {
        out.name = node->name();
        if (!node->args().empty() && graph.find(node->arg(0).nodeId()))
            out.what = graph.nameOf(node->arg(0).nodeId());
        if (!node->users().empty())
            out.target = node->users().front()->target();
    }
    out.words = axisWords(out.target, out.channels.axis);
    return out;
}

base::Status addValues(ChannelsFigure& figure, const Material& material, ir::NodeId observer, const base::Work& work)
{
    const ir::Node* node = material.calibrated->module->graph().find(observer);
    if (!node || node->op() != ir::Op::CallModule || node->args().empty())
        return base::Error{
            base::ErrorCode::NotFound, base::say("found no observer {0} in the calibrated model", figure.name), {}};
    const auto floats = withoutObservers(*material.calibrated->module);
    const ir::NodeId observed = node->arg(0).nodeId();
    const ir::Node* producer = floats->graph().find(observed);
    // a weight is the same for every batch: once is enough
    std::vector<engine::Batch> batches = material.calibration;
    if (producer && producer->op() == ir::Op::GetAttr && batches.size() > 1)
        batches.resize(1);
    GB_ASSIGN(figure.values, valuesOf(material, *floats, observed, batches, work));
    if (figure.values.empty())
        return {};
    figure.counts = countChannels(figure.values, figure.channels.axis, kStripBins);
    if (figure.state.qparams) {
        const std::vector<double> scales = figure.state.qparams->scale.toDoubles();
        figure.levels = countChannels(figure.values, figure.channels.axis, kStripBins, scales);
    }
    GB_ASSIGN(figure.axes, compareAxes(figure.settings, figure.values.front(), figure.target));
    return {};
}

} // namespace gb::numbers
