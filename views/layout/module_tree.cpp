#include "layout/module_tree.h"

#include "layout/quotient.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gb::views {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

constexpr int kDirect = -1; ///< stands on the level itself
constexpr std::size_t kPartSize = 100;
constexpr std::size_t kFewestUnused = 3;

/// Where to cut a level of `count` children so that few lines run from part to part.
std::vector<std::size_t> cuts(std::size_t count, const std::vector<std::pair<int, int>>& edges)
{
    std::vector<int> across(count + 1, 0); // lines over the gap before child i
    std::vector<int> change(count + 2, 0);
    for (const auto& [from, to] : edges) {
        if (from >= to)
            continue;
        ++change[at(from) + 1];
        --change[at(to) + 1];
    }
    for (std::size_t i = 1; i <= count; ++i)
        across[i] = across[i - 1] + change[i];
    std::vector<std::size_t> out;
    const std::size_t parts = (count + kPartSize - 1) / kPartSize;
    for (std::size_t part = 1; part < parts; ++part) {
        const std::size_t ideal = part * count / parts;
        std::size_t best = ideal;
        const std::size_t reach = kPartSize / 4;
        for (std::size_t i = ideal - reach; i <= ideal + reach && i < count; ++i) {
            const auto distance = [&](std::size_t p) { return p > ideal ? p - ideal : ideal - p; };
            if (across[i] < across[best] || (across[i] == across[best] && distance(i) < distance(best)))
                best = i;
        }
        out.push_back(best);
    }
    return out;
}

} // namespace

class ModuleTreeBuilder {
public:
    ModuleTreeBuilder(const UnionGraph& graph, const ModuleInput& input, ModuleTree& tree)
        : m_in(input)
        , m_tree(tree)
        , m_sources(graph.cells().size())
        , m_targets(graph.cells().size())
        , m_tucked(graph.cells().size())
        , m_item(graph.cells().size(), -1)
    {
        std::vector<std::pair<int, int>> edges;
        for (const UnionGraph::Edge& e : graph.edges()) {
            const int from = host(e.from);
            const int to = host(e.to);
            if (from == to)
                continue;
            m_sources[at(to)].push_back(from);
            m_targets[at(from)].push_back(to);
            edges.emplace_back(from, to);
        }
        m_order = orderOf(static_cast<int>(graph.cells().size()), edges).order;
        for (std::size_t i = 0; i < m_tucked.size(); ++i)
            if (host(static_cast<int>(i)) != static_cast<int>(i))
                m_tucked[at(host(static_cast<int>(i)))].push_back(static_cast<int>(i));
        std::erase_if(m_order, [&](int cell) { return host(cell) != cell; });
    }

    void run()
    {
        m_tree.m_groups.push_back({});
        m_tree.m_groups[0].kind = ModuleGroup::Kind::Root;
        std::vector<int> unused;
        for (const int cell : m_order)
            if (m_sources[at(cell)].empty() && m_targets[at(cell)].empty() && m_tucked[at(cell)].empty())
                unused.push_back(cell);
        if (unused.size() >= kFewestUnused)
            std::erase_if(m_order,
                          [&](int cell) { return std::find(unused.begin(), unused.end(), cell) != unused.end(); });
        build(0, m_order, 0);
        if (unused.size() >= kFewestUnused)
            putAside(unused);
        m_tree.m_groupOf.assign(m_in.host.size(), 0);
        finish(0, 0);
        for (std::size_t i = 0; i < m_in.host.size(); ++i)
            m_tree.m_groupOf[i] = m_tree.m_groupOf[at(m_in.host[i])];
    }

private:
    /// Cells of one child-to-be: those that share a module, or one alone.
    struct Item {
        int module = kDirect;
        std::vector<int> cells;
        bool isRun = false;
    };

    /// Constants that nothing takes (counters of batch norms) would make the model as wide as there are many.
    void putAside(const std::vector<int>& unused)
    {
        const int aside = add(ModuleGroup::Kind::Unused, 0);
        group(aside).from = m_in.name[at(unused.front())];
        group(aside).until = m_in.name[at(unused.back())];
        for (const int cell : unused)
            group(aside).children.push_back({false, cell});
        group(0).children.push_back({true, aside});
    }

    [[nodiscard]] int host(int cell) const { return m_in.host[at(cell)]; }
    ModuleGroup& group(int index) { return m_tree.m_groups[at(index)]; }

