#include "figures/error_view.h"

#include "observers/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {
namespace {

QString decibels(const std::optional<double>& value)
{
    return value && std::isinf(*value) ? ErrorView::tr("exact") : ErrorView::tr("%1 dB").arg(shortText(value));
}

} // namespace

ErrorView::ErrorView(Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_sheet(new SheetView(selection, tr("No figures."), this))
    , m_float(new QToolButton(this))
    , m_back(new QToolButton(this))
    , m_gain(new QLabel(this))
{
    m_float->setText(tr("Leave in float"));
    m_float->setToolTip(tr("What if the op of this row were not quantized"));
    m_back->setText(tr("As it was"));
    m_gain->setTextFormat(Qt::PlainText);
    m_gain->setMinimumWidth(1);
    m_gain->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 6, 0);
    bar->addWidget(m_float);
    bar->addWidget(m_back);
    bar->addWidget(m_gain, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_sheet, 1);
    connect(m_float, &QToolButton::clicked, this, &ErrorView::toggleFloat);
    connect(m_back, &QToolButton::clicked, this, &ErrorView::takeBack);
    connect(m_sheet, &SheetView::rowChosen, this, &ErrorView::updateButtons);
    connect(m_sheet, &SheetView::failed, this, &ErrorView::failed);
    connect(selection, &Selection::changed, this, &ErrorView::updateButtons);
    updateButtons();
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
    QStringList sites;
    for (const numbers::Change& change : m_changes)
        sites << QString::fromStdString(change.site);
    if (!before || sites.isEmpty()) {
        m_gain->setText(tr("output %1").arg(decibels(report.output.sqnr())));
    } else {
        QString text =
            tr("left in float: %1 · output %2 → %3")
                .arg(sites.join(QStringLiteral(", ")), decibels(before->output.sqnr()), decibels(report.output.sqnr()));
        if (report.rows > 0)
            text += tr(" · rows as in float: %1 → %2 of %3").arg(before->agreed).arg(report.agreed).arg(report.rows);
        m_gain->setText(text);
    }
    m_gain->setToolTip(m_gain->text());
    updateButtons();
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

void ErrorView::toggleFloat()
{
    const int row = m_sheet->currentRow();
    if (row < 0)
        return;
    const std::string site = numbers::cellText(m_sheet->model().sheet().rows[static_cast<std::size_t>(row)].cells[0]);
    const auto known = std::ranges::find(m_changes, site, &numbers::Change::site);
    if (known != m_changes.end())
        m_changes.erase(known);
    else
        m_changes.push_back({numbers::Change::Kind::FloatOp, site});
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

void ErrorView::updateButtons()
{
    const int row = m_sheet->currentRow();
    const auto& rows = m_sheet->model().sheet().rows;
    bool op = false;
    if (row >= 0 && row < static_cast<int>(rows.size())) {
        const auto& cells = rows[static_cast<std::size_t>(row)].cells;
        op = numbers::cellText(cells[0]) != numbers::cellText(cells[1]); // a model input is no op
        const std::string site = numbers::cellText(cells[0]);
        const bool known = std::ranges::find(m_changes, site, &numbers::Change::site) != m_changes.end();
        m_float->setText(known ? tr("Quantize again") : tr("Leave in float"));
    }
    m_float->setEnabled(op);
    m_back->setEnabled(!m_changes.empty());
}

} // namespace gb::views
