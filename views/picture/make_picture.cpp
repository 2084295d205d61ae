#include "layout/ports.h"
#include "picture/box_metrics.h"
#include "picture/decorate.h"
#include "picture/group_text.h"
#include "picture/scene.h"
#include "picture/scene_data.h"
#include "picture/shapes.h"
#include "picture/slot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_set>

namespace gb::views {
namespace {

constexpr double kMargin = 24;
constexpr double kStrayGap = 40; ///< between the layout and the column of nodes without a place

QRectF toRect(const Rect& r)
{
    return {r.x, r.y, r.width, r.height};
}

class PictureMaker {
public:
    PictureMaker(const Scene& scene, const trace::GraphMoment& facts, int event, const ContentOptions& options)
        : m_scene(scene)
        , m_facts(facts)
        , m_options(options)
        , m_at(options.arrangement ? *options.arrangement : *scene.first)
        , m_labels(options.labels && scene.showsLabels(event))
        , m_picture(std::make_shared<Picture>())
    {
        m_picture->graph = QString::fromStdString(scene.path);
        m_picture->event = event;
        QStringList notes;
        for (const std::string& note : m_at.notes)
            notes << QString::fromStdString(note);
        m_picture->note = notes.join(QLatin1Char('\n'));
    }

    PicturePtr run()
    {
        addModules();
        placeNodes();
        choosePorts();
        for (const ir::Node* node = m_facts.graph->first(); node && !stopped(); node = node->next())
            addEdges(*node);
        if (m_options.ghosts)
            addGhosts();
        if (stopped())
            return nullptr;
        markTouched();
        if (m_options.before)
            if (const auto was = m_options.before->graphs.find(m_scene.path); was != m_options.before->graphs.end())
                markChanges(*m_picture, *was->second->graph, *m_facts.graph);
        layOver(*m_picture, m_options.overlay, m_shownAs);
        QRectF bounds(0, 0, m_at.width, m_at.height);
        for (const NodeItem& node : m_picture->nodes)
            bounds |= node.area();
        for (const EdgeItem& edge : m_picture->edges)
            bounds |= edge.bounds;
        m_picture->bounds = bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
        return m_picture;
    }

private:
    [[nodiscard]] bool stopped() const { return m_options.stop.stop_requested(); }

    struct Shown {
        NodeText text;
        int cell = -1;
        QRectF box;
    };

    // ---- modules ----------------------------------------------------------------------------------------------------

    void addModules()
    {
        if (m_at.groups.empty())
            return;
        const std::vector<GroupFacts> facts = countGroups(m_scene, m_facts);
        const bool labels = m_labels && m_options.annotationsRecorded;
        for (const GroupBox& box : m_at.groups) {
            Shown shown;
            const GroupFacts& counts = facts[static_cast<std::size_t>(box.group)];
            shown.text = box.folded ? foldedText(m_scene.tree, box.group, counts, labels)
                                    : titleText(m_scene.tree, box.group, counts, labels);
            shown.box = toRect(box.rect);
            const QRectF title(shown.box.topLeft(), QSizeF(shown.box.width(), box.titleHeight));
            if (!box.folded)
                shown.box = title;
            NodeItem& item = addItem(groupId(box.group), groupName(m_scene.tree.group(box.group)), shown);
            item.container = box.folded ? Container::Folded : Container::Open;
            item.box = toRect(box.rect);
            item.strip = box.folded ? QRectF() : title;
            for (TextItem& text : item.texts)
                text.centred = box.folded;
            item.role = NodeRole::Op;
            item.depth = m_scene.tree.group(box.group).depth;
            item.module = m_scene.tree.group(box.group).parent;
        }
    }

    /// The node, or the module that stands for it.
    [[nodiscard]] ir::NodeId shownId(const ir::Node& node, int cell) const
    {
        const int folded = cell < 0 ? Arrangement::kShown : m_at.standIn[static_cast<std::size_t>(cell)];
        return folded >= 0 ? groupId(folded) : folded == Arrangement::kHidden ? ir::kNoNode : node.id();
    }

