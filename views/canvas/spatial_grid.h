// Finds what a rectangle or a point touches, in time proportional to what is there.
//
// Thread: built on one; read by any.
#pragma once

#include "picture/picture.h"

#include <vector>

namespace gb::views {

class SpatialGrid {
public:
    void build(const Picture& picture);
    void clear();
    /// Indices of nodes or edges whose bounds touch `area`, ascending, each once.
    [[nodiscard]] std::vector<std::size_t> nodesIn(const QRectF& area) const { return find(m_nodes, area); }
    [[nodiscard]] std::vector<std::size_t> edgesIn(const QRectF& area) const { return find(m_edges, area); }

private:
    static constexpr double kCell = 512;
    using Cells = std::vector<std::vector<std::size_t>>;

    void insert(Cells& cells, const QRectF& bounds, std::size_t index);
    [[nodiscard]] std::vector<std::size_t> find(const Cells& cells, const QRectF& area) const;
    [[nodiscard]] QRect range(const QRectF& area) const;

    QRectF m_bounds;
    int m_columns = 0;
    int m_rows = 0;
    Cells m_nodes;
    Cells m_edges;
};

} // namespace gb::views
