#include "numbers/zoo.h"

#include "quant/fake_quantize_kernel.h"

#include <algorithm>
#include <cmath>

namespace gb::numbers {
namespace {

using base::message;
using ir::Tensor;

struct Range {
    double least;
    double most;
};

/// quant_min and quant_max; the dtype's own where the settings have none.
std::optional<Range> rangeOf(const quant::ObserverSettings& s)
{
    if (s.quantMin && s.quantMax)
        return Range{static_cast<double>(*s.quantMin), static_cast<double>(*s.quantMax)};
    if (s.dtype && ir::isInteger(*s.dtype))
        return Range{static_cast<double>(ir::integerMin(*s.dtype)), static_cast<double>(ir::integerMax(*s.dtype))};
    return std::nullopt;
}

class TryOut {
public:
    TryOut(ZooAnimal& animal, const Range& range)
        : m_animal(animal)
        , m_range(range)
        , m_scale(animal.state.qparams->scale.toDoubles())
        , m_zeroPoint(animal.state.qparams->zeroPoint.toDoubles())
        , m_axis(m_scale.size() > 1 ? animal.settings.chAxis.value_or(0) : -1)
    {
        const double levels = range.most - range.least + 1;
        if (levels <= 65536) // 32-bit levels are not counted
            m_levels.assign(m_scale.size(), std::vector<bool>(static_cast<std::size_t>(levels)));
    }

    base::Status add(const Tensor& x)
    {
        GB_ASSIGN(const Tensor y, rounded(x));
        std::int64_t inner = 1;
        for (std::int64_t axis = m_axis + 1; m_axis >= 0 && axis < x.dim(); ++axis)
            inner *= x.size(axis);
        const Tensor from = x.contiguous();
        for (std::int64_t i = 0; i < from.elementCount(); ++i) {
            const std::size_t c = m_axis < 0 ? 0 : static_cast<std::size_t>(i / inner) % m_scale.size();
            const double value = from.at(i);
            const double back = y.at(i);
            m_gap.add(value, back);
            if (!m_levels.empty())
                m_levels[c][levelOf(back, c)] = true;
            const double low = (m_range.least - m_zeroPoint[c] - 0.5) * m_scale[c];
            const double high = (m_range.most - m_zeroPoint[c] + 0.5) * m_scale[c];
            m_clipped += value < low || value > high ? 1 : 0;
        }
        return {};
    }

    void finish()
    {
        m_animal.gap = m_gap;
        m_animal.clipped = m_gap.count ? static_cast<double>(m_clipped) / static_cast<double>(m_gap.count) : 0.0;
        if (m_levels.empty())
            return;
        std::ptrdiff_t most = 0;
        for (const auto& levels : m_levels)
            most = std::max(most, std::ranges::count(levels, true));
        m_animal.levelsUsed = most;
    }

private:
    /// The level that a dequantized value came from, counted from quant_min.
    [[nodiscard]] std::size_t levelOf(double back, std::size_t channel) const
    {
        const double level = std::round(back / m_scale[channel] + m_zeroPoint[channel]) - m_range.least;
        return static_cast<std::size_t>(std::clamp(level, 0.0, m_range.most - m_range.least));
    }

    base::Result<Tensor> rounded(const Tensor& x) const
    {
        const auto least = static_cast<std::int64_t>(m_range.least);
        const auto most = static_cast<std::int64_t>(m_range.most);
        return m_axis >= 0 ? quant::fakeQuantizePerChannel(x, *m_animal.state.qparams, m_axis, least, most)
                           : quant::fakeQuantizePerTensor(x, *m_animal.state.qparams, least, most);
    }

