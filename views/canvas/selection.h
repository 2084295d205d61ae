// What is selected, shared by canvases and panels. Survives a change of stage, since node numbers do.
//
// Thread: UI.
#pragma once

#include "ir/spec.h"

#include <QObject>

#include <unordered_set>
#include <utility>

namespace gb::views {

struct Selected {
    enum class Kind : unsigned char { Nothing, Node, Label, Group };
    Kind kind = Kind::Nothing;
    ir::NodeId node = ir::kNoNode; ///< the node; for a label its consumer, or the node whose output it is
    ir::Position label;            ///< Kind::Label
    int group = -1;                ///< Kind::Group
    friend bool operator==(const Selected&, const Selected&) = default;
};

class Selection final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    [[nodiscard]] const Selected& current() const { return m_current; }
    /// A set of nodes besides the current one: framed with the mouse, or traced along lines.
    [[nodiscard]] const std::unordered_set<ir::NodeId>& marked() const { return m_marked; }
    void mark(std::unordered_set<ir::NodeId> nodes)
    {
        if (m_marked == nodes)
            return;
        m_marked = std::move(nodes);
        Q_EMIT changed();
    }
    void clear()
    {
        mark({});
        set({});
    }
    void selectNode(ir::NodeId node) { set({Selected::Kind::Node, node, {}, -1}); }
    void selectLabel(const ir::Position& position)
    {
        set({Selected::Kind::Label, position.isEdge() ? position.consumer : position.node, position, -1});
    }
    void selectGroup(int group) { set({Selected::Kind::Group, ir::kNoNode, {}, group}); }
    void set(const Selected& selected)
    {
        if (m_current == selected)
            return;
        m_current = selected;
        Q_EMIT changed();
    }

Q_SIGNALS:
    void changed();

private:
    Selected m_current;
    std::unordered_set<ir::NodeId> m_marked;
};

} // namespace gb::views