    // ---- nodes ------------------------------------------------------------------------------------------------------

    void placeNodes()
    {
        std::map<int, std::vector<SlotMember>> slots;
        std::unordered_set<int> taken;
        std::vector<const ir::Node*> drawn;
        for (const ir::Node* node = m_facts.graph->first(); node && !stopped(); node = node->next()) {
            const int cell = m_scene.unionGraph.cellOf(*node);
            const ir::NodeId as = shownId(*node, cell);
            m_shownAs[node->id()] = as;
            if (as != node->id())
                continue;
            drawn.push_back(node);
            Shown& shown = m_shown[node->id()];
            shown.text = nodeText(*node, m_scene.context(m_facts, *node, m_picture->event, m_options));
            shown.cell = cell;
            const BoxSize size = measure(shown.text);
            if (shown.cell >= 0 && cellIsSlot(shown.cell)) {
                slots[shown.cell].push_back({node, size.box, {}});
                continue;
            }
            if (shown.cell >= 0 && !taken.insert(shown.cell).second)
                shown.cell = -1;
            if (shown.cell < 0) {
                const double width = std::max(size.box.width(), size.stripWidth);
                shown.box = {m_at.width + kStrayGap, m_strayTop, width, size.box.height()};
                m_strayTop += size.box.height() + size.strip + kStrayGap / 2;
                continue;
            }
            const Rect& room = rectOf(shown.cell);
            shown.box = {room.x, room.y, room.width, m_scene.measures.cell(shown.cell).box};
        }
        for (auto& [cell, members] : slots) {
            sortByUser(members);
            const QRectF room = toRect(rectOf(cell));
            arrangeSlot(members, room.size());
            for (const SlotMember& member : members)
                m_shown[member.node->id()].box = member.rect.translated(room.topLeft());
        }
        for (const ir::Node* node : drawn) {
            if (stopped())
                return;
            const Shown& shown = m_shown[node->id()];
            NodeItem& item = addItem(node->id(), QString::fromStdString(node->name()), shown);
            item.module = shown.cell < 0 ? 0 : m_scene.tree.groupOf(shown.cell);
        }
    }

    [[nodiscard]] const Rect& rectOf(int cell) const { return m_at.cells[static_cast<std::size_t>(cell)]; }

    /// The dequantizes of several users stand in the order of their users: their lines do not cross.
    void sortByUser(std::vector<SlotMember>& members) const
    {
        const auto key = [&](const SlotMember& member) {
            if (helperKind(*member.node) != Helper::Dequantize || member.node->users().empty())
                return 0.0;
            const int cell = m_scene.unionGraph.cellOf(member.node->users()[0]->id());
            return cell < 0 ? 0.0 : cellCentre(cell).x;
        };
        std::stable_sort(members.begin(), members.end(),
                         [&](const SlotMember& a, const SlotMember& b) { return key(a) < key(b); });
    }

    [[nodiscard]] bool cellIsSlot(int cell) const
    {
        return m_scene.unionGraph.cells()[static_cast<std::size_t>(cell)].slot;
    }

    NodeItem& addItem(ir::NodeId id, const QString& name, const Shown& shown)
    {
        NodeItem item;
        item.id = id;
        item.name = name;
        item.box = shown.box;
        fill(item, shown.text);
        m_picture->index[id] = m_picture->nodes.size();
        m_picture->nodes.push_back(std::move(item));
        return m_picture->nodes.back();
    }

    // ---- edges ------------------------------------------------------------------------------------------------------

    [[nodiscard]] Point cellCentre(int cell) const { return rectOf(cell).center(); }

    [[nodiscard]] const Curve* lineOf(int from, int to, const Port& port) const
    {
        const int edge = m_scene.unionGraph.edgeBetween(from, to, port);
        return edge < 0 ? nullptr : &m_at.edges[static_cast<std::size_t>(edge)];
    }

