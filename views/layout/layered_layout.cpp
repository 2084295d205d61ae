#include "layout/engines.h"
#include "layout/ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;

constexpr int kSweeps = 6;
constexpr double kDummyWidth = 6;
/// Beyond this many places for long edges they are drawn straight across: memory stays linear.
constexpr std::size_t kDummyLimit = 200000;

/// A box, or a place on a long edge.
struct Item {
    double width = 0;
    int rank = 0;
    double x = 0; ///< centre
    std::vector<int> up;
    std::vector<int> down;
};

class Layered {
public:
    Layered(const LayoutInput& input, const std::stop_token& stop)
        : m_input(input)
        , m_stop(stop)
        , m_rank(ranks(input))
    {
    }

    base::Result<Placement> run()
    {
        makeItems();
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            if (m_stop.stop_requested())
                return Error{ErrorCode::Cancelled, "the layout was cancelled", {}};
            order(sweep % 2 == 0);
        }
        placeX();
        if (m_stop.stop_requested())
            return Error{ErrorCode::Cancelled, "the layout was cancelled", {}};
        return collect();
    }

private:
    [[nodiscard]] std::size_t boxes() const { return m_input.boxes.size(); }

    void makeItems()
    {
        for (std::size_t i = 0; i < boxes(); ++i)
            m_items.push_back({m_input.boxes[i].width, m_rank[i], 0, {}, {}});
        std::size_t room = kDummyLimit;
        for (const LayoutEdge& e : m_input.edges) {
            std::vector<int> chain;
            const int length = m_rank[at(e.to)] - m_rank[at(e.from)];
            if (length > 1 && static_cast<std::size_t>(length) < room) {
                room -= static_cast<std::size_t>(length);
                for (int rank = m_rank[at(e.from)] + 1; rank < m_rank[at(e.to)]; ++rank) {
                    chain.push_back(static_cast<int>(m_items.size()));
                    m_items.push_back({kDummyWidth, rank, 0, {}, {}});
                }
            }
            if (length >= 1)
                connect(e.from, chain, e.to);
            m_chains.push_back(std::move(chain));
        }
        int ranks = 0;
        for (const Item& item : m_items)
            ranks = std::max(ranks, item.rank + 1);
        m_ranks.resize(at(ranks));
        for (std::size_t i = 0; i < m_items.size(); ++i)
            m_ranks[at(m_items[i].rank)].push_back(static_cast<int>(i));
        for (auto& rank : m_ranks)
            pack(rank);
    }

    void connect(int from, const std::vector<int>& chain, int to)
    {
        int previous = from;
        const auto join = [&](int next) {
            m_items[at(previous)].down.push_back(next);
            m_items[at(next)].up.push_back(previous);
            previous = next;
        };
        for (const int place : chain)
            join(place);
        join(to);
    }

    void pack(const std::vector<int>& rank)
    {
        double x = 0;
        for (const int i : rank) {
            Item& item = m_items[at(i)];
            item.x = x + item.width / 2;
            x += item.width + m_input.boxGap;
        }
    }

    [[nodiscard]] double wanted(const Item& item, bool fromAbove) const
    {
        const std::vector<int>& near = fromAbove ? item.up : item.down;
        if (near.empty())
            return item.x;
        double sum = 0;
        for (const int i : near)
            sum += m_items[at(i)].x;
        return sum / static_cast<double>(near.size());
    }

    void order(bool downwards)
    {
        const auto sortRank = [&](std::vector<int>& rank) {
            std::vector<std::pair<double, int>> keyed;
            for (const int i : rank)
                keyed.emplace_back(wanted(m_items[at(i)], downwards), i);
            std::stable_sort(keyed.begin(), keyed.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            for (std::size_t i = 0; i < rank.size(); ++i)
                rank[i] = keyed[i].second;
            pack(rank);
        };
        if (downwards)
            std::for_each(m_ranks.begin(), m_ranks.end(), sortRank);
        else
            std::for_each(m_ranks.rbegin(), m_ranks.rend(), sortRank);
    }

    void placeX()
    {
        for (int sweep = 0; sweep < kSweeps && !m_stop.stop_requested(); ++sweep) {
            if (sweep % 2 == 0)
                for (auto& rank : m_ranks)
                    regress(rank, true);
            else
                for (auto rank = m_ranks.rbegin(); rank != m_ranks.rend(); ++rank)
                    regress(*rank, false);
        }
    }

    /// The places closest to the wanted ones (least squares) that keep order and gaps: pool adjacent violators.
    void regress(const std::vector<int>& rank, bool fromAbove)
    {
        struct Pool {
            double sum;
            double count;
            std::size_t size;
            [[nodiscard]] double mean() const { return sum / count; }
        };
        std::vector<Pool> pools;
        std::vector<double> offsets;
        double offset = 0;
        for (std::size_t i = 0; i < rank.size(); ++i) {
            const Item& item = m_items[at(rank[i])];
            if (i > 0)
                offset += m_items[at(rank[i - 1])].width / 2 + m_input.boxGap + item.width / 2;
            offsets.push_back(offset);
            pools.push_back({wanted(item, fromAbove) - offset, 1, 1});
            while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
                const Pool last = pools.back();
                pools.pop_back();
                pools.back() = {pools.back().sum + last.sum, pools.back().count + last.count,
                                pools.back().size + last.size};
            }
        }
        std::size_t i = 0;
        for (const Pool& pool : pools)
            for (std::size_t k = 0; k < pool.size; ++k, ++i)
                m_items[at(rank[i])].x = pool.mean() + offsets[i];
    }

    Placement collect()
    {
        Placement out;
        out.bandOf = m_rank;
        std::vector<double> heights(m_ranks.size(), 1);
        for (std::size_t i = 0; i < boxes(); ++i)
            heights[at(m_rank[i])] = std::max(heights[at(m_rank[i])], m_input.boxes[i].height);
        double y = 0;
        for (const double height : heights) {
            out.bands.push_back({y, y + height});
            y += height + m_input.rankGap;
        }
        for (std::size_t i = 0; i < boxes(); ++i) {
            const LayoutBox& box = m_input.boxes[i];
            const Band& band = out.bands[at(m_rank[i])];
            out.boxes.push_back(
                {m_items[i].x - box.width / 2, (band.top + band.bottom - box.height) / 2, box.width, box.height});
        }
        for (std::size_t e = 0; e < m_input.edges.size(); ++e) {
            std::vector<double> crossings;
            for (const int place : m_chains[e])
                crossings.push_back(m_items[at(place)].x);
            out.crossings.push_back(std::move(crossings));
        }
        return out;
    }

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }

    const LayoutInput& m_input;
    const std::stop_token& m_stop;
    std::vector<int> m_rank;
    std::vector<Item> m_items;              ///< the boxes, then the places of long edges
    std::vector<std::vector<int>> m_chains; ///< places of each edge
    std::vector<std::vector<int>> m_ranks;  ///< items of each rank, left to right
};

} // namespace

base::Result<Placement> layeredLayout(const LayoutInput& input, const std::stop_token& stop)
{
    return Layered(input, stop).run();
}

} // namespace gb::views
