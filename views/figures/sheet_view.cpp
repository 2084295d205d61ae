#include "figures/sheet_view.h"

#include "message/selectable_text.h"
#include "session/translate.h"

#include <QLabel>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace gb::views {

SheetView::SheetView(Selection* selection, const QString& empty, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_model(new SheetModel(this))
    , m_table(new FilteredTable(m_model, SheetModel::SortRole, SheetModel::FullRole, empty, this))
    , m_notes(new QLabel(this))
{
    makeSelectableText(m_notes);
    m_notes->setContentsMargins(6, 0, 6, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_notes);
    connect(m_selection, &Selection::changed, this, &SheetView::follow);
    connect(m_table, &FilteredTable::rowActivated, this, [this](int row) {
        const QScopedValueRollback<bool> following(m_following, true);
        const ir::NodeId node = m_model->sheet().rows[static_cast<std::size_t>(row)].node;
        if (node != ir::kNoNode)
            m_selection->selectNode(node);
        Q_EMIT rowChosen(row);
    });
}

void SheetView::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
    QPalette colours = m_notes->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Muted));
    m_notes->setPalette(colours);
}

void SheetView::setSheet(numbers::Sheet sheet)
{
    QStringList notes;
    for (const base::Message& note : sheet.notes)
        notes << translated(note);
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    m_model->setSheet(std::move(sheet));
    follow();
}

void SheetView::setMessage(const QString& sentence)
{
    m_table->setEmptyText(sentence);
    setSheet({});
}

QString SheetView::notes() const
{
    return m_notes->text();
}

void SheetView::follow()
{
    if (!m_following)
        m_table->setCurrentRow(m_model->rowOf(m_selection->current().node));
}

} // namespace gb::views
