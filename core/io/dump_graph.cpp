#include "io/dump_graph.h"

#include "base/message.h"
#include "io/digest.h"
#include "io/graph_json.h"
#include "io/spec_json.h"

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using trace::GraphMoment;
using trace::Moment;

bool isGuards(const ir::Node& node)
{
    return node.name() == "_guards_fn";
}

// -- observers ------------------------------------------------------------------------------------

void addState(Json& row, const quant::ObserverState& state)
{
    if (state.minVal)
        row["min_val"] = elementsJson(*state.minVal);
    if (state.maxVal)
        row["max_val"] = elementsJson(*state.maxVal);
    if (state.histogram)
        row["histogram"] = elementsJson(*state.histogram);
    if (state.used) {
        row["used_scale"] = elementsJson(state.used->scale);
        row["used_zero_point"] = elementsJson(state.used->zeroPoint);
    }
    if (state.qparams) {
        row["scale"] = elementsJson(state.qparams->scale);
        row["zero_point"] = elementsJson(state.qparams->zeroPoint);
    } else if (!state.noQParams.empty()) {
        row["no_qparams"] = state.noQParams;
    }
}

Json observerRow(const ir::Node& node, const trace::ObserverInfo* info)
{
    Json row = {{"module", node.target()}, {"type", info ? info->type : std::string()}};
    const ir::NodeId observed = node.arg(0).nodeId();
    row["observes"] = observed == ir::kNoNode ? Json() : Json(node.graph().nameOf(observed));
    Json users = Json::array();
    for (const ir::Node* user : node.users())
        users.push_back(user->name());
    row["users"] = std::move(users);
    if (!info)
        return row;
    if (!info->inner.empty()) {
        row["observer"] = info->inner;
        row["observer_enabled"] = info->observerEnabled;
        row["fake_quant_enabled"] = info->fakeQuantEnabled;
    }
    row.update(settingsJson(info->settings));
    return row;
}

Json observersJson(const GraphMoment& graph, bool calibrated)
{
    Json out = Json::object();
    for (const ir::Node* n = graph.graph->first(); n; n = n->next()) {
        if (n->op() != ir::Op::CallModule || isGuards(*n))
            continue;
        const auto info = graph.observers.find(n->target());
        const trace::ObserverInfo* known = info == graph.observers.end() ? nullptr : info->second.get();
        Json row = observerRow(*n, known);
        if (calibrated && known)
            if (const quant::ObserverState* state = graph.stateOf(n->target()))
                addState(row, *state);
        out[n->name()] = std::move(row);
    }
    return out;
}

// -- sub-graphs -----------------------------------------------------------------------------------

Result<const GraphMoment*> graphAt(const Moment& moment, const std::string& path)
{
    const auto found = moment.graphs.find(path);
    if (found != moment.graphs.end())
        return found->second.get();
    if (path.empty())
        return &moment.top();
    return Error{ErrorCode::Format, say("no sub-graph of this name in the recording, one expected"), path};
}

/// Adds "subgraphs": what `make` gives for each graph that a get_attr node of this one hands on.
template <class Make>
base::Status addSubgraphs(Json& out, const Moment& moment, const GraphMoment& graph, const std::string& path, Make make)
{
    Json inner = Json::object();
    for (const ir::Node* n = graph.graph->first(); n; n = n->next()) {
        const std::string sub = path.empty() ? n->target() : path + "." + n->target();
        if (n->op() != ir::Op::GetAttr || !moment.graphs.contains(sub))
            continue;
        GB_ASSIGN(inner[n->target()], make(sub));
    }
    if (!inner.empty())
        out["subgraphs"] = std::move(inner);
    return {};
}

} // namespace

Result<Json> graphJson(const Moment& moment, const std::string& path, bool observed)
{
    GB_ASSIGN(const GraphMoment* graph, graphAt(moment, path));
    Json nodes = Json::array();
    for (const ir::Node* n = graph->graph->first(); n; n = n->next())
        if (!isGuards(*n))
            nodes.push_back(nodeToJson(*n));
    Json out = Json::object();
    out["nodes"] = std::move(nodes);
    if (observed)
        out["observers"] = observersJson(*graph, false);
    GB_TRY(addSubgraphs(out, moment, *graph, path,
                        [&](const std::string& sub) { return graphJson(moment, sub, observed); }));
    return out;
}

Result<Json> calibratedJson(const Moment& moment, const std::string& path)
{
    GB_ASSIGN(const GraphMoment* graph, graphAt(moment, path));
    Json out = Json::object();
    out["observers"] = observersJson(*graph, true);
    GB_TRY(
        addSubgraphs(out, moment, *graph, path, [&](const std::string& sub) { return calibratedJson(moment, sub); }));
    return out;
}

Json tensorsJson(const Moment& moment)
{
    std::map<std::string, Json> sorted;
    for (const auto& [path, graph] : moment.graphs) {
        for (const auto& [name, attribute] : graph->attributes) {
            Json row = {{"dtype", ir::name(attribute.dtype)}};
            row["shape"] = attribute.shape;
            row["sha256"] = attribute.sha256.empty() && attribute.value ? sha256(*attribute.value) : attribute.sha256;
            sorted[path.empty() ? name : path + "." + name] = std::move(row);
        }
    }
    Json out = Json::object();
    for (auto& [name, row] : sorted)
        out[name] = std::move(row);
    return out;
}

} // namespace gb::io
