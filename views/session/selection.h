// What is selected: a node (of any graph of the program), or an edge. Survives a change of stage, since a NodeId is the
// same in all of them; whether the node is still there is the view's question.
//
// Thread: the UI thread.
#pragma once

#include "ir/spec.h"

#include <QObject>
#include <QString>

namespace gb::views {

struct Selected {
    QString graph;         ///< path of the graph, "" for the top one
    ir::Position position; ///< a node (consumer is kNoNode) or an edge; node is kNoNode for nothing
    [[nodiscard]] bool empty() const { return position.node == ir::kNoNode; }
    friend bool operator==(const Selected&, const Selected&) = default;
};

class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const Selected& selected() const { return m_selected; }

public Q_SLOTS:
    void select(const gb::views::Selected& selected)
    {
        if (selected == m_selected)
            return;
        m_selected = selected;
        Q_EMIT changed();
    }
    void clear() { select({}); }

Q_SIGNALS:
    void changed();

private:
    Selected m_selected;
};

/// The selection of a node's output.
inline Selected selectedNode(const QString& graph, ir::NodeId node)
{
    return {graph, {node, ir::kNoNode}};
}

} // namespace gb::views
