#include "layout/union_graph.h"

#include <algorithm>
#include <tuple>

namespace gb::views {
namespace {

/// A chain of helpers is never this long; a broken recording can make one that bites its tail.
constexpr int kLongestChain = 64;

bool startsWith(const std::string& text, std::string_view prefix)
{
    return text.compare(0, prefix.size(), prefix) == 0;
}

bool isConstant(const ir::Node& node)
{
    return node.op() == ir::Op::GetAttr;
}

/// One step of a chain of helpers, read from the consumer upwards: an observer, or a dequantize with its quantize.
std::vector<std::vector<const ir::Node*>> segmentsAbove(const ir::Node* node)
{
    std::vector<std::vector<const ir::Node*>> out;
    while (node && helperKind(*node) != Helper::No && out.size() < std::size_t{kLongestChain}) {
        std::vector<const ir::Node*> segment{node};
        const ir::Node* above = node->inputs().empty() ? nullptr : node->inputs()[0];
        if (helperKind(*node) == Helper::Dequantize && above && helperKind(*above) == Helper::Quantize) {
            segment.push_back(above);
            above = above->inputs().empty() ? nullptr : above->inputs()[0];
        }
        out.push_back(std::move(segment));
        node = above;
    }
    return out;
}

template <class Visit>
void forEachPort(const ir::Graph& graph, Visit visit)
{
    for (const ir::Node* node = graph.first(); node; node = node->next()) {
        const auto inputs = argumentNodes(*node);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (const ir::Node* input = graph.find(inputs[i]))
                visit(*node, static_cast<int>(i), *input);
    }
}

} // namespace

Helper helperKind(const ir::Node& node)
{
    if (node.op() == ir::Op::CallModule)
        return Helper::Observer;
    if (node.op() != ir::Op::CallFunction)
        return Helper::No;
    // both overload packets that convert writes, and torch's and torchao's name spaces
    for (const std::string_view space : {"quantized_decomposed.", "torchao."}) {
        if (!startsWith(node.target(), space))
            continue;
        const std::string rest = node.target().substr(space.size());
        if (startsWith(rest, "quantize_"))
            return Helper::Quantize;
        if (startsWith(rest, "dequantize_"))
            return Helper::Dequantize;
    }
    return Helper::No;
}

bool isQParamConstant(const ir::Node& node)
{
    if (!isConstant(node) || node.users().empty())
        return false;
    return std::all_of(node.users().begin(), node.users().end(), [&](const ir::Node* user) {
        const Helper kind = helperKind(*user);
        return (kind == Helper::Quantize || kind == Helper::Dequantize) && user->arg(0).nodeId() != node.id();
    });
}

std::vector<ir::NodeId> argumentNodes(const ir::Node& node)
{
    std::vector<ir::NodeId> out;
    const auto collect = [&](ir::NodeId id) { out.push_back(id); };
    for (const ir::Argument& argument : node.args())
        ir::forEachNode(argument, collect);
    for (const auto& [key, argument] : node.kwargs())
        ir::forEachNode(argument, collect);
    return out;
}

const ir::Node* baseOf(const ir::Node* node)
{
    for (int steps = 0; steps < kLongestChain; ++steps) {
        if (!node || helperKind(*node) == Helper::No || node->inputs().empty())
            break;
        node = node->inputs()[0];
    }
    return node;
}

int UnionGraph::newCell(ir::NodeId node, bool slot)
{
    const int cell = static_cast<int>(m_cells.size());
    m_cells.push_back({slot, {}, {}});
    addToCell(cell, node);
    return cell;
}

void UnionGraph::addToCell(int cell, ir::NodeId node)
{
    m_cells[static_cast<std::size_t>(cell)].nodes.push_back(node);
    m_cellOf[node] = cell;
}

int UnionGraph::cellOf(ir::NodeId id) const
{
    const auto found = m_cellOf.find(id);
    return found == m_cellOf.end() ? -1 : found->second;
}

void UnionGraph::add(std::shared_ptr<const ir::Graph> graph)
{
    placeBases(*graph);
    placeHelpers(*graph);
    placeQParamConstants(*graph);
    forEachPort(*graph, [&](const ir::Node& node, int argument, const ir::Node& input) {
        if (helperKind(node) == Helper::No)
            m_rootCell[{node.id(), argument}] = cellOf(baseOf(&input)->id());
    });
    m_graphs.push_back(std::move(graph));
}

/// The cell of the node whose role a new one takes: it comes from it, or feeds the same argument as a constant.
int UnionGraph::predecessorCell(const ir::Graph& graph, const ir::Node& node) const
{
    const auto vacant = [&](int cell) {
        const auto& members = m_cells[static_cast<std::size_t>(cell)].nodes;
        return std::none_of(members.begin(), members.end(), [&](ir::NodeId id) { return graph.find(id); });
    };
    if (isConstant(node)) {
        for (const ir::Node* user : node.users()) {
            const ir::Node* at = user;
            const ir::Node* below = &node;
            for (int steps = 0; helperKind(*at) != Helper::No && at->users().size() == 1; ++steps) {
                if (steps == kLongestChain)
                    return -1;
                below = at;
                at = at->users()[0];
            }
            const auto inputs = argumentNodes(*at);
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const auto root = m_rootCell.find({at->id(), static_cast<int>(i)});
                if (inputs[i] == below->id() && root != m_rootCell.end() && root->second >= 0 && vacant(root->second))
                    return root->second;
            }
        }
        return -1;
    }
    for (const ir::NodeId from : node.meta().fromNodes) {
        const int cell = cellOf(from);
        if (cell >= 0 && !m_cells[static_cast<std::size_t>(cell)].slot && vacant(cell))
            return cell;
    }
    return -1;
}

