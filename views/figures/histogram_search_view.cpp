#include "figures/histogram_search_view.h"

#include "figures/figure_parts.h"
#include "message/selectable_text.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gb::views {

HistogramSearchView::HistogramSearchView(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_source(session)
    , m_curve(new CurvePlot(this))
    , m_histogram(new HistogramView(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_sentences(new QLabel(this))
{
    m_slider->setAccessibleName(tr("Move"));
    m_slider->setTickPosition(QSlider::TicksBelow);
    makeSelectableText(m_sentences);
    m_sentences->setContentsMargins(6, 0, 6, 2);
    auto* plots = new QSplitter(Qt::Horizontal, this);
    plots->addWidget(m_curve);
    plots->addWidget(m_histogram);
    plots->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_slider);
    layout->addWidget(plots, 1);
    layout->addWidget(m_sentences);
    connect(m_slider, &QSlider::valueChanged, this, &HistogramSearchView::showMove);
    connect(m_curve, &CurvePlot::picked, this, [this](double x) { setMove(static_cast<int>(std::lround(x))); });
    connect(m_selection, &Selection::changed, this, &HistogramSearchView::refresh);
    connect(m_session, &Session::cursorChanged, this, &HistogramSearchView::refresh);
    connect(m_session, &Session::recordingChanged, this, [this] {
        m_shown = -2;
        refresh();
    });
}

void HistogramSearchView::setTheme(const Theme& theme)
{
    m_curve->setTheme(theme);
    m_histogram->setTheme(theme);
    QPalette colours = m_sentences->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Text));
    m_sentences->setPalette(colours);
}

void HistogramSearchView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void HistogramSearchView::refresh()
{
    if (!isVisible())
        return;
    const std::vector<ObserverRow>& rows = m_source.rows();
    const ObserverRow* row = m_source.find(m_selection->current());
    if (!row) // what is selected has no observer: the one that is shown stays
        row = m_source.findInstance(m_shown);
    if (!row) {
        const auto found =
            std::ranges::find_if(rows, [](const ObserverRow& r) { return r.state().histogram.has_value(); });
        row = found == rows.end() ? nullptr : &*found;
    }
    const std::int64_t wanted = row ? row->instance : -1;
    if (wanted == m_shown && m_event == m_source.event())
        return;
    m_shown = wanted;
    m_event = m_source.event();
    m_replay = row ? numbers::replaySearch(row->info->settings, row->state()) : std::nullopt;
    m_slider->setEnabled(m_replay.has_value());
    if (!m_replay) {
        m_curve->setCurves({}, {}, {});
        m_histogram->setMessage(row ? tr("%1 has no histogram to search.").arg(row->name()) : tr("No observers."));
        m_sentences->clear();
        return;
    }
    m_settings = row->info->settings;
    m_state = row->state();
    m_name = row->name();
    m_curve->setCurves({normCurve(*m_replay)}, tr("move"), tr("L2 norm of the error"));
    m_histogram->setObserver("HistogramObserver", m_settings, m_state);
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, moveCount());
    m_slider->setValue(moveCount());
    showMove(moveCount());
}

void HistogramSearchView::setMove(int move)
{
    m_slider->setValue(std::clamp(move, 0, moveCount()));
}

void HistogramSearchView::showMove(int move)
{
    if (!m_replay)
        return;
    m_curve->setMarker(move);
    m_histogram->setTried(rangeOfMove(*m_replay, move));
    m_sentences->setText(moveSentences(*m_replay, move).join(QLatin1Char('\n')));
}

std::optional<numbers::SearchFigure> HistogramSearchView::figure() const
{
    if (!m_replay)
        return std::nullopt;
    return numbers::SearchFigure{m_name.toStdString(), m_settings, m_state, *m_replay, m_slider->value()};
}

QString HistogramSearchView::sentences() const
{
    return m_sentences->text();
}

} // namespace gb::views
