#include "numbers/qparams_rows.h"

#include "passes/quantize_ops.h"

#include <algorithm>
#include <map>
#include <set>

namespace gb::numbers {
namespace {

using base::message;
using trace::EventKind;

std::string numbersText(const ir::Tensor& tensor)
{
    if (tensor.elementCount() == 1)
        return cellText(ir::isInteger(tensor.dtype()) ? Cell(static_cast<std::int64_t>(tensor.at(0)))
                                                      : Cell(tensor.at(0)));
    const std::vector<double> all = tensor.toDoubles();
    if (all.empty())
        return {};
    const auto [least, most] = std::ranges::minmax(all);
    return least == most ? base::say("{0} times {1}", all.size(), least)
                         : base::say("{0} from {1} to {2}", all.size(), least, most);
}

std::string argumentText(const ir::Argument& argument, const ir::Graph& graph)
{
    if (argument.nodeId() != ir::kNoNode)
        return graph.nameOf(argument.nodeId());
    if (const auto* number = argument.as<double>())
        return cellText(*number);
    if (const auto* number = argument.as<std::int64_t>())
        return std::to_string(*number);
    if (const auto* dtype = argument.as<ir::DType>())
        return ir::name(*dtype);
    return "None";
}

std::string callText(const ir::Node& node)
{
    const std::string& target = node.target();
    const std::size_t begin = target.find('.') + 1;
    std::string out = target.substr(begin, target.find('.', begin) - begin) + "(";
    for (std::size_t i = 0; i < node.args().size(); ++i)
        out += (i ? ", " : "") + argumentText(node.args()[i], node.graph());
    return out + ")";
}

class Rows {
public:
    explicit Rows(const trace::RecordingPtr& recording)
        : m_recording(*recording)
        , m_replay(recording)
    {
    }

    base::Result<std::vector<QParamsRow>> read()
    {
        const int prepared = m_recording.stageEvent("prepared");
        if (prepared < 0)
            return m_rows;
        GB_ASSIGN(m_prepared, m_replay.at(prepared));
        for (const trace::Event& e : m_recording.events) {
            if (e.kind == EventKind::Insert)
                insert(e);
            else if (e.kind == EventKind::Reuse)
                reuse(e);
            else if (e.kind == EventKind::QParams)
                qparams(e);
        }
        const int converted = m_recording.stageEvent("converted");
        if (converted >= 0) {
            GB_ASSIGN(m_converted, m_replay.at(converted));
            for (const trace::Event& e : m_recording.events)
                if (e.kind == EventKind::Rewrite && !e.nodes.empty())
                    rewrite(e);
        }
        return std::move(m_rows);
    }

private:
    [[nodiscard]] std::string nameOf(const std::string& graph, ir::NodeId id) const
    {
        const auto found = m_prepared->graphs.find(graph);
        return found == m_prepared->graphs.end() ? std::string() : found->second->graph->nameOf(id);
    }

    void insert(const trace::Event& e)
    {
        const auto graph = m_prepared->graphs.find(e.graph);
        const ir::Node* node =
            graph == m_prepared->graphs.end() || e.nodes.empty() ? nullptr : graph->second->graph->find(e.nodes[0]);
        if (!node) // taken out again before prepare ended
            return;
        QParamsRow row;
        row.graph = e.graph;
        row.node = node->id();
        row.observer = node->name();
        row.observes = nameOf(e.graph, node->arg(0).nodeId());
        if (const ir::Argument* position = e.field("position"))
            if (const auto* parts = position->as<ir::Sequence>())
                for (const ir::Argument& part : parts->items)
                    row.label += (row.label.empty() ? "" : " -> ") + nameOf(e.graph, part.nodeId());
        const auto info = graph->second->observers.find(node->target());
        if (info != graph->second->observers.end()) {
            row.instance = info->second->instance;
            row.type = info->second->inner.empty() ? info->second->type
                                                   : info->second->type + " (" + info->second->inner + ")";
            row.dtype = info->second->settings.dtypeName;
            row.qscheme = info->second->settings.qscheme ? ir::name(*info->second->settings.qscheme) : "";
        }
        m_rows.push_back(std::move(row));
    }

