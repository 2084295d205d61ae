#include "figures/error_view.h"

#include "message/selectable_text.h"
#include "observers/number_text.h"
#include "session/translate.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

using numbers::Change;
using numbers::ErrorFigure;

QString decibels(const std::optional<double>& value)
{
    return value && std::isinf(*value) ? ErrorView::tr("exact") : ErrorView::tr("%1 dB").arg(shortText(value));
}

} // namespace

ErrorView::ErrorView(Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_sheet(new SheetView(selection, tr("No figures."), this))
    , m_whatIf(new WhatIfBar(this))
    , m_float(new QToolButton(this))
    , m_other(new QToolButton(this))
    , m_back(new QToolButton(this))
    , m_paint(new QToolButton(this))
    , m_figures(new QActionGroup(this))
    , m_gain(new QLabel(this))
{
    m_float->setText(tr("Leave in float"));
    m_float->setToolTip(tr("What if the op of this row were not quantized"));
    m_other->setText(tr("Other observer or range"));
    m_other->setToolTip(tr("What if an observer had another class, other settings or another range"));
    m_other->setCheckable(true);
    m_other->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_other->setArrowType(Qt::RightArrow);
    m_back->setText(tr("As it was"));
    m_back->setToolTip(tr("Take all changes back"));
    makePaintMenu();
    makeSelectableText(m_gain);
    m_gain->setContentsMargins(6, 0, 6, 0);
    m_whatIf->hide();
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 6, 0);
    for (QToolButton* button : {m_float, m_other, m_back, m_paint})
        bar->addWidget(button);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_whatIf);
    layout->addWidget(m_gain);
    layout->addWidget(m_sheet, 1);
    connect(m_float, &QToolButton::clicked, this, &ErrorView::toggleFloat);
    connect(m_other, &QToolButton::toggled, this, [this](bool on) {
        m_other->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        m_whatIf->setVisible(on);
    });
    connect(m_back, &QToolButton::clicked, this, &ErrorView::takeBack);
    connect(m_paint, &QToolButton::toggled, this, [this](bool on) {
        // a sign besides the pressed look, which dark themes hardly show
        m_paint->setText(on ? tr("✓ Painted on graph") : tr("Paint on graph"));
        Q_EMIT paintedChanged();
    });
    connect(m_figures, &QActionGroup::triggered, this, [this] {
        if (m_paint->isChecked())
            Q_EMIT paintedChanged();
        else
            m_paint->setChecked(true);
    });
    connect(m_whatIf, &WhatIfBar::wanted, this, &ErrorView::tryOut);
    connect(m_whatIf, &WhatIfBar::failed, this, &ErrorView::failed);
    connect(m_sheet, &SheetView::rowChosen, this, &ErrorView::updateButtons);
    connect(selection, &Selection::changed, this, &ErrorView::follow);
    updateButtons();
}

void ErrorView::makePaintMenu()
{
    m_paint->setText(tr("Paint on graph"));
    m_paint->setToolTip(tr("Colour the ops of the graph by their error"));
    m_paint->setCheckable(true);
    m_paint->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(m_paint);
    const std::pair<ErrorFigure, QString> figures[] = {{ErrorFigure::LocalSqnr, tr("Local SQNR, typical channel")},
                                                       {ErrorFigure::CumulativeSqnr, tr("Cumulative SQNR")},
                                                       {ErrorFigure::LargestGap, tr("Largest difference, cumulative")}};
    for (const auto& [figure, title] : figures) {
        QAction* action = menu->addAction(title);
        action->setCheckable(true);
        action->setData(static_cast<int>(figure));
        m_figures->addAction(action);
    }
    m_figures->actions().constFirst()->setChecked(true);
    m_paint->setMenu(menu);
}

std::optional<ErrorFigure> ErrorView::painted() const
{
    if (!m_paint->isChecked())
        return std::nullopt;
    return static_cast<ErrorFigure>(m_figures->checkedAction()->data().toInt());
}

