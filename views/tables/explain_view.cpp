#include "tables/explain_view.h"

#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

namespace gb::views {

ExplainView::ExplainView(const ExplainPart& part, Session* session, Selection* selection, Explanation* explanation,
                         QWidget* parent)
    : QWidget(parent)
    , m_part(part)
    , m_session(session)
    , m_selection(selection)
    , m_explanation(explanation)
    , m_model(new RowsModel(part.headers, this))
    , m_table(new FilteredTable(m_model, RowsModel::SortRole, RowsModel::FullRole, part.empty, this))
    , m_banner(new QLabel(this))
{
    m_table->view().setAccessibleName(part.name);
    m_banner->setWordWrap(true);
    m_banner->setFont(Theme::font(FontRole::Title));
    m_banner->setContentsMargins(8, 6, 8, 6);
    m_banner->setAutoFillBackground(true);
    m_banner->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_banner->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_table, 1);
    connect(m_explanation, &Explanation::changed, this, &ExplainView::refresh);
    connect(m_selection, &Selection::changed, this, &ExplainView::follow);
    connect(m_table, &FilteredTable::rowActivated, this, &ExplainView::go);
}

void ExplainView::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
    m_model->setTheme(theme);
    QPalette colours = m_banner->palette();
    colours.setColor(QPalette::Window, theme.ink(m_part.alarm ? Ink::Error : Ink::Panel));
    colours.setColor(QPalette::WindowText, theme.ink(m_part.alarm ? Ink::Page : Ink::Text));
    m_banner->setPalette(colours);
}

QString ExplainView::banner() const
{
    return m_banner->isHidden() ? QString() : m_banner->text();
}

void ExplainView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ExplainView::refresh()
{
    if (!isVisible())
        return;
    const explain::ReportPtr& report = m_explanation->report();
    if (!report || report != m_shown) {
        m_shown = report;
        m_table->setEmptyText(m_explanation->busy()                 ? tr("Being worked out…")
                              : !m_explanation->problem().isEmpty() ? m_explanation->problem()
                              : report                              ? m_part.empty
                                                                    : tr("No recording."));
        m_model->setRows(report ? m_part.rows(*report) : std::vector<RowItem>());
        const QString text = report ? m_part.banner(*report) : QString();
        m_banner->setText(text);
        m_banner->setVisible(!text.isEmpty());
    }
    follow();
}

void ExplainView::go(int row)
{
    const QScopedValueRollback<bool> following(m_following, true);
    const RowItem item = m_model->row(row);
    if (item.event >= 0)
        m_session->setCursor(item.event);
    if (item.node != ir::kNoNode)
        m_selection->selectNode(item.node);
}

void ExplainView::follow()
{
    if (!m_following && isVisible())
        m_table->setCurrentRow(m_model->rowOf(m_selection->current().node));
}

} // namespace gb::views
