#include "timeline/breakpoint_list.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace gb::views {

BreakpointList::BreakpointList(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_line(new QLineEdit(this))
    , m_list(new QListWidget(this))
    , m_message(new QLabel(this))
{
    m_line->setPlaceholderText(tr("node:conv2d  op:conv*  rule:conv_relu  event:fold  reason:R5  labelled:relu  "
                                  "unlabelled:relu  scale<0.001"));
    m_line->setAccessibleName(tr("Add a breakpoint"));
    m_line->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Breakpoints"));
    m_message->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    layout->setSpacing(2);
    layout->addWidget(m_line);
    layout->addWidget(m_message);
    layout->addWidget(m_list, 1);
    connect(m_line, &QLineEdit::returnPressed, this, [this] {
        if (add(m_line->text()))
            m_line->clear();
    });
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (m_showing)
            return;
        m_breakpoints[static_cast<std::size_t>(m_list->row(item))].enabled = item->checkState() == Qt::Checked;
        Q_EMIT changed();
    });
    auto* remove = new QShortcut(QKeySequence::Delete, m_list);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &BreakpointList::removeCurrent);
    connect(m_session, &Session::recordingChanged, this, &BreakpointList::show); // hits are another run's
    show();
}

void BreakpointList::setTheme(const Theme& theme)
{
    m_theme = &theme;
    show();
}

QString BreakpointList::message() const
{
    return m_message->text();
}

void BreakpointList::say(const QString& text, Ink ink)
{
    m_message->setText(text);
    QPalette colours = m_message->palette();
    colours.setColor(QPalette::WindowText, m_theme->ink(ink));
    m_message->setPalette(colours);
}

bool BreakpointList::add(const QString& text)
{
    auto breakpoint = trace::Breakpoint::parse(text.toStdString());
    if (!breakpoint) {
        say(QString::fromStdString(breakpoint.error().text()), Ink::Error);
        return false;
    }
    if (std::ranges::find(m_breakpoints, *breakpoint) == m_breakpoints.end())
        m_breakpoints.push_back(std::move(*breakpoint));
    show();
    Q_EMIT changed();
    return true;
}

QStringList BreakpointList::kept() const
{
    QStringList out;
    for (const trace::Breakpoint& b : m_breakpoints)
        out << (b.enabled ? QStringLiteral("on ") : QStringLiteral("off ")) + QString::fromStdString(b.toText());
    return out;
}

void BreakpointList::restore(const QStringList& lines)
{
    m_breakpoints.clear();
    for (const QString& line : lines) {
        const auto space = line.indexOf(QLatin1Char(' '));
        auto breakpoint = trace::Breakpoint::parse(line.mid(space + 1).toStdString());
        if (!breakpoint)
            continue;
        breakpoint->enabled = line.left(space) != QLatin1String("off");
        m_breakpoints.push_back(std::move(*breakpoint));
    }
    show();
    Q_EMIT changed();
}

void BreakpointList::toggleNode(ir::NodeId node)
{
    std::string name;
    for (const auto& [path, graph] : m_session->moment()->graphs)
        if (name.empty())
            name = graph->graph->nameOf(node);
    if (name.empty())
        return;
    const auto isThis = [&name](const trace::Breakpoint& b) {
        return b.kind == trace::Breakpoint::Kind::Node && b.text == name;
    };
    if (std::erase_if(m_breakpoints, isThis) == 0) {
        add(QString::fromStdString("node:" + name));
        return;
    }
    show();
    Q_EMIT changed();
}

void BreakpointList::removeCurrent()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    m_breakpoints.erase(m_breakpoints.begin() + row);
    show();
    Q_EMIT changed();
}

void BreakpointList::show()
{
    const QScopedValueRollback<bool> showing(m_showing, true);
    const int row = m_list->currentRow();
    m_list->clear();
    std::optional<trace::BreakpointFinder> finder;
    if (m_session->recording() && !m_breakpoints.empty())
        finder.emplace(m_session->recording());
    for (const trace::Breakpoint& b : m_breakpoints) {
        const auto hits = finder ? static_cast<int>(finder->hits(b).size()) : 0;
        auto* item =
            new QListWidgetItem(tr("%1 — %n stop(s)", nullptr, hits).arg(QString::fromStdString(b.toText())), m_list);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(b.enabled ? Qt::Checked : Qt::Unchecked);
    }
    m_list->setCurrentRow(std::min(row, m_list->count() - 1));
    say(m_breakpoints.empty()
            ? tr("No breakpoints. F9 sets one on the selected node; Enter adds what is written above.")
            : QString(),
        Ink::Muted);
}

int BreakpointList::nextStop(bool forward) const
{
    if (!m_session->recording() || m_breakpoints.empty())
        return -1;
    return trace::BreakpointFinder(m_session->recording()).next(m_breakpoints, m_session->cursor(), forward);
}

std::vector<int> BreakpointList::stops() const
{
    std::vector<int> out;
    if (!m_session->recording() || m_breakpoints.empty())
        return out;
    const trace::BreakpointFinder finder(m_session->recording());
    for (const trace::Breakpoint& b : m_breakpoints)
        if (b.enabled)
            std::ranges::copy(finder.hits(b), std::back_inserter(out));
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

bool BreakpointList::canContinue() const
{
    return nextStop(true) >= 0;
}

void BreakpointList::continueForward()
{
    const int stop = nextStop(true);
    m_session->setCursor(stop >= 0 ? stop : m_session->eventCount() - 1);
}

void BreakpointList::continueBack()
{
    if (const int stop = nextStop(false); stop >= 0)
        m_session->setCursor(stop);
}

} // namespace gb::views
