#include "plots/histogram_plot.h"

#include "observers/number_text.h"
#include "plots/count_bars.h"
#include "plots/qparams_text.h"

#include <QCoreApplication>

#include <cmath>

namespace gb::views {
namespace {

constexpr int kRangesHeight = 54;
constexpr double kObservedRow = 3;
constexpr double kChosenRow = 2;
constexpr double kRepresentableRow = 1;

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::HistogramView", text);
}

void widen(ValueRange& range, const std::optional<ValueRange>& other)
{
    if (!other)
        return;
    range.min = std::min(range.min, other->min);
    range.max = std::max(range.max, other->max);
}

} // namespace

HistogramPlot::HistogramPlot(QWidget* parent)
    : m_theme(&Theme::of(ThemeKind::Light))
    , m_plot(new QCustomPlot(parent))
    , m_bars(new QCPAxisRect(m_plot))
    , m_ranges(new QCPAxisRect(m_plot))
    , m_margins(new QCPMarginGroup(m_plot))
    , m_counts(new CountTicker)
    , m_levels(new LevelTicker(m_bars->axis(QCPAxis::atTop)))
    , m_rangeNames(new QCPAxisTickerText)
    , m_rangeTexts(new QCPAxisTickerText)
{
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->addElement(0, 0, m_bars);
    m_plot->plotLayout()->addElement(1, 0, m_ranges);
    m_plot->plotLayout()->setRowSpacing(0);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setNoAntialiasingOnDrag(true);
    makeAxes();
}

void HistogramPlot::makeAxes()
{
    m_bars->setupFullAxesBox(false);
    m_ranges->setupFullAxesBox(false);
    m_ranges->setMinimumSize(10, kRangesHeight);
    m_ranges->setMaximumSize(QWIDGETSIZE_MAX, kRangesHeight);
    m_ranges->setMinimumMargins(QMargins(0, 0, 0, 2));
    for (QCPAxisRect* rect : {m_bars, m_ranges}) {
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, m_margins);
        rect->setRangeDrag(Qt::Horizontal);
        rect->setRangeZoom(Qt::Horizontal);
        // not axes(), which come in the order of a hash: in a layer, who is put there last is drawn last
        for (const auto side : {QCPAxis::atLeft, QCPAxis::atRight, QCPAxis::atTop, QCPAxis::atBottom}) {
            QCPAxis* axis = rect->axis(side);
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
            axis->grid()->setVisible(false);
            axis->setTickLabelFont(Theme::font(FontRole::Caption));
            axis->setSubTicks(false);
        }
    }
    QCPAxis* x = m_bars->axis(QCPAxis::atBottom);
    x->setTicker(QSharedPointer<RealTicker>(new RealTicker));
    QCPAxis* top = m_bars->axis(QCPAxis::atTop);
    top->setTicker(m_levels);
    top->setTickLabels(true);
    top->setSubTicks(true); // they carry the finer grid
    top->setSubTickLength(0, 0);
    top->setSubTickPen(Qt::NoPen);
    top->grid()->setVisible(true);
    top->grid()->setSubGridVisible(true);
    top->grid()->setZeroLinePen(Qt::NoPen);
    m_bars->axis(QCPAxis::atLeft)->setTicker(m_counts);
    m_bars->axis(QCPAxis::atRight)->setVisible(false);
    m_ranges->axis(QCPAxis::atBottom)->setVisible(false);
    m_ranges->axis(QCPAxis::atTop)->setVisible(false);
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atRight}) {
        QCPAxis* axis = m_ranges->axis(side);
        axis->setRange(0.4, 3.6);
        axis->setTicker(side == QCPAxis::atLeft ? m_rangeNames : m_rangeTexts);
        axis->setTickLabels(true);
        axis->setTickPen(Qt::NoPen); // without ticks there are no labels
        axis->setBasePen(Qt::NoPen);
    }
    const auto follow = [this](const QCPRange& range) {
        m_bars->axis(QCPAxis::atTop)->setRange(range);
        m_ranges->axis(QCPAxis::atBottom)->setRange(range);
    };
    QObject::connect(x, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), m_plot, follow);
    QObject::connect(m_ranges->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), m_plot,
                     [x](const QCPRange& range) { x->setRange(range); });
}

