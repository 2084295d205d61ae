#include "layout/arrangement.h"

#include "layout/level.h"
#include "layout/ports.h"

#include <algorithm>

namespace gb::views {
namespace {

constexpr double kInnerRankGap = 34;

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

class Arranger {
public:
    Arranger(const UnionGraph& graph, const ModuleTree& tree, const Tucked& tucked, const Folding& folding,
             const ExtentSource& extents, LayoutCache& cache, const std::stop_token& stop)
        : m_graph(graph)
        , m_tree(tree)
        , m_tucked(tucked)
        , m_extents(extents)
        , m_cache(cache)
        , m_stop(stop)
        , m_out(std::make_shared<Arrangement>())
        , m_levelOf(tree.groups().size(), -1)
        , m_groupShownBy(tree.groups().size(), -1)
        , m_lanes(graph.cells().size(), 0)
    {
        m_out->folding = folding;
        m_out->folding.unfolded.resize(tree.groups().size(), false);
    }

    base::Result<ArrangementPtr> run()
    {
        findLeftOut();
        openLevel(0, -1);
        markCells();
        for (std::size_t i = 0; i < m_graph.edges().size(); ++i)
            addLine(static_cast<int>(i));
        chooseEngines();
        for (std::size_t i = m_levels.size(); i-- > 0;)
            GB_TRY(layOut(m_levels[i], m_dotLimit[i]));
        place();
        drawLines();
        m_out->width = m_levels[0].width;
        m_out->height = m_levels[0].height;
        return ArrangementPtr(std::move(m_out));
    }

private:
    // ---- which boxes there are --------------------------------------------------------------------------------------

    [[nodiscard]] bool isOpen(int group) const { return group == 0 || m_out->folding.unfolded[at(group)]; }

    [[nodiscard]] bool isLeftOut(int cell) const
    {
        return !m_out->folding.only.empty() && !m_out->folding.only[at(m_tucked.host[at(cell)])];
    }

    /// A group of which nothing is shown is not there.
    void findLeftOut()
    {
        m_groupLeftOut.assign(m_tree.groups().size(), !m_out->folding.only.empty());
        for (std::size_t i = 0; i < m_graph.cells().size(); ++i)
            if (!isLeftOut(static_cast<int>(i)))
                for (int g = m_tree.groupOf(static_cast<int>(i)); g >= 0 && m_groupLeftOut[at(g)];
                     g = m_tree.group(g).parent)
                    m_groupLeftOut[at(g)] = false;
    }

    /// Levels come parents first.
    void openLevel(int group, int shownBy)
    {
        m_groupShownBy[at(group)] = shownBy;
        if (shownBy < 0 && !isOpen(group))
            m_groupShownBy[at(group)] = shownBy = group;
        const std::size_t level = m_levels.size();
        if (shownBy < 0) {
            m_levelOf[at(group)] = static_cast<int>(level);
            m_levels.push_back({});
            m_levels.back().group = group;
        }
        for (const ModuleChild& child : m_tree.group(group).children) {
            if (child.isGroup ? m_groupLeftOut[at(child.index)] : isLeftOut(child.index))
                continue;
            if (shownBy < 0)
                m_levels[level].addChild(child);
            if (child.isGroup)
                openLevel(child.index, shownBy);
        }
    }

    void markCells()
    {
        const std::size_t count = m_graph.cells().size();
        m_out->cells.resize(count);
        m_out->standIn.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            m_out->standIn[i] = m_groupShownBy[at(m_tree.groupOf(static_cast<int>(i)))];
            if (isLeftOut(static_cast<int>(i)))
                m_out->standIn[i] = Arrangement::kHidden;
            if (m_out->standIn[i] < 0 && !m_out->folding.constants && m_tucked.host[i] != static_cast<int>(i))
                m_out->standIn[i] = Arrangement::kHidden;
        }
    }

    // ---- which lines run where --------------------------------------------------------------------------------------

    struct Place {
        int level = 0;
        int box = 0;
        bool folded = false;
    };
    struct Piece {
        int level = 0;
        int index = 0;
    };

    [[nodiscard]] Place placeOf(int cell) const
    {
        const int folded = m_out->standIn[at(cell)];
        if (folded >= 0) {
            const int level = m_levelOf[at(m_tree.group(folded).parent)];
            return {level, m_levels[at(level)].boxOfGroup.at(folded), true};
        }
        const int level = m_levelOf[at(m_tree.groupOf(cell))];
        return {level, m_levels[at(level)].boxOfCell.at(cell), false};
    }

