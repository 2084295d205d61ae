#include "quantizers/embedding/embedding_quantizer.h"

#include "quantizers/report.h"

namespace gb::quantizers::embedding {

namespace {

ir::Spec weightSpec()
{
    ir::QuantizationSpec spec;
    spec.dtype = ir::DType::UInt8;
    spec.qscheme = ir::QScheme::PerChannelAffineFloatQParams;
    spec.chAxis = 0;
    spec.observer = {"PerChannelMinMaxObserver", {{"eps", ir::Argument(1.0 / 4096)}}};
    return ir::makeSpec(std::move(spec));
}

} // namespace

base::Status EmbeddingQuantizer::annotate(ir::GraphModule& model, trace::Recorder& recorder)
{
    Writers writers(recorder);
    RuleContext context{model, recorder, writers, kind(), place()};
    RuleRun run(context, {"embedding", {"aten.embedding.default"}, {"embedding_quantizer.py", 78}}, "all nodes");
    const ir::Spec spec = weightSpec();
    for (ir::Node* node : run.candidates()) {
        GB_ASSIGN(const ir::Node* weight, inputAt(*node, 0));
        ir::Annotation annotation;
        annotation.setInput(weight->id(), spec);
        run.take({node}).replace(node, std::move(annotation));
    }
    return {};
}

} // namespace gb::quantizers::embedding
