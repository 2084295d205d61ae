#include "picture/box_metrics.h"
#include "picture/scene.h"
#include "picture/scene_data.h"
#include "picture/slot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace gb::views {
namespace {

constexpr double kMargin = 24;
constexpr double kPortGap = 60;
constexpr double kStrayGap = 40; ///< between the layout and the column of nodes without a place

QRectF toRect(const Rect& r)
{
    return {r.x, r.y, r.width, r.height};
}

class PictureMaker {
public:
    PictureMaker(const Scene& scene, const trace::GraphMoment& facts, int event, const PictureOptions& options)
        : m_scene(scene)
        , m_facts(facts)
        , m_options(options)
        , m_picture(std::make_shared<Picture>())
    {
        m_picture->graph = QString::fromStdString(scene.path);
        m_picture->event = event;
        m_picture->note = QString::fromStdString(scene.layout.note);
        m_strayTop = 0;
    }

    PicturePtr run()
    {
        placeNodes();
        choosePorts();
        for (const ir::Node* node = m_facts.graph->first(); node; node = node->next())
            addEdges(*node);
        if (m_options.ghosts)
            addGhosts();
        markTouched();
        QRectF bounds(0, 0, m_scene.layout.width, m_scene.layout.height);
        for (const NodeItem& node : m_picture->nodes)
            bounds |= node.area();
        for (const EdgeItem& edge : m_picture->edges)
            bounds |= edge.bounds;
        m_picture->bounds = bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
        return m_picture;
    }

private:
    struct Shown {
        NodeText text;
        int cell = -1;
        QRectF box;
    };

    void placeNodes()
    {
        std::map<int, std::vector<SlotMember>> slots;
        std::map<int, int> taken;
        for (const ir::Node* node = m_facts.graph->first(); node; node = node->next()) {
            Shown& shown = m_shown[node->id()];
            shown.text = nodeText(*node, m_scene.context(m_facts, *node, m_picture->event, m_options));
            shown.cell = m_scene.unionGraph.cellOf(*node);
            const BoxSize size = measure(shown.text);
            if (shown.cell >= 0 && cellIsSlot(shown.cell)) {
                slots[shown.cell].push_back({node, size.box, {}});
                continue;
            }
            if (shown.cell >= 0 && taken[shown.cell]++ > 0)
                shown.cell = -1;
            if (shown.cell < 0) {
                const double width = std::max(size.box.width(), size.stripWidth);
                shown.box = {m_scene.layout.width + kStrayGap, m_strayTop, width, size.box.height()};
                m_strayTop += size.box.height() + size.strip + kStrayGap / 2;
                continue;
            }
            const Rect& cell = m_scene.layout.boxes[static_cast<std::size_t>(shown.cell)];
            shown.box = {cell.x, cell.y, cell.width, m_scene.boxHeights[static_cast<std::size_t>(shown.cell)]};
        }
        for (auto& [cell, members] : slots) {
            sortByUser(members);
            const QRectF room = toRect(m_scene.layout.boxes[static_cast<std::size_t>(cell)]);
            arrangeSlot(members, room.size());
            for (const SlotMember& member : members)
                m_shown[member.node->id()].box = member.rect.translated(room.topLeft());
        }
        for (const ir::Node* node = m_facts.graph->first(); node; node = node->next())
            addItem(node->id(), QString::fromStdString(node->name()), m_shown[node->id()]);
    }

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

    [[nodiscard]] Point cellCentre(int cell) const
    {
        return m_scene.layout.boxes[static_cast<std::size_t>(cell)].center();
    }