    /// Where along its top each argument of a node arrives: below where the line comes from, in that order, apart.
    void choosePorts()
    {
        for (const ir::Node* node = m_facts.graph->first(); node; node = node->next()) {
            const auto shown = m_shown.find(node->id());
            if (shown == m_shown.end())
                continue;
            const auto inputs = argumentNodes(*node);
            std::vector<std::pair<double, int>> wanted;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const ir::Node* input = m_facts.graph->find(inputs[i]);
                if (!input || (helperKind(*node) != Helper::No && i > 0) || m_shownAs[input->id()] == ir::kNoNode)
                    continue;
                wanted.emplace_back(arrivalX(*input, *node, static_cast<int>(i)), static_cast<int>(i));
            }
            std::stable_sort(wanted.begin(), wanted.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            std::vector<double> places;
            for (const auto& [x, argument] : wanted)
                places.push_back(x);
            places = spreadPorts(std::move(places), shown->second.box.left(), shown->second.box.right());
            for (std::size_t i = 0; i < wanted.size(); ++i)
                m_ports[{node->id(), wanted[i].second}] = places[i];
        }
    }

    /// Where the line to an argument comes from.
    [[nodiscard]] double arrivalX(const ir::Node& input, const ir::Node& node, int argument) const
    {
        const auto cells = m_scene.unionGraph.route(input, node, argument);
        const auto from = m_shown.find(input.id());
        double x = from != m_shown.end() ? from->second.box.center().x() : 0;
        if (cells.size() < 2)
            return x;
        const int before = cells[cells.size() - 2];
        const int end = cells.back();
        const auto hostOf = [&](int cell) { return m_scene.tucked.host[static_cast<std::size_t>(cell)]; };
        if (m_at.folding.constants && hostOf(before) != end && m_scene.tucked.columns.contains(end))
            return cellCentre(end).x; // through the lane between the constants
        if (cells.size() > 2 && m_at.standIn[static_cast<std::size_t>(before)] == Arrangement::kShown)
            x = cellCentre(before).x;
        const Port port = cellIsSlot(cells.back()) ? Port{} : Port{node.id(), argument};
        const Curve* line = lineOf(before, cells.back(), port);
        if (!line || line->empty())
            return x;
        // a long line arrives from its last corridor, a short one from where it starts
        const bool isLong = line->size() > 13 || from == m_shown.end();
        return isLong && line->size() > 8 ? (*line)[line->size() - 8].x : x;
    }

    void addEdges(const ir::Node& node)
    {
        const ir::NodeId to = m_shownAs[node.id()];
        if (to == ir::kNoNode)
            return;
        const auto inputs = argumentNodes(node);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const ir::Node* input = m_facts.graph->find(inputs[i]);
            const ir::NodeId from = input ? m_shownAs[input->id()] : ir::kNoNode;
            if (from == ir::kNoNode || (from == to && groupOfId(to) >= 0))
                continue;
            if (groupOfId(to) >= 0 && alreadyThere(*input, from, to))
                continue;
            EdgeItem edge;
            edge.from = from;
            edge.to = to;
            edge.argument = static_cast<int>(i);
            edge.curve = curve(*input, node, static_cast<int>(i), edge.intoSide);
            describe(edge, *input, node);
            edge.module = common(m_picture->find(from)->module, m_picture->find(to)->module);
            for (const QPointF& p : edge.curve)
                edge.bounds =
                    edge.bounds.isNull() ? QRectF(p, QSizeF(0.01, 0.01)) : edge.bounds.united({p, QSizeF(0.01, 0.01)});
            m_picture->edges.push_back(std::move(edge));
        }
    }

    [[nodiscard]] int common(int a, int b) const
    {
        while (a != b) {
            int& deeper = m_scene.tree.group(a).depth >= m_scene.tree.group(b).depth ? a : b;
            deeper = m_scene.tree.group(deeper).parent;
        }
        return a;
    }