    [[nodiscard]] int parentLevel(int level) const
    {
        return m_levelOf[at(m_tree.group(m_levels[at(level)].group).parent)];
    }
    [[nodiscard]] int depth(int level) const { return m_tree.group(m_levels[at(level)].group).depth; }

    void addLine(int edge)
    {
        m_lines.emplace_back();
        const UnionGraph::Edge& e = m_graph.edges()[at(edge)];
        const int value = m_tucked.host[at(e.from)];
        const int target = m_tucked.host[at(e.to)];
        if (value == target || !e.via.empty() || isLeftOut(value) || isLeftOut(target))
            return;
        Place from = placeOf(value);
        const Place to = placeOf(target);
        if (from.level == to.level && from.box == to.box)
            return;
        if (!to.folded)
            ++m_lanes[at(target)];
        std::vector<Piece>& pieces = m_lines.back();
        // down to the level that both are on, and up again: groups are left at their bottom and entered at their top
        std::vector<int> inwards;
        int level = to.level;
        const auto leave = [&] {
            Level& l = m_levels[at(from.level)];
            pieces.push_back(
                {from.level, l.piece(from.box, l.port(l.exits, value, Pin::Bottom), value, Level::kShared)});
            const int group = l.group;
            from.level = parentLevel(from.level);
            from.box = m_levels[at(from.level)].boxOfGroup.at(group);
        };
        while (from.level != level) {
            if (depth(from.level) > depth(level)) {
                leave();
            } else {
                inwards.push_back(level);
                level = parentLevel(level);
            }
        }
        while (!inwards.empty()) {
            const int inner = inwards.back();
            inwards.pop_back();
            Level& l = m_levels[at(from.level)];
            pieces.push_back(
                {from.level, l.piece(from.box, l.boxOfGroup.at(m_levels[at(inner)].group), value, Level::kShared)});
            from.level = inner;
            from.box = m_levels[at(inner)].port(m_levels[at(inner)].entries, value, Pin::Top);
        }
        Level& l = m_levels[at(from.level)];
        pieces.push_back({from.level, l.piece(from.box, to.box, value, to.folded ? Level::kShared : edge)});
    }

    // ---- layout -----------------------------------------------------------------------------------------------------

    /// The cheapest levels get dot as long as their sum lies within the total.
    void chooseEngines()
    {
        m_dotLimit.assign(m_levels.size(), 0);
        std::map<std::string, std::vector<std::size_t>> equal;
        for (std::size_t i = 0; i < m_levels.size(); ++i)
            equal[m_levels[i].structure()].push_back(i);
        std::vector<std::pair<double, std::size_t>> costs;
        for (const auto& [structure, levels] : equal)
            costs.emplace_back(dotCost(m_levels[levels[0]].input), levels[0]);
        std::sort(costs.begin(), costs.end());
        double left = kDotTotalCost;
        for (const auto& [cost, level] : costs) {
            if (cost > left || cost > kDotLevelCost)
                break;
            left -= cost;
            for (const std::size_t same : equal[m_levels[level].structure()])
                m_dotLimit[same] = kDotLevelCost;
        }
    }

    void measure(Level& level)
    {
        const std::vector<std::vector<int>> none;
        for (std::size_t i = 0; i < level.children.size(); ++i) {
            const ModuleChild& child = level.children[i];
            LayoutBox& box = level.input.boxes[i];
            if (child.isGroup) {
                const int inner = m_levelOf[at(child.index)];
                const BoxExtent size = inner < 0 ? m_extents.folded(child.index)
                                                 : BoxExtent{m_levels[at(inner)].width, m_levels[at(inner)].height};
                box = {size.width, size.height, Pin::No};
                continue;
            }
            const auto columns = m_tucked.columns.find(child.index);
            const bool beside = m_out->folding.constants && columns != m_tucked.columns.end();
            level.composites[i] =
                compose(child.index, beside ? columns->second : none, m_lanes[at(child.index)], [&](int cell) {
                    const BoxExtent size = m_extents.cell(cell);
                    return Rect{0, 0, size.width, size.height};
                });
            box = {std::max(1.0, level.composites[i].width), std::max(1.0, level.composites[i].height), Pin::No};
        }
    }

