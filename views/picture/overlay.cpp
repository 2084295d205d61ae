#include "picture/overlay.h"

#include "base/message.h"
#include "layout/union_graph.h"
#include "picture/label_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::overlay", text);
}

double largest(const ir::Tensor& tensor)
{
    const std::vector<double> values = tensor.toDoubles();
    return values.empty() ? std::nan("") : *std::max_element(values.begin(), values.end());
}

std::optional<double> numberOf(const ir::Argument& argument)
{
    if (const auto* real = argument.as<double>())
        return *real;
    if (const auto* whole = argument.as<std::int64_t>())
        return static_cast<double>(*whole);
    return std::nullopt;
}

/// The scale of a q/dq: a number, or a constant with one a channel.
std::optional<double> scaleOf(const ir::Node& node, const trace::GraphMoment& facts)
{
    if (const auto number = numberOf(node.arg(1)))
        return number;
    const ir::Node* constant = facts.graph->find(node.arg(1).nodeId());
    const auto found = constant ? facts.attributes.find(constant->target()) : facts.attributes.end();
    if (found == facts.attributes.end() || !found->second.value)
        return std::nullopt;
    return largest(*found->second.value);
}

std::optional<double> bitsOf(double low, double high)
{
    return high >= low ? std::optional(std::log2(high - low + 1)) : std::nullopt;
}

std::optional<double> ofObserver(OverlayKind kind, const ir::Node& node, const trace::GraphMoment& facts)
{
    const auto info = facts.observers.find(node.target());
    if (kind == OverlayKind::Bits) {
        if (info == facts.observers.end() || !info->second->settings.quantMin || !info->second->settings.quantMax)
            return std::nullopt;
        return bitsOf(static_cast<double>(*info->second->settings.quantMin),
                      static_cast<double>(*info->second->settings.quantMax));
    }
    const quant::ObserverState* state = facts.stateOf(node.target());
    if (!state || state->batches == 0)
        return std::nullopt;
    if (kind == OverlayKind::Scale)
        return state->qparams ? std::optional(largest(state->qparams->scale)) : std::nullopt;
    if (!state->minVal || !state->maxVal)
        return std::nullopt;
    const std::vector<double> low = state->minVal->toDoubles();
    const std::vector<double> high = state->maxVal->toDoubles();
    std::optional<double> widest;
    for (std::size_t i = 0; i < std::min(low.size(), high.size()); ++i)
        widest = std::max(widest.value_or(0), high[i] - low[i]);
    return widest;
}

std::optional<double> ofPair(OverlayKind kind, const ir::Node& node, const trace::GraphMoment& facts)
{
    const std::size_t first = node.target().find("per_channel") == std::string::npos ? 3 : 4;
    const auto low = numberOf(node.arg(first));
    const auto high = numberOf(node.arg(first + 1));
    if (!low || !high)
        return std::nullopt;
    if (kind == OverlayKind::Bits)
        return bitsOf(*low, *high);
    const auto scale = scaleOf(node, facts);
    if (!scale || kind == OverlayKind::Scale)
        return scale;
    return *scale * (*high - *low); // what the integers can represent
}

OverlayPtr timeOverlay(const trace::GraphMoment& facts, const engine::NodeTimes* times)
{
    auto out = std::make_shared<Overlay>();
    out->title = tr("time a batch");
    out->unit = tr("ms");
    out->logarithmic = true;
    if (times)
        for (const auto& [node, time] : *times)
            if (facts.graph->find(node))
                out->values[node] = time.mean();
    // the same run gives the same recording, so no clock is in it
    if (!times)
        out->absent = tr("not recorded; own numbers from a CSV can be laid over");
    out->measure();
    return out;
}

} // namespace

void Overlay::measure()
{
    bool first = true;
    for (const auto& [node, value] : values) {
        low = first ? value : std::min(low, value);
        high = first ? value : std::max(high, value);
        first = false;
    }
    logarithmic = logarithmic && low > 0;
}

double Overlay::position(double value) const
{
    double from = low;
    double to = high;
    if (logarithmic && value > 0) {
        from = std::log(from);
        to = std::log(to);
        value = std::log(value);
    }
    return to > from ? std::clamp((value - from) / (to - from), 0.0, 1.0) : 0.5;
}

QString Overlay::text(double value) const
{
    return unit.isEmpty() ? displayNumber(value) : displayNumber(value) + QLatin1Char(' ') + unit;
}

OverlayPtr makeOverlay(OverlayKind kind, const trace::GraphMoment& facts, const engine::NodeTimes* times)
{
    if (kind == OverlayKind::None)
        return nullptr;
    auto out = std::make_shared<Overlay>();
    if (kind == OverlayKind::Time)
        return timeOverlay(facts, times);
    out->title = kind == OverlayKind::Scale ? tr("scale") : kind == OverlayKind::Bits ? tr("bits") : tr("range");
    out->unit = kind == OverlayKind::Bits ? tr("bit") : QString();
    out->logarithmic = kind != OverlayKind::Bits;
    for (const ir::Node* node = facts.graph->first(); node; node = node->next()) {
        const Helper helper = helperKind(*node);
        if (helper == Helper::No)
            continue;
        const auto value = helper == Helper::Observer ? ofObserver(kind, *node, facts) : ofPair(kind, *node, facts);
        if (!value || !std::isfinite(*value))
            continue;
        out->values[node->id()] = *value;
        if (const ir::Node* base = baseOf(node))
            out->values.try_emplace(base->id(), *value);
    }
    out->measure();
    return out;
}

base::Result<CsvOverlay> readOverlay(const std::string& csv, const std::string& fileName, const ir::Graph& graph)
{
    CsvOverlay out;
    out.overlay.title = tr("own numbers");
    std::istringstream lines(csv);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.empty())
            continue;
        const std::size_t comma = line.rfind(',');
        double value = 0;
        const char* begin = line.data() + std::min(line.size(), comma == std::string::npos ? line.size() : comma + 1);
        while (*begin == ' ')
            ++begin;
        const auto [end, error] = std::from_chars(begin, line.data() + line.size(), value);
        if (error != std::errc() || end != line.data() + line.size() || !std::isfinite(value)) {
            if (number > 1 || comma == std::string::npos)
                return Error{ErrorCode::Format,
                             say("line {0}: \"{1}\" found, a node name, a comma and a number expected", number,
                                 line.substr(0, 60)),
                             fileName};
            const QString title = QString::fromStdString(line.substr(comma + 1)).trimmed();
            out.overlay.title = title.section(QLatin1Char('('), 0, 0).trimmed();
            out.overlay.unit = title.section(QLatin1Char('('), 1).section(QLatin1Char(')'), 0, 0).trimmed();
            continue;
        }
        const std::string name = line.substr(0, comma);
        const ir::Node* node = graph.find(name);
        if (!node)
            out.unknown.push_back(name);
        else if (!out.overlay.values.try_emplace(node->id(), value).second)
            return Error{ErrorCode::Format, say("line {0}: {1} is there twice", number, name), fileName};
    }
    if (out.overlay.values.empty())
        return Error{ErrorCode::NotFound, "no line names a node of this graph", fileName};
    out.overlay.measure();
    return out;
}

} // namespace gb::views
