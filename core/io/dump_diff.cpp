#include "io/dump_diff.h"

#include "base/message.h"
#include "io/dump_document.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gb::io {
namespace {

using base::say;

constexpr std::array kStages = {"exported", "folded", "annotated", "prepared", "calibrated", "converted"};

std::string shown(const Json& value)
{
    constexpr std::size_t kLongest = 80;
    std::string text = dumpJson(value);
    if (text.size() > kLongest) {
        text.resize(kLongest);
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80)
            text.pop_back();
        text += "...";
    }
    return text;
}

const Json& member(const Json& object, const char* key)
{
    static const Json kNull;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : kNull;
}

/// Collects the differences of one stage.
class Comparison {
public:
    explicit Comparison(std::vector<std::string>& out)
        : m_out(out)
    {
    }

    void values(const Json& a, const Json& b, const std::string& where, double tolerance)
    {
        if (a.is_object() && b.is_object()) {
            objects(a, b, where, tolerance);
        } else if (a.is_array() && b.is_array()) {
            lists(a, b, where, tolerance);
        } else if (!same(a, b, tolerance)) {
            m_out.push_back(say("{0}: {1} here, {2} there", where, shown(a), shown(b)));
        }
    }

    /// Nodes by name, observers, tensors, then the same of the sub-graphs.
    void graphs(const Json& a, const Json& b, const std::string& where, double tolerance)
    {
        nodes(member(a, "nodes"), member(b, "nodes"), where, tolerance);
        for (const char* key : {"observers", "tensors"}) {
            const Json& mine = member(a, key);
            const Json& theirs = member(b, key);
            if (!mine.is_null() || !theirs.is_null())
                objects(mine.is_null() ? Json::object() : mine, theirs.is_null() ? Json::object() : theirs,
                        where + (*key == 'o' ? "observer " : "tensor "), tolerance, "");
        }
        subgraphs(member(a, "subgraphs"), member(b, "subgraphs"), where, tolerance);
    }

private:
    static bool same(const Json& a, const Json& b, double tolerance)
    {
        if (a.is_number() && b.is_number()) {
            if (a.is_number_integer() && b.is_number_integer())
                return a == b;
            const double x = a.get<double>();
            const double y = b.get<double>();
            return x == y || std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
        }
        return a == b;
    }

    /// A value that differs in its last bit may fall into the next bin, so bins cannot be held against each other.
    static Json sum(const Json& histogram)
    {
        double out = 0.0;
        if (histogram.is_array())
            for (const Json& count : histogram)
                out += count.is_number() ? count.get<double>() : 0.0;
        return out;
    }

    void objects(const Json& a, const Json& b, const std::string& where, double tolerance, const char* joint = ".")
    {
        for (const auto& [key, value] : a.get_ref<const Json::object_t&>()) {
            if (const auto other = b.find(key); other != b.end() && key == "histogram" && tolerance > 0.0)
                values(sum(value), sum(*other), where + joint + key + " sum", tolerance);
            else if (other != b.end())
                values(value, *other, where + joint + key, tolerance);
            else
                m_out.push_back(say("{0}{1}{2}: only here", where, joint, key));
        }
        for (const auto& [key, value] : b.get_ref<const Json::object_t&>())
            if (!a.contains(key))
                m_out.push_back(say("{0}{1}{2}: only there", where, joint, key));
    }

    void lists(const Json& a, const Json& b, const std::string& where, double tolerance)
    {
        if (a.size() != b.size()) {
            m_out.push_back(say("{0}: {1} entries here, {2} there", where, a.size(), b.size()));
            return;
        }
        // of a long list of figures (a histogram) the first difference and their number say enough
        std::vector<std::string> all;
        Comparison inside(all);
        for (std::size_t i = 0; i < a.size(); ++i)
            inside.values(a[i], b[i], say("{0}[{1}]", where, i), tolerance);
        constexpr std::size_t kMost = 3;
        for (std::size_t i = 0; i < all.size() && i < kMost; ++i)
            m_out.push_back(all[i]);
        if (all.size() > kMost)
            m_out.push_back(say("{0}: {1} more entries differ", where, all.size() - kMost));
    }

