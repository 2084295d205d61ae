#include "figures/batches_view.h"

#include "observers/number_text.h"
#include "picture/label_text.h"
#include "session/translate.h"

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
    m_sentences->setTextFormat(Qt::PlainText);
    m_sentences->setWordWrap(true);
    m_sentences->setMinimumWidth(1);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
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
    PlotCurve low{tr("min"), {}, {}, Ink::Observed};
    PlotCurve high{tr("max"), {}, {}, Ink::Chosen};
    PlotCurve seen{tr("of the batch alone"), {}, {}, Ink::Muted, true};
    for (std::size_t s = 0; s < history.steps.size(); ++s) {
        const auto x = static_cast<double>(s);
        if (const auto& range = history.steps[s].range) {
            low.x << x;
            low.y << range->min;
            high.x << x;
            high.y << range->max;
        }
        if (const auto& of = history.steps[s].seen; of && std::isfinite(of->min) && std::isfinite(of->max)) {
            seen.x << x << x;
            seen.y << of->min << of->max;
        }
    }
    m_curve->setCurves({low, high, seen}, tr("batch, in the order of the run"), tr("value"));
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
    m_sentences->setText(sentencesOf(history, step).join(QLatin1Char('\n')));
}

QString BatchesView::sentences() const
{
    return m_sentences->text();
}

QStringList BatchesView::sentencesOf(const numbers::History& history, int step) const
{
    const numbers::HistoryStep& at = history.steps[static_cast<std::size_t>(step)];
    const numbers::HistoryStep* before = step > 0 ? &history.steps[static_cast<std::size_t>(step) - 1] : nullptr;
    const QString batch = at.batch < 0 ? tr("Step %1").arg(step + 1) : tr("Batch %1").arg(at.batch);
    QStringList out;
    QStringList moved;
    if (before && before->range && at.range) {
        if (at.widenedMin)
            moved << tr("min %1 → %2").arg(displayNumber(before->range->min), displayNumber(at.range->min));
        if (at.widenedMax)
            moved << tr("max %1 → %2").arg(displayNumber(before->range->max), displayNumber(at.range->max));
    }
    if (!before && at.range)
        out << tr("%1 is the first: the range is its own, %2 … %3")
                   .arg(batch, displayNumber(at.range->min), displayNumber(at.range->max));
    else if (!moved.isEmpty())
        out << tr("%1 widened %2").arg(batch, moved.join(QStringLiteral(", ")))
                   + (at.rebinned ? tr(": histogram re-binned, bins %1 times as wide").arg(displayNumber(*at.rebinned))
                                  : QString());
    else if (numbers::averagingSentences(history, static_cast<std::size_t>(step)).empty())
        out << tr("%1 changed nothing").arg(batch);
    for (const base::Message& sentence : numbers::averagingSentences(history, static_cast<std::size_t>(step)))
        out << translated(sentence);
    if (history.lastChange() >= 0)
        out << (history.converged() ? tr("Converged: since step %1 of %2 no batch has moved the range by more than 1 %")
                                    : tr("Not converged: step %1 of %2 still moved the range by more than 1 %"))
                   .arg(history.lastChange() + 1)
                   .arg(history.steps.size());
    return out;
}

} // namespace gb::views