    /// Lines meet an open group at its ports.
    void aimAtPorts(Level& level)
    {
        for (const auto& [key, index] : level.pieceIndex) {
            LayoutEdge& edge = level.input.edges[at(index)];
            const int value = std::get<2>(key);
            edge.fromX = portOffset(level, edge.from, value, &Level::exits);
            edge.toX = portOffset(level, edge.to, value, &Level::entries);
        }
    }

    [[nodiscard]] double portOffset(const Level& level, int box, int value, std::map<int, int> Level::*ports) const
    {
        if (at(box) >= level.children.size() || !level.children[at(box)].isGroup)
            return 0;
        const int inner = m_levelOf[at(level.children[at(box)].index)];
        if (inner < 0)
            return 0;
        const Level& in = m_levels[at(inner)];
        const auto port = (in.*ports).find(value);
        if (port == (in.*ports).end())
            return 0;
        return in.inner.x + in.result->boxes[at(port->second)].center().x - in.width / 2;
    }

    base::Status layOut(Level& level, double dotLimit)
    {
        measure(level);
        aimAtPorts(level);
        if (level.group != 0)
            level.input.rankGap = kInnerRankGap;
        GB_ASSIGN(level.result, m_cache.layout(level.input, m_stop, dotLimit));
        level.pieces = level.result->edges;
        for (std::size_t i = 0; i < level.children.size(); ++i)
            if (level.children[i].isGroup && m_levelOf[at(level.children[i].index)] < 0)
                spreadEnds(level, static_cast<int>(i));
        if (!level.result->note.empty()) {
            const std::string name = m_tree.key(level.group);
            m_out->notes.push_back((name.empty() ? std::string() : name + ": ") + level.result->note);
        }
        if (level.group == 0) {
            level.width = level.result->width;
            level.height = level.result->height;
            return {};
        }
        const BoxExtent title = m_extents.title(level.group);
        level.titleHeight = title.height;
        level.width = std::max(level.result->width + 2 * Level::kPad, title.width);
        level.height = level.result->height + title.height + 2 * Level::kPad;
        level.inner = {(level.width - level.result->width) / 2, title.height + Level::kPad};
        return {};
    }

    /// The lines at a folded group leave and arrive apart, in the order of their other ends.
    static void spreadEnds(Level& level, int box)
    {
        const Rect& rect = level.result->boxes[at(box)];
        for (const bool arriving : {false, true}) {
            std::vector<std::pair<double, std::size_t>> lines;
            for (std::size_t i = 0; i < level.input.edges.size(); ++i) {
                const LayoutEdge& e = level.input.edges[i];
                const Curve& c = level.pieces[i];
                if ((arriving ? e.to : e.from) == box && e.from != e.to && c.size() >= 10)
                    lines.emplace_back(arriving ? c[c.size() - 7].x : c[6].x, i);
            }
            std::sort(lines.begin(), lines.end());
            std::vector<double> wanted;
            for (const auto& [x, line] : lines)
                wanted.push_back(x);
            wanted = spreadPorts(std::move(wanted), rect.x, rect.right());
            for (std::size_t i = 0; i < lines.size(); ++i)
                (arriving ? moveEnd : moveStart)(level.pieces[lines[i].second], wanted[i]);
        }
    }

    // ---- from levels to the scene -----------------------------------------------------------------------------------

    void place()
    {
        for (Level& level : m_levels) {
            for (std::size_t i = 0; i < level.children.size(); ++i) {
                const ModuleChild& child = level.children[i];
                Rect rect = level.result->boxes[i];
                rect.x += level.origin.x;
                rect.y += level.origin.y;
                if (!child.isGroup) {
                    for (const auto& [cell, inside] : level.composites[i].cells)
                        m_out->cells[at(cell)] = {rect.x + inside.x, rect.y + inside.y, inside.width, inside.height};
                    continue;
                }
                const int inner = m_levelOf[at(child.index)];
                m_out->groups.push_back(
                    {child.index, rect, inner < 0, inner < 0 ? 0 : m_levels[at(inner)].titleHeight});
                if (inner >= 0) {
                    Level& in = m_levels[at(inner)];
                    in.origin = {rect.x + in.inner.x, rect.y + in.inner.y};
                }
            }
        }
        std::sort(m_out->groups.begin(), m_out->groups.end(),
                  [](const GroupBox& a, const GroupBox& b) { return a.group < b.group; });
        std::stable_sort(m_out->groups.begin(), m_out->groups.end(), [&](const GroupBox& a, const GroupBox& b) {
            return m_tree.group(a.group).depth < m_tree.group(b.group).depth;
        });
    }

