#include "quantizers/report.h"

#include <algorithm>

namespace gb::quantizers {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;
using ir::Argument;
using trace::EventKind;

namespace {

Argument textList(const std::vector<std::string>& texts)
{
    return Argument::list({texts.begin(), texts.end()});
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string out;
    for (std::size_t i = 0; i < texts.size(); ++i)
        out += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    return out;
}

/// "a, b or c"
std::string alternatives(const std::vector<std::string>& texts)
{
    std::string out;
    for (std::size_t i = 0; i < texts.size(); ++i)
        out += (i == 0 ? "" : i + 1 == texts.size() ? " or " : ", ") + texts[i];
    return out;
}

std::string describePosition(const ir::Position& position, const ir::Graph& graph)
{
    const std::string name = graph.nameOf(position.node);
    return position.isEdge() ? name + " -> " + graph.nameOf(position.consumer) : name;
}

bool marks(const trace::Event& event)
{
    const Argument* slots = event.field("slots");
    const auto* list = slots ? slots->as<ir::Sequence>() : nullptr;
    return list && std::ranges::find(list->items, Argument("annotated")) != list->items.end();
}

} // namespace

int Writers::markedBy(ir::NodeId node)
{
    const auto& events = m_recorder.recording().events;
    for (; m_read < events.size(); ++m_read)
        if (events[m_read].kind == EventKind::Annotate && !events[m_read].nodes.empty() && marks(events[m_read]))
            m_marked[events[m_read].nodes.front()] = static_cast<int>(m_read);
    const auto found = m_marked.find(node);
    return found == m_marked.end() ? -1 : found->second;
}

RuleRun::RuleRun(RuleContext& context, RuleInfo info, const std::string& setting)
    : m_context(context)
    , m_info(std::move(info))
    , m_setting(setting)
    , m_scope([&] {
        trace::Event e;
        e.kind = EventKind::Rule;
        e.name = m_info.name;
        e.graph = graph().path();
        e.source = m_info.source;
        e.sentence = m_info.targets.empty()
                         ? message("rule {0} of {1}, setting {2}", m_info.name, m_context.quantizer, setting)
                         : message("rule {0} of {1}, setting {2}, looks at {3}", m_info.name, m_context.quantizer,
                                   setting, joined(m_info.targets));
        e.fields = {{"quantizer", Argument(m_context.quantizer)},
                    {"place", Argument(m_context.place)},
                    {"setting", Argument(setting)},
                    {"targets", textList(m_info.targets)}};
        return m_context.recorder.open(std::move(e));
    }())
{
}

Chain RuleRun::candidates() const
{
    Chain out;
    for (ir::Node* n = graph().first(); n; n = n->next())
        if (n->op() == ir::Op::CallFunction && std::ranges::find(m_info.targets, n->target()) != m_info.targets.end())
            out.push_back(n);
    return out;
}

trace::Event RuleRun::event(EventKind kind, const Chain& chain) const
{
    trace::Event e;
    e.kind = kind;
    e.name = m_info.name;
    e.graph = graph().path();
    e.source = m_info.source;
    for (const ir::Node* n : chain)
        if (n)
            e.nodes.push_back(n->id());
    e.fields = {{"rule", Argument(m_info.name)},
                {"quantizer", Argument(m_context.quantizer)},
                {"place", Argument(m_context.place)}};
    return e;
}

void RuleRun::refuse(const Chain& chain, Refusal refusal)
{
    trace::Event e = event(EventKind::Attempt, chain);
    e.sentence = std::move(refusal.sentence);
    e.fields.emplace_back("condition", Argument(refusal.condition));
    e.fields.emplace_back("found", Argument(std::move(refusal.found)));
    e.fields.emplace_back("expected", Argument(std::move(refusal.expected)));
    e.fields.emplace_back("code", Argument(refusal.code));
    m_context.recorder.say(std::move(e));
}

bool RuleRun::refusedAsMarked(const Chain& chain, const Chain& partition)
{
    const auto marked = std::ranges::find_if(partition, [](const ir::Node* n) { return n && n->isAnnotated(); });
    if (marked == partition.end())
        return false;
    const int by = m_context.writers.markedBy((*marked)->id());
    const std::string rule =
        by < 0 ? "an earlier rule"
               : "rule " + m_context.recorder.recording().events[static_cast<std::size_t>(by)].text("rule");
    refuse(chain, {"annotated", "R5", say("{0} is marked by {1}", (*marked)->name(), rule), "no marked node",
                   message("{0} leaves {1} alone: {2} was already marked by {3}", m_info.name, nameList(chain),
                           (*marked)->name(), rule)});
    if (by >= 0)
        m_context.recorder.at(static_cast<int>(m_context.recorder.recording().events.size()) - 1)
            .fields.emplace_back("by_event", Argument(by));
    return true;
}

bool RuleRun::refusedByFilter(const Chain& chain, const Chain& partition, const Filter& filter)
{
    const auto rejected = std::ranges::find_if(partition, [&](const ir::Node* n) { return n && !filter(*n); });
    if (rejected == partition.end())
        return false;
    const std::string found = describeModule(**rejected);
    refuse(chain, {"filter", "R4", say("{0}: {1}", (*rejected)->name(), found), filter.wanted,
                   message("{0} leaves {1} alone: the setting {2} wants {3}, {4} has {5}", m_info.name, nameList(chain),
                           filter.setting, filter.wanted, (*rejected)->name(), found)});
    return true;
}

bool RuleRun::refusedByOtherUsers(const Chain& chain, const ir::Node* node)
{
    if (node->users().size() <= 1)
        return false;
    refuse(chain, {"has_other_users", "R6", say("{0} users of {1}", node->users().size(), node->name()), "one user",
                   message("{0} cannot fuse {1}: {2} has {3} users, one expected", m_info.name, nameList(chain),
                           node->name(), node->users().size())});
    return true;
}

void RuleRun::refuseProducer(ir::Node* user, const ir::Node* producer, const std::vector<std::string>& wanted)
{
    const std::string found = producer ? say("{0} ({1})", producer->name(), producer->target()) : "no node";
    refuse({user}, {"producer", "R1", found, alternatives(wanted),
                    message("{0} takes {1} only behind {2}, not behind {3}", m_info.name, user->name(),
                            alternatives(wanted), found)});
}

Match::Match(RuleRun& run, const Chain& chain)
    : m_run(run)
    , m_chain([&] {
        std::vector<Argument> nodes;
        for (const ir::Node* n : chain)
            if (n)
                nodes.push_back(Argument::node(n->id()));
        return nodes;
    }())
    , m_scope([&] {
        trace::Event e = run.event(EventKind::Match, chain);
        e.sentence = message("{0} takes {1}", run.info().name, nameList(chain));
        return run.m_context.recorder.open(std::move(e));
    }())
{
}

void Match::write(ir::Node* node, ir::Annotation annotation, std::vector<std::string> slots, bool replaced)
{
    trace::Event e = m_run.event(EventKind::Annotate, {node});
    e.fields.emplace_back("setting", Argument(m_run.m_setting));
    e.fields.emplace_back("chain", Argument::list(m_chain));
    e.fields.emplace_back("slots", textList(slots));
    e.fields.emplace_back("replaced", Argument(replaced));
    e.sentence = slots.empty() ? message("{0} puts an empty label on {1}", m_run.info().name, node->name())
                               : message("{0} labels {1}: {2}", m_run.info().name, node->name(), joined(slots));
    m_run.m_context.recorder.say(std::move(e));
    m_run.graph().setAnnotation(node, std::make_shared<const ir::Annotation>(std::move(annotation)));
}

void Match::replace(ir::Node* node, ir::Annotation annotation)
{
    std::vector<std::string> slots;
    for (const auto& [upstream, spec] : annotation.inputs)
        slots.push_back("input " + m_run.graph().nameOf(upstream));
    if (annotation.output)
        slots.emplace_back("output");
    if (annotation.annotated)
        slots.emplace_back("annotated");
    for (const auto& [field, value] : annotation.extra)
        slots.push_back(field);
    write(node, std::move(annotation), std::move(slots), node->annotation() != nullptr);
}

void Match::setInput(ir::Node* node, const ir::Node* upstream, const ir::Spec& spec)
{
    ir::Annotation annotation = ir::Graph::annotationOf(node);
    annotation.setInput(upstream->id(), spec);
    write(node, std::move(annotation), {"input " + upstream->name()}, false);
}

void Match::setOutput(ir::Node* node, const ir::Spec& spec)
{
    ir::Annotation annotation = ir::Graph::annotationOf(node);
    annotation.output = spec;
    write(node, std::move(annotation), {"output"}, false);
}

void Match::setImplicitSharing(ir::Node* node, bool allow)
{
    if (!node->annotation())
        return;
    ir::Annotation annotation = ir::Graph::annotationOf(node);
    annotation.allowImplicitSharing = allow;
    write(node, std::move(annotation), {"allow_implicit_sharing"}, false);
}

void Match::setExtra(ir::Node* node, const std::string& field, Argument value)
{
    ir::Annotation annotation = ir::Graph::annotationOf(node);
    const auto found = std::ranges::find(annotation.extra, field, [](const auto& pair) { return pair.first; });
    if (found != annotation.extra.end())
        found->second = std::move(value);
    else
        annotation.extra.emplace_back(field, std::move(value));
    write(node, std::move(annotation), {field}, false);
}

void Match::mark(const Chain& nodes, const ir::Annotation& fresh)
{
    for (ir::Node* node : nodes) {
        if (!node || node->isAnnotated())
            continue;
        ir::Annotation annotation = ir::Graph::annotationOf(node);
        if (!node->annotation())
            annotation.extra = fresh.extra;
        annotation.annotated = true;
        write(node, std::move(annotation), {"annotated"}, false);
    }
}

base::Result<Argument> argumentAt(const ir::Node& node, std::size_t index)
{
    if (index < node.args().size())
        return node.args()[index];
    return Error{ErrorCode::IndexError,
                 say("{0} positional arguments, argument {1} expected", node.args().size(), index),
                 "node " + node.name()};
}

base::Result<ir::Node*> inputAt(const ir::Node& node, std::size_t index)
{
    GB_ASSIGN(const Argument argument, argumentAt(node, index));
    if (ir::Node* input = node.graph().find(argument.nodeId()))
        return input;
    return Error{ErrorCode::AssertionError, say("argument {0} is no node, a node expected", index),
                 "node " + node.name()};
}

std::string nameList(const Chain& nodes)
{
    std::vector<std::string> names;
    for (const ir::Node* n : nodes)
        if (n)
            names.push_back(n->name());
    return joined(names);
}

std::string describe(const ir::Spec& spec, const ir::Graph& graph)
{
    if (!spec)
        return "none";
    if (const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec))
        return "shared with " + describePosition(shared->with, graph);
    if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec))
        return say("{0} derived ({1})", ir::name(derived->dtype), derived->derive);
    if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec))
        return say("{0} fixed, scale {1}, zero point {2}", ir::name(fixed->dtype), base::shortNumber(fixed->scale),
                   fixed->zeroPoint);
    const auto& plain = *ir::as<ir::QuantizationSpec>(spec);
    return say("{0}{1} ({2})", ir::name(plain.dtype), plain.isDynamic ? " dynamic" : "", plain.observer.name);
}

} // namespace gb::quantizers
