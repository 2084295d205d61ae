// What a user should know besides the reasons of single nodes.
#include "explain/ops.h"
#include "explain/view.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::message;
using trace::EventKind;

/// The error that ended the run. R16 where it was the quantizer's.
void addFailure(const RunView& run, Answer& answer)
{
    const auto& failure = run.recording->failure;
    if (!failure)
        return;
    const bool inQuantizer = !run.annotated && run.recording->stageEvent("folded") >= 0;
    int at = -1;
    for (std::size_t i = 0; i < run.recording->events.size(); ++i)
        if (run.recording->events[i].kind == EventKind::Error)
            at = static_cast<int>(i);
    answer.findings.push_back({inQuantizer ? "R16" : "",
                               Severity::Error,
                               {},
                               message("{0}: {1}", failure->type, failure->message),
                               at,
                               ir::kNoNode,
                               inQuantizer ? "quantizer raised" : "run ended"});
    if (!inQuantizer || run.rules.empty())
        return;
    // the rule that was at work when it happened
    const trace::Event& rule = run.event(run.rules.back());
    const std::vector<std::string> targets = texts(rule, "targets");
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next())
            if (isComposite(n->target()) && std::ranges::find(targets, n->target()) != targets.end())
                answer.findings.push_back(
                    {"R11", Severity::Error, n->name(),
                     message("rule {0} failed on {1}, the composite op {2}", rule.name, n->name(), n->target()), at,
                     n->id(), "composite op"});
}

/// A fused rule that had to leave a node to a simpler one: it is labelled, but not as the fused rule would.
void addRefusedFusions(const RunView& run, Answer& answer)
{
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
            const auto attempts = run.attempts.find(n->id());
            if (!isLabelled(*n) || attempts == run.attempts.end())
                continue;
            for (const int index : attempts->second)
                if (const trace::Event& e = run.event(index); e.text("code") == "R6" && e.nodes.front() == n->id())
                    answer.findings.push_back(
                        {"R6", Severity::Note, n->name(), e.sentence, index, n->id(), "fusion refused"});
        }
}

/// In a composed recipe: what one quantizer would have labelled had an earlier one not marked it.
void addTakenByOthers(const RunView& run, Answer& answer)
{
    struct Taken {
        std::vector<std::string> nodes;
        const trace::Event* mark = nullptr;
        int event = -1; ///< the first refusal
    };
    std::map<std::pair<std::string, std::string>, Taken> taken; // by place and rule
    for (std::size_t i = 0; i < run.recording->events.size(); ++i) {
        const trace::Event& e = run.recording->events[i];
        const ir::Argument* by = e.kind == EventKind::Attempt && e.text("code") == "R5" ? e.field("by_event") : nullptr;
        const auto* index = by ? by->as<std::int64_t>() : nullptr;
        if (!index || *index < 0 || *index >= static_cast<std::int64_t>(run.recording->events.size()))
            continue;
        const trace::Event& mark = run.event(static_cast<int>(*index));
        if (mark.text("place") == e.text("place") || mark.nodes.empty())
            continue;
        Taken& row = taken[{e.text("place"), e.text("rule")}];
        row.mark = &mark;
        if (row.event < 0)
            row.event = static_cast<int>(i);
        if (std::string name = run.nameOf(mark.nodes.front()); std::ranges::find(row.nodes, name) == row.nodes.end())
            row.nodes.push_back(std::move(name));
    }
    for (const auto& [key, row] : taken)
        answer.findings.push_back(
            {"R5", Severity::Note, row.nodes.front(),
             message("rule {0} of quantizer {1} left {2} alone: quantizer {3} had marked it before", key.second,
                     key.first, listText(row.nodes), row.mark->text("place")),
             row.event, row.mark->nodes.front(), "marked by another quantizer"});
}

/// A label that a second writer changed: who wrote what before.
void addRewritten(const RunView& run, Answer& answer)
{
    struct Writer {
        std::string place;
        std::string quantizer;
        std::string rule;
    };
    std::map<std::pair<ir::NodeId, std::string>, Writer> last;
    for (std::size_t i = 0; i < run.recording->events.size(); ++i) {
        const trace::Event& e = run.recording->events[i];
        if (e.kind != EventKind::Annotate || e.nodes.empty())
            continue;
        const Writer now{e.text("place"), e.text("quantizer"), e.text("rule")};
        for (const std::string& slot : texts(e, "slots")) {
            const auto [before, isNew] = last.try_emplace({e.nodes.front(), slot}, now);
            if (!isNew && (before->second.place != now.place || before->second.rule != now.rule)
                && slot != "annotated") {
                const std::string name = run.nameOf(e.nodes.front());
                answer.findings.push_back(
                    {"R15", Severity::Note, name,
                     message("{0} of {1}: written by rule {2} of {3}, then by rule {4} of {5}", slot, name,
                             before->second.rule, before->second.quantizer, now.rule, now.quantizer),
                     static_cast<int>(i), e.nodes.front(), "label written twice"});
            }
            before->second = now;
        }
    }
}

/// A quantize behind an output that is no float32 cannot run.
void addNonFloatOutputs(const RunView& run, Answer& answer)
{
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next())
            if (n->annotation() && n->annotation()->output && n->val() && n->val()->dtype != ir::DType::Float32)
                answer.findings.push_back({"R7", Severity::Warning, n->name(),
                                           message("the output of {0} is labelled, but it is {1}, float32 expected",
                                                   n->name(), ir::name(n->val()->dtype)),
                                           -1, n->id(), "label on no float32"});
}

/// Notes of the passes themselves.
void addNotes(const RunView& run, Answer& answer)
{
    for (std::size_t i = 0; i < run.recording->events.size(); ++i)
        if (const trace::Event& e = run.recording->events[i]; e.kind == EventKind::Note)
            answer.findings.push_back({e.text("code"), Severity::Note,
                                       e.nodes.empty() ? std::string() : run.nameOf(e.nodes.front()), e.sentence,
                                       static_cast<int>(i), e.nodes.empty() ? ir::kNoNode : e.nodes.front(), "note"});
}

} // namespace

void addFindings(const RunView& run, Answer& answer)
{
    addFailure(run, answer);
    addRewritten(run, answer);
    addRefusedFusions(run, answer);
    addTakenByOthers(run, answer);
    addNonFloatOutputs(run, answer);
    addNotes(run, answer);
}

} // namespace gb::explain
