// A quantizer made of the rules of a recipe: one's own quantizer without writing code.
//
// Source: oracle/recipes.py, class RulesQuantizer; formats.md, section 1. Rules run one after the other, each over the
// nodes in graph order.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/quantizer.h"
#include "quantizers/report.h"

#include <vector>

namespace gb::quantizers::rules {

class RulesQuantizer final : public Quantizer {
public:
    explicit RulesQuantizer(std::vector<Rule> rules)
        : m_rules(std::move(rules))
    {
    }
    [[nodiscard]] const char* kind() const override { return "rules"; }
    [[nodiscard]] const char* className() const override { return "RulesQuantizer"; }
    /// Errors: Python's own for an index, a path or a name that leads nowhere (rules/resolve.h), named after the rule.
    base::Status annotate(ir::GraphModule& model, trace::Recorder& recorder) override;

private:
    std::vector<Rule> m_rules;
};

} // namespace gb::quantizers::rules
