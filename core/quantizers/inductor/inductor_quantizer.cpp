#include "quantizers/inductor/inductor_quantizer.h"

#include "quantizers/inductor/rules.h"

namespace gb::quantizers::inductor {

namespace {

/// _annotate_with_config
base::Status annotateWith(const RuleCall& call, const Backend& backend)
{
    GB_TRY(annotateConv2dFusionPattern(call, backend));
    GB_TRY(annotateLinearFusionPattern(call, backend));
    GB_TRY(annotateMatmul(call));
    if (!backend.isX86)
        return {};
    GB_TRY(annotateMulTensor(call));
    return annotatePropagation(call);
}

} // namespace

base::Status InductorQuantizer::annotate(ir::GraphModule& model, trace::Recorder& recorder)
{
    Writers writers(recorder);
    RuleContext context{model, recorder, writers, kind(), place()};
    for (const base::Message& sentence : m_settings.skipped()) {
        trace::Event e;
        e.kind = trace::EventKind::Note;
        e.name = "setting_skipped";
        e.graph = model.graph().path();
        e.sentence = sentence;
        recorder.say(std::move(e));
    }
    for (const auto& [name, config] : m_settings.moduleNames())
        GB_TRY(annotateWith({context, config, moduleNameListFilter(name)}, m_backend));
    for (const auto& [op, config] : m_settings.operatorTypes())
        GB_TRY(annotateWith({context, config, operatorTypeFilter(op)}, m_backend));
    if (m_settings.global())
        GB_TRY(annotateWith({context, m_settings.global(), globalConfigFilter(x86Backend())}, m_backend));
    return m_backend.isX86 ? annotateInt8InInt8Out(context) : base::Status();
}

} // namespace gb::quantizers::inductor
