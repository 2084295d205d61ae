#include "canvas/outline_model.h"

#include "picture/group_text.h"

#include <algorithm>

namespace gb::views {

int OutlineModel::add(int parent, Row row)
{
    const int number = static_cast<int>(m_rows.size());
    std::vector<int>& siblings =
        parent == kRoot ? m_top
                        : m_children[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(parent)].children)];
    row.parent = parent;
    row.place = static_cast<int>(siblings.size());
    siblings.push_back(number);
    if (row.group >= 0) {
        row.children = static_cast<int>(m_children.size());
        m_children.emplace_back();
    }
    m_rows.push_back(row);
    return number;
}

/// Whether the rows are those of this graph, too.
bool OutlineModel::holds(const ir::Graph& graph) const
{
    const ir::Node* node = graph.first();
    for (const Row& row : m_rows) {
        if (row.group >= 0)
            continue;
        if (!node || node->id() != row.id)
            return false;
        node = node->next();
    }
    return !node;
}

void OutlineModel::setGraph(const ScenePtr& scene, const std::shared_ptr<const trace::GraphMoment>& facts)
{
    if (scene && scene == m_scene && facts && m_facts && holds(*facts->graph)) {
        m_facts = facts; // what is unfolded stays so
        return;
    }
    beginResetModel();
    m_scene = facts ? scene : nullptr;
    m_facts = scene ? facts : nullptr;
    rebuild();
    endResetModel();
}

void OutlineModel::rebuild()
{
    m_rows.clear();
    m_children.clear();
    m_top.clear();
    if (!m_facts)
        return;
    const ModuleTree& tree = moduleTree(*m_scene);
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
        rowOfGroup[at] = add(parent, {groupId(group), group});
        return rowOfGroup[at];
    };
    for (const ir::Node* node = m_facts->graph->first(); node; node = node->next())
        add(rowFor(rowFor, groupOf(*m_scene, node->id())), {node->id()});
}

ir::NodeId OutlineModel::nodeAt(const QModelIndex& index) const
{
    const int number = rowNumber(index);
    return number < 0 ? ir::kNoNode : m_rows[static_cast<std::size_t>(number)].id;
}

QModelIndex OutlineModel::indexOfNode(ir::NodeId node) const
{
    const auto found = std::ranges::find(m_rows, node, &Row::id);
    return found == m_rows.end() ? QModelIndex() : indexOf(static_cast<int>(found - m_rows.begin()));
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
    static const std::vector<int> kNone;
    if (number == kRoot)
        return m_top;
    const int children = m_rows[static_cast<std::size_t>(number)].children;
    return children < 0 ? kNone : m_children[static_cast<std::size_t>(children)];
}

QVariant OutlineModel::cell(int number, int column, int role) const
{
    const Row& row = m_rows[static_cast<std::size_t>(number)];
    const auto text = [&](int of) -> QString {
        if (row.group >= 0) {
            const ModuleTree& tree = moduleTree(*m_scene);
            return of == Name ? groupName(tree.group(row.group)) : groupType(tree, row.group);
        }
        const ir::Node* node = m_facts->graph->find(row.id);
        return !node ? QString() : QString::fromStdString(of == Name ? node->name() : node->target());
    };
    switch (role) {
    case Qt::DisplayRole: return text(column);
    case Qt::AccessibleTextRole: return QStringLiteral("%1, %2").arg(text(Name), text(What));
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