    /// Where along its top each argument of a node arrives: below where the line comes from, in that order, apart.
    void choosePorts()
    {
        for (const ir::Node* node = m_facts.graph->first(); node; node = node->next()) {
            const Shown& shown = m_shown[node->id()];
            const auto inputs = argumentNodes(*node);
            std::vector<std::pair<double, int>> wanted;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const ir::Node* input = m_facts.graph->find(inputs[i]);
                if (!input || (helperKind(*node) != Helper::No && i > 0))
                    continue;
                const auto cells = m_scene.unionGraph.route(*input, *node, static_cast<int>(i));
                double x = m_shown[input->id()].box.center().x();
                if (cells.size() > 2)
                    x = cellCentre(cells[cells.size() - 2]).x;
                if (const int edge = lastPiece(cells, *node, static_cast<int>(i)); edge >= 0)
                    x = arrivalX(m_scene.layout.edges[static_cast<std::size_t>(edge)], x);
                wanted.emplace_back(x, static_cast<int>(i));
            }
            spread(wanted, shown.box);
            for (const auto& [x, argument] : wanted)
                m_ports[{node->id(), argument}] = x;
        }
    }

    [[nodiscard]] int lastPiece(const std::vector<int>& cells, const ir::Node& node, int argument) const
    {
        if (cells.size() < 2)
            return -1;
        const Port port = cellIsSlot(cells.back()) ? Port{} : Port{node.id(), argument};
        return m_scene.unionGraph.edgeBetween(cells[cells.size() - 2], cells.back(), port);
    }

    /// A long line arrives from its last corridor, a short one from where it starts.
    static double arrivalX(const Curve& curve, double otherwise)
    {
        return curve.size() > 13 ? curve[curve.size() - 8].x : otherwise;
    }

    static void spread(std::vector<std::pair<double, int>>& wanted, const QRectF& box)
    {
        std::stable_sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        if (wanted.size() == 1) {
            wanted[0].first = box.center().x();
            return;
        }
        const double count = static_cast<double>(wanted.size());
        const double gap = std::min(kPortGap, box.width() / (count + 1));
        const double inset = std::min(22.0, gap);
        double low = box.left() + inset;
        for (auto& [x, argument] : wanted) {
            x = std::clamp(x, low, box.right() - inset);
            low = x + gap;
        }
        double high = box.right() - inset;
        for (auto w = wanted.rbegin(); w != wanted.rend(); ++w) {
            w->first = std::min(w->first, high);
            high = w->first - gap;
        }
    }

    void addEdges(const ir::Node& node)
    {
        const auto inputs = argumentNodes(node);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const ir::Node* input = m_facts.graph->find(inputs[i]);
            if (!input)
                continue;
            EdgeItem edge;
            edge.from = input->id();
            edge.to = node.id();
            edge.argument = static_cast<int>(i);
            edge.curve = curve(*input, node, static_cast<int>(i), edge.intoSide);
            describe(edge, *input, node);
            for (const QPointF& p : edge.curve)
                edge.bounds =
                    edge.bounds.isNull() ? QRectF(p, QSizeF(0.01, 0.01)) : edge.bounds.united({p, QSizeF(0.01, 0.01)});
            m_picture->edges.push_back(std::move(edge));
        }
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

    static void lineTo(std::vector<QPointF>& curve, QPointF to)
    {
        const QPointF from = curve.back();
        if (std::abs(from.x() - to.x()) < 0.01 && std::abs(from.y() - to.y()) < 0.01)
            return;
        const double bend = (to.y() - from.y()) / 2;
        curve.push_back({from.x(), from.y() + bend});
        curve.push_back({to.x(), to.y() - bend});
        curve.push_back(to);
    }

    static std::vector<QPointF> sideways(const QRectF& from, const QRectF& to)
    {
        const QPointF a(from.right(), from.center().y());
        const double slant = 7; // the sides of a trapezoid lean in
        const QPointF b(to.left() + slant,
                        std::clamp(a.y(), to.top() + to.height() / 3, to.bottom() - to.height() / 3));
        const double bend = (b.x() - a.x()) / 2;
        return {a, {a.x() + bend, a.y()}, {b.x() - bend, b.y()}, b};
    }

