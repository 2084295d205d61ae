#include "trace/event.h"

#include <array>

namespace gb::trace {
namespace {
constexpr std::array kNames = {"load",    "stage",   "pass",     "rule",   "attempt", "match", "annotate",
                               "share",   "group",   "observer", "insert", "reuse",   "drop",  "batch",
                               "observe", "qparams", "rewrite",  "fold",   "compare", "error", "note"};
static_assert(kNames.size() == static_cast<std::size_t>(EventKind::Note) + 1);
} // namespace

const char* name(EventKind kind)
{
    return kNames[static_cast<std::size_t>(kind)];
}

std::optional<EventKind> eventKindFromName(std::string_view text)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (text == kNames[i])
            return static_cast<EventKind>(i);
    return std::nullopt;
}

const ir::Argument* Event::field(std::string_view wanted) const
{
    for (const auto& [key, value] : fields)
        if (key == wanted)
            return &value;
    return nullptr;
}

std::string Event::text(std::string_view wanted) const
{
    const ir::Argument* value = field(wanted);
    const auto* found = value ? value->as<std::string>() : nullptr;
    return found ? *found : std::string();
}

bool Event::changesSomething() const
{
    return !edits.empty() || record || kind == EventKind::Stage || kind == EventKind::Error
           || kind == EventKind::Compare;
}

} // namespace gb::trace
