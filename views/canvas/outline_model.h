// The graph as a tree of modules and nodes: for screen readers, the keyboard, and people who like lists.
//
// Thread: UI.
#pragma once

#include "models/tree_model.h"
#include "picture/scene.h"

namespace gb::views {

class OutlineModel final : public TreeModel {
    Q_OBJECT
public:
    enum Column { Name, What, kColumns };
    enum Role { NodeRole_ = Qt::UserRole }; ///< ir::NodeId as uint; a module's is groupId(its number)

    using TreeModel::TreeModel;
    /// The nodes of a graph under the modules of its scene. Null empties it.
    void setGraph(const ScenePtr& scene, const std::shared_ptr<const trace::GraphMoment>& facts);
    [[nodiscard]] ir::NodeId nodeAt(const QModelIndex& index) const;
    /// The row of a node or a module, or an invalid index.
    [[nodiscard]] QModelIndex indexOfNode(ir::NodeId node) const;

protected:
    [[nodiscard]] int parentOf(int number) const override;
    [[nodiscard]] int placeOf(int number) const override;
    [[nodiscard]] const std::vector<int>& childrenOf(int number) const override;
    [[nodiscard]] int columns() const override { return kColumns; }
    [[nodiscard]] QVariant cell(int number, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

private:
    /// Names are looked up when a row is shown: a step makes another graph of 20,000 nodes, and 30 rows are seen.
    struct Row {
        ir::NodeId id = ir::kNoNode;
        int group = -1; ///< of a module: its number in the tree
        int parent = kRoot;
        int place = 0;
        int children = -1; ///< of a module: which of m_children
    };
    int add(int parent, Row row);
    [[nodiscard]] bool holds(const ir::Graph& graph) const;
    void rebuild();

    ScenePtr m_scene;
    std::shared_ptr<const trace::GraphMoment> m_facts;
    std::vector<Row> m_rows; ///< nodes in graph order, a module before its first node
    std::vector<std::vector<int>> m_children;
    std::vector<int> m_top;
};

} // namespace gb::views
