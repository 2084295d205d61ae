#include "numbers/channels.h"

#include "numbers/zoo.h"

#include <algorithm>

namespace gb::numbers {
namespace {

using base::message;

constexpr double kOutlier = 4;

/// The mean of the two in the middle for an even count.
double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

ir::ObserverConstructor observerOf(const quant::ObserverSettings& s, std::int64_t axis)
{
    const bool symmetric = s.qscheme && ir::isSymmetric(*s.qscheme);
    const std::string granularity = axis < 0 ? "per_tensor" : "per_channel";
    ir::ObserverConstructor out{axis < 0 ? "MinMaxObserver" : "PerChannelMinMaxObserver",
                                {{"qscheme", granularity + (symmetric ? "_symmetric" : "_affine")}}};
    if (s.dtype)
        out.arguments.emplace_back("dtype", *s.dtype);
    if (s.quantMin && s.quantMax) {
        out.arguments.emplace_back("quant_min", *s.quantMin);
        out.arguments.emplace_back("quant_max", *s.quantMax);
    }
    if (s.eps)
        out.arguments.emplace_back("eps", *s.eps);
    if (axis >= 0)
        out.arguments.emplace_back("ch_axis", axis);
    return out;
}

} // namespace

Channels channelsOf(const quant::ObserverSettings& settings, const quant::ObserverState& state)
{
    Channels out;
    out.axis = settings.chAxis.value_or(0);
    if (!settings.qscheme || !ir::isPerChannel(*settings.qscheme) || !state.qparams || !state.minVal || !state.maxVal)
        return out;
    const std::vector<double> scales = state.qparams->scale.toDoubles();
    const std::vector<double> zeroPoints = state.qparams->zeroPoint.toDoubles();
    const std::vector<double> mins = state.minVal->toDoubles();
    const std::vector<double> maxs = state.maxVal->toDoubles();
    if (mins.size() != scales.size() || maxs.size() != scales.size() || zeroPoints.size() != scales.size())
        return out;
    out.medianScale = medianOf(scales);
    for (std::size_t c = 0; c < scales.size(); ++c) {
        const double ratio = out.medianScale > 0 ? scales[c] / out.medianScale : 1;
        out.rows.push_back({static_cast<std::int64_t>(c), mins[c], maxs[c], scales[c], zeroPoints[c],
                            ratio > kOutlier || ratio < 1 / kOutlier, ratio});
    }
    return out;
}

base::Message axisWords(const std::string& target, std::int64_t axis)
{
    const bool transposed = target.find("transpose") != std::string::npos;
    const bool conv = target.find("conv") != std::string::npos;
    const bool linear = target.starts_with("aten.linear");
    if (axis < 0)
        return message("one scale for the whole tensor");
    if ((conv || linear) && axis < 2)
        return (axis == 0) != transposed ? message("axis {0}, output channels", axis)
                                         : message("axis {0}, input channels", axis);
    if (conv)
        return message("axis {0}, inside the kernel", axis);
    if (target.starts_with("aten.embedding"))
        return axis == 0 ? message("axis 0, rows of the table") : message("axis {0}, features", axis);
    return message("axis {0}", axis);
}

base::Result<std::vector<AxisChoice>> compareAxes(const quant::ObserverSettings& settings, const ir::Tensor& values,
                                                  const std::string& target)
{
    std::vector<AxisChoice> out;
    for (std::int64_t axis = -1; axis < std::min<std::int64_t>(values.dim(), 2); ++axis) {
        GB_ASSIGN(const auto animals, runZoo({observerOf(settings, axis)}, std::span(&values, 1)));
        const ZooAnimal& animal = animals.front();
        if (!animal.state.qparams || !animal.gap)
            continue;
        const std::vector<double> scales = animal.state.qparams->scale.toDoubles();
        const double median = medianOf(scales);
        out.push_back({axis, axisWords(target, axis), static_cast<std::int64_t>(scales.size()), animal.gap->sqnr(),
                       median > 0 ? std::ranges::max(scales) / median : 1});
    }
    return out;
}

std::optional<OneChannel> oneChannel(const quant::ObserverSettings& settings, const quant::ObserverState& state,
                                     std::int64_t channel)
{
    const auto element = [channel](const ir::Tensor& all) { return all.asStrided({1}, {1}, channel).clone(); };
    if (!state.qparams || !state.minVal || !state.maxVal || channel < 0)
        return std::nullopt;
    for (const ir::Tensor& all : {*state.minVal, *state.maxVal, state.qparams->scale, state.qparams->zeroPoint})
        if (all.dim() != 1 || channel >= all.elementCount())
            return std::nullopt;
    OneChannel out{settings, {}};
    out.settings.qscheme = settings.qscheme && ir::isSymmetric(*settings.qscheme) ? ir::QScheme::PerTensorSymmetric
                                                                                  : ir::QScheme::PerTensorAffine;
    out.settings.chAxis.reset();
    out.state.minVal = element(state.minVal->contiguous());
    out.state.maxVal = element(state.maxVal->contiguous());
    out.state.qparams =
        quant::QParams{element(state.qparams->scale.contiguous()), element(state.qparams->zeroPoint.contiguous())};
    out.state.batches = state.batches;
    return out;
}

Sheet channelSheet(const Channels& channels)
{
    Sheet sheet;
    sheet.what = "channels";
    sheet.columns = {{"channel", message("channel")},
                     {"min", message("min")},
                     {"max", message("max")},
                     {"scale", message("scale")},
                     {"zero_point", message("zero point")},
                     {"ratio", message("scale / median")},
                     {"outlier", message("outlier")}};
    std::int64_t outliers = 0;
    for (const ChannelRow& row : channels.rows) {
        sheet.rows.push_back({{row.channel, row.min, row.max, row.scale, row.zeroPoint, row.ratio, row.outlier}});
        outliers += row.outlier ? 1 : 0;
    }
    if (!channels.rows.empty())
        sheet.notes.push_back(
            message("{0} of {1} channels have a scale more than 4 times the median {2}, or less than a "
                    "quarter of it",
                    outliers, channels.rows.size(), channels.medianScale));
    return sheet;
}

Sheet axisSheet(const std::vector<AxisChoice>& choices)
{
    Sheet sheet;
    sheet.what = "axes";
    sheet.columns = {{"axis", message("axis")},
                     {"words", message("what it is")},
                     {"scales", message("scales")},
                     {"sqnr_db", message("SQNR (dB)")},
                     {"worst_ratio", message("largest scale / median")}};
    for (const AxisChoice& choice : choices)
        sheet.rows.push_back({{choice.axis < 0 ? Cell() : Cell(choice.axis), choice.words.text(), choice.scales,
                               choice.sqnr ? Cell(*choice.sqnr) : Cell(), choice.worstRatio}});
    return sheet;
}

} // namespace gb::numbers