    /// One value goes into a folded module by one line, however many take it there.
    bool alreadyThere(const ir::Node& input, ir::NodeId from, ir::NodeId to)
    {
        const ir::Node* value = groupOfId(from) >= 0 ? baseOf(&input) : &input;
        const auto [place, isNew] = m_lines.try_emplace({value->id(), from, to}, m_picture->edges.size());
        if (!isNew)
            ++m_picture->edges[place->second].values;
        return !isNew;
    }

    /// The label line that governs an edge gives it its style.
    void describe(EdgeItem& edge, const ir::Node& input, const ir::Node& node) const
    {
        edge.tooltip =
            QStringLiteral("%1 → %2").arg(QString::fromStdString(input.name()), QString::fromStdString(node.name()));
        if (helperKind(node) != Helper::No)
            return;
        const ir::Node* base = baseOf(&input);
        const NodeItem* item = m_picture->find(node.id());
        if (!item)
            return;
        for (const LabelItem& label : item->labels) {
            if (!label.position.isEdge())
                continue;
            const auto mates = m_scene.sameCell(base->id());
            if (label.position.node != base->id()
                && std::find(mates.begin(), mates.end(), label.position.node) == mates.end())
                continue;
            edge.label = label.position;
            edge.kind = label.kind;
            edge.plain = false;
            edge.tooltip += QLatin1Char('\n') + label.tooltip;
            return;
        }
    }

    std::vector<QPointF> curve(const ir::Node& input, const ir::Node& node, int argument, bool& intoSide)
    {
        const auto from = m_shown.find(input.id());
        const auto to = m_shown.find(node.id());
        const bool start = from != m_shown.end();
        const bool end = to != m_shown.end();
        if (start && end && from->second.cell >= 0 && from->second.cell == to->second.cell
            && helperKind(input) == Helper::No) {
            intoSide = true;
            return sideways(from->second.box, to->second.box);
        }
        const NodeItem& first = *m_picture->find(m_shownAs[input.id()]);
        const NodeItem& last = *m_picture->find(m_shownAs[node.id()]);
        const auto port = m_ports.find({node.id(), argument});
        const QPointF stop(port == m_ports.end() || !end ? last.box.center().x() : port->second, last.box.top());
        std::vector<QPointF> out;
        if (start)
            out.push_back({first.area().center().x(), first.area().bottom()});
        const auto cells = m_scene.unionGraph.route(input, node, argument);
        for (std::size_t i = 0; i + 1 < cells.size() && cells.front() != cells.back(); ++i) {
            const bool isLast = i + 2 == cells.size();
            const Port at = isLast && !cellIsSlot(cells[i + 1]) ? Port{node.id(), argument} : Port{};
            append(out, cells[i], cells[i + 1], at, isLast && end ? std::optional(stop.x()) : std::nullopt);
        }
        if (out.empty())
            out.push_back({first.area().center().x(), first.area().bottom()});
        if (end || out.size() < 4)
            lineTo(out, stop);
        return out;
    }

    /// One piece from cell to cell; starts at the x where the curve is now.
    void append(std::vector<QPointF>& out, int from, int to, const Port& port, std::optional<double> endX) const
    {
        const bool fromCell = m_at.standIn[static_cast<std::size_t>(from)] == Arrangement::kShown;
        const bool toCell = m_at.standIn[static_cast<std::size_t>(to)] == Arrangement::kShown;
        const Curve* line = lineOf(from, to, port);
        if (line && line->empty() && !(fromCell && toCell))
            return; // inside a folded module
        if (fromCell && !out.empty())
            lineTo(out, {out.back().x(), rectOf(from).bottom()});
        if (!line || line->empty()) {
            if (toCell)
                lineTo(out, {endX.value_or(cellCentre(to).x), rectOf(to).y});
            return;
        }
        // the layout's first and last stretch run straight down at the middle of the cells: they follow the ports
        // instead
        Curve piece = *line;
        if (out.empty())
            out.push_back({piece.front().x, piece.front().y});
        else if (fromCell)
            moveStart(piece, out.back().x());
        else
            lineTo(out, {piece.front().x, piece.front().y});
        if (toCell)
            moveEnd(piece, endX.value_or(cellCentre(to).x));
        for (std::size_t i = 3; i < piece.size(); i += 3) {
            if (std::abs(piece[i].y - out.back().y()) < 0.01 && std::abs(piece[i].x - out.back().x()) < 0.01)
                continue;
            out.push_back({piece[i - 2].x, piece[i - 2].y});
            out.push_back({piece[i - 1].x, piece[i - 1].y});
            out.push_back({piece[i].x, piece[i].y});
        }
    }

