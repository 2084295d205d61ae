// Problems of the graph and of a run as a whole; those of observers are in observer_problems.cpp.
#include "explain/coverage.h"
#include "explain/observer_problems.h"
#include "explain/view.h"
#include "passes/fold_bn.h"

#include <algorithm>
#include <set>

namespace gb::explain {
namespace {

using base::message;
using base::say;

/// A quantize of an integer tensor cannot run.
void addIntegerInputs(const RunView& run, Answer& answer)
{
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
            if (!n->annotation())
                continue;
            for (const auto& [upstream, spec] : n->annotation()->inputs) {
                const ir::Node* input = graph.moment->graph->find(upstream);
                if (!spec || !input || !input->val() || ir::isFloatingPoint(input->val()->dtype))
                    continue;
                answer.findings.push_back({"R7", Severity::Warning, n->name(),
                                           message("the input {0} of {1} is labelled, but it is {2}, float32 expected",
                                                   input->name(), n->name(), ir::name(input->val()->dtype)),
                                           -1, n->id(), "integer tensor labelled"});
            }
        }
}

bool isTraining(const ir::Node& bn)
{
    for (const auto& [key, value] : bn.kwargs())
        if (key == "training")
            return value.as<bool>() && *value.as<bool>();
    const bool* training = bn.calls("aten.batch_norm.default") ? bn.arg(5).as<bool>() : nullptr;
    return training && *training;
}

void addTrainingBatchNorms(const RunView& run, Answer& answer)
{
    if (!run.converted)
        return;
    for (const auto& [path, graph] : run.converted->graphs)
        for (const ir::Node* n = graph->graph->first(); n; n = n->next())
            if (n->op() == ir::Op::CallFunction && passes::isBatchNorm(*n) && isTraining(*n))
                answer.findings.push_back(
                    {"", Severity::Warning, n->name(),
                     message(
                         "{0} is still in training mode after convert: its result for a sample hangs on the rest of "
                         "the batch",
                         n->name()),
                     -1, n->id(), "batch norm in training mode"});
}

/// One parameter that several observers stand behind is stored once for each.
void addWeightsQuantizedTwice(const RunView& run, Answer& answer)
{
    if (!run.prepared)
        return;
    for (const auto& [path, graph] : run.prepared->graphs) {
        std::map<std::string, std::set<std::int64_t>> instances;
        std::map<std::string, const ir::Node*> first;
        for (const ir::Node* n = graph->graph->first(); n; n = n->next()) {
            const auto info =
                n->op() == ir::Op::CallModule ? graph->observers.find(n->target()) : graph->observers.end();
            const ir::Node* observed = graph->graph->find(n->arg(0).nodeId());
            if (info == graph->observers.end() || !observed || observed->op() != ir::Op::GetAttr)
                continue;
            instances[observed->target()].insert(info->second->instance);
            first.try_emplace(observed->target(), observed);
        }
        for (const auto& [weight, observers] : instances)
            if (observers.size() > 1)
                answer.findings.push_back(
                    {"", Severity::Warning, first[weight]->name(),
                     message("{0} has {1} observers: it will be stored quantized {1} times", weight, observers.size()),
                     -1, first[weight]->id(), "weight quantized twice"});
    }
}

/// A batch norm that was folded into an op which something else reads: that reader now gets other values.
void addFoldsWithReaders(const RunView& run, Answer& answer)
{
    trace::Replay replay(run.recording);
    for (std::size_t i = 0; i < run.recording->events.size(); ++i) {
        const trace::Event& e = run.recording->events[i];
        if (e.kind != trace::EventKind::Rewrite || !e.name.starts_with("fuse_") || e.nodes.size() < 2)
            continue;
        const auto before = replay.at(static_cast<int>(i) - 1);
        if (!before)
            return;
        const auto graph = (*before)->graphs.find(e.graph);
        const ir::Node* op = graph == (*before)->graphs.end() ? nullptr : graph->second->graph->find(e.nodes[0]);
        if (!op || op->users().size() < 2)
            continue;
        std::vector<std::string> readers;
        for (const ir::Node* user : op->users())
            if (user->id() != e.nodes[1])
                readers.push_back(user->name());
        answer.findings.push_back({"", Severity::Error, op->name(),
                                   message("{0} was folded into {1}, which {2} reads too: that gets other values now",
                                           graph->second->graph->nameOf(e.nodes[1]), op->name(), listText(readers)),
                                   static_cast<int>(i), op->id(), "batch norm folded under another reader"});
    }
}

void addWholeRun(const RunView& run, const Coverage& coverage, Answer& answer)
{
    if (coverage.nothingLabelled)
        answer.findings.push_back({"",
                                   Severity::Error,
                                   {},
                                   message("nothing was labelled: {0} of {0} ops stay in float", coverage.all.total),
                                   -1,
                                   ir::kNoNode,
                                   "nothing labelled"});
    for (const GraphView& graph : run.graphs) {
        if (graph.entered)
            continue;
        int ops = 0;
        for (const NodeReason& n : answer.nodes)
            ops += n.code == "R10" && n.graph == graph.path;
        if (ops > 0)
            answer.findings.push_back({"R10",
                                       Severity::Warning,
                                       {},
                                       message("the quantizer never enters the sub-graph {0}: {1} of {2} ops lie there",
                                               graph.path, ops, coverage.all.total),
                                       -1,
                                       ir::kNoNode,
                                       "sub-graph not entered"});
    }
}

} // namespace

void addProblems(const RunView& run, const Coverage& coverage, Answer& answer)
{
    addWholeRun(run, coverage, answer);
    addIntegerInputs(run, answer);
    addFoldsWithReaders(run, answer);
    addWeightsQuantizedTwice(run, answer);
    addObserverProblems(run, answer);
    addTrainingBatchNorms(run, answer);
}

} // namespace gb::explain
