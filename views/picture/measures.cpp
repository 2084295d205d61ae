#include "picture/measures.h"

#include "picture/box_metrics.h"
#include "picture/group_text.h"
#include "picture/scene_data.h"
#include "picture/slot.h"

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

constexpr double kTitleHeight = 28;

/// What a node's text hangs on, besides what a scene holds fixed: measured anew only where one of these changed.
struct Looks {
    const ir::NodeMeta* meta = nullptr;
    const ir::Annotation* annotation = nullptr;
    const void* record = nullptr;
    bool labels = false;
    std::vector<std::string> names; ///< its own, its target, its inputs'
    friend bool operator==(const Looks&, const Looks&) = default;
};

Looks looksOf(const ir::Node& node, const trace::GraphMoment& facts, bool labels)
{
    Looks out{&node.meta(), node.annotation().get(), nullptr, labels, {node.name(), node.target()}};
    for (const ir::Node* input : node.inputs())
        out.names.push_back(baseOf(input)->name());
    const auto record = facts.observerRecords.find(node.target());
    if (node.op() == ir::Op::CallModule && record != facts.observerRecords.end())
        out.record = record->second.get();
    return out;
}

} // namespace

CellSize Measures::measureCell(int cell) const
{
    CellSize out;
    for (const ir::NodeId id : m_scene.unionGraph.cells()[static_cast<std::size_t>(cell)].nodes) {
        std::optional<Looks> before;
        for (const SceneMoment& moment : m_scene.moments) {
            const ir::Node* node = moment.facts->graph->find(id);
            if (!node)
                continue;
            Looks looks = looksOf(*node, *moment.facts, m_scene.showsLabels(moment.event));
            if (before == looks)
                continue;
            before = std::move(looks);
            const BoxSize size = measure(nodeText(*node, m_scene.context(*moment.facts, *node, moment.event, {})));
            out.width = std::max({out.width, size.box.width(), std::ceil(size.stripWidth)});
            out.box = std::max(out.box, size.box.height());
            out.strip = std::max(out.strip, size.strip);
        }
    }
    return out;
}

CellSize Measures::measureSlot(int cell) const
{
    CellSize out;
    for (const SceneMoment& moment : m_scene.moments) {
        std::vector<SlotMember> members;
        for (const ir::NodeId id : m_scene.unionGraph.cells()[static_cast<std::size_t>(cell)].nodes)
            if (const ir::Node* node = moment.facts->graph->find(id))
                members.push_back(
                    {node, measure(nodeText(*node, m_scene.context(*moment.facts, *node, moment.event, {}))).box, {}});
        if (members.empty())
            continue;
        const QSizeF need = arrangeSlot(members);
        out.width = std::max(out.width, need.width());
        out.box = std::max(out.box, need.height());
    }
    return out;
}

CellSize Measures::cell(int cell) const
{
    const auto index = static_cast<std::size_t>(cell);
    {
        const std::lock_guard lock(m_mutex);
        m_cells.resize(m_scene.unionGraph.cells().size());
        if (m_cells[index])
            return *m_cells[index];
    }
    const CellSize size = m_scene.unionGraph.cells()[index].slot ? measureSlot(cell) : measureCell(cell);
    const std::lock_guard lock(m_mutex);
    m_cells[index] = size;
    return size;
}

BoxExtent Measures::folded(int group) const
{
    const BoxSize size = measure(widestFoldedText(m_scene.tree, group));
    return {size.box.width(), size.box.height()};
}

BoxExtent Measures::title(int group) const
{
    const NodeText text = titleText(m_scene.tree, group, {}, false);
    return {runsWidth(text.lines[0].runs, text.lines[0].style) + 24, kTitleHeight};
}

ExtentSource Measures::source() const
{
    return {[this](int cell) {
                const CellSize size = this->cell(cell);
                return BoxExtent{std::max(1.0, size.width), std::max(1.0, size.box + size.strip)};
            },
            [this](int group) { return folded(group); }, [this](int group) { return title(group); }};
}

} // namespace gb::views
