#include "figures/batches_view.h"

#include "figures/figure_parts.h"
#include "message/selectable_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gb::views {

BatchesView::BatchesView(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_source(session)
    , m_choice(new QComboBox(this))
    , m_curve(new CurvePlot(this))
    , m_histogram(new HistogramView(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_sentences(new QLabel(this))
{
    m_choice->setAccessibleName(tr("Observer"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_slider->setAccessibleName(tr("Batch"));
    m_slider->setTickPosition(QSlider::TicksBelow);
    m_slider->setPageStep(1);
    makeSelectableText(m_sentences);
    m_sentences->setContentsMargins(6, 0, 6, 2);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 6, 0);
    bar->addWidget(m_choice);
    bar->addWidget(m_slider, 1);
    auto* plots = new QSplitter(Qt::Horizontal, this);
    plots->addWidget(m_curve);
    plots->addWidget(m_histogram);
    plots->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(plots, 1);
    layout->addWidget(m_sentences);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &BatchesView::showObserver);
    connect(m_slider, &QSlider::valueChanged, this, &BatchesView::showStep);
    connect(m_curve, &CurvePlot::picked, this, [this](double x) { setStep(static_cast<int>(std::lround(x))); });
    connect(m_selection, &Selection::changed, this, &BatchesView::follow);
}

void BatchesView::setTheme(const Theme& theme)
{
    m_curve->setTheme(theme);
    m_histogram->setTheme(theme);
    QPalette colours = m_sentences->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Text));
    m_sentences->setPalette(colours);
}

void BatchesView::setHistories(std::vector<numbers::History> histories)
{
    m_histories = std::move(histories);
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        for (const numbers::History& history : m_histories)
            m_choice->addItem(QString::fromStdString(history.name));
    }
    m_choice->setEnabled(!m_histories.empty());
    m_slider->setEnabled(!m_histories.empty());
    showObserver(m_histories.empty() ? -1 : 0);
    follow();
}

/// What is selected decides, where it has an observer.
void BatchesView::follow()
{
    const ObserverRow* row = m_histories.empty() ? nullptr : m_source.find(m_selection->current());
    if (!row)
        return;
    const auto found = std::ranges::find(m_histories, row->instance, &numbers::History::instance);
    if (found != m_histories.end())
        m_choice->setCurrentIndex(static_cast<int>(found - m_histories.begin()));
}

void BatchesView::showObserver(int index)
{
    if (index < 0 || index >= static_cast<int>(m_histories.size())) {
        m_curve->setCurves({}, {}, {});
        m_histogram->setMessage(tr("No batches: the run has not come to calibration."));
        m_sentences->clear();
        return;
    }
    const numbers::History& history = m_histories[static_cast<std::size_t>(index)];
    m_curve->setCurves(rangeCurves(history), tr("batch, in the order of the run"), tr("value"));
    const int last = static_cast<int>(history.steps.size()) - 1;
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, std::max(0, last));
    m_slider->setValue(last);
    showStep(last);
}

void BatchesView::setStep(int step)
{
    m_slider->setValue(std::clamp(step, m_slider->minimum(), m_slider->maximum()));
}

int BatchesView::step() const
{
    return m_slider->value();
}

void BatchesView::showStep(int step)
{
    const int index = m_choice->currentIndex();
    if (index < 0 || step < 0)
        return;
    const numbers::History& history = m_histories[static_cast<std::size_t>(index)];
    const numbers::HistoryStep& at = history.steps[static_cast<std::size_t>(step)];
    m_curve->setMarker(step);
    const std::string& type = history.info->inner.empty() ? history.info->type : history.info->inner;
    m_histogram->setObserver(type, history.info->settings, at.record->state, true);
    m_histogram->resetZoom();
    m_sentences->setText(batchSentences(history, step).join(QLatin1Char('\n')));
}

numbers::BatchesFigure BatchesView::figure() const
{
    const int index = m_choice->currentIndex();
    if (index < 0 || index >= static_cast<int>(m_histories.size()))
        return {};
    return {m_histories[static_cast<std::size_t>(index)], step()};
}

QString BatchesView::sentences() const
{
    return m_sentences->text();
}

} // namespace gb::views