    using ByName = std::map<std::string, const Json*>;

    static std::vector<std::string> names(const Json& nodes, ByName& byName)
    {
        std::vector<std::string> order;
        if (!nodes.is_array())
            return order;
        for (const Json& node : nodes) {
            order.push_back(node["name"].get<std::string>());
            byName[order.back()] = &node;
        }
        return order;
    }

    void nodes(const Json& a, const Json& b, const std::string& where, double tolerance)
    {
        ByName mine;
        ByName theirs;
        const auto orderA = names(a, mine);
        const auto orderB = names(b, theirs);
        const std::size_t before = m_out.size();
        for (const std::string& name : orderA)
            if (!theirs.contains(name))
                m_out.push_back(say("{0}node {1}: only here", where, name));
        for (const std::string& name : orderB)
            if (!mine.contains(name))
                m_out.push_back(say("{0}node {1}: only there", where, name));
        for (const std::string& name : orderA)
            if (const auto other = theirs.find(name); other != theirs.end())
                values(*mine[name], *other->second, where + "node " + name, tolerance);
        if (m_out.size() == before && orderA != orderB) {
            const auto at = std::ranges::mismatch(orderA, orderB);
            m_out.push_back(
                say("{0}the same nodes in another order: {1} here where {2} stands there", where, *at.in1, *at.in2));
        }
    }

    void subgraphs(const Json& a, const Json& b, const std::string& where, double tolerance)
    {
        static const Json kNone = Json::object();
        const Json& mine = a.is_object() ? a : kNone;
        const Json& theirs = b.is_object() ? b : kNone;
        for (const auto& [target, graph] : mine.get_ref<const Json::object_t&>()) {
            if (const auto other = theirs.find(target); other != theirs.end())
                graphs(graph, *other, say("{0}sub-graph {1}: ", where, target), tolerance);
            else
                m_out.push_back(say("{0}sub-graph {1}: only here", where, target));
        }
        for (const auto& [target, graph] : theirs.get_ref<const Json::object_t&>())
            if (!mine.contains(target))
                m_out.push_back(say("{0}sub-graph {1}: only there", where, target));
    }

    std::vector<std::string>& m_out;
};

StageDifferences wholeRun(const Json& a, const Json& b)
{
    StageDifferences out{"run", {}};
    Comparison compare(out.entries);
    for (const char* key : {"mode", "recipe", "options"})
        compare.values(member(a, key), member(b, key), key, 0.0);
    compare.values(member(member(a, "error"), "type"), member(member(b, "error"), "type"), "error", 0.0);
    return out;
}

} // namespace

std::vector<StageDifferences> diffDumps(const Dump& a, const Dump& b, double tolerance)
{
    const Json& mine = a.document->json;
    const Json& theirs = b.document->json;
    std::vector<StageDifferences> out;
    if (StageDifferences run = wholeRun(mine, theirs); !run.entries.empty())
        out.push_back(std::move(run));
    std::vector<std::string> stages(kStages.begin(), kStages.end());
    for (const Json* dump : {&mine, &theirs})
        for (const auto& [stage, graph] : (*dump)["stages"].get_ref<const Json::object_t&>())
            if (std::ranges::find(stages, stage) == stages.end())
                stages.push_back(stage);
    for (const std::string& stage : stages) {
        const Json& here = member(mine["stages"], stage.c_str());
        const Json& there = member(theirs["stages"], stage.c_str());
        StageDifferences found{stage, {}};
        if (here.is_null() != there.is_null())
            found.entries.emplace_back(there.is_null() ? "only here" : "only there");
        else if (!here.is_null())
            Comparison(found.entries).graphs(here, there, "", stage.starts_with("c") ? tolerance : 0.0);
        if (!found.entries.empty())
            out.push_back(std::move(found));
    }
    return out;
}

} // namespace gb::io