    QParamsRow* rowOf(const trace::Event& e, ir::NodeId node)
    {
        const auto found = std::ranges::find_if(
            m_rows, [&](const QParamsRow& row) { return row.node == node && row.graph == e.graph; });
        return found == m_rows.end() ? nullptr : &*found;
    }

    void reuse(const trace::Event& e)
    {
        if (QParamsRow* row = e.nodes.size() > 1 ? rowOf(e, e.nodes[1]) : nullptr)
            row->reusedBy.push_back(nameOf(e.graph, e.nodes[0]));
    }

    void qparams(const trace::Event& e)
    {
        QParamsRow* row = e.nodes.empty() ? nullptr : rowOf(e, e.nodes[0]);
        if (!row || !e.record)
            return;
        const quant::ObserverState& state = e.record->state;
        row->scale = state.qparams ? numbersText(state.qparams->scale) : state.noQParams;
        row->zeroPoint = state.qparams ? numbersText(state.qparams->zeroPoint) : "";
    }

    void rewrite(const trace::Event& e)
    {
        QParamsRow* row = rowOf(e, e.nodes[0]);
        const auto moment = m_converted->graphs.find(e.graph);
        if (!row || moment == m_converted->graphs.end())
            return;
        const ir::Graph& graph = *moment->second->graph;
        if (e.name == "remove_observer") {
            row->backend = "float";
            return;
        }
        if (e.nodes.size() < 4)
            return;
        const ir::Node* quantize = graph.find(e.nodes[2]);
        if (!quantize) // folded: its constant took its place
            quantize = foldedInto(graph, e.nodes[2]);
        if (!quantize)
            return;
        row->quantize = quantize->name();
        row->backend =
            quantize->op() == ir::Op::GetAttr ? constantText(*quantize, *moment->second) : callText(*quantize);
        std::string shown;
        for (const ir::Node* user : quantize->users())
            if (passes::isDequantize(*user)) {
                row->dequantize += (row->dequantize.empty() ? "" : ", ") + user->name();
                shown = shown.empty() ? callText(*user) : shown;
            }
        row->backend += shown.empty() ? "" : " -> " + shown;
    }

    [[nodiscard]] const ir::Node* foldedInto(const ir::Graph& graph, ir::NodeId quantize) const
    {
        for (const trace::Event& e : m_recording.events)
            if (e.kind == EventKind::Fold && e.nodes.size() > 1 && e.nodes[1] == quantize)
                return graph.find(e.nodes[0]);
        return nullptr;
    }

    static std::string constantText(const ir::Node& node, const trace::GraphMoment& moment)
    {
        const auto found = moment.attributes.find(node.target());
        return found == moment.attributes.end()
                   ? node.target()
                   : base::say("constant {0} {1} {2}", node.target(), ir::name(found->second.dtype),
                               ir::toText(found->second.shape));
    }

    const trace::Recording& m_recording;
    trace::Replay m_replay;
    trace::MomentPtr m_prepared;
    trace::MomentPtr m_converted;
    std::vector<QParamsRow> m_rows;
};

} // namespace

base::Result<std::vector<QParamsRow>> qparamsRows(const trace::RecordingPtr& recording)
{
    return Rows(recording).read();
}

Sheet qparamsSheet(const std::vector<QParamsRow>& rows)
{
    Sheet sheet;
    sheet.what = "qparams";
    sheet.columns = {{"label", message("label")},
                     {"observer", message("observer")},
                     {"type", message("type")},
                     {"dtype", message("dtype")},
                     {"qscheme", message("qscheme")},
                     {"scale", message("scale")},
                     {"zero_point", message("zero point")},
                     {"reused_by", message("also taken by")},
                     {"quantize", message("quantize")},
                     {"dequantize", message("dequantize")},
                     {"backend", message("what a backend sees")}};
    for (const QParamsRow& row : rows) {
        std::string reused;
        for (const std::string& name : row.reusedBy)
            reused += (reused.empty() ? "" : ", ") + name;
        sheet.rows.push_back({{row.label, row.observer, row.type, row.dtype, row.qscheme, row.scale, row.zeroPoint,
                               reused, row.quantize, row.dequantize, row.backend},
                              row.node,
                              row.instance});
    }
    return sheet;
}

} // namespace gb::numbers
