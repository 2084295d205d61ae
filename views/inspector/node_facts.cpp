#include "inspector/node_facts.h"

#include "base/message.h"
#include "inspector/argument_text.h"
#include "inspector/origin_text.h"
#include "inspector/reasons.h"
#include "observers/number_text.h"
#include "picture/label_text.h"
#include "picture/sharing.h"
#include "session/translate.h"

#include <QCoreApplication>
#include <QStringList>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::NodeFacts", text);
}

QString yesNo(bool value)
{
    return value ? QStringLiteral("True") : QStringLiteral("False");
}

/// Of the graph that holds the node: what it is in the picture's terms.
QString roleText(ir::Op op, const std::string& target, bool labelled)
{
    switch (op) {
    case ir::Op::Placeholder: return tr("input");
    case ir::Op::Output: return tr("output");
    case ir::Op::GetAttr: return tr("weight or constant");
    case ir::Op::CallModule: return tr("observer");
    case ir::Op::CallMethod:
    case ir::Op::CallFunction: break;
    }
    const bool dequantize = target.find("dequantize") != std::string::npos;
    if (dequantize || target.find("quantize_per") != std::string::npos)
        return dequantize ? tr("dequantize") : tr("quantize");
    return labelled ? tr("op") : tr("op without a label");
}

class Collector {
public:
    Collector(const trace::Recording& recording, NodeFacts& out)
        : m_recording(recording)
        , m_out(out)
    {
    }

    void collect(const std::string& path, const trace::GraphMoment& moment, const ir::Node& node)
    {
        m_graph = moment.graph.get();
        m_sharing = Sharing::of(m_recording, path);
        m_out.name = QString::fromStdString(node.name());
        m_out.role = roleText(node.op(), node.target(), node.annotation() != nullptr);
        m_out.present = true;
        m_out.stackTrace = QString::fromStdString(node.meta().stackTrace);
        addNode(path, node);
        addLabels(node);
        addObserver(moment, node);
        addAttribute(moment, node);
    }

    /// A node that is not in the graph: from the row that the recording has of it.
    void collectRow(const trace::NodeRow& row, int cursor)
    {
        m_out.name = QString::fromStdString(row.name);
        m_out.role = roleText(row.op, row.target, true);
        if (row.meta)
            m_out.stackTrace = QString::fromStdString(row.meta->stackTrace);
        m_section = tr("Not in the graph at this moment");
        const int gone = erasedBy(m_recording, row.id);
        const bool erased = gone >= 0 && gone <= cursor;
        addEvent(erased ? tr("erased by") : tr("made by"), erased ? gone : madeBy(row.id));
        m_section = tr("Node");
        addText(tr("op"), QString::fromLatin1(ir::name(row.op)));
        addText(tr("target"), QString::fromStdString(row.target));
        if (row.meta)
            addMeta(*row.meta);
    }

private:
    void addText(const QString& name, const QString& text) { m_out.facts.push_back({m_section, name, text, {}}); }

    void addLinks(const QString& name, std::vector<FactLink> links)
    {
        QStringList texts;
        for (const FactLink& link : links)
            texts << link.text;
        m_out.facts.push_back(
            {m_section, name, texts.isEmpty() ? tr("none") : texts.join(QStringLiteral(", ")), std::move(links)});
    }

    void addNodes(const QString& name, const std::vector<ir::Node*>& nodes)
    {
        std::vector<FactLink> links;
        for (const ir::Node* node : nodes)
            links.push_back({QString::fromStdString(node->name()), node->id(), -1});
        addLinks(name, std::move(links));
    }

    void addEvent(const QString& name, int event)
    {
        if (event < 0)
            return addText(name, tr("not recorded"));
        addLinks(name, {{tr("event %1: %2")
                             .arg(event)
                             .arg(translated(m_recording.events[static_cast<std::size_t>(event)].sentence)),
                         ir::kNoNode, event}});
    }

    [[nodiscard]] int madeBy(ir::NodeId id) const
    {
        for (std::size_t i = 0; i < m_recording.events.size(); ++i)
            for (const trace::Edit& edit : m_recording.events[i].edits)
                if (const auto* added = std::get_if<trace::NodeAdded>(&edit); added && added->row.id == id)
                    return static_cast<int>(i);
        return -1;
    }

    [[nodiscard]] QString nameOf(ir::NodeId id) const
    {
        const std::string name = m_graph->nameOf(id);
        if (!name.empty())
            return QString::fromStdString(name);
        const trace::NodeRow* row = rowOf(m_recording, id);
        return row ? QString::fromStdString(row->name) : QStringLiteral("#%1").arg(id);
    }

