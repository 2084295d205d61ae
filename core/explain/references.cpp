#include "explain/references.h"

#include <algorithm>
#include <array>

namespace gb::explain {
namespace {

using base::message;
using base::say;
using ir::Position;
using passes::positionText;
using passes::SpecTable;

/// Following the shared specs from a row: the rows in order, and how it ends.
struct Chain {
    std::vector<std::size_t> rows;
    std::optional<Position> missing; ///< the position without a label that the last row refers to
    bool cycle = false;              ///< the last row refers to one of the rows
};

const ir::SharedQuantizationSpec* sharedAt(const SpecTable& specs, std::size_t row)
{
    return ir::as<ir::SharedQuantizationSpec>(specs.rows()[row].spec);
}

Chain follow(const SpecTable& specs, std::size_t row)
{
    Chain out;
    out.rows.push_back(row);
    while (const auto* shared = sharedAt(specs, out.rows.back())) {
        const auto next = specs.find(shared->with);
        if (!next) {
            out.missing = shared->with;
            break;
        }
        if (std::ranges::find(out.rows, *next) != out.rows.end()) {
            out.cycle = true;
            out.rows.push_back(*next);
            break;
        }
        out.rows.push_back(*next);
    }
    return out;
}

std::string chainText(const ir::Graph& graph, const SpecTable& specs, const Chain& chain)
{
    std::string out;
    for (const std::size_t row : chain.rows) {
        const Position p = specs.rows()[row].position;
        out += (out.empty() ? "" : ", which shares with ")
               + (p.isEdge() ? say("input {0}", positionText(graph, p)) : say("output {0}", positionText(graph, p)));
    }
    return out;
}

Finding findingFor(const ir::Graph& graph, Position at, base::Message sentence, const char* kind)
{
    return {"", Severity::Error, graph.nameOf(at.node), std::move(sentence), -1, at.node, kind};
}

} // namespace

ir::Spec concreteSpec(const SpecTable& specs, std::size_t row)
{
    const Chain chain = follow(specs, row);
    return chain.missing || chain.cycle ? nullptr : specs.rows()[chain.rows.back()].spec;
}

bool addReferenceFindings(const ir::Graph& graph, const SpecTable& specs, Answer& answer)
{
    bool any = false;
    std::vector<bool> said(specs.rows().size());
    for (std::size_t row = 0; row < specs.rows().size(); ++row) {
        if (said[row] || !sharedAt(specs, row))
            continue;
        const Chain chain = follow(specs, row);
        if (!chain.missing && !chain.cycle)
            continue;
        any = true;
        const bool known = std::ranges::any_of(chain.rows, [&](std::size_t r) { return said[r]; });
        for (const std::size_t r : chain.rows)
            said[r] = true;
        if (known)
            continue; // leads to what was said already
        const Position first = specs.rows()[row].position;
        const std::string text = chainText(graph, specs, chain);
        answer.findings.push_back(
            chain.cycle
                ? findingFor(
                    graph, first,
                    message("{0}: a cycle, in which no label has a spec of its own. Give one of them a spec", text),
                    "cycle of shared specs")
                : findingFor(graph, first,
                             message("{0}, which shares with {1}, which has no label. Label {1}, or give {2} a spec of "
                                     "its own",
                                     text, positionText(graph, *chain.missing),
                                     positionText(graph, specs.rows()[chain.rows.back()].position)),
                             "dangling reference"));
    }
    return any;
}

bool isNeverNegative(const ir::Node& node)
{
    static constexpr std::array<std::string_view, 12> kTargets = {
        "aten.relu.default",    "aten.relu_.default",    "aten.relu6.default", "aten.relu6_.default",
        "aten.sigmoid.default", "aten.sigmoid_.default", "aten.softmax.int",   "aten._softmax.default",
        "aten.abs.default",     "aten.square.default",   "aten.exp.default",   "aten.hardsigmoid.default",
    };
    const std::string& target = node.target();
    if (std::ranges::find(kTargets, target) != kTargets.end())
        return true;
    if (!target.starts_with("aten.hardtanh") && !target.starts_with("aten.clamp"))
        return false;
    const auto* real = node.arg(1).as<double>();
    const auto* integer = node.arg(1).as<std::int64_t>();
    return (real && *real >= 0.0) || (integer && *integer >= 0);
}

} // namespace gb::explain