    // ---- what is gone, what is new ----------------------------------------------------------------------------------

    void addGhosts()
    {
        std::vector<char> occupied(m_scene.unionGraph.cells().size(), 0);
        for (const auto& [id, shown] : m_shown)
            if (shown.cell >= 0)
                occupied[static_cast<std::size_t>(shown.cell)] = 1;
        for (std::size_t cell = 0; cell < occupied.size(); ++cell) {
            if (occupied[cell] || m_at.standIn[cell] != Arrangement::kShown)
                continue;
            const auto& members = m_scene.unionGraph.cells()[cell].nodes;
            const Remembered* newest = nullptr;
            ir::NodeId id = ir::kNoNode;
            for (const ir::NodeId member : members) {
                const Remembered& r = m_scene.remembered.at(member);
                if (r.born < m_picture->event && (!newest || r.born >= newest->born)) {
                    newest = &r;
                    id = member;
                }
            }
            if (!newest)
                continue;
            const Rect& room = m_at.cells[cell];
            Shown shown;
            shown.text = ghostText(newest->name, newest->target, newest->role, newest->form);
            shown.box = QRectF(room.x, room.y, room.width,
                               std::min(room.height, m_scene.measures.cell(static_cast<int>(cell)).box));
            NodeItem& item = addItem(id, newest->name, shown);
            item.ghost = true;
            item.module = m_scene.tree.groupOf(static_cast<int>(cell));
        }
    }

    void markTouched()
    {
        const auto& events = m_scene.recording->events;
        if (m_picture->event < 0 || m_picture->event >= static_cast<int>(events.size()))
            return;
        const trace::Event& event = events[static_cast<std::size_t>(m_picture->event)];
        if (event.graph != m_scene.path)
            return;
        for (const ir::NodeId node : event.nodes) {
            const auto as = m_shownAs.find(node);
            const ir::NodeId id = as == m_shownAs.end() ? node : as->second;
            const auto found = m_picture->index.find(id);
            if (found == m_picture->index.end() || m_picture->nodes[found->second].fresh)
                continue;
            m_picture->nodes[found->second].fresh = true;
            m_picture->touched.push_back(id);
        }
    }

    const Scene& m_scene;
    const trace::GraphMoment& m_facts;
    const ContentOptions& m_options;
    const Arrangement& m_at;
    bool m_labels;
    std::shared_ptr<Picture> m_picture;
    std::unordered_map<ir::NodeId, Shown> m_shown;        ///< of the nodes that are drawn themselves
    std::unordered_map<ir::NodeId, ir::NodeId> m_shownAs; ///< of every node: itself, a module, or kNoNode
    std::map<std::tuple<ir::NodeId, ir::NodeId, ir::NodeId>, std::size_t> m_lines;
    std::map<Port, double> m_ports;
    double m_strayTop = 0;
};

} // namespace

PicturePtr makePicture(const Scene& scene, const trace::Moment& moment, int event, const ContentOptions& options)
{
    const auto found = moment.graphs.find(scene.path);
    if (found == moment.graphs.end()) {
        auto empty = std::make_shared<Picture>();
        empty->graph = QString::fromStdString(scene.path);
        empty->event = event;
        empty->bounds = QRectF(0, 0, scene.first->width, scene.first->height);
        return empty;
    }
    return PictureMaker(scene, *found->second, event, options).run();
}

} // namespace gb::views
