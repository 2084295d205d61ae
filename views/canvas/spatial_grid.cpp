#include "canvas/spatial_grid.h"

#include <QRect>

#include <algorithm>
#include <cmath>

namespace gb::views {

void SpatialGrid::clear()
{
    m_columns = m_rows = 0;
    m_nodes.clear();
    m_edges.clear();
}

void SpatialGrid::build(const Picture& picture)
{
    clear();
    m_bounds = picture.bounds;
    m_columns = std::clamp(static_cast<int>(std::ceil(m_bounds.width() / kCell)), 1, 2000);
    m_rows = std::clamp(static_cast<int>(std::ceil(m_bounds.height() / kCell)), 1, 2000);
    const auto count = static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows);
    m_nodes.resize(count);
    m_edges.resize(count);
    for (std::size_t i = 0; i < picture.nodes.size(); ++i)
        insert(m_nodes, picture.nodes[i].area(), i);
    for (std::size_t i = 0; i < picture.edges.size(); ++i)
        insert(m_edges, picture.edges[i].bounds, i);
}

QRect SpatialGrid::range(const QRectF& area) const
{
    const auto column = [&](double x) {
        return std::clamp(static_cast<int>((x - m_bounds.x()) / m_bounds.width() * m_columns), 0, m_columns - 1);
    };
    const auto row = [&](double y) {
        return std::clamp(static_cast<int>((y - m_bounds.y()) / m_bounds.height() * m_rows), 0, m_rows - 1);
    };
    return QRect(QPoint(column(area.left()), row(area.top())), QPoint(column(area.right()), row(area.bottom())));
}

void SpatialGrid::insert(Cells& cells, const QRectF& bounds, std::size_t index)
{
    const QRect r = range(bounds);
    for (int y = r.top(); y <= r.bottom(); ++y)
        for (int x = r.left(); x <= r.right(); ++x)
            cells[static_cast<std::size_t>(y * m_columns + x)].push_back(index);
}

std::vector<std::size_t> SpatialGrid::find(const Cells& cells, const QRectF& area) const
{
    std::vector<std::size_t> out;
    if (m_columns == 0 || !area.intersects(m_bounds))
        return out;
    const QRect r = range(area);
    for (int y = r.top(); y <= r.bottom(); ++y)
        for (int x = r.left(); x <= r.right(); ++x) {
            const auto& cell = cells[static_cast<std::size_t>(y * m_columns + x)];
            out.insert(out.end(), cell.begin(), cell.end());
        }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace gb::views