void HistogramPlot::colourAxis(QCPAxis* axis) const
{
    axis->setBasePen(m_theme->pen(Ink::Muted));
    axis->setTickPen(m_theme->pen(Ink::Muted));
    axis->setTickLabelColor(m_theme->ink(Ink::Muted));
    axis->setLabelColor(m_theme->ink(Ink::Muted));
    axis->setLabelFont(Theme::font(FontRole::Caption));
}

void HistogramPlot::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_plot->setBackground(theme.ink(Ink::Page));
    for (QCPAxis* axis : m_bars->axes())
        colourAxis(axis);
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atRight})
        m_ranges->axis(side)->setTickLabelColor(theme.ink(Ink::Text));
    QCPGrid* levels = m_bars->axis(QCPAxis::atTop)->grid();
    levels->setPen(theme.pen(Ink::Faint));
    levels->setSubGridPen(theme.pen(Ink::Quantum));
}

void HistogramPlot::setCompact(bool compact)
{
    m_compact = compact;
    xAxis().ticker()->setTickCount(compact ? 3 : 5);
}

void HistogramPlot::show(const HistogramFacts& facts, const quant::ObserverState& state, CountScale scale)
{
    m_facts = facts;
    m_plot->clearItems();
    m_plot->clearPlottables();
    m_pointer = nullptr;
    m_tried = {};
    m_levels->setFacts(facts);
    m_counts->scale = scale;
    auto* zero = new QCPItemStraightLine(m_plot);
    zero->setClipAxisRect(m_bars);
    zero->point1->setAxes(&xAxis(), &yAxis());
    zero->point2->setAxes(&xAxis(), &yAxis());
    zero->point1->setCoords(0, 0);
    zero->point2->setCoords(0, 1);
    zero->setPen(m_theme->pen(Ink::Zero));
    m_channelRange = facts.observed.value_or(ValueRange());
    if (facts.kind == ObserverKind::PerChannel)
        showChannels(facts, state);
    else
        showCounts(facts, scale);
    showRanges(facts);
    showClipped(facts);
}

void HistogramPlot::showCounts(const HistogramFacts& facts, CountScale scale)
{
    QCPAxis& y = yAxis();
    const bool counted = !facts.counts.empty();
    y.setTicker(m_counts);
    y.setRangeReversed(false);
    y.setTickLabels(counted);
    y.setTicks(counted);
    y.setLabel(counted && !m_compact ? tr("count") : QString());
    double most = 1;
    double least = 1; // counts of a re-binned histogram may be less than one
    for (const double c : facts.counts) {
        most = std::max(most, c);
        if (c > 0)
            least = std::min(least, c);
    }
    const double floor = scale == CountScale::Log ? std::floor(std::log10(least)) - 0.3 : 0;
    const double top = heightOf(most, scale);
    y.setRange(floor, top + 0.12 * (top - floor));
    std::vector<CountBars::Bar> inside;
    std::vector<CountBars::Bar> clipped;
    for (std::size_t i = 0; i < facts.counts.size(); ++i) {
        if (facts.counts[i] <= 0)
            continue;
        const ValueRange bin = facts.bin(i);
        const double middle = (bin.min + bin.max) / 2;
        const auto limits = facts.unclipped();
        const bool out = limits && (middle < limits->min || middle > limits->max);
        (out ? clipped : inside).push_back({bin.min, bin.max, heightOf(facts.counts[i], scale)});
    }
    for (auto* part : {&inside, &clipped}) {
        auto* bars = new CountBars(&xAxis(), &y);
        bars->setBars(std::move(*part), floor);
        const bool plain = part == &inside;
        const QColor colour = m_theme->ink(plain ? Ink::HistogramBar : Ink::Clipped);
        bars->setPen(QPen(colour, 0)); // a bin narrower than a pixel still shows
        bars->setBrush(plain ? QBrush(colour) : QBrush(colour, Qt::BDiagPattern));
    }
}