void UnionGraph::placeBases(const ir::Graph& graph)
{
    for (const ir::Node* node = graph.first(); node; node = node->next()) {
        if (cellOf(node->id()) >= 0 || helperKind(*node) != Helper::No || isQParamConstant(*node))
            continue;
        const int before = predecessorCell(graph, *node);
        if (before >= 0)
            addToCell(before, node->id());
        else
            newCell(node->id(), false);
    }
}

void UnionGraph::placeHelpers(const ir::Graph& graph)
{
    forEachPort(graph, [&](const ir::Node& node, int argument, const ir::Node& input) {
        if (helperKind(node) != Helper::No)
            return;
        const auto segments = segmentsAbove(&input);
        auto& slots = m_slots[{node.id(), argument}];
        for (std::size_t i = 0; i < segments.size(); ++i) {
            int cell = -1;
            for (const ir::Node* member : segments[i])
                cell = std::max(cell, cellOf(member->id()));
            if (cell < 0)
                cell = i < slots.size() ? slots[i] : newCell(segments[i].back()->id(), true);
            for (const ir::Node* member : segments[i])
                if (cellOf(member->id()) < 0)
                    addToCell(cell, member->id());
            if (i >= slots.size())
                slots.push_back(cell);
        }
    });
    // helpers that feed nothing (dead code before it is taken away)
    for (const ir::Node* node = graph.first(); node; node = node->next())
        if (helperKind(*node) != Helper::No && cellOf(node->id()) < 0)
            newCell(node->id(), true);
}

void UnionGraph::placeQParamConstants(const ir::Graph& graph)
{
    for (const ir::Node* node = graph.first(); node; node = node->next())
        if (cellOf(node->id()) < 0)
            addToCell(cellOf(node->users()[0]->id()), node->id());
}

int UnionGraph::firstSlot(const Port& port) const
{
    const auto found = m_slots.find(port);
    return found == m_slots.end() || found->second.empty() ? -1 : found->second.front();
}

int UnionGraph::cellOf(const ir::Node& node) const
{
    const int known = cellOf(node.id());
    if (known >= 0)
        return known;
    if (isQParamConstant(node))
        return cellOf(*node.users()[0]);
    if (helperKind(node) == Helper::No)
        return -1;
    // down to the consumer: the port tells the slot
    const ir::Node* at = &node;
    std::size_t depth = 0;
    for (int steps = 0; steps < kLongestChain && helperKind(*at) != Helper::No; ++steps) {
        if (at->users().empty())
            return -1;
        const ir::Node* user = at->users()[0];
        if (helperKind(*user) == Helper::No) {
            const auto inputs = argumentNodes(*user);
            const auto place = std::find(inputs.begin(), inputs.end(), at->id());
            const auto slots = m_slots.find({user->id(), static_cast<int>(place - inputs.begin())});
            return slots != m_slots.end() && depth < slots->second.size() ? slots->second[depth] : -1;
        }
        depth += helperKind(*at) == Helper::Quantize ? 0 : 1;
        at = user;
    }
    return -1;
}