    void addMeta(const ir::NodeMeta& meta)
    {
        if (!meta.nnModuleStack.empty()) {
            const ir::ModuleFrame& frame = meta.nnModuleStack.back();
            addText(tr("module"), frame.path.empty() ? tr("(the model)") : QString::fromStdString(frame.path));
            addText(tr("module type"), QString::fromStdString(frame.type));
        }
        addText(tr("value"), valueText(meta.val));
        for (const ir::SourceFunction& f : meta.sourceFnStack)
            addText(tr("source_fn_stack"), QString::fromStdString(f.name + ", " + f.what));
        if (meta.torchFn)
            addText(tr("torch_fn"), QString::fromStdString(meta.torchFn->name + ", " + meta.torchFn->what));
        for (const auto& [key, value] : meta.other)
            addText(QString::fromStdString(key),
                    key == "from_node" ? originText(QString::fromStdString(value)) : QString::fromStdString(value));
    }

    void addNode(const std::string& path, const ir::Node& node)
    {
        const NodeNamer namer = [this](ir::NodeId id) { return nameOf(id); };
        m_section = tr("Node");
        if (!path.empty())
            addText(tr("graph"), QString::fromStdString(path));
        addText(tr("op"), QString::fromLatin1(ir::name(node.op())));
        addText(tr("target"), QString::fromStdString(node.target()));
        addMeta(node.meta());
        addText(tr("args"), argumentText(ir::Argument::tuple(node.args()), namer));
        if (!node.kwargs().empty()) {
            QStringList arguments;
            for (const auto& [key, value] : node.kwargs())
                arguments << QString::fromStdString(key) + QLatin1Char('=') + argumentText(value, namer);
            addText(tr("kwargs"), arguments.join(QStringLiteral(", ")));
        }
        addNodes(tr("inputs"), node.inputs());
        addNodes(tr("users"), node.users());
        std::vector<FactLink> origins;
        for (const ir::NodeId from : node.meta().fromNodes)
            origins.push_back({nameOf(from), from, -1});
        if (!origins.empty())
            addLinks(tr("comes from"), std::move(origins));
    }

    [[nodiscard]] LabelContext labelContext(const ir::Position& position) const
    {
        const ir::Graph* graph = m_graph;
        const auto specAt = [graph](const ir::Position& p) -> ir::Spec {
            const ir::Node* node = graph->find(p.isEdge() ? p.consumer : p.node);
            if (!node || !node->annotation())
                return nullptr;
            const ir::Spec* spec = p.isEdge() ? node->annotation()->input(p.node) : &node->annotation()->output;
            return spec ? *spec : nullptr;
        };
        return {[this](ir::NodeId id) { return nameOf(id); }, specAt, m_sharing.at(position)};
    }

    void addLabels(const ir::Node& node)
    {
        if (!node.annotation())
            return;
        const ir::Annotation& annotation = *node.annotation();
        m_section = tr("Labels");
        for (const auto& [upstream, spec] : annotation.inputs)
            addText(tr("input %1").arg(nameOf(upstream)), labelText(spec, labelContext({upstream, node.id()})).words);
        for (const ir::Node* input : node.inputs())
            if (!annotation.input(input->id()) && !observesLabelled(*input, annotation))
                addText(tr("input %1").arg(QString::fromStdString(input->name())), absentLabel().words);
        addText(tr("output"), annotation.output
                                  ? labelText(annotation.output, labelContext({node.id(), ir::kNoNode})).words
                                  : absentLabel().words);
        addText(QStringLiteral("_annotated"), yesNo(annotation.annotated));
        addText(QStringLiteral("allow_implicit_sharing"), yesNo(annotation.allowImplicitSharing));
        for (const auto& [key, value] : annotation.extra)
            addText(QString::fromStdString(key), argumentText(value, {}));
    }

    /// After prepare an input is the observer of the labelled tensor.
    static bool observesLabelled(const ir::Node& input, const ir::Annotation& annotation)
    {
        const ir::Node* at = &input;
        for (int steps = 0; steps < 4 && !at->inputs().empty(); ++steps) {
            const bool between = at->op() == ir::Op::CallModule || at->target().find("quantize") != std::string::npos;
            if (!between)
                return false;
            at = at->inputs().front();
            if (annotation.input(at->id()))
                return true;
        }
        return false;
    }

    void addObserver(const trace::GraphMoment& moment, const ir::Node& node)
    {
        const auto found = moment.observers.find(node.target());
        if (node.op() != ir::Op::CallModule || found == moment.observers.end() || !found->second)
            return;
        const trace::ObserverInfo& info = *found->second;
        m_section = tr("Observer");
        addText(tr("class"), QString::fromStdString(info.type));
        if (!info.inner.empty())
            addText(tr("observer of the fake quantize"), QString::fromStdString(info.inner));
        addText(tr("object number"), QString::number(info.instance));
        const GroupInfo group = m_sharing.ofObserver(info.instance);
        if (group.number >= 0)
            addText(tr("sharing group"), tr("%1, %2 positions").arg(group.number).arg(group.size));
        addSettings(info);
        const auto record = moment.observerRecords.find(node.target());
        if (record == moment.observerRecords.end() || !record->second)
            return addText(tr("state"), tr("no data: scale 1 and zero point 0 are defaults"));
        addState(record->second->state);
    }

