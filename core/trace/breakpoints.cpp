#include "trace/breakpoints.h"

#include "base/comparison.h"
#include "base/glob.h"
#include "base/message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <unordered_set>

namespace gb::trace {
namespace {

using base::Error;
using base::ErrorCode;
using base::globMatches;
using base::Result;
using base::say;
using Kind = Breakpoint::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 7> kWords = {{{"node", Kind::Node},
                                                                      {"op", Kind::Op},
                                                                      {"rule", Kind::Rule},
                                                                      {"event", Kind::Event},
                                                                      {"reason", Kind::Reason},
                                                                      {"labelled", Kind::Labelled},
                                                                      {"unlabelled", Kind::Unlabelled}}};
constexpr std::array<std::string_view, 5> kQuantities = {"scale", "zp", "min", "max", "batches"};

Error fail(std::size_t where, std::string sentence)
{
    return {ErrorCode::Usage, std::move(sentence), say("column {0}", where + 1)};
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Result<Breakpoint> parseWord(std::string_view text, std::size_t colon)
{
    const auto word = std::ranges::find(kWords, text.substr(0, colon), [](const auto& w) { return w.first; });
    if (word == kWords.end())
        return fail(0, say("\"{0}:\" found, node, op, rule, event, reason, labelled or unlabelled expected",
                           text.substr(0, colon)));
    Breakpoint out;
    out.kind = word->second;
    out.text = trimmed(text.substr(colon + 1));
    if (out.text.empty())
        return fail(colon + 1, say("nothing found behind {0}:, a text expected", word->first));
    if (out.kind == Kind::Event && !eventKindFromName(out.text))
        return fail(colon + 1, say("no kind of event \"{0}\"", out.text));
    return out;
}

Result<Breakpoint> parseNumber(std::string_view text, std::size_t at)
{
    Breakpoint out;
    out.kind = Kind::Number;
    out.quantity = trimmed(text.substr(0, at));
    if (std::ranges::find(kQuantities, out.quantity) == kQuantities.end())
        return fail(0, say("no number \"{0}\", scale, zp, min, max or batches expected", out.quantity));
    const std::size_t end = text.find_first_not_of("<>=", at);
    out.comparison = text.substr(at, end - at);
    if (constexpr std::array<std::string_view, 5> kAll = {">", ">=", "<", "<=", "="};
        std::ranges::find(kAll, out.comparison) == kAll.end())
        return fail(at, say("\"{0}\" found, >, >=, <, <= or = expected", out.comparison));
    const std::string_view rest = trimmed(text.substr(std::min(end, text.size())));
    const std::string_view digits = rest.substr(0, rest.find(' '));
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
    if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size())
        return fail(std::min(end, text.size()), say("\"{0}\" found, a number expected", digits));
    const std::string_view of = trimmed(rest.substr(digits.size()));
    if (of.empty())
        return out;
    if (!of.starts_with("obs:") || of.size() == 4)
        return fail(text.size() - of.size(), say("\"{0}\" found, obs: and the name of an observer node expected", of));
    out.text = of.substr(4);
    return out;
}

bool anyCompares(const std::optional<ir::Tensor>& tensor, const Breakpoint& b)
{
    if (!tensor)
        return false;
    for (std::int64_t i = 0; i < tensor->elementCount(); ++i)
        if (base::compares(tensor->at(i), b.comparison, b.number))
            return true;
    return false;
}

bool holds(const quant::ObserverState& state, const Breakpoint& b)
{
    if (b.quantity == "batches")
        return base::compares(static_cast<double>(state.batches), b.comparison, b.number);
    if (b.quantity == "min" || b.quantity == "max")
        return anyCompares(b.quantity == "min" ? state.minVal : state.maxVal, b);
    if (!state.qparams)
        return false;
    return anyCompares(b.quantity == "scale" ? state.qparams->scale : state.qparams->zeroPoint, b);
}

} // namespace

Result<Breakpoint> Breakpoint::parse(std::string_view whole)
{
    const std::string_view text = trimmed(whole);
    const std::size_t at = text.find_first_of(":<>=");
    if (at == std::string_view::npos)
        return fail(0,
                    say("\"{0}\" found, a word with a colon (node:conv2d) or a number (scale<0.001) expected", text));
    return text[at] == ':' ? parseWord(text, at) : parseNumber(text, at);
}

std::string Breakpoint::toText() const
{
    if (kind == Kind::Number) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        const std::string condition = quantity + comparison + std::string(digits.data(), end);
        return text.empty() ? condition : condition + " obs:" + text;
    }
    for (const auto& [word, of] : kWords)
        if (of == kind)
            return std::string(word) + ":" + text;
    return text;
}