void UnionGraph::addEdge(int from, int to, const Port& port)
{
    if (from < 0 || to < 0 || from == to)
        return;
    const auto [known, isNew] = m_edgeIndex.try_emplace({from, to, port}, static_cast<int>(m_edges.size()));
    m_edgeMoments.resize(m_edgeIndex.size(), 0);
    m_edgeMoments[static_cast<std::size_t>(known->second)] |= m_moment;
    if (isNew) {
        m_edges.push_back({from, to});
        Cell& cell = m_cells[static_cast<std::size_t>(to)];
        if (cell.slot && std::find(cell.parents.begin(), cell.parents.end(), from) == cell.parents.end())
            cell.parents.push_back(from);
    }
}

void UnionGraph::addEdges(const ir::Graph& graph)
{
    forEachPort(graph, [&](const ir::Node& node, int argument, const ir::Node& input) {
        const int to = cellOf(node.id());
        const int from = cellOf(input.id());
        if (m_cells[static_cast<std::size_t>(to)].slot) {
            addEdge(from, to, {}); // all ways into a slot are one line
            return;
        }
        const Port port{node.id(), argument};
        const auto slots = m_slots.find(port);
        if (m_cells[static_cast<std::size_t>(from)].slot || slots == m_slots.end() || slots->second.empty()) {
            addEdge(from, to, port);
            return;
        }
        // no helper at this moment, but one will stand there: the line runs through its place
        addEdge(slots->second.front(), to, port);
        for (std::size_t i = 1; i < slots->second.size(); ++i)
            addEdge(slots->second[i], slots->second[i - 1], {});
        addEdge(from, slots->second.back(), {});
    });
}

void UnionGraph::finish()
{
    m_cellMoments.assign(m_cells.size(), 0);
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
        m_moment = Moments{1} << std::min<std::size_t>(i, 63);
        for (const ir::Node* node = m_graphs[i]->first(); node; node = node->next())
            m_cellMoments[static_cast<std::size_t>(cellOf(node->id()))] |= m_moment;
        addEdges(*m_graphs[i]);
    }
    m_graphs.clear();
    findBypasses();
}

/// conv -> batch_norm -> relu, and conv -> relu once the batch norm is gone: the second way is the first one.
void UnionGraph::findBypasses()
{
    constexpr int kFarthest = 4;
    std::vector<std::vector<int>> out(m_cells.size());
    for (std::size_t i = 0; i < m_edges.size(); ++i)
        out[static_cast<std::size_t>(m_edges[i].from)].push_back(static_cast<int>(i));
    std::vector<int> path;
    const auto search = [&](auto& self, int at, int goal, Moments moments) -> bool {
        for (const int step : out[static_cast<std::size_t>(at)]) {
            const int next = m_edges[static_cast<std::size_t>(step)].to;
            path.push_back(step);
            if (next == goal && path.size() > 1)
                return true;
            const bool gone = !m_cells[static_cast<std::size_t>(next)].slot
                              && (m_cellMoments[static_cast<std::size_t>(next)] & moments) == 0;
            if (next != goal && gone && path.size() < kFarthest && self(self, next, goal, moments))
                return true;
            path.pop_back();
        }
        return false;
    };
    for (std::size_t i = 0; i < m_edges.size(); ++i) {
        path.clear();
        if (search(search, m_edges[i].from, m_edges[i].to, m_edgeMoments[i]))
            m_edges[i].via = path;
    }
}

int UnionGraph::edgeBetween(int from, int to, const Port& port) const
{
    const auto found = m_edgeIndex.find({from, to, port});
    return found == m_edgeIndex.end() ? -1 : found->second;
}

std::vector<int> UnionGraph::route(const ir::Node& from, const ir::Node& to, int argument) const
{
    const int start = cellOf(from);
    const int end = cellOf(to);
    if (start < 0 || end < 0)
        return {};
    if (start == end || m_cells[static_cast<std::size_t>(end)].slot)
        return {start, end};
    const Port port{to.id(), argument};
    std::vector<int> cells{end};
    for (int slot = firstSlot(port); slot >= 0 && slot != start && cells.size() < 64;) {
        cells.push_back(slot);
        const auto& parents = m_cells[static_cast<std::size_t>(slot)].parents;
        if (parents.empty() || std::find(parents.begin(), parents.end(), start) != parents.end())
            break;
        const auto next = std::find_if(parents.begin(), parents.end(),
                                       [&](int cell) { return m_cells[static_cast<std::size_t>(cell)].slot; });
        slot = next == parents.end() ? -1 : *next;
    }
    cells.push_back(start);
    std::reverse(cells.begin(), cells.end());
    return cells;
}

} // namespace gb::views
