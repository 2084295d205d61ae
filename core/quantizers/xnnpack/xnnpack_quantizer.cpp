#include "quantizers/xnnpack/xnnpack_quantizer.h"

#include "quantizers/xnnpack/annotators.h"
#include "quantizers/xnnpack/config.h"
#include "quantizers/xnnpack/scalars.h"

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;

namespace {

base::Result<std::optional<QuantizationConfig>> made(const Config& config)
{
    if (!config)
        return std::optional<QuantizationConfig>();
    GB_ASSIGN(QuantizationConfig out, symmetricConfig(*config));
    return std::optional(std::move(out));
}

} // namespace

base::Result<std::unique_ptr<Quantizer>> XnnpackQuantizer::make(const Recipe& recipe)
{
    auto out = std::make_unique<XnnpackQuantizer>();
    if (recipe.global) {
        GB_ASSIGN(out->m_global, made(*recipe.global));
    }
    for (const auto& [operatorType, config] : recipe.operatorType)
        GB_TRY(made(config)); // stored and never read; but a config that cannot be made raises
    for (const auto& [moduleType, config] : recipe.moduleType) {
        GB_ASSIGN(OptionalConfig specs, made(config));
        out->m_moduleTypes.emplace_back(moduleType, std::move(specs));
    }
    for (const auto& [moduleName, config] : recipe.moduleName) {
        GB_ASSIGN(OptionalConfig specs, made(config));
        if (!specs)
            return Error{ErrorCode::AssertionError,
                         "the config is null, which this quantizer does not support for a module name",
                         "module_name " + moduleName};
        out->m_moduleNames.emplace_back(moduleName, std::move(specs));
    }
    return std::unique_ptr<Quantizer>(std::move(out));
}

base::Status XnnpackQuantizer::transformForAnnotation(ir::GraphModule& model, trace::Recorder& recorder)
{
    return convertScalarsToAttributes(model, recorder);
}

base::Status XnnpackQuantizer::annotateWith(RuleContext& context, const OptionalConfig& config, const Filter& filter,
                                            bool dynamic)
{
    if (!config)
        return {};
    const auto runAll = [&](const std::vector<Annotator>& annotators) -> base::Status {
        for (const Annotator annotator : annotators)
            GB_TRY(annotator({context, *config, filter}));
        return {};
    };
    if (dynamic)
        return runAll(dynamicOps());
    if (config->isQat)
        GB_TRY(runAll(staticQatOnlyOps()));
    return runAll(staticOps());
}

base::Status XnnpackQuantizer::annotate(ir::GraphModule& model, trace::Recorder& recorder)
{
    Writers writers(recorder);
    RuleContext context{model, recorder, writers, kind(), place()};
    // only the global config decides which set of rules runs, for all settings
    const bool dynamic = m_global && m_global->isDynamic();
    std::vector<std::string> names;
    std::vector<std::string> types;
    for (const auto& [name, config] : m_moduleNames) {
        names.push_back(name);
        GB_TRY(annotateWith(context, config, moduleNameFilter(name), dynamic));
    }
    for (const auto& [type, config] : m_moduleTypes) {
        types.push_back(type);
        GB_TRY(annotateWith(context, config, moduleTypeFilter(type), dynamic));
    }
    GB_TRY(annotateWith(context, m_global, notModuleTypeOrNameFilter(types, names), dynamic));
    return propagateAnnotation(context);
}

} // namespace gb::quantizers::xnnpack
