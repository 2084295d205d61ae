#include "window/node_history.h"

#include "inspector/node_facts.h"

#include <QDialogButtonBox>
#include <QListWidget>
#include <QVBoxLayout>

namespace gb::app {
namespace {

/// What it is, then what its label says; of a node that is not there what became of it.
QString lineOf(const views::NodeFacts& facts)
{
    QStringList parts;
    if (facts.present)
        parts << facts.role;
    for (const views::Fact& fact : facts.facts)
        if (facts.present ? fact.section == QStringLiteral("Labels") : parts.isEmpty())
            parts << QStringLiteral("%1: %2").arg(fact.name, fact.text);
    return parts.join(QStringLiteral(" · "));
}

} // namespace

QStringList historyOf(views::Session& session, ir::NodeId node)
{
    QStringList out;
    for (const QString& stage : views::stageNames()) {
        const trace::MomentPtr moment = session.momentOfStage(stage);
        if (!moment)
            continue;
        const int event = session.recording()->stageEvent(stage.toStdString());
        out << QStringLiteral("%1: %2").arg(views::stageTitle(stage),
                                            lineOf(views::nodeFacts(*session.recording(), *moment, event, node)));
    }
    return out;
}

NodeHistory::NodeHistory(views::Session& session, ir::NodeId node, QWidget* parent)
    : QDialog(parent)
    , m_list(new QListWidget(this))
{
    const trace::NodeRow* row = session.recording() ? views::rowOf(*session.recording(), node) : nullptr;
    setWindowTitle(row ? tr("%1 in all stages").arg(QString::fromStdString(row->name)) : tr("History"));
    m_list->setAccessibleName(windowTitle());
    m_list->setWordWrap(true);
    m_list->setAlternatingRowColors(true); // a stage has several lines
    m_list->setSpacing(2);
    QStringList stages;
    for (const QString& stage : views::stageNames())
        if (session.momentOfStage(stage))
            stages << stage;
    const QStringList lines = historyOf(session, node);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        auto* item = new QListWidgetItem(lines[i], m_list);
        item->setData(Qt::UserRole, stages[i]);
        item->setToolTip(lines[i]);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    resize(760, 260);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        Q_EMIT stageChosen(item->data(Qt::UserRole).toString());
        accept();
    });
}

} // namespace gb::app
