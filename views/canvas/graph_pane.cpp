#include "canvas/graph_pane.h"

#include <QHBoxLayout>
#include <QSignalBlocker>

#include <QVBoxLayout>

namespace gb::views {

GraphPane::GraphPane(Camera* camera, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_stages(new QComboBox(this))
    , m_leave(new QToolButton(this))
    , m_summary(new QLabel(this))
    , m_canvas(new GraphCanvas(camera, selection, this))
{
    m_stages->setAccessibleName(tr("Stage of this pane"));
    m_stages->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_summary->setMinimumWidth(1); // gives way where panes are narrow
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    auto* header = new QHBoxLayout;
    header->setContentsMargins(6, 4, 6, 4);
    header->setSpacing(8);
    header->addWidget(m_stages);
    header->addWidget(m_leave);
    header->addWidget(m_summary, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(header);
    all->addWidget(m_canvas, 1);
    setStages({});
    setGraph({});
    connect(m_leave, &QToolButton::clicked, this, &GraphPane::graphLeft);
    connect(m_stages, &QComboBox::activated, this, [this] { Q_EMIT stageChosen(stage()); });
}

void GraphPane::setStages(const QStringList& stages)
{
    const QString chosen = stage();
    const QSignalBlocker quiet(m_stages);
    m_stages->clear();
    m_stages->addItem(tr("at the cursor"), QString());
    for (const QString& stage : stages)
        m_stages->addItem(stage, stage);
    setStage(chosen);
}

void GraphPane::setStage(const QString& stage)
{
    const QSignalBlocker quiet(m_stages);
    m_stages->setCurrentIndex(std::max(0, m_stages->findData(stage)));
    m_canvas->setAccessibleName(stage.isEmpty() ? tr("Graph at the cursor") : tr("Graph, %1").arg(stage));
}

QString GraphPane::stage() const
{
    return m_stages->currentData().toString();
}

void GraphPane::setGraph(const QString& path)
{
    m_leave->setText(tr("Leave %1").arg(path));
    m_leave->setToolTip(tr("Back to the top graph"));
    m_leave->setVisible(!path.isEmpty());
}

void GraphPane::setSummary(const QString& text)
{
    m_summary->setText(text);
}

} // namespace gb::views
