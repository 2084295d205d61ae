// The graph as a tree of modules and nodes: for screen readers, the keyboard, and people who like lists.
//
// Thread: UI.
#pragma once

#include "models/tree_model.h"
#include "picture/scene.h"

#include <QString>

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
    struct Row {
        ir::NodeId id = ir::kNoNode;
        QString name;
        QString what;
        int parent = kRoot;
        int place = 0;
        std::vector<int> children;
    };
    int add(int parent, ir::NodeId id, const QString& name, const QString& what);

    std::vector<Row> m_rows;
    std::vector<int> m_top;
    std::unordered_map<ir::NodeId, int> m_rowOf;
};

} // namespace gb::views
