#include "window/shortcuts_dialog.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>

namespace gb::app {
namespace {

struct Key {
    const char* keys;
    const char* what;
};

/// What a graph, and a presentation, take themselves.
constexpr Key kInGraph[] = {
    {QT_TRANSLATE_NOOP("shortcuts", "wheel, drag"), QT_TRANSLATE_NOOP("shortcuts", "pan")},
    {QT_TRANSLATE_NOOP("shortcuts", "Ctrl+wheel"), QT_TRANSLATE_NOOP("shortcuts", "zoom")},
    {QT_TRANSLATE_NOOP("shortcuts", "Ctrl+drag"), QT_TRANSLATE_NOOP("shortcuts", "zoom to a rectangle")},
    {QT_TRANSLATE_NOOP("shortcuts", "Shift+drag"), QT_TRANSLATE_NOOP("shortcuts", "mark what a rectangle touches")},
    {QT_TRANSLATE_NOOP("shortcuts", "Alt+click"), QT_TRANSLATE_NOOP("shortcuts", "open the node's sub-graph beside")},
    {"Space", QT_TRANSLATE_NOOP("shortcuts", "fit all")},
    {"F", QT_TRANSLATE_NOOP("shortcuts", "frame the selection")},
    {QT_TRANSLATE_NOOP("shortcuts", "arrow keys"), QT_TRANSLATE_NOOP("shortcuts", "walk along edges")},
    {"[, ]", QT_TRANSLATE_NOOP("shortcuts", "walk through a module")},
    {"Enter", QT_TRANSLATE_NOOP("shortcuts", "fold or unfold a module")},
    {"Backspace", QT_TRANSLATE_NOOP("shortcuts", "go to the module around")},
    {"I, O", QT_TRANSLATE_NOOP("shortcuts", "mark inputs, outputs; with Shift all of them")},
    {"Shift+F", QT_TRANSLATE_NOOP("shortcuts", "fade what is not near the selection")},
    {"S, U", QT_TRANSLATE_NOOP("shortcuts", "hide what is selected, bring it back")},
    {"B, N", QT_TRANSLATE_NOOP("shortcuts", "step back, step forward")},
    {"W", QT_TRANSLATE_NOOP("shortcuts", "why the node has no label, or this one")},
    {"H", QT_TRANSLATE_NOOP("shortcuts", "the node in all stages")},
    {"L", QT_TRANSLATE_NOOP("shortcuts", "labels")},
    {"G", QT_TRANSLATE_NOOP("shortcuts", "sharing groups")},
    {"D", QT_TRANSLATE_NOOP("shortcuts", "what changed since the stage before")},
    {"V", QT_TRANSLATE_NOOP("shortcuts", "next overlay")},
    {"M", QT_TRANSLATE_NOOP("shortcuts", "minimap")},
    {"Ctrl+D; 1 … 9", QT_TRANSLATE_NOOP("shortcuts", "keep the view; bring it back")},
    {"Alt+Left, Alt+Right", QT_TRANSLATE_NOOP("shortcuts", "view before, view after")},
    {QT_TRANSLATE_NOOP("shortcuts", "Space, PgDown, PgUp"),
     QT_TRANSLATE_NOOP("shortcuts", "in a presentation: next stage, stage before")},
    {"B, Esc", QT_TRANSLATE_NOOP("shortcuts", "in a presentation: blank screen, end")},
};

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
    , m_line(new QLineEdit(this))
    , m_table(new QTableWidget(0, 2, this))
{
    setWindowTitle(tr("Keyboard shortcuts"));
    m_line->setPlaceholderText(tr("Find a key or a command"));
    m_line->setAccessibleName(m_line->placeholderText());
    m_line->setClearButtonEnabled(true);
    m_table->setAccessibleName(windowTitle());
    m_table->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    const auto say = [](const char* text) { return QCoreApplication::translate("shortcuts", text); };
    for (const Key& key : kInGraph)
        addRow(say(key.keys), say(key.what));
    for (const QAction* action : actions)
        addRow(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
               QString(action->text()).remove(QLatin1Char('&')));
    m_table->resizeColumnToContents(0);
    auto* note = new QLabel(tr("Letters and digits can be switched off in the preferences."), this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_line);
    column->addWidget(m_table, 1);
    column->addWidget(note);
    column->addWidget(buttons);
    resize(640, 460);
    m_line->setFocus();
    connect(m_line, &QLineEdit::textChanged, this, &ShortcutsDialog::showMatches);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ShortcutsDialog::addRow(const QString& keys, const QString& what)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    m_table->setItem(row, 0, new QTableWidgetItem(keys));
    m_table->setItem(row, 1, new QTableWidgetItem(what));
}

void ShortcutsDialog::find(const QString& text)
{
    m_line->setText(text);
}

void ShortcutsDialog::showMatches(const QString& text)
{
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const bool matches = m_table->item(row, 0)->text().contains(text, Qt::CaseInsensitive)
                             || m_table->item(row, 1)->text().contains(text, Qt::CaseInsensitive);
        m_table->setRowHidden(row, !matches);
    }
}

} // namespace gb::app
