#include "passes/prepare.h"

#include "base/message.h"
#include "passes/fold_bn.h"
#include "passes/fuse_conv_bn_qat.h"
#include "passes/insert_observers.h"
#include "passes/module_attributes.h"

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Status;

trace::Event passEvent(const char* name, const ir::GraphModule& model, base::Message sentence)
{
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = name;
    e.graph = model.graph().path();
    e.sentence = std::move(sentence);
    return e;
}

Status cancelled(const base::Work& work)
{
    return work.cancelled() ? Status(Error{ErrorCode::Cancelled, "stopped by the user", {}}) : Status();
}

std::string suffixOf(const ir::GraphModule& model)
{
    return model.graph().path().empty() ? std::string() : " in " + model.graph().path();
}

Status foldBatchNorms(ir::GraphModule& model, PassContext& context)
{
    GB_TRY(fuseConvBn(model, context));
    return fuseLinearBn(model, context);
}

/// The quantizer's part: transform, annotate, validate, with the stages that lie between them.
Status annotate(ir::GraphModule& model, quantizers::Quantizer& quantizer, const PrepareOptions& options,
                PassContext& context)
{
    trace::Recorder& recorder = context.recorder;
    const std::string path = model.graph().path();
    recorder.stage("folded", message("the graph as the quantizer first sees it{0}", suffixOf(model)), path);
    if (options.stopAfter == "folded")
        return {};
    {
        const auto scope = recorder.open(passEvent("transform_for_annotation", model,
                                                   message("{0} prepares the graph for its labels", quantizer.kind())));
        GB_TRY(quantizer.transformForAnnotation(model, recorder));
    }
    {
        const auto scope =
            recorder.open(passEvent("annotate", model, message("{0} labels the graph", quantizer.kind())));
        GB_TRY(quantizer.annotate(model, recorder));
    }
    recorder.stage("annotated", message("the graph with the quantizer's labels{0}", suffixOf(model)), path);
    if (options.stopAfter == "annotated")
        return {};
    const auto scope = recorder.open(passEvent("validate", model, message("{0} checks its labels", quantizer.kind())));
    return quantizer.validate(model, recorder);
}

} // namespace

std::map<std::string, std::string> nodeScopes(const ir::Graph& graph)
{
    std::map<std::string, std::string> out;
    for (const ir::Node* n = graph.first(); n; n = n->next()) {
        std::string& scope = out[n->name()];
        if (n->meta().nnModuleStack.empty())
            continue;
        const std::string& path = n->meta().nnModuleStack.back().path;
        scope = path.substr(path.rfind('.') + 1); // npos + 1 is 0: the whole path
    }
    return out;
}

base::Result<std::vector<std::shared_ptr<ir::GraphModule>>> enteredSubgraphs(const ir::GraphModule& model)
{
    std::vector<std::shared_ptr<ir::GraphModule>> out;
    for (const auto& [target, index] : {std::pair("scan", 0), std::pair("while_loop", 1)})
        for (const ir::Node* n = model.graph().first(); n; n = n->next()) {
            if (!n->calls(target))
                continue;
            const ir::Node* function = model.graph().find(n->arg(static_cast<std::size_t>(index)).nodeId());
            auto body = function && function->op() == ir::Op::GetAttr ? model.subgraph(function->target()) : nullptr;
            if (!body)
                return Error{ErrorCode::AssertionError, "its function is not the sub-graph of a get_attr node",
                             "node " + n->name()};
            out.push_back(std::move(body));
        }
    return out;
}

Status prepareAnnotated(ir::GraphModule& model, bool isQat, PassContext& context)
{
    const auto scope = context.recorder.open(
        passEvent("prepare", model, message("put observers where the labels say{0}", suffixOf(model))));
    GB_ASSIGN(SharingGroups groups, findSharingGroups(model.graph(), specsOf(model.graph()), context.recorder));
    GB_TRY(cancelled(context.work));
    GB_ASSIGN(const ObserverMap observers, createObservers(model.graph(), std::move(groups), isQat, context.recorder));
    GB_TRY(insertObservers(model, observers, context.recorder));
    dropUnreferenced(model);
    return {};
}

Status prepare(ir::GraphModule& model, quantizers::Quantizer& quantizer, const PrepareOptions& options,
               PassContext& context, ScopeTable& scopes)
{
    scopes[model.graph().path()] = nodeScopes(model.graph());
    if (!options.isQat)
        GB_TRY(foldBatchNorms(model, context));
    GB_TRY(cancelled(context.work));
    GB_TRY(annotate(model, quantizer, options, context));
    GB_TRY(cancelled(context.work));
    if (options.isQat && options.stopAfter.empty())
        GB_TRY(fuseConvBnQat(model, context));
    if (options.stopAfter.empty())
        GB_TRY(prepareAnnotated(model, options.isQat, context));
    if (options.isQat)
        return {}; // prepare_qat_pt2e does not enter loop bodies
    GB_ASSIGN(const auto bodies, enteredSubgraphs(model));
    for (const auto& body : bodies)
        GB_TRY(prepare(*body, quantizer, options, context, scopes));
    return {};
}

} // namespace gb::passes