    void drawLines()
    {
        for (std::size_t i = 0; i < m_graph.edges().size(); ++i) {
            const UnionGraph::Edge& e = m_graph.edges()[i];
            Curve curve;
            if (m_tucked.host[at(e.from)] == m_tucked.host[at(e.to)])
                curve = lineInside(e);
            else if (e.via.empty())
                for (const Piece& piece : m_lines[i])
                    append(curve, m_levels[at(piece.level)], m_levels[at(piece.level)].pieces[at(piece.index)]);
            if (!curve.empty() && m_tucked.host[at(e.to)] != e.from && m_out->standIn[at(e.to)] == Arrangement::kShown)
                reach(curve, m_out->cells[at(e.to)].y);
            m_out->edges.push_back(std::move(curve));
        }
        for (std::size_t i = 0; i < m_graph.edges().size(); ++i)
            for (const int step : m_graph.edges()[i].via)
                join(m_out->edges[i], m_out->edges[at(step)]);
    }

    [[nodiscard]] Curve lineInside(const UnionGraph::Edge& e) const
    {
        if (m_out->standIn[at(e.from)] != Arrangement::kShown || m_out->standIn[at(e.to)] != Arrangement::kShown)
            return {};
        const Rect& from = m_out->cells[at(e.from)];
        const Rect& to = m_out->cells[at(e.to)];
        return straightLine({from.center().x, from.bottom()}, {to.center().x, to.y});
    }

    static void append(Curve& curve, const Level& level, const Curve& piece)
    {
        Curve moved = piece;
        for (Point& p : moved)
            p = {p.x + level.origin.x, p.y + level.origin.y};
        join(curve, moved);
    }

    /// Goes on with the next piece: from a frame to its port, or through the place of a node that is gone.
    static void join(Curve& curve, const Curve& next)
    {
        if (!curve.empty() && !next.empty()) {
            const Point q = curve.back();
            const Point p = next.front();
            const double bend = (p.y - q.y) / 2;
            curve.push_back({q.x, q.y + bend});
            curve.push_back({p.x, p.y - bend});
        }
        curve.insert(curve.end(), next.begin(), next.end());
    }

    /// A line into a box with constants above it goes on through the lane to the op.
    static void reach(Curve& curve, double y)
    {
        const std::size_t n = curve.size();
        if (n < 4 || curve[n - 1].y >= y)
            return;
        const Point start = curve[n - 4];
        curve[n - 3] = {start.x, (2 * start.y + y) / 3};
        curve[n - 2] = {curve[n - 1].x, (start.y + 2 * y) / 3};
        curve[n - 1].y = y;
    }

    const UnionGraph& m_graph;
    const ModuleTree& m_tree;
    const Tucked& m_tucked;
    const ExtentSource& m_extents;
    LayoutCache& m_cache;
    const std::stop_token& m_stop;
    std::shared_ptr<Arrangement> m_out;
    std::vector<Level> m_levels;     ///< of the open groups, parents first
    std::vector<int> m_levelOf;      ///< of each group, or -1
    std::vector<int> m_groupShownBy; ///< of each group: the folded one that stands for it, or -1
    std::vector<bool> m_groupLeftOut;
    std::vector<int> m_lanes; ///< of each cell: lines that come in from elsewhere
    std::vector<std::vector<Piece>> m_lines;
    std::vector<double> m_dotLimit;
};

} // namespace

const GroupBox* Arrangement::boxOf(int group) const
{
    const auto found =
        std::find_if(groups.begin(), groups.end(), [group](const GroupBox& box) { return box.group == group; });
    return found == groups.end() ? nullptr : &*found;
}

base::Result<ArrangementPtr> arrange(const UnionGraph& graph, const ModuleTree& tree, const Tucked& tucked,
                                     const Folding& folding, const ExtentSource& extents, LayoutCache& cache,
                                     const std::stop_token& stop)
{
    return Arranger(graph, tree, tucked, folding, extents, cache, stop).run();
}

} // namespace gb::views
