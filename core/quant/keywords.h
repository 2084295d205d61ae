// The keyword arguments of an observer's constructor, read as Python would.
//
// Thread: a value.
#pragma once

#include "base/result.h"
#include "ir/spec.h"
#include "quant/quant_dtype.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gb::quant {

class Keywords {
public:
    using Items = std::vector<std::pair<std::string, ir::Argument>>;

    /// className stands in error sentences.
    Keywords(std::string className, Items items);

    [[nodiscard]] const std::string& className() const { return m_className; }
    [[nodiscard]] const Items& items() const { return m_items; }
    /// Null where the keyword was not given. A given None is not null.
    [[nodiscard]] const ir::Argument* find(std::string_view name) const;
    /// As a call with `name=value` on top: an existing keyword keeps its place (Python's {**a, **b}).
    void set(const std::string& name, ir::Argument value);
    void erase(std::string_view name);

    /// TypeError of `function` for the first keyword that is not in the list: "X.__init__() got an unexpected ...".
    [[nodiscard]] base::Status allowOnly(std::initializer_list<std::string_view> names,
                                         const std::string& function) const;
    /// TypeError for the positional arguments that are not there, as Python words it.
    [[nodiscard]] base::Status require(std::initializer_list<const char*> names) const;

    /// The typed readers. Not given: the default. TypeError for another type, which names the keyword.
    [[nodiscard]] base::Result<std::optional<std::int64_t>> integer(std::string_view name,
                                                                    std::optional<std::int64_t> otherwise) const;
    [[nodiscard]] base::Result<double> number(std::string_view name, double otherwise) const;
    [[nodiscard]] base::Result<std::optional<ir::QScheme>> qscheme(std::string_view name,
                                                                   std::optional<ir::QScheme> otherwise) const;
    /// Python's truth of the value.
    [[nodiscard]] bool truth(std::string_view name, bool otherwise = false) const;
    /// torch.quint8 where not given, as in all of torchao's constructors but the placeholder's.
    [[nodiscard]] QuantDType dtype() const;

private:
    std::string m_className;
    Items m_items;
};

} // namespace gb::quant
