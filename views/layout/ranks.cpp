#include "layout/ranks.h"

#include <algorithm>

namespace gb::views {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

class Ranker {
public:
    explicit Ranker(const LayoutInput& input)
        : m_input(input)
        , m_out(input.boxes.size())
        , m_waiting(input.boxes.size(), 0)
        , m_rank(input.boxes.size(), 0)
    {
        for (const LayoutEdge& e : input.edges) {
            if (e.from == e.to)
                continue;
            m_out[at(e.from)].push_back(e.to);
            ++m_waiting[at(e.to)];
        }
    }

    std::vector<int> run()
    {
        const std::vector<int> degree = m_waiting;
        longestPaths();
        for (std::size_t i = 0; i < m_rank.size(); ++i) {
            if (degree[i] != 0 || m_out[i].empty())
                continue;
            int first = m_rank[at(m_out[i][0])];
            for (const int to : m_out[i])
                first = std::min(first, m_rank[at(to)]);
            m_rank[i] = std::max(0, first - 1);
        }
        applyPins();
        return m_rank;
    }

private:
    void longestPaths()
    {
        const std::size_t n = m_rank.size();
        std::vector<bool> done(n, false);
        std::vector<int> ready;
        for (std::size_t i = 0; i < n; ++i)
            if (m_waiting[i] == 0)
                ready.push_back(static_cast<int>(i));
        std::size_t firstLeft = 0;
        for (std::size_t head = 0;; ++head) {
            if (head == ready.size()) {
                // what is left lies on or behind a cycle: break it at the first box in graph order
                while (firstLeft < n && (done[firstLeft] || m_waiting[firstLeft] <= 0))
                    ++firstLeft;
                if (firstLeft == n)
                    break;
                m_waiting[firstLeft] = 0;
                ready.push_back(static_cast<int>(firstLeft));
            }
            const int node = ready[head];
            done[at(node)] = true;
            for (const int to : m_out[at(node)]) {
                if (done[at(to)])
                    continue;
                m_rank[at(to)] = std::max(m_rank[at(to)], m_rank[at(node)] + 1);
                if (m_waiting[at(to)] > 0 && --m_waiting[at(to)] == 0)
                    ready.push_back(to);
            }
        }
    }

    void applyPins()
    {
        const auto has = [&](Pin pin) {
            return std::any_of(m_input.boxes.begin(), m_input.boxes.end(),
                               [pin](const LayoutBox& box) { return box.pin == pin; });
        };
        int lowest = -1;
        int last = 0;
        for (std::size_t i = 0; i < m_rank.size(); ++i) {
            if (m_input.boxes[i].pin != Pin::No)
                continue;
            lowest = lowest < 0 ? m_rank[i] : std::min(lowest, m_rank[i]);
            last = std::max(last, m_rank[i]);
        }
        const int shift = has(Pin::Top) ? 1 - std::max(lowest, 0) : 0;
        for (std::size_t i = 0; i < m_rank.size(); ++i) {
            const Pin pin = m_input.boxes[i].pin;
            m_rank[i] = pin == Pin::Top ? 0 : pin == Pin::Bottom ? last + shift + 1 : m_rank[i] + shift;
        }
    }

    const LayoutInput& m_input;
    std::vector<std::vector<int>> m_out;
    std::vector<int> m_waiting;
    std::vector<int> m_rank;
};

} // namespace

std::vector<int> ranks(const LayoutInput& input)
{
    return Ranker(input).run();
}

} // namespace gb::views
