#include "layout/quotient.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace gb::views {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

/// Tarjan's strongly connected components, without recursion.
class Components {
public:
    explicit Components(const std::vector<std::vector<int>>& out)
        : m_out(out)
        , m_index(out.size(), -1)
        , m_low(out.size(), 0)
        , m_onStack(out.size(), false)
        , m_cyclic(out.size(), false)
    {
    }

    std::vector<bool> run()
    {
        for (std::size_t i = 0; i < m_out.size(); ++i)
            if (m_index[i] < 0)
                visit(static_cast<int>(i));
        return m_cyclic;
    }

private:
    struct Frame {
        int item;
        std::size_t next;
    };

    void visit(int start)
    {
        enter(start);
        while (!m_frames.empty()) {
            Frame& top = m_frames.back();
            if (top.next < m_out[at(top.item)].size()) {
                const int to = m_out[at(top.item)][top.next++];
                if (m_index[at(to)] < 0)
                    enter(to);
                else if (m_onStack[at(to)])
                    m_low[at(top.item)] = std::min(m_low[at(top.item)], m_index[at(to)]);
                continue;
            }
            const int item = top.item;
            m_frames.pop_back();
            if (!m_frames.empty())
                m_low[at(m_frames.back().item)] = std::min(m_low[at(m_frames.back().item)], m_low[at(item)]);
            if (m_low[at(item)] == m_index[at(item)])
                close(item);
        }
    }

    void enter(int item)
    {
        m_index[at(item)] = m_low[at(item)] = m_count++;
        m_stack.push_back(item);
        m_onStack[at(item)] = true;
        m_frames.push_back({item, 0});
    }

    void close(int item)
    {
        const bool alone = m_stack.back() == item;
        int popped = -1;
        while (popped != item) {
            popped = m_stack.back();
            m_stack.pop_back();
            m_onStack[at(popped)] = false;
            m_cyclic[at(popped)] = !alone;
        }
    }

    const std::vector<std::vector<int>>& m_out;
    std::vector<int> m_index;
    std::vector<int> m_low;
    std::vector<bool> m_onStack;
    std::vector<bool> m_cyclic;
    std::vector<int> m_stack;
    std::vector<Frame> m_frames;
    int m_count = 0;
};

} // namespace

QuotientOrder orderOf(int count, const std::vector<std::pair<int, int>>& edges)
{
    std::vector<std::vector<int>> out(at(count));
    std::vector<int> waiting(at(count), 0);
    for (const auto& [from, to] : edges) {
        if (from == to)
            continue;
        out[at(from)].push_back(to);
        ++waiting[at(to)];
    }
    QuotientOrder result;
    result.cyclic = Components(out).run();
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    std::vector<bool> done(at(count), false);
    for (int i = 0; i < count; ++i)
        if (waiting[at(i)] == 0)
            ready.push(i);
    for (int firstLeft = 0;;) {
        if (ready.empty()) {
            while (firstLeft < count && done[at(firstLeft)])
                ++firstLeft;
            if (firstLeft == count)
                break;
            ready.push(firstLeft); // on a cycle, or behind one
        }
        const int item = ready.top();
        ready.pop();
        if (done[at(item)])
            continue;
        done[at(item)] = true;
        result.order.push_back(item);
        for (const int to : out[at(item)])
            if (--waiting[at(to)] == 0)
                ready.push(to);
    }
    return result;
}

} // namespace gb::views
