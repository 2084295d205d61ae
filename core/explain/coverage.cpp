#include "explain/coverage.h"

#include "explain/ops.h"
#include "explain/view.h"
#include "quantizers/filter.h"

namespace gb::explain {
namespace {

bool isShared(const ir::Spec& spec)
{
    return ir::as<ir::SharedQuantizationSpec>(spec) != nullptr;
}

/// The output uses what the producer of the first input has: the label was handed on.
bool isHandedOn(const ir::Node& node, const ir::Annotation& label)
{
    const ir::NodeId producer = node.arg(0).nodeId();
    const auto* output = ir::as<ir::SharedQuantizationSpec>(label.output);
    return output && producer != ir::kNoNode && output->with == ir::Position{producer, ir::kNoNode};
}

Standing standingOf(const RunView& run, const ir::Node& node)
{
    if (!isLabelled(node))
        return run.attempts.contains(node.id()) ? Standing::Refused : Standing::None;
    const ir::Annotation& label = *node.annotation();
    bool own = label.output && !isShared(label.output);
    bool any = label.output != nullptr;
    for (const auto& [upstream, spec] : label.inputs) {
        own = own || (spec && !isShared(spec));
        any = any || spec;
    }
    if (own || !any)
        return Standing::Labelled;
    return isHandedOn(node, label) ? Standing::Propagated : Standing::Shared;
}

void count(CoverageRow& row, const ir::Node& node, Standing standing)
{
    ++row.total;
    ++row.counts[static_cast<std::size_t>(standing)];
    row.nodes.push_back(node.id());
}

std::vector<CoverageRow> listed(std::map<std::string, CoverageRow> rows)
{
    std::vector<CoverageRow> out;
    for (auto& [name, row] : rows) {
        row.name = name;
        out.push_back(std::move(row));
    }
    return out;
}

} // namespace

Coverage coverageOf(const RunView& run)
{
    Coverage out;
    bool any = false;
    std::map<std::string, CoverageRow> byOp;
    std::map<std::string, CoverageRow> byModule;
    for (const GraphView& graph : run.graphs)
        for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
            any = any || isLabelled(*n);
            if (!isComputeOp(*n))
                continue;
            const Standing standing = standingOf(run, *n);
            count(out.all, *n, standing);
            count(byOp[n->target()], *n, standing);
            const auto& stack = n->meta().nnModuleStack;
            CoverageRow& module = byModule[stack.empty() ? "" : quantizers::normalizedPath(stack.back().path)];
            if (!stack.empty())
                module.type = stack.back().type;
            count(module, *n, standing);
        }
    out.byOp = listed(std::move(byOp));
    out.byModule = listed(std::move(byModule));
    out.nothingLabelled = run.annotated && out.all.total > 0 && !any;
    return out;
}

} // namespace gb::explain
