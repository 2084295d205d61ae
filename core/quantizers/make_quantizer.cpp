#include "quantizers/quantizer.h"

#include "base/message.h"
#include "quantizers/composable/composable_quantizer.h"
#include "quantizers/embedding/embedding_quantizer.h"
#include "quantizers/inductor/inductor_quantizer.h"
#include "quantizers/rules/rules_quantizer.h"
#include "quantizers/xnnpack/xnnpack_quantizer.h"

#include <array>

namespace gb::quantizers {

using base::Error;
using base::ErrorCode;
using Made = base::Result<std::unique_ptr<Quantizer>>;

namespace {

Made makeEmbedding(const Recipe& /*recipe*/)
{
    return std::unique_ptr<Quantizer>(std::make_unique<embedding::EmbeddingQuantizer>());
}

Made makeRules(const Recipe& recipe)
{
    return std::unique_ptr<Quantizer>(std::make_unique<rules::RulesQuantizer>(recipe.rules));
}

Made makeX86(const Recipe& recipe)
{
    return std::unique_ptr<Quantizer>(std::make_unique<inductor::InductorQuantizer>(inductor::x86Backend(), recipe));
}

Made makeArm(const Recipe& recipe)
{
    return std::unique_ptr<Quantizer>(std::make_unique<inductor::InductorQuantizer>(inductor::armBackend(), recipe));
}

Made makeComposable(const Recipe& recipe)
{
    std::vector<std::unique_ptr<Quantizer>> members;
    for (const Recipe& member : recipe.quantizers) {
        GB_ASSIGN(auto made, makeQuantizer(member));
        members.push_back(std::move(made));
    }
    return std::unique_ptr<Quantizer>(std::make_unique<composable::ComposableQuantizer>(std::move(members)));
}

struct Entry {
    const char* kind;
    Made (*make)(const Recipe&);
};

constexpr std::array kTable = {
    Entry{"xnnpack", xnnpack::XnnpackQuantizer::make},
    Entry{"x86_inductor", makeX86},
    Entry{"arm_inductor", makeArm},
    Entry{"embedding", makeEmbedding},
    Entry{"composable", makeComposable},
    Entry{"rules", makeRules},
};

} // namespace

Made makeQuantizer(const Recipe& recipe)
{
    std::string supported;
    for (const Entry& entry : kTable) {
        if (recipe.quantizer == entry.kind)
            return entry.make(recipe);
        supported += (supported.empty() ? "" : ", ") + std::string(entry.kind);
    }
    return Error{ErrorCode::NotImplementedError,
                 base::say("no quantizer {0} here, one of {1} expected", recipe.quantizer, supported),
                 {}};
}

} // namespace gb::quantizers