BreakpointFinder::BreakpointFinder(RecordingPtr recording)
    : m_recording(std::move(recording))
{
    for (std::size_t i = 0; i < m_recording->events.size(); ++i)
        for (const Edit& edit : m_recording->events[i].edits)
            if (const auto* added = std::get_if<NodeAdded>(&edit))
                m_names[added->row.id] = {added->row.name, added->row.target, added->graph, i};
}

bool BreakpointFinder::matches(ir::NodeId node, const Breakpoint& b) const
{
    const auto found = m_names.find(node);
    if (found == m_names.end())
        return false;
    const Name& n = found->second;
    return b.kind == Kind::Op ? globMatches(b.text, n.target) || globMatches(b.text, base::shortOpName(n.target))
                              : globMatches(b.text, n.name);
}

bool BreakpointFinder::touches(const Event& event, const Breakpoint& b) const
{
    return std::ranges::any_of(event.nodes, [&](ir::NodeId id) { return matches(id, b); });
}

/// The labels of a graph are complete, and a node of the name in it got none.
bool BreakpointFinder::isLeftOut(const Event& stage, std::size_t at, const Breakpoint& b) const
{
    if (stage.kind != EventKind::Stage || stage.name != "annotated")
        return false;
    std::unordered_set<ir::NodeId> labelled;
    for (std::size_t i = 0; i < at; ++i)
        if (const Event& e = m_recording->events[i]; e.kind == EventKind::Annotate)
            labelled.insert(e.nodes.begin(), e.nodes.end());
    return std::ranges::any_of(m_names, [&](const auto& entry) {
        const auto& [id, name] = entry;
        return name.graph == stage.graph && name.since <= at && !labelled.contains(id) && matches(id, b);
    });
}

std::vector<int> BreakpointFinder::hits(const Breakpoint& b) const
{
    std::vector<int> out;
    std::map<std::pair<std::string, std::string>, bool> held; ///< by graph and observer: the condition was true
    const auto stops = [&](const Event& e, std::size_t at) {
        switch (b.kind) {
        case Kind::Node:
        case Kind::Op: return e.kind != EventKind::Load && touches(e, b);
        case Kind::Rule: return globMatches(b.text, e.kind == EventKind::Rule ? e.name : e.text("rule"));
        case Kind::Event: return e.kind == eventKindFromName(b.text);
        case Kind::Reason: return e.text("code") == b.text;
        case Kind::Labelled: return e.kind == EventKind::Annotate && touches(e, b);
        case Kind::Unlabelled: return (e.kind == EventKind::Attempt && touches(e, b)) || isLeftOut(e, at, b);
        case Kind::Number: break;
        }
        if (!e.record || (!b.text.empty() && !touches(e, b)))
            return false;
        bool& before = held[{e.record->graph, e.record->target}];
        const bool now = holds(e.record->state, b);
        return now && !std::exchange(before, now);
    };
    for (std::size_t i = 0; i < m_recording->events.size(); ++i)
        if (stops(m_recording->events[i], i))
            out.push_back(static_cast<int>(i));
    return out;
}

int BreakpointFinder::next(const std::vector<Breakpoint>& breakpoints, int from, bool forward) const
{
    int best = -1;
    for (const Breakpoint& b : breakpoints) {
        if (!b.enabled)
            continue;
        const std::vector<int> all = hits(b);
        if (forward) {
            const auto behind = std::ranges::upper_bound(all, from);
            if (behind != all.end() && (best < 0 || *behind < best))
                best = *behind;
        } else if (const auto at = std::ranges::lower_bound(all, from); at != all.begin()) {
            best = std::max(best, *std::prev(at));
        }
    }
    return best;
}

} // namespace gb::trace
