// The rules that looked at the graph, and those that the same quantizer has for other settings.
//
// Internal to explain. Thread: values.
#pragma once

#include "explain/view.h"

namespace gb::explain {

/// A rule, as far as the reasons need it.
struct RuleTargets {
    std::string name;
    std::string quantizer;
    std::string place;
    std::string graph;
    std::vector<std::string> targets;
    [[nodiscard]] bool has(const std::string& target) const;
};

/// A rule that would look at an op if the recipe were another one.
struct OtherRule {
    std::string rule;
    std::string quantizer;
    bool otherMode = false; ///< the recipe's global config is dynamic, the rule is static (or the other way round)
};

class KnownRules {
public:
    KnownRules(const RunView& run, const quantizers::Recipe& recipe);

    [[nodiscard]] const std::vector<RuleTargets>& ran() const { return m_ran; }
    /// True when a rule of this quantizer (any quantizer where `place` is null) that ran in the graph looks at the op.
    [[nodiscard]] bool looksAt(const std::string& target, const std::string& graph,
                               const std::string* place = nullptr) const;
    /// The first rule that has the op in another mode, or with a setting that reaches it.
    [[nodiscard]] std::optional<OtherRule> elsewhere(const std::string& target) const;
    /// A setting of the recipe that no rule reads and that names the op ("operator_type aten.linear"), or "".
    [[nodiscard]] std::string unreadSettingFor(const std::string& target) const;
    /// "xnnpack and embedding": the quantizers that ran.
    [[nodiscard]] std::string quantizers() const;

private:
    void addOthers(const quantizers::Recipe& recipe);

    std::vector<RuleTargets> m_ran;
    std::vector<std::pair<RuleTargets, bool>> m_others; ///< with `otherMode`
    std::vector<std::string> m_unread;                  ///< operator_type names of xnnpack
};

} // namespace gb::explain
