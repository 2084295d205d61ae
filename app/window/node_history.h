// One node in all stages, a line each: what it is there and what its label says. A line goes to its stage.
//
// Thread: the UI thread.
#pragma once

#include "ir/argument.h"
#include "session/session.h"

#include <QDialog>
#include <QStringList>

class QListWidget;

namespace gb::app {

/// "prepared: conv2d, aten.conv2d.default · x: i8 …": a line for each stage that the run has, in order.
QStringList historyOf(views::Session& session, ir::NodeId node);

class NodeHistory final : public QDialog {
    Q_OBJECT
public:
    NodeHistory(views::Session& session, ir::NodeId node, QWidget* parent = nullptr);

Q_SIGNALS:
    void stageChosen(const QString& stage);

private:
    QListWidget* m_list;
};

} // namespace gb::app