    [[nodiscard]] bool worthABox(const std::vector<int>& cells) const
    {
        return std::count_if(cells.begin(), cells.end(), [&](int cell) { return m_in.isOp[at(cell)]; }) >= 2;
    }

    /// Fills a group with its cells (producers first), whose modules at `depth` become groups.
    void build(int index, const std::vector<int>& cells, std::size_t depth)
    {
        std::vector<Item> items = bundle(cells, depth);
        QuotientOrder order = orderItems(items);
        while (splitCyclic(items, order, cells))
            order = orderItems(items);
        std::map<int, int> calls;
        for (const Item& item : items)
            if (item.module != kDirect)
                ++calls[item.module];
        std::map<int, int> call;
        for (const int i : order.order) {
            const Item& item = items[at(i)];
            if (item.module == kDirect) {
                group(index).children.push_back({false, item.cells[0]});
                continue;
            }
            const int child = add(ModuleGroup::Kind::Module, index);
            const ModuleName& name = m_in.modules[at(item.module)];
            group(child).path = name.path;
            group(child).type = name.type;
            group(child).call = ++call[item.module];
            group(child).calls = calls[item.module];
            group(index).children.push_back({true, child});
            build(child, item.cells, depth + 1);
        }
        skipLoneChild(index);
        foldRepeats(index);
        skipLoneChild(index); // a list of nothing but equal blocks is those blocks
        cutFlat(index);
        m_signatures.resize(m_tree.m_groups.size(), -1);
        if (index != 0)
            m_signatures[at(index)] = signatureOf(cells);
    }

    int add(ModuleGroup::Kind kind, int parent)
    {
        m_tree.m_groups.push_back({});
        m_tree.m_groups.back().kind = kind;
        m_tree.m_groups.back().parent = parent;
        return static_cast<int>(m_tree.m_groups.size()) - 1;
    }

    [[nodiscard]] std::vector<Item> bundle(const std::vector<int>& cells, std::size_t depth) const
    {
        std::vector<Item> items;
        std::map<int, std::size_t> known;
        for (const int cell : cells) {
            const std::vector<int>& stack = m_in.stacks[at(cell)];
            if (stack.size() <= depth) {
                items.push_back({kDirect, {cell}, false});
                continue;
            }
            const auto [place, isNew] = known.try_emplace(stack[depth], items.size());
            if (isNew)
                items.push_back({stack[depth], {}, false});
            items[place->second].cells.push_back(cell);
        }
        return withoutSmall(std::move(items));
    }

    [[nodiscard]] std::vector<Item> withoutSmall(std::vector<Item> items) const
    {
        std::vector<Item> out;
        for (Item& item : items) {
            if (item.module == kDirect || worthABox(item.cells)) {
                out.push_back(std::move(item));
                continue;
            }
            for (const int cell : item.cells)
                out.push_back({kDirect, {cell}, false});
        }
        return out;
    }

    QuotientOrder orderItems(const std::vector<Item>& items)
    {
        return orderOf(static_cast<int>(items.size()), edgesOf(items));
    }

    std::vector<std::pair<int, int>> edgesOf(const std::vector<Item>& items)
    {
        for (std::size_t i = 0; i < items.size(); ++i)
            for (const int cell : items[i].cells)
                m_item[at(cell)] = static_cast<int>(i);
        std::vector<std::pair<int, int>> edges;
        for (std::size_t i = 0; i < items.size(); ++i)
            for (const int cell : items[i].cells)
                for (const int to : m_targets[at(cell)])
                    if (m_item[at(to)] >= 0)
                        edges.emplace_back(static_cast<int>(i), m_item[at(to)]);
        for (const Item& item : items)
            for (const int cell : item.cells)
                m_item[at(cell)] = -1;
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        return edges;
    }

    /// A module whose cells lie on both sides of others on its level was called more than once: each call by itself.
    [[nodiscard]] bool splitCyclic(std::vector<Item>& items, const QuotientOrder& order,
                                   const std::vector<int>& cells) const
    {
        std::vector<Item> out;
        bool split = false;
        if (std::find(order.cyclic.begin(), order.cyclic.end(), true) == order.cyclic.end())
            return false;
        std::map<int, std::size_t> position;
        for (std::size_t k = 0; k < cells.size(); ++k)
            position[cells[k]] = k;
        for (std::size_t i = 0; i < items.size(); ++i) {
            Item& item = items[i];
            if (item.module == kDirect || item.isRun || !order.cyclic[i]) {
                out.push_back(std::move(item));
                continue;
            }
            split = true;
            std::vector<Item> runs;
            for (std::size_t k = 0; k < item.cells.size(); ++k) {
                const bool goesOn = k > 0 && position[item.cells[k]] == position[item.cells[k - 1]] + 1;
                if (!goesOn)
                    runs.push_back({item.module, {}, true});
                runs.back().cells.push_back(item.cells[k]);
            }
            for (Item& run : withoutSmall(std::move(runs)))
                out.push_back(std::move(run));
        }
        items = std::move(out);
        return split;
    }

