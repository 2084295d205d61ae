// A recipe as data: which quantizer, with which settings (formats.md, section 1). Reading the JSON is io/recipe.h.
//
// Thread: values.
#pragma once

#include "ir/spec.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gb::quantizers {

/// Keyword arguments of torchao's config function, by its names, checked by the reader against what it allows.
struct ConfigArguments {
    std::vector<std::pair<std::string, ir::Argument>> items;
    /// The value given for a name, or the fallback (torchao's default).
    [[nodiscard]] bool flag(std::string_view name, bool fallback) const;
    [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t fallback) const;
};
/// nullopt is JSON's null: "leave it in float" where the quantizer allows that.
using Config = std::optional<ConfigArguments>;
/// name -> config, in the file's order.
using Settings = std::vector<std::pair<std::string, Config>>;

/// An index or a path of indices into a node's arguments: 1, [0, 1].
using ArgumentPath = std::vector<std::int64_t>;

/// A position inside a rule, relative to the chain that matched.
struct RuleEdge {
    std::int64_t of = 0; ///< chain index of the consumer
    ArgumentPath arg;
};
struct RuleOutput {
    std::int64_t of = 0;
};
struct RuleNode {
    std::string name; ///< the output of that node, anywhere in the graph
};
using RulePosition = std::variant<RuleEdge, RuleOutput, RuleNode>;

struct RuleShared {
    RulePosition with;
};
struct RuleDerived {
    std::vector<RulePosition> from;
    ir::DerivedQuantizationSpec spec; ///< without `from`
};
/// A spec in a rule; monostate is null: "the edge is named but not quantized".
using RuleSpec =
    std::variant<std::monostate, ir::QuantizationSpec, ir::FixedQParamsQuantizationSpec, RuleShared, RuleDerived>;

struct RuleInput {
    std::int64_t of = 0;
    ArgumentPath arg;
    RuleSpec spec;
    std::string specName; ///< its name in `specs`, or empty
};
struct RuleOutputRow {
    std::int64_t of = 0;
    RuleSpec spec;
    std::string specName;
};

struct Rule {
    std::string name;
    std::vector<std::vector<std::string>> pattern; ///< a chain; each place has one or more alternatives
    std::optional<std::string> whereName;
    std::optional<std::string> whereModule;
    std::optional<std::string> whereModuleType;
    std::vector<RuleInput> inputs;
    std::vector<RuleOutputRow> outputs;
    bool mark = true;
    bool skipMarked = true;
    std::optional<bool> allowImplicitSharing;
    bool replace = false;
};

struct Recipe {
    std::string quantizer;        ///< xnnpack, x86_inductor, arm_inductor, embedding, composable, rules
    std::optional<Config> global; ///< absent; present and null; or a config
    Settings operatorType;
    Settings functionType;
    Settings moduleType;
    Settings moduleName;
    std::vector<Recipe> quantizers; ///< composable
    std::vector<Rule> rules;        ///< rules; named specs are already put in
    std::string json = "null";      ///< the file's own JSON text, compact
};

} // namespace gb::quantizers
