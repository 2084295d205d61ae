#include "layout/tuck.h"

#include <algorithm>
#include <numeric>

namespace gb::views {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

class Tucker {
public:
    Tucker(const UnionGraph& graph, const std::function<bool(int)>& isConstant)
        : m_graph(graph)
        , m_isConstant(isConstant)
        , m_out(graph.cells().size())
        , m_in(graph.cells().size())
    {
        for (const UnionGraph::Edge& e : graph.edges()) {
            m_out[at(e.from)].push_back(e.to);
            m_in[at(e.to)].push_back(e.from);
        }
    }

    Tucked run()
    {
        Tucked out = tuckNothing(m_graph);
        for (std::size_t i = 0; i < out.host.size(); ++i) {
            const int cell = static_cast<int>(i);
            if (m_graph.cells()[i].slot || !m_isConstant(cell))
                continue;
            std::vector<int> column{cell};
            const int host = hostOf(column);
            if (host < 0)
                continue;
            for (const int member : column)
                out.host[at(member)] = host;
            out.columns[host].push_back(std::move(column));
        }
        return out;
    }

private:
    /// Follows the only way down; fills the column with the slots on it.
    int hostOf(std::vector<int>& column) const
    {
        while (column.size() < 16) {
            const std::vector<int>& down = m_out[at(column.back())];
            if (down.empty() || std::any_of(down.begin(), down.end(), [&](int to) { return to != down[0]; }))
                return -1;
            const int next = down[0];
            if (!m_graph.cells()[at(next)].slot)
                return m_isConstant(next) ? -1 : next;
            const std::vector<int>& up = m_in[at(next)];
            if (std::any_of(up.begin(), up.end(), [&](int from) { return from != column.back(); }))
                return -1;
            column.push_back(next);
        }
        return -1;
    }

    const UnionGraph& m_graph;
    const std::function<bool(int)>& m_isConstant;
    std::vector<std::vector<int>> m_out;
    std::vector<std::vector<int>> m_in;
};

} // namespace

Tucked tuckNothing(const UnionGraph& graph)
{
    Tucked out;
    out.host.resize(graph.cells().size());
    std::iota(out.host.begin(), out.host.end(), 0);
    return out;
}

Tucked tuck(const UnionGraph& graph, const std::function<bool(int cell)>& isConstant)
{
    return Tucker(graph, isConstant).run();
}

} // namespace gb::views
