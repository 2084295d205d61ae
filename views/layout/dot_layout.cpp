#include "layout/engines.h"

#include "base/message.h"
#include "layout/ranks.h"

#include <gvc.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;

constexpr double kPointsPerInch = 72.0;

/// Two layouts at once crash Graphviz, and a context per call leaves dangling text plug-ins: one of each, for ever.
std::mutex& mutex()
{
    static std::mutex kMutex;
    return kMutex;
}

GVC_t* context()
{
    static GVC_t* const kContext = gvContext();
    return kContext;
}

/// cgraph takes char* where it means const char*.
char* text(const char* literal)
{
    return const_cast<char*>(literal);
}

std::string inches(double pixels)
{
    // whole thousandths of a point, in the C locale whatever the program's is
    const auto scaled = static_cast<long long>(pixels / kPointsPerInch * 1e6 + 0.5);
    std::string fraction = std::to_string(scaled % 1000000);
    fraction.insert(0, 6 - fraction.size(), '0');
    return std::to_string(scaled / 1000000) + "." + fraction;
}

void set(void* object, const char* name, const std::string& value)
{
    agsafeset(object, text(name), text(value.c_str()), text(""));
}

/// Owns the cgraph objects of one call.
class DotGraph {
public:
    explicit DotGraph(const LayoutInput& input)
        : m_graph(agopen(text("g"), Agdirected, nullptr))
    {
        set(m_graph, "rankdir", "TB");
        set(m_graph, "ordering", "in");
        set(m_graph, "nodesep", inches(input.boxGap));
        set(m_graph, "ranksep", inches(input.rankGap));
        set(m_graph, "splines", "spline");
        if (input.boxes.size() > 150) {
            // bounds network simplex and crossing sweeps: large levels cost seconds otherwise
            set(m_graph, "nslimit", "2");
            set(m_graph, "nslimit1", "2");
            set(m_graph, "mclimit", "0.3");
        }
        for (std::size_t i = 0; i < input.boxes.size(); ++i) {
            Agnode_t* node = agnode(m_graph, text(("n" + std::to_string(i)).c_str()), 1);
            set(node, "shape", "box");
            set(node, "label", "");
            set(node, "fixedsize", "true");
            set(node, "width", inches(input.boxes[i].width));
            set(node, "height", inches(input.boxes[i].height));
            m_nodes.push_back(node);
            pin(node, input.boxes[i].pin);
        }
        const std::vector<int> rank = ranks(input);
        for (std::size_t i = 0; i < input.edges.size(); ++i) {
            const LayoutEdge& e = input.edges[i];
            Agedge_t* edge =
                agedge(m_graph, m_nodes[static_cast<std::size_t>(e.from)], m_nodes[static_cast<std::size_t>(e.to)],
                       text(("e" + std::to_string(i)).c_str()), 1);
            set(edge, "dir", "none");
            // a step to the next layer is to be straight; what goes far may bend
            if (rank[static_cast<std::size_t>(e.to)] == rank[static_cast<std::size_t>(e.from)] + 1)
                set(edge, "weight", "6");
            m_edges.push_back(edge);
        }
    }
    DotGraph(const DotGraph&) = delete;
    DotGraph& operator=(const DotGraph&) = delete;
    ~DotGraph()
    {
        if (m_laidOut)
            gvFreeLayout(context(), m_graph);
        agclose(m_graph);
    }

    bool run()
    {
        m_laidOut = gvLayout(context(), m_graph, "dot") == 0;
        return m_laidOut;
    }

    [[nodiscard]] Placement result(const LayoutInput& input) const
    {
        Placement out;
        const boxf bounds = GD_bb(m_graph);
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const pointf at = ND_coord(m_nodes[i]);
            const LayoutBox& box = input.boxes[i];
            out.boxes.push_back(
                {at.x - bounds.LL.x - box.width / 2, bounds.UR.y - at.y - box.height / 2, box.width, box.height});
        }
        makeBands(out);
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            const int first = out.bandOf[static_cast<std::size_t>(input.edges[i].from)] + 1;
            const int last = out.bandOf[static_cast<std::size_t>(input.edges[i].to)];
            std::vector<double> crossings;
            for (int band = first; band < last; ++band) {
                const Band& b = out.bands[static_cast<std::size_t>(band)];
                crossings.push_back(crossing(m_edges[i], bounds, (b.top + b.bottom) / 2));
            }
            out.crossings.push_back(std::move(crossings));
        }
        return out;
    }

private:
    void pin(Agnode_t* node, Pin to)
    {
        if (to == Pin::No)
            return;
        Agraph_t* layer = agsubg(m_graph, text(to == Pin::Top ? "top" : "bottom"), 1);
        set(layer, "rank", to == Pin::Top ? "source" : "sink");
        agsubnode(layer, node, 1);
    }

    /// dot centres the boxes of a rank on one height.
    static void makeBands(Placement& out)
    {
        std::map<long long, int> byHeight;
        for (const Rect& box : out.boxes)
            byHeight.emplace(std::llround(box.center().y), 0);
        for (auto& [height, band] : byHeight) {
            band = static_cast<int>(out.bands.size());
            out.bands.push_back({static_cast<double>(height), static_cast<double>(height)});
        }
        for (const Rect& box : out.boxes) {
            const int band = byHeight.at(std::llround(box.center().y));
            Band& b = out.bands[static_cast<std::size_t>(band)];
            b.top = std::min(b.top, box.y);
            b.bottom = std::max(b.bottom, box.bottom());
            out.bandOf.push_back(band);
        }
    }

    /// Where an edge's spline is at a height. dot keeps a rank's boxes clear of it there.
    static double crossing(Agedge_t* edge, const boxf& bounds, double height)
    {
        const splines* all = ED_spl(edge);
        if (!all || all->size < 1)
            return (ND_coord(agtail(edge)).x + ND_coord(aghead(edge)).x) / 2 - bounds.LL.x;
        const bezier& spline = all->list[0];
        constexpr int kSteps = 32;
        pointf previous = spline.list[0];
        for (int piece = 0; piece + 3 < spline.size; piece += 3) {
            for (int step = 1; step <= kSteps; ++step) {
                const pointf at = onCurve(spline.list + piece, static_cast<double>(step) / kSteps);
                const double above = bounds.UR.y - previous.y;
                const double below = bounds.UR.y - at.y;
                if (above <= height && height <= below && below > above)
                    return previous.x + (at.x - previous.x) * (height - above) / (below - above) - bounds.LL.x;
                previous = at;
            }
        }
        return previous.x - bounds.LL.x;
    }

    static pointf onCurve(const pointf* p, double t)
    {
        const double u = 1 - t;
        const double a = u * u * u;
        const double b = 3 * u * u * t;
        const double c = 3 * u * t * t;
        const double d = t * t * t;
        return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
    }

    Agraph_t* m_graph;
    std::vector<Agnode_t*> m_nodes;
    std::vector<Agedge_t*> m_edges;
    bool m_laidOut = false;
};

} // namespace

base::Result<Placement> dotLayout(const LayoutInput& input, const std::stop_token& stop)
{
    const std::lock_guard lock(mutex());
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "the layout was cancelled", {}};
    agseterr(AGMAX); // its warnings go to standard error and say nothing to a user
    DotGraph graph(input);
    if (!graph.run())
        return Error{ErrorCode::Unsupported, "graphviz could not lay out the graph with dot", {}};
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "the layout was cancelled", {}};
    return graph.result(input);
}

} // namespace gb::views