    std::vector<QPointF> curve(const ir::Node& input, const ir::Node& node, int argument, bool& intoSide)
    {
        const Shown& from = m_shown.at(input.id());
        const Shown& to = m_shown.at(node.id());
        if (from.cell >= 0 && from.cell == to.cell && helperKind(input) == Helper::No) {
            intoSide = true;
            return sideways(from.box, to.box);
        }
        const QRectF area = m_picture->find(input.id())->area();
        const auto port = m_ports.find({node.id(), argument});
        const QPointF end(port == m_ports.end() ? to.box.center().x() : port->second, to.box.top());
        std::vector<QPointF> out{{area.center().x(), area.bottom()}};
        const auto cells = m_scene.unionGraph.route(input, node, argument);
        if (from.cell < 0 || to.cell < 0 || cells.size() < 2 || from.cell == to.cell) {
            lineTo(out, end);
            return out;
        }
        for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
            const bool last = i + 2 == cells.size();
            const Port at = last && !cellIsSlot(cells[i + 1]) ? Port{node.id(), argument} : Port{};
            append(out, cells[i], cells[i + 1], at, last ? std::optional(end.x()) : std::nullopt);
        }
        lineTo(out, end);
        return out;
    }

    /// One piece from cell to cell; starts at the x where the curve is now.
    void append(std::vector<QPointF>& out, int from, int to, const Port& port, std::optional<double> endX) const
    {
        const Rect& start = m_scene.layout.boxes[static_cast<std::size_t>(from)];
        const Rect& stop = m_scene.layout.boxes[static_cast<std::size_t>(to)];
        lineTo(out, {out.back().x(), start.bottom()});
        const double x = endX.value_or(stop.center().x);
        const int index = m_scene.unionGraph.edgeBetween(from, to, port);
        if (index < 0) {
            lineTo(out, {x, stop.y});
            return;
        }
        // the layout's first and last stretch run straight down at the middle of the cells: they follow the ports
        // instead
        Curve piece = m_scene.layout.edges[static_cast<std::size_t>(index)];
        const double shiftStart = out.back().x() - piece.front().x;
        const double shiftEnd = x - piece.back().x;
        const std::size_t n = piece.size();
        if (n >= 10) {
            for (std::size_t i = 0; i < 5; ++i)
                piece[i].x += shiftStart;
            for (std::size_t i = n - 5; i < n; ++i)
                piece[i].x += shiftEnd;
        }
        for (std::size_t i = 3; i < n; i += 3) {
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
            if (occupied[cell])
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
            const Rect& room = m_scene.layout.boxes[cell];
            Shown shown;
            shown.text = ghostText(newest->name, newest->target, newest->role, newest->form);
            shown.box = QRectF(room.x, room.y, room.width, std::min(room.height, m_scene.boxHeights[cell]));
            addItem(id, newest->name, shown).ghost = true;
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
        for (const ir::NodeId id : event.nodes) {
            const auto found = m_picture->index.find(id);
            if (found == m_picture->index.end() || m_picture->nodes[found->second].fresh)
                continue;
            m_picture->nodes[found->second].fresh = true;
            m_picture->touched.push_back(id);
        }
    }

    const Scene& m_scene;
    const trace::GraphMoment& m_facts;
    const PictureOptions& m_options;
    std::shared_ptr<Picture> m_picture;
    std::unordered_map<ir::NodeId, Shown> m_shown;
    std::map<Port, double> m_ports;
    double m_strayTop = 0;
};

} // namespace

PicturePtr makePicture(const Scene& scene, const trace::Moment& moment, int event, const PictureOptions& options)
{
    const auto found = moment.graphs.find(scene.path);
    if (found == moment.graphs.end()) {
        auto empty = std::make_shared<Picture>();
        empty->graph = QString::fromStdString(scene.path);
        empty->event = event;
        empty->bounds = QRectF(0, 0, scene.layout.width, scene.layout.height);
        return empty;
    }
    return PictureMaker(scene, *found->second, event, options).run();
}

} // namespace gb::views
