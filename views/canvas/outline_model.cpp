#include "canvas/outline_model.h"

#include "picture/group_text.h"

namespace gb::views {

int OutlineModel::add(int parent, ir::NodeId id, const QString& name, const QString& what)
{
    const int number = static_cast<int>(m_rows.size());
    std::vector<int>& siblings = parent == kRoot ? m_top : m_rows[static_cast<std::size_t>(parent)].children;
    const int place = static_cast<int>(siblings.size());
    siblings.push_back(number);
    m_rows.push_back({id, name, what, parent, place, {}});
    m_rowOf[id] = number;
    return number;
}

void OutlineModel::setGraph(const ScenePtr& scene, const std::shared_ptr<const trace::GraphMoment>& facts)
{
    beginResetModel();
    m_rows.clear();
    m_top.clear();
    m_rowOf.clear();
    if (scene && facts) {
        const ModuleTree& tree = moduleTree(*scene);
        std::vector<int> rowOfGroup(tree.groups().size(), kRoot);
        std::vector<bool> isThere(tree.groups().size(), false);
        isThere[0] = true;
        // a module appears where its first node does
        const auto rowFor = [&](auto& self, int group) -> int {
            const auto at = static_cast<std::size_t>(group);
            if (isThere[at])
                return rowOfGroup[at];
            isThere[at] = true;
            const int parent = self(self, tree.group(group).parent);
            rowOfGroup[at] = add(parent, groupId(group), groupName(tree.group(group)), groupType(tree, group));
            return rowOfGroup[at];
        };
        for (const ir::Node* node = facts->graph->first(); node; node = node->next())
            add(rowFor(rowFor, groupOf(*scene, node->id())), node->id(), QString::fromStdString(node->name()),
                QString::fromStdString(node->target()));
    }
    endResetModel();
}

ir::NodeId OutlineModel::nodeAt(const QModelIndex& index) const
{
    const int number = rowNumber(index);
    return number < 0 ? ir::kNoNode : m_rows[static_cast<std::size_t>(number)].id;
}

QModelIndex OutlineModel::indexOfNode(ir::NodeId node) const
{
    const auto found = m_rowOf.find(node);
    return found == m_rowOf.end() ? QModelIndex() : indexOf(found->second);
}

int OutlineModel::parentOf(int number) const
{
    return m_rows[static_cast<std::size_t>(number)].parent;
}

int OutlineModel::placeOf(int number) const
{
    return m_rows[static_cast<std::size_t>(number)].place;
}

const std::vector<int>& OutlineModel::childrenOf(int number) const
{
    return number == kRoot ? m_top : m_rows[static_cast<std::size_t>(number)].children;
}

QVariant OutlineModel::cell(int number, int column, int role) const
{
    const Row& row = m_rows[static_cast<std::size_t>(number)];
    switch (role) {
    case Qt::DisplayRole: return column == Name ? row.name : row.what;
    case Qt::AccessibleTextRole: return QStringLiteral("%1, %2").arg(row.name, row.what);
    case NodeRole_: return row.id;
    default: return {};
    }
}

QVariant OutlineModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == Name ? tr("Module or node") : tr("What it is");
}

} // namespace gb::views
