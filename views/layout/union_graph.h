// The union of a graph's forms at all stages: which nodes share a place, and what runs between the places.
//
// A cell is a place. Most hold one node. A slot is a cell for the helpers that prepare and convert put on an edge:
// first an observer, then its quantize and dequantize with their scales. A constant that takes another's role (an int8
// weight for a float one) takes its cell. Helpers of different stages are matched by the argument that they feed:
// (consumer, argument) names a port, and both consumer and argument outlive all passes.
//
// Thread: built on one; immutable after finish().
#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gb::views {

/// What a node is for the placement.
enum class Helper : unsigned char { No, Observer, Quantize, Dequantize };
Helper helperKind(const ir::Node& node);
/// True for a constant that only scales and zero points of q/dq nodes use.
bool isQParamConstant(const ir::Node& node);

/// One node argument: `argument` counts the node references in args, then kwargs, repeated ones too.
struct Port {
    ir::NodeId consumer = ir::kNoNode;
    int argument = 0;
    friend auto operator<=>(const Port&, const Port&) = default;
};
/// The node references of a node, in that order.
std::vector<ir::NodeId> argumentNodes(const ir::Node& node);
/// From a helper up to the first node that is none (through argument 0).
const ir::Node* baseOf(const ir::Node* node);

class UnionGraph {
public:
    struct Cell {
        bool slot = false;
        std::vector<ir::NodeId> nodes; ///< in order of first sight
        std::vector<int> parents;      ///< slots: cells that feed it
    };
    struct Edge {
        int from = 0;
        int to = 0;
        /// Edges that lead the same way through places of nodes that are gone whenever this one is there. It is drawn
        /// through them instead of around them. Empty for most.
        std::vector<int> via = {};
    };

    /// Adds the graph as it is at a later moment.
    void add(std::shared_ptr<const ir::Graph> graph);
    /// Works out the edges. Nothing is added after it.
    void finish();

    [[nodiscard]] const std::vector<Cell>& cells() const { return m_cells; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return m_edges; }
    /// -1 for a node that was in no added graph.
    [[nodiscard]] int cellOf(ir::NodeId id) const;
    /// As cellOf; for a node of a moment that was not added, the slot that it would stand in, or -1.
    [[nodiscard]] int cellOf(const ir::Node& node) const;
    /// The cells that the edge from `from` into argument `argument` of `to` runs through, both ends included; just the
    /// ends where no slot lies between.
    [[nodiscard]] std::vector<int> route(const ir::Node& from, const ir::Node& to, int argument) const;
    /// Index in edges() of a piece of a route that ends at `port` (consumer kNoNode: ends at a slot), or -1.
    [[nodiscard]] int edgeBetween(int from, int to, const Port& port) const;

private:
    int newCell(ir::NodeId node, bool slot);
    void addToCell(int cell, ir::NodeId node);
    void placeBases(const ir::Graph& graph);
    void placeHelpers(const ir::Graph& graph);
    void placeQParamConstants(const ir::Graph& graph);
    int predecessorCell(const ir::Graph& graph, const ir::Node& node) const;
    void addEdges(const ir::Graph& graph);
    void addEdge(int from, int to, const Port& port);
    [[nodiscard]] int firstSlot(const Port& port) const;
    void findBypasses();

    using Moments = std::uint64_t; ///< a bit for each added graph; those from the 64th on share the last one

    std::vector<std::shared_ptr<const ir::Graph>> m_graphs;
    Moments m_moment = 1;               ///< of the graph whose edges are being added
    std::vector<Moments> m_edgeMoments; ///< when each edge is one of the graph
    std::vector<Moments> m_cellMoments; ///< when somebody stands in each cell
    std::vector<Cell> m_cells;
    std::vector<Edge> m_edges;
    std::unordered_map<ir::NodeId, int> m_cellOf;
    std::map<Port, std::vector<int>> m_slots; ///< of each port, nearest to the consumer first
    std::map<Port, int> m_rootCell;           ///< of each port, at the newest moment
    std::map<std::tuple<int, int, Port>, int> m_edgeIndex;
};

} // namespace gb::views
