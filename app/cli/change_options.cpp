#include "cli/change_options.h"

#include "base/message.h"
#include "numbers/observer_sites.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace gb::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using numbers::Change;
using numbers::ObserverSite;

/// "SITE=MIN,MAX"
Result<Change> rangeFrom(const std::string& text)
{
    const std::size_t equals = text.rfind('=');
    Change change{Change::Kind::Range, text.substr(0, equals)};
    const char* at = equals == std::string::npos ? nullptr : text.data() + equals + 1;
    const char* end = text.data() + text.size();
    const auto first =
        at ? std::from_chars(at, end, change.min) : std::from_chars_result{end, std::errc::invalid_argument};
    const bool comma = first.ec == std::errc() && first.ptr != end && *first.ptr == ',';
    const auto second = comma ? std::from_chars(first.ptr + 1, end, change.max) : first;
    if (!comma || second.ec != std::errc() || second.ptr != end)
        return Error{ErrorCode::Usage, say("found \"{0}\", OBSERVER=MIN,MAX expected", text), "--range"};
    return change;
}

template <class T>
std::optional<T> number(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// As Python reads it: True, 127, 0.01; else a text (int8, per_tensor_affine).
ir::Argument valueFrom(std::string_view text)
{
    if (text == "True" || text == "true" || text == "False" || text == "false")
        return text[0] == 'T' || text[0] == 't';
    if (const auto whole = number<std::int64_t>(text))
        return *whole;
    if (const auto real = number<double>(text))
        return *real;
    return std::string(text);
}

/// "SITE=CLASS,KEY=VALUE,..."
Result<Change> observerFrom(const std::string& text)
{
    const Error wrong{ErrorCode::Usage, say("found \"{0}\", OBSERVER=CLASS[,KEY=VALUE...] expected", text),
                      "--replace"};
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return wrong;
    Change change{Change::Kind::Observer, text.substr(0, equals)};
    std::string_view rest = std::string_view(text).substr(equals + 1);
    while (!rest.empty()) {
        const std::string_view piece = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
        const std::size_t at = piece.find('=');
        if (change.observer.name.empty()) {
            if (at != std::string_view::npos || piece.empty())
                return wrong;
            change.observer.name = std::string(piece);
        } else if (at == std::string_view::npos || at == 0) {
            return wrong;
        } else {
            change.observer.arguments.emplace_back(piece.substr(0, at), valueFrom(piece.substr(at + 1)));
        }
    }
    if (change.observer.name.empty())
        return wrong;
    return change;
}

} // namespace

void ChangeOptions::declare(CLI::App& app)
{
    app.add_option("--float", floats, "error: leave this op (or what this observer observes) in float first");
    app.add_option("--range", ranges, "error: give an observer this range first, OBSERVER=MIN,MAX");
    app.add_option("--replace", observers,
                   "error: put another observer there first, OBSERVER=CLASS[,KEY=VALUE...]; what is not given stays");
}

Result<std::vector<Change>> ChangeOptions::changes(const numbers::Material& material) const
{
    const std::vector<ObserverSite> sites = numbers::observerSites(material);
    std::vector<Change> out;
    for (const std::string& site : floats) {
        const bool isObserver = std::ranges::find(sites, site, &ObserverSite::target) != sites.end();
        out.push_back({isObserver ? Change::Kind::FloatObserver : Change::Kind::FloatOp, site});
    }
    for (const std::string& text : ranges) {
        GB_ASSIGN(Change change, rangeFrom(text));
        out.push_back(std::move(change));
    }
    for (const std::string& text : observers) {
        GB_ASSIGN(Change change, observerFrom(text));
        const auto old = std::ranges::find(sites, change.site, &ObserverSite::target);
        if (old != sites.end())
            change.observer = numbers::completed(std::move(change.observer), old->observer);
        out.push_back(std::move(change));
    }
    return out;
}

} // namespace gb::cli
