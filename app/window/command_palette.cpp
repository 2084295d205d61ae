#include "window/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::app {
namespace {

QString nameOf(const QAction* action)
{
    return QString(action->text()).remove(QLatin1Char('&'));
}

} // namespace

int paletteScore(const QString& typed, const QString& name)
{
    const QString wanted = typed.simplified().toLower();
    const QString text = name.toLower();
    if (wanted.isEmpty() || text.startsWith(wanted))
        return 4;
    if (text.contains(QLatin1Char(' ') + wanted))
        return 3;
    if (text.contains(wanted))
        return 2;
    qsizetype at = 0;
    for (const QChar letter : wanted) {
        if (letter.isSpace())
            continue;
        at = text.indexOf(letter, at);
        if (at < 0)
            return 0;
        ++at;
    }
    return 1;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
    , m_actions(actions)
    , m_line(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setWindowTitle(tr("Commands"));
    m_line->setPlaceholderText(tr("a few letters of a command"));
    m_line->setAccessibleName(tr("Command"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus); // the arrow keys reach it from the line
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    resize(520, 420);
    m_line->installEventFilter(this);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_line, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::choose);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::choose);
    fill();
}

void CommandPalette::type(const QString& text)
{
    m_line->setText(text);
}

void CommandPalette::fill()
{
    struct Hit {
        int score;
        QAction* action;
    };
    std::vector<Hit> hits;
    for (QAction* action : m_actions)
        if (const int score = paletteScore(m_line->text(), nameOf(action)); score > 0 && action->isEnabled())
            hits.push_back({score, action});
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
    m_list->clear();
    for (const Hit& hit : hits) {
        const QString keys = hit.action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(
            keys.isEmpty() ? nameOf(hit.action) : nameOf(hit.action) + QStringLiteral("    ") + keys, m_list);
        item->setData(Qt::UserRole, static_cast<int>(m_actions.indexOf(hit.action)));
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::choose()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return;
    m_chosen = m_actions.at(item->data(Qt::UserRole).toInt());
    accept();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int rows = m_list->count();
            if (rows > 0)
                m_list->setCurrentRow((m_list->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace gb::app
