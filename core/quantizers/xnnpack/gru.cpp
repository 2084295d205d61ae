#include "quantizers/xnnpack/partitioned.h"

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;
using base::say;

namespace {

/// Labels the edge from an input of the partition to that input's first user, wherever this user is.
base::Status labelFirstUser(Match& match, const ir::Node* input, const QuantizationConfig& config)
{
    if (input->users().empty())
        return Error{ErrorCode::RuntimeError, "no user, one expected", "node " + input->name()};
    ir::Annotation annotation;
    annotation.setInput(input->id(), config.inputActivation);
    annotation.annotated = true;
    match.replace(input->users().front(), std::move(annotation));
    return {};
}

} // namespace

base::Status annotateGruIoOnly(const AnnotatorCall& call)
{
    RuleRun run(call.context, ruleInfo("gru_io_only", {"aten.gru.input"}, 623), call.filter.setting);
    GB_ASSIGN(const auto partitions, partitionsFor(run, {moduleClass("torch.nn.modules.rnn.GRU")}, call.filter));
    for (const SourcePartition& partition : partitions) {
        Chain ends = partition.inputNodes;
        ends.insert(ends.end(), partition.outputNodes.begin(), partition.outputNodes.end());
        if (run.refusedAsMarked(partition.nodes, ends))
            continue;

        Match match = run.take(partition.nodes);
        // input and hidden state; the second overwrites the first where both have the same first user
        GB_ASSIGN(const ir::Node* input, memberAt(partition.inputNodes, 0, "input nodes", partition));
        GB_TRY(labelFirstUser(match, input, call.config));
        GB_ASSIGN(const ir::Node* hidden, memberAt(partition.inputNodes, 1, "input nodes", partition));
        GB_TRY(labelFirstUser(match, hidden, call.config));

        if (partition.outputNodes.size() != 2)
            return Error{ErrorCode::AssertionError,
                         say("{0} outputs of the GRU are used, 2 expected", partition.outputNodes.size()),
                         "node " + partition.nodes.back()->name()};
        for (ir::Node* output : partition.outputNodes) {
            ir::Annotation annotation;
            annotation.output = call.config.outputActivation;
            annotation.annotated = true;
            match.replace(output, std::move(annotation));
        }
        match.mark(partition.nodes);
    }
    return {};
}

} // namespace gb::quantizers::xnnpack
