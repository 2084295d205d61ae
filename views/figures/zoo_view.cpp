#include "figures/zoo_view.h"

#include "figures/figure_parts.h"
#include "session/translate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {
namespace {
constexpr int kLeastWidth = 270; ///< of a plot whose words can still be read
constexpr int kButtons = 40;     ///< of that, what stands beside the name
} // namespace

ZooView::ZooView(Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_title(new QLabel(this))
    , m_columns(new QWidget)
    , m_row(new QHBoxLayout(m_columns))
    , m_sheet(new SheetView(selection, tr("No observers."), this))
{
    m_title->setTextFormat(Qt::PlainText);
    m_title->setContentsMargins(6, 2, 6, 0);
    m_title->setMinimumWidth(1);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(4);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_columns);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(scroll);
    parts->addWidget(m_sheet);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    scroll->setMinimumWidth(2 * kLeastWidth); // two side by side at least
    parts->setSizes({3 * kLeastWidth, kLeastWidth});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(parts, 1);
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

void ZooView::setFigure(numbers::ZooFigure figure)
{
    setMessage({});
    const auto [counted, counts] = countsOf(figure.values);
    m_figure = std::make_shared<const numbers::ZooFigure>(std::move(figure));
    const std::vector<numbers::ZooAnimal>& animals = m_figure->animals;
    m_title->setText(tr("Values of %1").arg(QString::fromStdString(m_figure->what)));
    std::optional<ValueRange> all;
    for (std::size_t i = 0; i < animals.size(); ++i) {
        const numbers::ZooAnimal& animal = animals[i];
        auto* column = new QWidget(m_columns);
        auto* layout = new QVBoxLayout(column);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(1);
        auto* name = new QLabel(
            QStringLiteral("%1  %2").arg(i + 1).arg(translated(numbers::shortName(animal.observer))), column);
        name->setMinimumWidth(1);
        name->setToolTip(name->text());
        name->setText(name->fontMetrics().elidedText(name->text(), Qt::ElideRight, kLeastWidth - kButtons));
        name->setContentsMargins(6, 0, 0, 0);
        auto* plot = new HistogramView(column);
        plot->setAccessibleName(tr("Histogram of %1").arg(name->toolTip()));
        plot->setMinimumWidth(kLeastWidth);
        plot->setCompact(true);
        plot->setValues(counted, counts);
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
        auto* remove = new QToolButton(column);
        remove->setText(QStringLiteral("×"));
        remove->setAutoRaise(true);
        remove->setToolTip(tr("Take %1 away").arg(name->toolTip()));
        remove->setAccessibleName(remove->toolTip());
        remove->setEnabled(animals.size() > 1);
        connect(remove, &QToolButton::clicked, this, [this, i] { Q_EMIT removeWanted(static_cast<int>(i)); });
        auto* head = new QHBoxLayout;
        head->setContentsMargins(0, 0, 0, 0);
        head->addWidget(name, 1);
        head->addWidget(remove);
        layout->addLayout(head);
        layout->addWidget(plot, 1);
        m_row->addWidget(column, 1);
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
    m_figure.reset();
    m_title->setText(sentence);
    m_plots.clear();
    while (QLayoutItem* item = m_row->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_sheet->setMessage(sentence);
}

} // namespace gb::views