void HistogramPlot::showChannels(const HistogramFacts& facts, const quant::ObserverState& state)
{
    QCPAxis& y = yAxis();
    y.setTicker(QSharedPointer<QCPAxisTickerFixed>(new QCPAxisTickerFixed));
    qSharedPointerCast<QCPAxisTickerFixed>(y.ticker())->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    y.setTickLabels(true);
    y.setTicks(true);
    y.setLabel(tr("channel"));
    y.setRange(-0.7, static_cast<double>(std::max<std::int64_t>(1, facts.channels)) - 0.3);
    y.setRangeReversed(true);
    if (!state.minVal || !state.maxVal || state.minVal->elementCount() != state.maxVal->elementCount())
        return;
    auto* all = new QCPGraph(&y, &xAxis());
    auto* one = new QCPGraph(&y, &xAxis());
    const std::vector<double> mins = state.minVal->toDoubles();
    const std::vector<double> maxs = state.maxVal->toDoubles();
    QVector<QCPGraphData> lines;
    for (std::size_t c = 0; c < mins.size(); ++c) {
        if (!std::isfinite(mins[c]) || !std::isfinite(maxs[c]))
            continue;
        const auto row = static_cast<double>(c);
        const QVector<QCPGraphData> line{{row, mins[c]}, {row, maxs[c]}, {row, qQNaN()}};
        if (static_cast<std::int64_t>(c) == facts.channel)
            one->data()->set(line, true);
        lines << line;
        widen(m_channelRange, ValueRange{mins[c], maxs[c]});
    }
    all->data()->set(lines, true);
    for (QCPGraph* g : {all, one}) {
        g->setAdaptiveSampling(false);
        g->setSelectable(QCP::stNone);
        QPen pen = m_theme->pen(g == one ? Ink::Selection : Ink::HistogramBar, g == one ? 4 : 3);
        pen.setCapStyle(Qt::FlatCap);
        g->setPen(pen);
    }
}

void HistogramPlot::addBracket(double row, const std::optional<ValueRange>& range, Ink ink)
{
    if (!range)
        return;
    auto* line = new QCPItemLine(m_plot);
    line->setClipAxisRect(m_ranges);
    for (QCPItemPosition* end : {line->start, line->end})
        end->setAxes(m_ranges->axis(QCPAxis::atBottom), m_ranges->axis(QCPAxis::atLeft));
    line->start->setCoords(range->min, row);
    line->end->setCoords(range->max, row);
    QPen pen = m_theme->pen(ink, 2);
    pen.setCapStyle(Qt::FlatCap);
    line->setPen(pen);
    const QCPLineEnding bar(QCPLineEnding::esBar, 11, 0);
    line->setHead(bar);
    line->setTail(bar);
}