    /// A module that holds nothing but another one says nothing more.
    void skipLoneChild(int index)
    {
        if (index == 0 || group(index).children.size() != 1 || !group(index).children[0].isGroup)
            return;
        const int child = group(index).children[0].index;
        group(index).kind = group(child).kind;
        group(index).path = group(child).path;
        group(index).type = group(child).type;
        group(index).until = group(child).until;
        group(index).call = group(child).call;
        group(index).calls = group(child).calls;
        group(index).times = group(child).times;
        group(index).period = group(child).period;
        group(index).children = std::exchange(group(child).children, {});
        for (const ModuleChild& grandchild : group(index).children)
            if (grandchild.isGroup)
                group(grandchild.index).parent = index;
        group(child).parent = kGone;
    }

    struct Run {
        std::size_t period = 1;
        std::size_t times = 1;
        [[nodiscard]] std::size_t length() const { return period * times; }
    };

    void foldRepeats(int index)
    {
        if (group(index).kind == ModuleGroup::Kind::Repeat)
            return;
        const std::vector<ModuleChild> children = group(index).children;
        const std::vector<int> signatures = signaturesOf(children);
        std::vector<ModuleChild> out;
        for (std::size_t i = 0; i < children.size();) {
            const Run run = longestRun(children, signatures, i);
            if (run.times == 1) {
                out.push_back(children[i++]);
                continue;
            }
            const std::size_t end = i + run.length();
            const int repeat = add(ModuleGroup::Kind::Repeat, index);
            group(repeat).path = nameOf(children[i]);
            group(repeat).until = nameOf(children[end - 1]);
            group(repeat).times = static_cast<int>(run.times);
            group(repeat).period = static_cast<int>(run.period);
            if (run.period == 1)
                group(repeat).type = group(children[i].index).type;
            for (; i < end; ++i) {
                group(repeat).children.push_back(children[i]);
                if (children[i].isGroup)
                    group(children[i].index).parent = repeat;
            }
            out.push_back({true, repeat});
            cutFlat(repeat);
        }
        group(index).children = std::move(out);
    }

    /// Of each child; ops that stand on the level itself have one, too.
    std::vector<int> signaturesOf(const std::vector<ModuleChild>& children)
    {
        std::vector<int> out;
        for (const ModuleChild& child : children) {
            if (!child.isGroup) {
                out.push_back(signatureOf({child.index}));
                continue;
            }
            const std::string type = group(child.index).type + '/' + std::to_string(m_signatures[at(child.index)]);
            out.push_back(m_known.try_emplace(type, static_cast<int>(m_known.size())).first->second);
        }
        return out;
    }

    /// The pattern that begins at a child and folds most of them; the shortest one where several do. It begins with a
    /// module.
    static Run longestRun(const std::vector<ModuleChild>& children, const std::vector<int>& signatures,
                          std::size_t from)
    {
        Run best;
        if (!children[from].isGroup)
            return best;
        const std::size_t longest = std::min(ModuleTree::kLongestPattern, children.size() - from - 1);
        for (std::size_t period = 1; period <= longest; ++period) {
            std::size_t same = 0; // children that equal the one a period before
            while (from + period + same < children.size()
                   && signatures[from + same] == signatures[from + period + same])
                ++same;
            const Run run{period, 1 + same / period};
            const std::size_t fewest = period == 1 ? ModuleTree::kFewestRepeats : ModuleTree::kFewestPatterns;
            const auto begin = children.begin() + static_cast<std::ptrdiff_t>(from);
            const auto modules = std::count_if(begin, begin + static_cast<std::ptrdiff_t>(run.length()),
                                               [](const ModuleChild& child) { return child.isGroup; });
            const bool enough =
                run.times >= fewest && modules >= static_cast<std::ptrdiff_t>(ModuleTree::kFewestRepeats);
            if (enough && (best.times == 1 || run.length() > best.length()))
                best = run;
        }
        return best;
    }

