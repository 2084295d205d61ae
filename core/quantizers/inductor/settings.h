// The configuration calls of the inductor quantizers and what remains of them.
//
// Source: x86_inductor_quantizer.py (set_global, set_function_type_qconfig, set_module_type_qconfig,
// set_module_name_qconfig, _need_skip_config). A config whose qat or dynamic mode differs from that of an earlier one
// is skipped with a warning, as is a type that the quantizer cannot configure.
//
// Thread: values.
#pragma once

#include "base/message.h"
#include "quantizers/inductor/backend.h"

#include <optional>

namespace gb::quantizers::inductor {

using OptionalConfig = std::optional<QuantizationConfig>; ///< nullopt is None: "leave it in float"

class Settings {
public:
    Settings(const Backend& backend, const Recipe& recipe);

    /// In Python's dict order: a key keeps the place of its first call.
    [[nodiscard]] const std::vector<std::pair<std::string, OptionalConfig>>& moduleNames() const { return m_names; }
    [[nodiscard]] const std::vector<std::pair<std::string, OptionalConfig>>& operatorTypes() const { return m_types; }
    [[nodiscard]] const OptionalConfig& global() const { return m_global; }
    /// The calls that had no effect, one sentence each.
    [[nodiscard]] const std::vector<base::Message>& skipped() const { return m_skipped; }

private:
    [[nodiscard]] OptionalConfig made(const Config& config) const;
    bool needSkip(const std::string& setting, const OptionalConfig& config);
    void setType(const Backend& backend, const char* what, const std::string& name, const Config& config);

    QuantizationConfig (*m_makeConfig)(const ConfigArguments&);
    std::vector<std::pair<std::string, OptionalConfig>> m_names;
    std::vector<std::pair<std::string, OptionalConfig>> m_types;
    OptionalConfig m_global;
    std::vector<base::Message> m_skipped;
};

} // namespace gb::quantizers::inductor