    ZooAnimal& m_animal;
    Range m_range;
    std::vector<double> m_scale;
    std::vector<double> m_zeroPoint;
    std::int64_t m_axis;
    Gap m_gap;
    std::vector<std::vector<bool>> m_levels; ///< a channel
    std::int64_t m_clipped = 0;
};

void refuse(ZooAnimal& animal, const base::Error& error)
{
    animal.error =
        std::string(base::exceptionName(error.code)) + ": " + error.sentence.substr(0, error.sentence.find('\n'));
}

base::Result<ZooAnimal> runOne(const ir::ObserverConstructor& ctr, std::span<const Tensor> values,
                               const base::Work& work)
{
    ZooAnimal animal;
    animal.observer = ctr;
    auto made = quant::makeObserver(ctr);
    if (!made) {
        if (!base::isTorchError(made.error().code))
            return made.error();
        refuse(animal, made.error());
        return animal;
    }
    quant::Observer& observer = **made;
    for (const Tensor& value : values) {
        if (work.cancelled())
            return base::Error{base::ErrorCode::Cancelled, "stopped by the user", {}};
        if (const auto seen = observer.forward(value); !seen) {
            refuse(animal, seen.error());
            return animal;
        }
    }
    animal.type = observer.inner() ? observer.inner()->typeName() : observer.typeName();
    animal.settings = observer.settings();
    animal.state = observer.state();
    const auto range = rangeOf(animal.settings);
    if (!animal.state.qparams || !range)
        return animal;
    TryOut tryOut(animal, *range);
    for (const Tensor& value : values)
        if (const base::Status added = tryOut.add(value); !added) {
            refuse(animal, added.error());
            return animal;
        }
    tryOut.finish();
    return animal;
}

Cell listCell(const std::optional<Tensor>& tensor)
{
    if (!tensor || tensor->elementCount() == 0)
        return {};
    if (tensor->elementCount() == 1)
        return ir::isInteger(tensor->dtype()) ? Cell(static_cast<std::int64_t>(tensor->at(0))) : Cell(tensor->at(0));
    const std::vector<double> all = tensor->toDoubles();
    const auto [least, most] = std::ranges::minmax(all);
    return base::say("{0} values, {1} to {2}", all.size(), least, most);
}

Cell countCell(const std::optional<std::int64_t>& value)
{
    return value ? Cell(*value) : Cell();
}

std::vector<Cell> columnOf(const ZooAnimal& a)
{
    const quant::ObserverSettings& s = a.settings;
    std::optional<Tensor> scale;
    std::optional<Tensor> zeroPoint;
    if (a.state.qparams) {
        scale = a.state.qparams->scale;
        zeroPoint = a.state.qparams->zeroPoint;
    }
    return {a.observer.name,
            a.type,
            s.dtypeName,
            s.qscheme ? Cell(std::string(ir::name(*s.qscheme))) : Cell(),
            countCell(s.chAxis),
            countCell(s.quantMin),
            countCell(s.quantMax),
            s.eps ? Cell(*s.eps) : Cell(),
            s.averagingConstant ? Cell(*s.averagingConstant) : Cell(),
            countCell(s.bins),
            listCell(a.state.minVal),
            listCell(a.state.maxVal),
            listCell(scale),
            listCell(zeroPoint),
            countCell(a.levelsUsed),
            a.clipped ? Cell(*a.clipped * 100) : Cell(),
            a.gap && a.gap->sqnr() ? Cell(*a.gap->sqnr()) : Cell(),
            a.error.empty() ? a.state.noQParams : a.error};
}

} // namespace

base::Result<std::vector<ZooAnimal>> runZoo(const std::vector<ir::ObserverConstructor>& observers,
                                            std::span<const Tensor> values, const base::Work& work)
{
    std::vector<ZooAnimal> out;
    for (std::size_t i = 0; i < observers.size(); ++i) {
        work.report(static_cast<int>(i * 1000 / observers.size()), observers[i].name);
        GB_ASSIGN(ZooAnimal animal, runOne(observers[i], values, work));
        out.push_back(std::move(animal));
    }
    return out;
}

Sheet zooSheet(const std::vector<ZooAnimal>& animals)
{
    constexpr const char* kNames[] = {"observer",
                                      "kind",
                                      "dtype",
                                      "qscheme",
                                      "axis",
                                      "quant_min",
                                      "quant_max",
                                      "eps",
                                      "averaging_constant",
                                      "bins",
                                      "min",
                                      "max",
                                      "scale",
                                      "zero_point",
                                      "levels_used",
                                      "clipped_percent",
                                      "sqnr_db",
                                      "error"};
    Sheet sheet;
    sheet.what = "zoo";
    sheet.columns = {{"property", message("property")}};
    std::vector<std::vector<Cell>> columns;
    for (std::size_t i = 0; i < animals.size(); ++i) {
        sheet.columns.push_back(
            {base::say("observer_{0}", i + 1), message("{0} {1}", i + 1, animals[i].observer.name)});
        columns.push_back(columnOf(animals[i]));
    }
    sheet.columns.push_back({"differ", message("differ")});
    for (std::size_t r = 0; r < std::size(kNames); ++r) {
        SheetRow row;
        row.cells.emplace_back(std::string(kNames[r]));
        bool differ = false;
        for (const auto& column : columns) {
            differ = differ || column[r] != columns.front()[r];
            row.cells.push_back(column[r]);
        }
        row.cells.emplace_back(differ);
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

std::optional<ir::QScheme> schemeOf(const ir::ObserverConstructor& observer)
{
    const auto found = std::ranges::find(observer.arguments, "qscheme", &std::pair<std::string, ir::Argument>::first);
    const auto* text = found == observer.arguments.end() ? nullptr : found->second.as<std::string>();
    if (!text)
        return std::nullopt;
    constexpr std::string_view kTorch = "torch.";
    return ir::qschemeFromName(text->starts_with(kTorch) ? std::string_view(*text).substr(kTorch.size()) : *text);
}

base::Message shortName(const ir::ObserverConstructor& observer)
{
    const auto scheme = schemeOf(observer);
    if (!scheme)
        return message("{0}", observer.name);
    return ir::isSymmetric(*scheme) ? message("{0}, symmetric", observer.name) : message("{0}, affine", observer.name);
}

std::vector<ir::ObserverConstructor> usualObservers(ir::DType dtype, std::int64_t quantMin, std::int64_t quantMax,
                                                    std::optional<std::int64_t> axis)
{
    const auto make = [&](const char* name, const char* qscheme, bool perChannel) {
        ir::ObserverConstructor out{
            name,
            {{"dtype", dtype}, {"qscheme", std::string(qscheme)}, {"quant_min", quantMin}, {"quant_max", quantMax}}};
        if (perChannel)
            out.arguments.emplace_back("ch_axis", *axis);
        return out;
    };
    if (axis)
        return {make("PerChannelMinMaxObserver", "per_channel_symmetric", true),
                make("MovingAveragePerChannelMinMaxObserver", "per_channel_symmetric", true),
                make("MinMaxObserver", "per_tensor_symmetric", false)};
    return {make("HistogramObserver", "per_tensor_affine", false), make("MinMaxObserver", "per_tensor_affine", false),
            make("MovingAverageMinMaxObserver", "per_tensor_affine", false),
            make("MinMaxObserver", "per_tensor_symmetric", false)};
}

} // namespace gb::numbers