void HistogramPlot::showRanges(const HistogramFacts& facts)
{
    m_rangeNames->setTicks({kObservedRow, kChosenRow, kRepresentableRow},
                           {tr("observed"), tr("chosen"), tr("representable")});
    m_rangeTexts->setTicks({kObservedRow, kChosenRow, kRepresentableRow},
                           m_compact ? QVector<QString>(3)
                                     : QVector<QString>{rangeText(facts.observed), rangeText(facts.chosen),
                                                        rangeText(facts.representable)});
    if (facts.chosen && facts.covered)
        for (const ValueRange added :
             {ValueRange{facts.covered->min, facts.chosen->min}, ValueRange{facts.chosen->max, facts.covered->max}}) {
            if (added.width() <= 0)
                continue; // taken in only to hold 0, or to be as wide on both sides
            auto* box = new QCPItemRect(m_plot);
            box->setClipAxisRect(m_ranges);
            for (QCPItemPosition* corner : {box->topLeft, box->bottomRight})
                corner->setAxes(m_ranges->axis(QCPAxis::atBottom), m_ranges->axis(QCPAxis::atLeft));
            box->topLeft->setCoords(added.min, kChosenRow + 0.3);
            box->bottomRight->setCoords(added.max, kChosenRow - 0.3);
            box->setPen(Qt::NoPen);
            box->setBrush(QBrush(m_theme->ink(Ink::Chosen), Qt::BDiagPattern));
        }
    addBracket(kObservedRow, facts.observed, Ink::Observed);
    addBracket(kChosenRow, facts.chosen, Ink::Chosen);
    addBracket(kRepresentableRow, facts.representable, Ink::Representable);
}

void HistogramPlot::showClipped(const HistogramFacts& facts)
{
    if (!facts.clippedLeft || facts.total <= 0)
        return;
    const auto add = [&](double count, double x, Qt::Alignment side) {
        if (count <= 0)
            return;
        auto* text = new QCPItemText(m_plot);
        text->setClipAxisRect(m_bars);
        text->position->setType(QCPItemPosition::ptAxisRectRatio);
        text->position->setAxisRect(m_bars);
        text->position->setCoords(x, 0.02);
        text->setPositionAlignment(side | Qt::AlignTop);
        text->setFont(Theme::font(FontRole::Caption));
        text->setColor(m_theme->ink(Ink::Clipped));
        text->setBrush(m_theme->ink(Ink::Page));
        text->setPadding(QMargins(3, 1, 3, 1));
        text->setText(tr("clipped %1").arg(percentText(count / facts.total)));
    };
    add(*facts.clippedLeft, 0.005, Qt::AlignLeft);
    add(*facts.clippedRight, 0.995, Qt::AlignRight);
}

ValueRange HistogramPlot::wholeRange() const
{
    ValueRange range = m_channelRange;
    if (!m_facts.observed && m_facts.representable)
        range = *m_facts.representable;
    widen(range, m_facts.observed);
    widen(range, m_facts.chosen);
    widen(range, m_facts.representable);
    widen(range, m_facts.counted);
    const double margin = range.width() > 0 ? 0.03 * range.width() : std::max(1e-3, 0.5 * std::abs(range.max));
    return {range.min - margin, range.max + margin};
}

void HistogramPlot::setTried(const ValueRange& range)
{
    const std::array ends{range.min, range.max};
    for (std::size_t i = 0; i < ends.size(); ++i) {
        QCPItemStraightLine*& line = m_tried[i];
        if (!line) {
            line = new QCPItemStraightLine(m_plot);
            line->setClipAxisRect(m_bars);
            line->point1->setAxes(&xAxis(), &yAxis());
            line->point2->setAxes(&xAxis(), &yAxis());
            line->setPen(m_theme->pen(Ink::Chosen, 2));
        }
        line->point1->setCoords(ends[i], 0);
        line->point2->setCoords(ends[i], 1);
    }
}

void HistogramPlot::setPointer(double value)
{
    if (!m_pointer) {
        m_pointer = new QCPItemStraightLine(m_plot);
        m_pointer->setClipAxisRect(m_bars);
        m_pointer->point1->setAxes(&xAxis(), &yAxis());
        m_pointer->point2->setAxes(&xAxis(), &yAxis());
        m_pointer->setPen(QPen(m_theme->ink(Ink::Selection), 1, Qt::DashLine));
    }
    m_pointer->setVisible(!std::isnan(value));
    if (!std::isnan(value)) {
        m_pointer->point1->setCoords(value, 0);
        m_pointer->point2->setCoords(value, 1);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace gb::views
