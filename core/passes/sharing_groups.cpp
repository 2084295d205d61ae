#include "passes/sharing_groups.h"

#include "base/message.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using base::Status;
using ir::Position;

/// What _union_input_edge_with compares; `has...` is Python's hasattr.
struct Comparable {
    ir::DType dtype = ir::DType::Int8;
    bool isDynamic = false;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<ir::QScheme> qscheme;
    bool hasChAxis = false;
    std::optional<std::int64_t> chAxis;
    bool hasQParams = false;
    double scale = 0.0;
    std::int64_t zeroPoint = 0;
    friend bool operator==(const Comparable&, const Comparable&) = default;
};

/// Nothing for None and for a shared spec, which have none of these attributes.
std::optional<Comparable> comparable(const ir::Spec& spec)
{
    Comparable out;
    const auto common = [&out](const auto& s) {
        out.dtype = s.dtype;
        out.isDynamic = s.isDynamic;
        out.quantMin = s.quantMin;
        out.quantMax = s.quantMax;
        out.qscheme = s.qscheme;
    };
    const auto withAxis = [&](const auto& s) {
        common(s);
        out.hasChAxis = true;
        out.chAxis = s.chAxis;
    };
    if (const auto* plain = ir::as<ir::QuantizationSpec>(spec)) {
        withAxis(*plain);
    } else if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec)) {
        withAxis(*derived);
    } else if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec)) {
        common(*fixed);
        out.hasQParams = true;
        out.scale = fixed->scale;
        out.zeroPoint = fixed->zeroPoint;
    } else {
        return std::nullopt;
    }
    return out;
}

/// The union find over the rows of a SpecTable.
class Unions {
public:
    Unions(const ir::Graph& graph, const SpecTable& specs, trace::Recorder& recorder)
        : m_graph(graph)
        , m_specs(specs)
        , m_recorder(recorder)
        , m_parent(specs.rows().size())
    {
        for (std::size_t i = 0; i < m_parent.size(); ++i)
            m_parent[i] = i;
    }

    /// One row of edge_or_node_to_qspec: implicit sharing of an edge, then what its shared spec says.
    Status visit(std::size_t row)
    {
        const auto& [position, spec] = m_specs.rows()[row];
        if (position.isEdge()) {
            GB_ASSIGN(const ir::Spec root, unwrap(spec));
            const ir::Node* consumer = m_graph.find(position.consumer);
            if (consumer && consumer->annotation() && consumer->annotation()->allowImplicitSharing)
                GB_TRY(shareImplicitly(row, root));
        }
        if (const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec)) {
            GB_ASSIGN(const std::size_t with, rowOf(shared->with));
            join(with, row, "explicit");
        }
        return {};
    }

    /// _find_root_edge_or_node, with its path compression
    std::size_t root(std::size_t row)
    {
        std::size_t top = row;
        while (m_parent[top] != top)
            top = m_parent[top];
        while (m_parent[row] != top)
            row = std::exchange(m_parent[row], top);
        return top;
    }

private:
    Result<std::size_t> rowOf(Position position) const
    {
        if (const auto row = m_specs.find(position))
            return *row;
        return Error{
            ErrorCode::KeyError,
            base::say("a shared spec refers to {0}, which has no spec of its own", positionText(m_graph, position)),
            {}};
    }

    /// _unwrap_shared_qspec
    Result<ir::Spec> unwrap(ir::Spec spec)
    {
        std::vector<bool> seen(m_parent.size());
        while (const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec)) {
            GB_ASSIGN(const std::size_t with, rowOf(shared->with));
            const std::size_t top = root(with);
            if (seen[top])
                return Error{ErrorCode::RecursionError,
                             base::say("the shared specs around {0} refer to each other and to no spec that stands for "
                                       "itself",
                                       positionText(m_graph, m_specs.rows()[top].position)),
                             {}};
            seen[top] = true;
            spec = m_specs.rows()[top].spec;
        }
        return spec;
    }

    /// First with the other users of the tensor, then with its producer's output: the order matters.
    Status shareImplicitly(std::size_t row, const ir::Spec& rootSpec)
    {
        const Position edge = m_specs.rows()[row].position;
        const ir::Node* producer = m_graph.find(edge.node);
        if (!producer)
            return {};
        for (const ir::Node* user : producer->users())
            if (user->id() != edge.consumer)
                GB_TRY(joinWhereEqual(row, rootSpec, {edge.node, user->id()}, "other_user"));
        return joinWhereEqual(row, rootSpec, {edge.node, ir::kNoNode}, "same_tensor");
    }

    /// _union_input_edge_with
    Status joinWhereEqual(std::size_t row, const ir::Spec& rootSpec, Position with, const char* how)
    {
        const auto other = m_specs.find(with);
        if (!other)
            return {};
        GB_ASSIGN(const ir::Spec otherRoot, unwrap(m_specs.rows()[*other].spec));
        const auto mine = comparable(rootSpec);
        if (mine && mine == comparable(otherRoot))
            join(*other, row, how);
        return {};
    }

    /// _union
    void join(std::size_t parent, std::size_t child, const char* how)
    {
        const std::size_t top = root(parent);
        const std::size_t below = root(child);
        if (top == below)
            return;
        const auto* shared = ir::as<ir::SharedQuantizationSpec>(m_specs.rows()[top].spec);
        if (shared && m_specs.find(shared->with) == below)
            m_parent[top] = below; // the parent refers to the child already: the other way round would be a cycle
        else
            m_parent[below] = top;
        sayShare(m_specs.rows()[child].position, m_specs.rows()[parent].position, how);
    }

    void sayShare(Position a, Position b, std::string_view how)
    {
        trace::Event e;
        e.kind = trace::EventKind::Share;
        e.graph = m_graph.path();
        e.fields = {{"a", positionField(a)}, {"b", positionField(b)}, {"how", ir::Argument(std::string(how))}};
        for (const Position p : {a, b})
            for (const ir::NodeId id : {p.node, p.consumer})
                if (id != ir::kNoNode && std::ranges::find(e.nodes, id) == e.nodes.end())
                    e.nodes.push_back(id);
        const char* pattern = how == "explicit" ? "{0} shares with {1}, as its spec says"
                              : how == "other_user"
                                  ? "{0} shares with {1}: the same tensor, the same spec"
                                  : "{0} shares with the output of {1}: the same tensor, the same spec";
        e.sentence = message(pattern, positionText(m_graph, a), positionText(m_graph, b));
        m_recorder.say(std::move(e));
    }

    const ir::Graph& m_graph;
    const SpecTable& m_specs;
    trace::Recorder& m_recorder;
    std::vector<std::size_t> m_parent; ///< shared_with_map
};

