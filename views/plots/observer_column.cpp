#include "plots/observer_column.h"

#include "message/selectable_text.h"
#include "plots/qparams_text.h"

#include <QLabel>
#include <QVBoxLayout>

namespace gb::views {
namespace {

QLabel* makeLabel(QWidget* parent, FontRole font)
{
    auto* label = new QLabel(parent);
    label->setFont(Theme::font(font));
    makeSelectableText(label);
    label->setContentsMargins(6, 0, 6, 0);
    return label;
}

void colour(QLabel* label, const QColor& ink)
{
    QPalette colours = label->palette();
    colours.setColor(QPalette::WindowText, ink);
    label->setPalette(colours);
}

} // namespace

ObserverColumn::ObserverColumn(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel(this, FontRole::NodeName))
    , m_caption(makeLabel(this, FontRole::Caption))
    , m_formula(makeLabel(this, FontRole::Code))
    , m_notices(makeLabel(this, FontRole::NodeText))
    , m_view(new HistogramView(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 2);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(m_caption);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_formula);
    layout->addWidget(m_notices);
    connect(m_view, &HistogramView::channelChanged, this, &ObserverColumn::showFormula);
    setTheme(Theme::of(ThemeKind::Light));
}

void ObserverColumn::setTheme(const Theme& theme)
{
    m_view->setTheme(theme);
    colour(m_title, theme.ink(Ink::Text));
    colour(m_caption, theme.ink(Ink::Muted));
    colour(m_formula, theme.ink(Ink::Text));
    colour(m_notices, theme.ink(Ink::Warning));
}

void ObserverColumn::showRow(const ObserverRow* row, const QString& when, const QString& nothing, bool keepZoom)
{
    m_empty = !row;
    m_title->setVisible(row);
    m_caption->setVisible(row);
    if (row) {
        m_settings = row->info->settings;
        m_title->setText(row->name());
        m_caption->setText(
            QStringLiteral("%1 · %2 · %3")
                .arg(row->typeText(), tr("observes %1").arg(row->observes.join(QStringLiteral(", "))), when));
        m_view->setObserver(row->info->inner.empty() ? row->info->type : row->info->inner, m_settings, row->state(),
                            keepZoom);
        m_view->setAccessibleName(tr("Histogram of %1").arg(row->name()));
    } else {
        m_title->clear();
        m_caption->clear();
        m_view->setMessage(nothing);
    }
    showFormula();
}

void ObserverColumn::showFormula()
{
    const HistogramFacts& facts = m_view->facts();
    m_formula->setText(m_empty ? QString() : formulaLines(facts, m_settings).join(QLatin1Char('\n')));
    // without a plot, the notices are what stands in its place
    const bool inPlot = !m_view->message().isEmpty();
    m_notices->setText(m_empty || inPlot ? QString() : noticeLines(facts, m_settings).join(QLatin1Char('\n')));
    m_formula->setVisible(!m_formula->text().isEmpty() && m_formula->text() != m_view->message());
    m_notices->setVisible(!m_notices->text().isEmpty());
}

QString ObserverColumn::title() const
{
    return m_title->text().isEmpty() ? QString() : m_title->text() + QLatin1Char('\n') + m_caption->text();
}

QString ObserverColumn::formula() const
{
    QStringList lines;
    for (const QLabel* label : {m_formula, m_notices})
        if (!label->text().isEmpty())
            lines << label->text();
    return lines.join(QLatin1Char('\n'));
}

} // namespace gb::views