    void addSettings(const trace::ObserverInfo& info)
    {
        const quant::ObserverSettings& s = info.settings;
        const auto integer = [](const std::optional<std::int64_t>& v) {
            return v ? QString::number(*v).replace(QLatin1Char('-'), QChar(0x2212)) : QStringLiteral("None");
        };
        addText(tr("dtype"), QString::fromStdString(s.dtypeName));
        if (s.hasQScheme)
            addText(tr("qscheme"), s.qscheme ? QString::fromLatin1(ir::name(*s.qscheme)) : QStringLiteral("None"));
        if (s.hasQuantRange) {
            addText(tr("quant_min"), integer(s.quantMin));
            addText(tr("quant_max"), integer(s.quantMax));
        }
        if (s.hasChAxis)
            addText(tr("ch_axis"), integer(s.chAxis));
        if (s.isDynamic)
            addText(tr("is_dynamic"), yesNo(*s.isDynamic));
        if (s.averagingConstant)
            addText(tr("averaging_constant"), displayNumber(*s.averagingConstant));
        if (s.bins)
            addText(tr("bins"), QString::number(*s.bins));
        if (s.eps)
            addText(tr("eps"), displayNumber(*s.eps));
        if (info.type.find("FakeQuant") != std::string::npos) {
            addText(tr("observer_enabled"), yesNo(info.observerEnabled));
            addText(tr("fake_quant_enabled"), yesNo(info.fakeQuantEnabled));
        }
    }

    void addState(const quant::ObserverState& state)
    {
        addText(tr("batches"), QString::number(state.batches));
        const auto tensor = [this](const QString& name, const std::optional<ir::Tensor>& t) {
            if (t)
                addText(name, tensorText(*t));
        };
        tensor(tr("min_val"), state.minVal);
        tensor(tr("max_val"), state.maxVal);
        if (state.qparams) {
            addText(tr("scale"), tensorText(state.qparams->scale));
            addText(tr("zero_point"), tensorText(state.qparams->zeroPoint));
        } else if (!state.noQParams.empty()) {
            addText(tr("no qparams"), QString::fromStdString(state.noQParams));
        }
    }

    /// Up to eight numbers.
    static QString tensorText(const ir::Tensor& tensor)
    {
        constexpr std::int64_t kMost = 8;
        QStringList parts;
        for (std::int64_t i = 0; i < std::min(tensor.elementCount(), kMost); ++i)
            parts << displayNumber(tensor.at(i));
        if (tensor.elementCount() > kMost)
            parts << tr("… %1 more").arg(tensor.elementCount() - kMost);
        return tensor.elementCount() == 1 ? parts.front()
                                          : QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
    }

    void addAttribute(const trace::GraphMoment& moment, const ir::Node& node)
    {
        const auto found = moment.attributes.find(node.target());
        if (node.op() != ir::Op::GetAttr || found == moment.attributes.end())
            return;
        const trace::AttributeInfo& info = found->second;
        m_section = tr("Attribute");
        addText(tr("kind"), info.kind == ir::AttributeKind::Parameter ? tr("parameter")
                            : info.kind == ir::AttributeKind::Buffer  ? tr("buffer")
                                                                      : tr("constant"));
        addText(tr("dtype"), QString::fromLatin1(ir::name(info.dtype)));
        addText(tr("shape"), QString::fromStdString(ir::toText(info.shape)));
        if (const auto count = ir::checkedElementCount(info.shape))
            addText(tr("bytes"),
                    countText(static_cast<double>(*count) * static_cast<double>(ir::itemSize(info.dtype))));
        if (info.value && info.value->elementCount() > 0)
            addText(tr("values"), tensorText(*info.value));
        if (!info.sha256.empty())
            addText(tr("SHA-256"), QString::fromStdString(info.sha256));
    }

    const trace::Recording& m_recording;
    NodeFacts& m_out;
    const ir::Graph* m_graph = nullptr;
    Sharing m_sharing;
    QString m_section;
};

} // namespace

const trace::NodeRow* rowOf(const trace::Recording& recording, ir::NodeId id)
{
    for (auto event = recording.events.rbegin(); event != recording.events.rend(); ++event)
        for (auto edit = event->edits.rbegin(); edit != event->edits.rend(); ++edit)
            if (const auto* added = std::get_if<trace::NodeAdded>(&*edit); added && added->row.id == id)
                return &added->row;
    return nullptr;
}

NodeFacts nodeFacts(const trace::Recording& recording, const trace::Moment& moment, int cursor, ir::NodeId id)
{
    NodeFacts out;
    Collector collector(recording, out);
    for (const auto& [path, graph] : moment.graphs)
        if (const ir::Node* node = graph->graph->find(id)) {
            collector.collect(path, *graph, *node);
            return out;
        }
    if (const trace::NodeRow* row = rowOf(recording, id))
        collector.collectRow(*row, cursor);
    return out;
}

QString plainText(const NodeFacts& facts)
{
    QStringList lines;
    QString section;
    for (const Fact& fact : facts.facts) {
        if (fact.section != section)
            lines << (section = fact.section);
        lines << QStringLiteral("  %1: %2").arg(fact.name, fact.text);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gb::views