void ErrorView::setPainted(bool on)
{
    m_paint->setChecked(on);
}

void ErrorView::setTheme(const Theme& theme)
{
    m_sheet->setTheme(theme);
    QPalette colours = m_gain->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Text));
    m_gain->setPalette(colours);
}

void ErrorView::setReport(const numbers::ErrorReport& report, const numbers::ErrorReport* before)
{
    m_sheet->setSheet(numbers::errorSheet(report));
    QStringList words;
    for (const Change& change : m_changes) {
        const auto& sites = m_whatIf->sites();
        const auto site = std::ranges::find(sites, change.site, &numbers::ObserverSite::target);
        words << translated(
            numbers::changeWords(change, site == sites.end() ? ir::ObserverConstructor() : site->observer));
    }
    if (!before || words.isEmpty()) {
        m_gain->setText(tr("output %1").arg(decibels(report.output.sqnr())));
    } else {
        QString text =
            tr("%1 · output %2 → %3")
                .arg(words.join(QStringLiteral("; ")), decibels(before->output.sqnr()), decibels(report.output.sqnr()));
        if (report.rows > 0)
            text += tr(" · rows as in float: %1 → %2 of %3").arg(before->agreed).arg(report.agreed).arg(report.rows);
        m_gain->setText(text);
    }
    m_gain->setToolTip(m_gain->text());
    updateButtons();
}

void ErrorView::setSites(std::vector<numbers::ObserverSite> sites, const ir::Graph* graph)
{
    m_whatIf->setSites(std::move(sites), graph);
    m_whatIf->choose(m_selection->current().node);
}

void ErrorView::setMessage(const QString& sentence)
{
    m_sheet->setMessage(sentence);
    m_gain->clear();
    updateButtons();
}

void ErrorView::forgetChanges()
{
    m_changes.clear();
    updateButtons();
}

QString ErrorView::gain() const
{
    return m_gain->text();
}

void ErrorView::tryOut(const Change& change)
{
    const auto known = std::ranges::find(m_changes, change.site, &Change::site);
    if (known != m_changes.end())
        *known = change;
    else
        m_changes.push_back(change);
    updateButtons();
    Q_EMIT changesChanged();
}

void ErrorView::toggleFloat()
{
    const int row = m_sheet->currentRow();
    if (row < 0)
        return;
    const std::string site = numbers::cellText(m_sheet->model().sheet().rows[static_cast<std::size_t>(row)].cells[0]);
    const auto known = std::ranges::find(m_changes, site, &Change::site);
    if (known == m_changes.end()) {
        tryOut({Change::Kind::FloatOp, site});
        return;
    }
    m_changes.erase(known);
    updateButtons();
    Q_EMIT changesChanged();
}

void ErrorView::takeBack()
{
    if (m_changes.empty())
        return;
    forgetChanges();
    Q_EMIT changesChanged();
}

void ErrorView::follow()
{
    m_whatIf->choose(m_selection->current().node);
    updateButtons();
}

void ErrorView::updateButtons()
{
    const int row = m_sheet->currentRow();
    const auto& rows = m_sheet->model().sheet().rows;
    bool op = false;
    if (row >= 0 && row < static_cast<int>(rows.size())) {
        const auto& cells = rows[static_cast<std::size_t>(row)].cells;
        // a model input is no op, and what is tried out is so in the top graph
        op = numbers::cellText(cells[0]) != numbers::cellText(cells[1]) && numbers::cellText(cells.back()).empty();
        const std::string site = numbers::cellText(cells[0]);
        const bool known = std::ranges::find(m_changes, site, &Change::site) != m_changes.end();
        m_float->setText(known ? tr("Quantize again") : tr("Leave in float"));
    }
    m_float->setEnabled(op);
    m_back->setEnabled(!m_changes.empty());
}

} // namespace gb::views