void sayGroup(const ir::Graph& graph, const SharingGroups& groups, int group, const std::vector<std::size_t>& rows,
              trace::Recorder& recorder)
{
    trace::Event e;
    e.kind = trace::EventKind::Group;
    e.graph = graph.path();
    std::vector<ir::Argument> members;
    std::string text;
    for (const std::size_t row : rows) {
        const Position p = groups.specs.rows()[row].position;
        members.push_back(positionField(p));
        text += (text.empty() ? "" : ", ") + positionText(graph, p);
        for (const ir::NodeId id : {p.node, p.consumer})
            if (id != ir::kNoNode && std::ranges::find(e.nodes, id) == e.nodes.end())
                e.nodes.push_back(id);
    }
    e.sentence = rows.size() == 1 ? message("group {0}: {1} alone", group, text)
                                  : message("group {0}: {1} use one observer", group, text);
    e.fields = {{"group", ir::Argument(group)}, {"members", ir::Argument::list(std::move(members))}};
    recorder.say(std::move(e));
}

} // namespace

void SpecTable::set(Position position, ir::Spec spec)
{
    const auto [found, isNew] = m_index.try_emplace(position, m_rows.size());
    if (isNew)
        m_rows.push_back({position, std::move(spec)});
    else
        m_rows[found->second].spec = std::move(spec);
}

std::optional<std::size_t> SpecTable::find(Position position) const
{
    const auto found = m_index.find(position);
    return found == m_index.end() ? std::nullopt : std::optional(found->second);
}

SpecTable specsOf(const ir::Graph& graph)
{
    SpecTable out;
    for (const ir::Node* n = graph.first(); n; n = n->next()) {
        if (!n->annotation())
            continue;
        for (const auto& [upstream, spec] : n->annotation()->inputs)
            out.set({upstream, n->id()}, spec);
        if (n->annotation()->output)
            out.set({n->id(), ir::kNoNode}, n->annotation()->output);
    }
    return out;
}

std::vector<std::size_t> SharingGroups::members(int group) const
{
    std::vector<std::size_t> out;
    for (std::size_t row = 0; row < groupOf.size(); ++row)
        if (groupOf[row] == group)
            out.push_back(row);
    return out;
}

Result<SharingGroups> findSharingGroups(const ir::Graph& graph, SpecTable specs, trace::Recorder& recorder)
{
    SharingGroups out{std::move(specs), {}, 0};
    const std::size_t count = out.specs.rows().size();
    Unions unions(graph, out.specs, recorder);
    for (std::size_t row = 0; row < count; ++row)
        GB_TRY(unions.visit(row));

    out.groupOf.assign(count, -1);
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t row = 0; row < count; ++row) {
        int& group = out.groupOf[unions.root(row)];
        if (group < 0) {
            group = out.count++;
            members.emplace_back();
        }
        out.groupOf[row] = group;
        members[static_cast<std::size_t>(group)].push_back(row);
    }
    for (int group = 0; group < out.count; ++group)
        sayGroup(graph, out, group, members[static_cast<std::size_t>(group)], recorder);
    return out;
}

std::string positionText(const ir::Graph& graph, Position position)
{
    const std::string node = graph.nameOf(position.node);
    return position.isEdge() ? node + " -> " + graph.nameOf(position.consumer) : node;
}

ir::Argument positionField(Position position)
{
    std::vector<ir::Argument> items{ir::Argument::node(position.node)};
    if (position.isEdge())
        items.push_back(ir::Argument::node(position.consumer));
    return ir::Argument::list(std::move(items));
}

} // namespace gb::passes
