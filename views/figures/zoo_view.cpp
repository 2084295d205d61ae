#include "figures/zoo_view.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {

ZooView::ZooView(Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_title(new QLabel(this))
    , m_columns(new QSplitter(Qt::Horizontal, this))
    , m_sheet(new SheetView(selection, tr("No observers."), this))
{
    m_title->setTextFormat(Qt::PlainText);
    m_title->setContentsMargins(6, 2, 6, 0);
    m_title->setMinimumWidth(1);
    m_columns->setChildrenCollapsible(false);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_columns);
    parts->addWidget(m_sheet);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(parts, 1);
    connect(m_sheet, &SheetView::failed, this, &ZooView::failed);
}

void ZooView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_sheet->setTheme(theme);
    for (HistogramView* plot : m_plots)
        plot->setTheme(theme);
}

void ZooView::link(HistogramView* plot)
{
    connect(plot, &HistogramView::pointed, this, [this](double value) {
        for (HistogramView* other : m_plots)
            other->point(value);
    });
    connect(plot, &HistogramView::xRangeChanged, this, [this, plot](const ValueRange& range) {
        for (HistogramView* other : m_plots)
            if (other != plot)
                other->setXRange(range);
    });
}

void ZooView::setAnimals(std::vector<numbers::ZooAnimal> animals, const QString& what)
{
    setMessage({});
    m_title->setText(tr("Values of %1").arg(what));
    std::optional<ValueRange> all;
    for (std::size_t i = 0; i < animals.size(); ++i) {
        const numbers::ZooAnimal& animal = animals[i];
        auto* column = new QWidget(m_columns);
        auto* layout = new QVBoxLayout(column);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(1);
        auto* name =
            new QLabel(QStringLiteral("%1  %2").arg(i + 1).arg(QString::fromStdString(animal.observer.name)), column);
        name->setMinimumWidth(1);
        name->setContentsMargins(6, 0, 0, 0);
        auto* plot = new HistogramView(column);
        plot->setAccessibleName(tr("Histogram of %1").arg(name->text()));
        plot->setMinimumWidth(150);
        plot->setTheme(*m_theme);
        if (animal.error.empty()) {
            plot->setObserver(animal.type, animal.settings, animal.state);
            if (plot->message().isEmpty()) {
                const ValueRange whole = plot->wholeRange();
                all = all ? ValueRange{std::min(all->min, whole.min), std::max(all->max, whole.max)} : whole;
            }
        } else {
            plot->setMessage(QString::fromStdString(animal.error));
        }
        layout->addWidget(name);
        layout->addWidget(plot, 1);
        m_columns->addWidget(column);
        m_plots.push_back(plot);
        link(plot);
    }
    for (HistogramView* plot : m_plots)
        if (all && plot->message().isEmpty())
            plot->setXRange(*all);
    m_sheet->setSheet(numbers::zooSheet(animals));
}

void ZooView::setMessage(const QString& sentence)
{
    m_title->setText(sentence);
    m_plots.clear();
    while (m_columns->count() > 0)
        delete m_columns->widget(0);
    m_sheet->setMessage(sentence);
}

} // namespace gb::views
