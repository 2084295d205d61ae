#include "explain/search_index.h"

#include "explain/view.h"
#include "quantizers/filter.h"

#include <algorithm>
#include <unordered_map>

namespace gb::explain {
namespace {

void addOnce(std::vector<std::string>& list, std::string text)
{
    if (!text.empty() && std::ranges::find(list, text) == list.end())
        list.push_back(std::move(text));
}

void addSpec(SearchRow& row, const ir::Spec& spec)
{
    const auto common = [&row](const auto& s) { addOnce(row.dtypes, ir::name(s.dtype)); };
    if (const auto* plain = ir::as<ir::QuantizationSpec>(spec)) {
        common(*plain);
        addOnce(row.observers, plain->observer.name);
    } else if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec)) {
        common(*derived);
    } else if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec)) {
        common(*fixed);
    }
}

class Indexer {
public:
    explicit Indexer(SearchIndex& index)
        : m_index(index)
    {
    }

    void addEvent(const trace::Event& event)
    {
        for (const trace::Edit& edit : event.edits)
            if (const auto* added = std::get_if<trace::NodeAdded>(&edit))
                addNode(*added);
            else if (const auto* renamed = std::get_if<trace::NameChanged>(&edit))
                if (SearchRow* row = find(renamed->id))
                    row->name = renamed->name;
    }

    void addLabels(const RunView& run)
    {
        for (const GraphView& graph : run.graphs)
            for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
                SearchRow* row = isLabelled(*n) ? find(n->id()) : nullptr;
                if (!row)
                    continue;
                row->labelled = true;
                for (const auto& [upstream, spec] : n->annotation()->inputs)
                    addSpec(*row, spec);
                addSpec(*row, n->annotation()->output);
            }
    }

    void addObservers(const trace::Moment& moment)
    {
        for (const auto& [path, graph] : moment.graphs)
            for (const ir::Node* n = graph->graph->first(); n; n = n->next()) {
                const auto info =
                    n->op() == ir::Op::CallModule ? graph->observers.find(n->target()) : graph->observers.end();
                SearchRow* row = info == graph->observers.end() ? nullptr : find(n->id());
                if (row)
                    addObserver(*row, *info->second, graph->stateOf(n->target()));
            }
    }

    void addCodes(const std::vector<NodeReason>& reasons)
    {
        for (const NodeReason& reason : reasons)
            if (SearchRow* row = find(reason.id))
                addOnce(row->codes, reason.code);
    }

    void addFindings(const std::vector<Finding>& findings)
    {
        for (const Finding& finding : findings)
            if (SearchRow* row = find(finding.id))
                addOnce(row->codes, finding.code);
    }

private:
    SearchRow* find(ir::NodeId id)
    {
        const auto found = m_rows.find(id);
        return found == m_rows.end() ? nullptr : &m_index.rows[found->second];
    }

    void addNode(const trace::NodeAdded& added)
    {
        const trace::NodeRow& from = added.row;
        SearchRow row;
        row.id = from.id;
        row.graph = added.graph;
        row.name = from.name;
        row.target = from.target;
        row.op = ir::name(from.op);
        if (from.meta) {
            for (const ir::ModuleFrame& frame : from.meta->nnModuleStack) {
                row.module = quantizers::normalizedPath(frame.path);
                addOnce(row.modules, row.module);
                addOnce(row.modules, frame.type);
            }
            if (const ir::TensorMeta* val = from.meta->val.asTensor())
                addOnce(row.dtypes, ir::name(val->dtype));
        }
        m_rows[row.id] = m_index.rows.size();
        m_index.rows.push_back(std::move(row));
    }

    static void addObserver(SearchRow& row, const trace::ObserverInfo& info, const quant::ObserverState* state)
    {
        row.isObserver = true;
        addOnce(row.observers, info.type);
        addOnce(row.observers, info.inner);
        addOnce(row.dtypes, info.settings.dtypeName);
        if (!state)
            return;
        row.batches = static_cast<double>(state->batches);
        const auto values = [](const std::optional<ir::Tensor>& t) {
            return t ? t->toDoubles() : std::vector<double>();
        };
        row.minVal = values(state->minVal);
        row.maxVal = values(state->maxVal);
        if (state->qparams) {
            row.scale = state->qparams->scale.toDoubles();
            row.zeroPoint = state->qparams->zeroPoint.toDoubles();
        }
    }

    SearchIndex& m_index;
    std::unordered_map<ir::NodeId, std::size_t> m_rows;
};

} // namespace

base::Result<SearchIndex> searchIndex(const trace::RecordingPtr& recording, const Answer& answer)
{
    GB_ASSIGN(const RunView run, viewOf(recording));
    SearchIndex out;
    Indexer indexer(out);
    for (const trace::Event& event : recording->events)
        indexer.addEvent(event);
    indexer.addLabels(run);
    if (run.calibrated || run.prepared)
        indexer.addObservers(run.calibrated ? *run.calibrated : *run.prepared);
    indexer.addCodes(answer.nodes);
    indexer.addCodes(answer.others);
    indexer.addFindings(answer.findings);
    return out;
}

} // namespace gb::explain
