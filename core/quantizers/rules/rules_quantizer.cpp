#include "quantizers/rules/rules_quantizer.h"

#include "quantizers/rules/chain.h"
#include "quantizers/rules/resolve.h"

namespace gb::quantizers::rules {

namespace {

base::Status writeLabels(Match& match, const Rule& rule, const Chain& chain)
{
    if (rule.replace)
        for (ir::Node* node : chain)
            match.replace(node, {});
    for (const RuleInput& row : rule.inputs) {
        GB_ASSIGN(ir::Node * user, memberOf(chain, row.of));
        GB_ASSIGN(const ir::Argument argument, argumentAtPath(*user, row.arg));
        const ir::Node* upstream = user->graph().find(argument.nodeId());
        if (!upstream)
            continue; // a number or an absent bias
        GB_ASSIGN(const ir::Spec spec, resolveSpec(row.spec, chain));
        match.setInput(user, upstream, spec);
    }
    for (const RuleOutputRow& row : rule.outputs) {
        GB_ASSIGN(ir::Node * node, memberOf(chain, row.of));
        GB_ASSIGN(const ir::Spec spec, resolveSpec(row.spec, chain));
        match.setOutput(node, spec);
    }
    for (ir::Node* node : chain) {
        if (rule.allowImplicitSharing)
            match.setImplicitSharing(node, *rule.allowImplicitSharing);
        if (rule.mark)
            match.mark({node});
    }
    return {};
}

base::Status runRule(RuleContext& context, const Rule& rule)
{
    if (rule.pattern.empty())
        return base::Error{base::ErrorCode::IndexError, "the pattern has no places, at least one expected", {}};
    RuleRun run(context, {rule.name, rule.pattern.front(), {}}, "rules");
    for (ir::Node* node : run.candidates()) {
        const std::optional<Chain> chain = chainAt(run, rule, node);
        if (!chain || !isAllowed(run, rule, *chain))
            continue;
        if (rule.skipMarked && run.refusedAsMarked(*chain, *chain))
            continue;
        Match match = run.take(*chain);
        GB_TRY(writeLabels(match, rule, *chain));
    }
    return {};
}

} // namespace

base::Status RulesQuantizer::annotate(ir::GraphModule& model, trace::Recorder& recorder)
{
    Writers writers(recorder);
    RuleContext context{model, recorder, writers, kind(), place()};
    for (const Rule& rule : m_rules)
        if (const base::Status done = runRule(context, rule); !done)
            return done.error().in("rule " + rule.name);
    return {};
}

} // namespace gb::quantizers::rules