    void cutFlat(int index)
    {
        while (group(index).children.size() > ModuleTree::kFlatLimit) {
            const std::vector<ModuleChild> children = group(index).children;
            std::vector<Item> items;
            for (const ModuleChild& child : children)
                items.push_back({kDirect, cellsOf(child), false});
            std::vector<std::size_t> ends = cuts(children.size(), edgesOf(items));
            ends.push_back(children.size());
            std::vector<ModuleChild> out;
            std::size_t i = 0;
            for (const std::size_t end : ends) {
                const int part = add(ModuleGroup::Kind::Part, index);
                group(part).path = group(index).path;
                group(part).from = nameOf(children[i]);
                group(part).until = nameOf(children[end - 1]);
                for (; i < end; ++i) {
                    group(part).children.push_back(children[i]);
                    if (children[i].isGroup)
                        group(children[i].index).parent = part;
                }
                out.push_back({true, part});
            }
            group(index).children = std::move(out);
        }
    }

    std::vector<int> cellsOf(const ModuleChild& child)
    {
        if (!child.isGroup)
            return {child.index};
        std::vector<int> out;
        for (const ModuleChild& c : group(child.index).children) {
            const std::vector<int> inner = cellsOf(c);
            out.insert(out.end(), inner.begin(), inner.end());
        }
        return out;
    }

    std::string nameOf(const ModuleChild& child)
    {
        if (!child.isGroup)
            return m_in.name[at(child.index)];
        const ModuleGroup& g = group(child.index);
        return g.kind == ModuleGroup::Kind::Part ? g.from : g.path;
    }

    /// What its cells are and how they hang together; equal for equal blocks.
    int signatureOf(const std::vector<int>& cells)
    {
        std::string text;
        std::map<int, std::size_t> local;
        std::map<int, std::size_t> outside;
        for (std::size_t i = 0; i < cells.size(); ++i)
            local[cells[i]] = i;
        for (const int cell : cells) {
            text += ';' + std::to_string(m_in.signature[at(cell)]);
            for (const int tucked : m_tucked[at(cell)])
                text += ',' + std::to_string(m_in.signature[at(tucked)]);
            for (const int source : m_sources[at(cell)]) {
                const auto inside = local.find(source);
                text += inside != local.end()
                            ? '<' + std::to_string(inside->second)
                            : '^' + std::to_string(outside.try_emplace(source, outside.size()).first->second);
            }
        }
        return m_known.try_emplace(text, static_cast<int>(m_known.size())).first->second;
    }

    /// Counts and depths, from the root down.
    int finish(int index, int depth)
    {
        group(index).depth = depth;
        int cells = 0;
        for (const ModuleChild& child : group(index).children) {
            if (child.isGroup) {
                cells += finish(child.index, depth + 1);
            } else {
                m_tree.m_groupOf[at(child.index)] = index;
                ++cells;
            }
        }
        group(index).cells = cells;
        return cells;
    }

    static constexpr int kGone = -2;

    const ModuleInput& m_in;
    ModuleTree& m_tree;
    std::vector<std::vector<int>> m_sources; ///< of each host cell, in argument order
    std::vector<std::vector<int>> m_targets;
    std::vector<std::vector<int>> m_tucked;
    std::vector<int> m_item; ///< of each cell on the level at hand
    std::vector<int> m_order;
    std::vector<int> m_signatures; ///< of each group
    std::map<std::string, int> m_known;
};

ModuleTree::ModuleTree(const UnionGraph& graph, const ModuleInput& input)
{
    ModuleTreeBuilder(graph, input, *this).run();
}

std::string ModuleTree::key(int index) const
{
    const ModuleGroup& g = group(index);
    switch (g.kind) {
    case ModuleGroup::Kind::Root: return {};
    case ModuleGroup::Kind::Repeat: return g.path + "…" + g.until;
    case ModuleGroup::Kind::Unused: return "/unused";
    case ModuleGroup::Kind::Part: return g.path + "/" + g.from + "…" + g.until;
    case ModuleGroup::Kind::Module: break;
    }
    return g.calls > 1 ? g.path + "#" + std::to_string(g.call) : g.path;
}

int ModuleTree::find(const std::string& wanted) const
{
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        if (m_groups[i].parent != -2 && key(static_cast<int>(i)) == wanted)
            return static_cast<int>(i);
    return -1;
}

} // namespace gb::views
