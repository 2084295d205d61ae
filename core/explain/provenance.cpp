#include "explain/provenance.h"

#include "quantizers/report.h"

#include <algorithm>

namespace gb::explain {
namespace {

using base::message;
using base::say;
using trace::Event;
using trace::EventKind;

using Parts = std::vector<std::pair<std::string, std::string>>;

std::string valueText(const ir::Argument& value)
{
    if (const auto* flag = value.as<bool>())
        return *flag ? "true" : "false";
    if (const auto* text = value.as<std::string>())
        return *text;
    if (const auto* number = value.as<std::int64_t>())
        return std::to_string(*number);
    return value.isNone() ? "none" : "…";
}

Parts partsOf(const ir::AnnotationPtr& label, const ir::Graph& graph)
{
    Parts out;
    if (!label)
        return out;
    for (const auto& [upstream, spec] : label->inputs)
        out.emplace_back("input " + graph.nameOf(upstream), quantizers::describe(spec, graph));
    if (label->output)
        out.emplace_back("output", quantizers::describe(label->output, graph));
    if (label->annotated)
        out.emplace_back("annotated", "true");
    if (!label->allowImplicitSharing)
        out.emplace_back("allow_implicit_sharing", "false");
    for (const auto& [field, value] : label->extra)
        out.emplace_back(field, valueText(value));
    return out;
}

const std::string* find(const Parts& parts, const std::string& name)
{
    const auto found = std::ranges::find(parts, name, [](const auto& part) { return part.first; });
    return found == parts.end() ? nullptr : &found->second;
}

std::vector<LabelChange> changesOf(const Parts& before, const Parts& after)
{
    const std::string kAbsent = "—";
    std::vector<LabelChange> out;
    for (const auto& [part, text] : before)
        if (const std::string* now = find(after, part); !now || *now != text)
            out.push_back({part, text, now ? *now : kAbsent});
    for (const auto& [part, text] : after)
        if (!find(before, part))
            out.push_back({part, kAbsent, text});
    return out;
}

/// The scope of a kind that an event lies in, or null.
const Event* scopeOf(const trace::Recording& recording, int index, EventKind kind)
{
    for (int i = index; i >= 0; i = recording.events[static_cast<std::size_t>(i)].parent)
        if (const Event& e = recording.events[static_cast<std::size_t>(i)]; e.kind == kind)
            return &e;
    return nullptr;
}

base::Message sentenceOf(const LabelWrite& w, const Event& e, const std::string& node, bool first)
{
    if (w.quantizer.empty())
        return message("the label of {0} was set by: {1}", node, e.sentence.text());
    const std::string who = w.place.empty() ? w.quantizer : say("{0} (quantizer {1})", w.quantizer, w.place);
    std::string chain;
    for (const std::string& name : w.chain)
        chain += (chain.empty() ? "" : ", ") + name;
    const char* how = first ? "rule {0} of {1} labels {2}, which it matched as {3}"
                      : w.replaced
                          ? "rule {0} of {1} puts a new label on {2} in place of the one that was there, for {3}"
                          : "rule {0} of {1} edits the label of {2}, for {3}";
    return message(how, w.rule, who, node, chain.empty() ? node : chain);
}

LabelWrite writeOf(const trace::Recording& recording, int index, const ir::Graph& graph)
{
    const Event& e = recording.events[static_cast<std::size_t>(index)];
    LabelWrite out;
    out.event = index;
    out.source = e.source;
    if (e.kind != EventKind::Annotate)
        return out;
    out.quantizer = e.text("quantizer");
    out.place = e.text("place");
    out.rule = e.text("rule");
    if (const Event* rule = scopeOf(recording, index, EventKind::Rule))
        out.setting = rule->text("setting");
    if (const Event* match = scopeOf(recording, index, EventKind::Match))
        for (const ir::NodeId id : match->nodes)
            out.chain.push_back(graph.nameOf(id));
    return out;
}

} // namespace

std::vector<LabelWrite> labelHistory(const trace::Recording& recording, const ir::Graph& graph, ir::NodeId node)
{
    std::vector<LabelWrite> out;
    ir::AnnotationPtr label;
    for (std::size_t i = 0; i < recording.events.size(); ++i)
        for (const trace::Edit& edit : recording.events[i].edits) {
            const auto* change = std::get_if<trace::AnnotationChanged>(&edit);
            if (!change || change->id != node)
                continue;
            LabelWrite write = writeOf(recording, static_cast<int>(i), graph);
            write.changes = changesOf(partsOf(label, graph), partsOf(change->annotation, graph));
            write.replaced = label && change->annotation && label->object != change->annotation->object;
            write.sentence = sentenceOf(write, recording.events[i], graph.nameOf(node), !label);
            label = change->annotation;
            out.push_back(std::move(write));
        }
    return out;
}

} // namespace gb::explain
