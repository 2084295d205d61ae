// What the picture of each kind of figure holds (figure_page.h).
#include "figures/channel_strip.h"
#include "figures/curve_plot.h"
#include "figures/figure_page.h"
#include "figures/figure_parts.h"
#include "observers/number_text.h"
#include "plots/histogram_view.h"
#include "session/translate.h"

#include <QCoreApplication>

#include <algorithm>
#include <memory>

namespace gb::views {
namespace {

constexpr int kStripRow = 9;    ///< pixels a channel
constexpr int kMostStrip = 900; ///< of a strip's height
constexpr int kLeastStrip = 280;
constexpr std::int64_t kBins = 128;

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::figures", text);
}

QString text(const std::string& name)
{
    return QString::fromStdString(name);
}

template <class Widget>
FigurePlot plotOf(std::shared_ptr<Widget> widget, const QString& title, int width, int height)
{
    return {title,
            [widget = std::move(widget)](QCPPainter& painter, const QSize& size) { widget->paintOn(painter, size); },
            width, height};
}

std::shared_ptr<HistogramView> histogramOf(const Theme& theme, const std::string& type,
                                           const quant::ObserverSettings& settings, const quant::ObserverState& state,
                                           const ValueRange& counted = {}, std::vector<double> counts = {})
{
    auto out = std::make_shared<HistogramView>();
    out->setTheme(theme);
    out->setValues(counted, std::move(counts));
    out->setObserver(type, settings, state);
    return out;
}

void addBatches(FigurePage& page, const numbers::BatchesFigure& figure, const Theme& theme)
{
    const numbers::History& history = figure.history;
    const int last = static_cast<int>(history.steps.size()) - 1;
    const int step = figure.step < 0 || figure.step > last ? last : figure.step;
    if (step < 0)
        return;
    auto curve = std::make_shared<CurvePlot>();
    curve->setTheme(theme);
    curve->setCurves(rangeCurves(history), tr("batch, in the order of the run"), tr("value"));
    curve->setMarker(step);
    page.plots.push_back(plotOf(curve, text(history.name), 620, 300));
    const std::string& type = history.info->inner.empty() ? history.info->type : history.info->inner;
    page.plots.push_back(plotOf(
        histogramOf(theme, type, history.info->settings, history.steps[static_cast<std::size_t>(step)].record->state),
        tr("after step %1 of %2").arg(step + 1).arg(last + 1), 620, 300));
    page.sentences = batchSentences(history, step);
}

void addSearch(FigurePage& page, const numbers::SearchFigure& figure, const Theme& theme)
{
    const auto last = static_cast<int>(figure.replay.moves.size());
    const int move = figure.move < 0 || figure.move > last ? last : figure.move;
    auto curve = std::make_shared<CurvePlot>();
    curve->setTheme(theme);
    curve->setCurves({normCurve(figure.replay)}, tr("move"), tr("L2 norm of the error"));
    curve->setMarker(move);
    page.plots.push_back(plotOf(curve, text(figure.name), 620, 300));
    auto histogram = histogramOf(theme, "HistogramObserver", figure.settings, figure.state);
    histogram->setTried(rangeOfMove(figure.replay, move));
    page.plots.push_back(plotOf(histogram, tr("after move %1 of %2").arg(move).arg(last), 620, 300));
    page.sentences = moveSentences(figure.replay, move);
}

void addZoo(FigurePage& page, const numbers::ZooFigure& figure, const Theme& theme)
{
    const auto [counted, counts] = countsOf(figure.values);
    std::vector<std::shared_ptr<HistogramView>> plots;
    std::optional<ValueRange> all;
    for (std::size_t i = 0; i < figure.animals.size(); ++i) {
        const numbers::ZooAnimal& animal = figure.animals[i];
        auto plot = histogramOf(theme, animal.type, animal.settings, animal.state, counted, counts);
        if (!animal.error.empty())
            plot->setMessage(text(animal.error));
        if (plot->message().isEmpty()) {
            const ValueRange whole = plot->wholeRange();
            all = all ? ValueRange{std::min(all->min, whole.min), std::max(all->max, whole.max)} : whole;
        }
        plots.push_back(plot);
        page.plots.push_back(plotOf(
            plot, QStringLiteral("%1  %2").arg(i + 1).arg(translated(numbers::shortName(animal.observer))), 410, 260));
    }
    for (const auto& plot : plots)
        if (all && plot->message().isEmpty())
            plot->setXRange(*all);
    page.sentences << tr("Values of %1").arg(text(figure.what));
}

/// The strip, and large the channel whose scale is the largest.
void addChannels(FigurePage& page, const numbers::ChannelsFigure& figure, const Theme& theme)
{
    const auto& rows = figure.channels.rows;
    if (rows.empty())
        return;
    const auto largest =
        static_cast<int>(std::ranges::max_element(rows, {}, &numbers::ChannelRow::scale) - rows.begin());
    const int height = std::clamp(static_cast<int>(rows.size()) * kStripRow, kLeastStrip, kMostStrip);
    auto strip = std::make_shared<ChannelStrip>();
    strip->setTheme(theme);
    strip->setFigure(figure, StripUnit::Value);
    strip->setPinned(largest);
    page.plots.push_back(plotOf(strip, text(figure.name), 620, height));
    if (const auto one = numbers::oneChannel(figure.settings, figure.state, largest)) {
        const auto counts = numbers::countChannel(figure.values, figure.channels.axis, largest, kBins);
        page.plots.push_back(plotOf(
            histogramOf(theme, "MinMaxObserver", one->settings, one->state, {counts.min, counts.max}, counts.counts),
            tr("channel %1").arg(largest), 620, kLeastStrip));
    }
    page.sentences << tr("%1 of %2").arg(translated(figure.words), text(figure.what));
    for (const numbers::AxisChoice& choice : figure.axes)
        page.sentences << tr("%1: scales %2, SQNR %3 dB, largest scale %4 times the median")
                              .arg(translated(choice.words))
                              .arg(choice.scales)
                              .arg(shortText(choice.sqnr), shortText(choice.worstRatio));
}

} // namespace

FigurePage figurePage(const numbers::Figure& figure, const QString& title, ThemeKind kind)
{
    const Theme& theme = Theme::of(kind);
    FigurePage page;
    page.title = title;
    page.table = figure.sheet;
    if (const auto* batches = std::get_if<numbers::BatchesFigure>(&figure.data))
        addBatches(page, *batches, theme);
    else if (const auto* search = std::get_if<numbers::SearchFigure>(&figure.data))
        addSearch(page, *search, theme);
    else if (const auto* zoo = std::get_if<numbers::ZooFigure>(&figure.data))
        addZoo(page, *zoo, theme);
    else if (const auto* channels = std::get_if<numbers::ChannelsFigure>(&figure.data))
        addChannels(page, *channels, theme);
    for (const base::Message& note : figure.sheet.notes)
        page.sentences << translated(note);
    return page;
}

} // namespace gb::views
