#include "cli/summary.h"

#include "base/message.h"
#include "cli/table.h"
#include "trace/replay.h"

#include <algorithm>
#include <ostream>

namespace gb::cli {
namespace {

using base::say;
using trace::EventKind;

/// "0.0913", or of several "8 from 0.00128 to 0.00151".
std::string shortTensor(const ir::Tensor& tensor)
{
    const std::vector<double> values = tensor.toDoubles();
    if (values.empty())
        return "empty";
    const auto [least, most] = std::ranges::minmax(values);
    if (values.size() == 1)
        return base::shortNumber(values[0]);
    if (least == most)
        return say("{0} times {1}", values.size(), base::shortNumber(least));
    return say("{0} from {1} to {2}", values.size(), base::shortNumber(least), base::shortNumber(most));
}

std::vector<std::string> observerRow(const ir::Node& node, const std::string& path, const trace::GraphMoment& graph)
{
    const auto info = graph.observers.find(node.target());
    const ir::NodeId observed = node.arg(0).nodeId();
    const std::string name = path.empty() ? node.name() : path + ": " + node.name();
    std::vector<std::string> row = {
        name, observed == ir::kNoNode ? std::string() : node.graph().nameOf(observed), "", "", "", ""};
    if (info == graph.observers.end())
        return row;
    row[2] =
        info->second->inner.empty() ? info->second->type : say("{0}({1})", info->second->type, info->second->inner);
    row[3] = info->second->settings.dtypeName;
    if (info->second->settings.qscheme)
        row[3] += std::string(" ") + ir::name(*info->second->settings.qscheme);
    const quant::ObserverState* state = graph.stateOf(node.target());
    if (state && state->qparams) {
        row[4] = shortTensor(state->qparams->scale);
        row[5] = shortTensor(state->qparams->zeroPoint);
    } else {
        row[4] = state ? "none" : "not calibrated";
    }
    return row;
}

} // namespace

base::Status printStages(const trace::RecordingPtr& recording, std::ostream& out)
{
    trace::Replay replay(recording);
    std::string line;
    for (int i = 0; i < static_cast<int>(recording->events.size()); ++i) {
        const trace::Event& e = recording->events[static_cast<std::size_t>(i)];
        if (e.kind != EventKind::Stage || !e.graph.empty())
            continue;
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(i));
        line += (line.empty() ? "" : ", ") + say("{0} ({1} nodes)", e.name, moment->top().graph->size());
    }
    out << "stages      " << (line.empty() ? "none" : line) << '\n';
    return {};
}

base::Status printObservers(const trace::RecordingPtr& recording, std::ostream& out)
{
    int stage = recording->stageEvent("calibrated");
    if (stage < 0)
        stage = recording->stageEvent("prepared");
    if (stage < 0)
        return {};
    trace::Replay replay(recording);
    GB_ASSIGN(const trace::MomentPtr moment, replay.at(stage));
    Table table({"observer", "observes", "type", "dtype", "scale", "zero point"});
    int count = 0;
    for (const auto& [path, graph] : moment->graphs)
        for (const ir::Node* n = graph->graph->first(); n; n = n->next())
            if (n->op() == ir::Op::CallModule && graph->observers.contains(n->target())) {
                table.add(observerRow(*n, path, *graph));
                ++count;
            }
    out << "observers   " << count << '\n';
    if (count > 0) {
        out << '\n';
        table.print(out);
        out << '\n';
    }
    return {};
}

void printComparisons(const trace::Recording& recording, std::ostream& out)
{
    for (const trace::Event& e : recording.events)
        if (e.kind == EventKind::Compare)
            out << "outputs     " << e.sentence.text() << '\n';
}

} // namespace gb::cli
