#include "picture/node_text.h"

#include "base/message.h"
#include "layout/union_graph.h"
#include "picture/label_lines.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::node", text);
}

QString q(const std::string& text)
{
    return QString::fromStdString(text);
}

Run text(QString t)
{
    return {Glyph::None, std::move(t)};
}

constexpr TextStyle kName{FontRole::NodeName, 1, false};
constexpr TextStyle kText{FontRole::NodeText, 1, false};
constexpr TextStyle kMono{FontRole::Label, 1, false};
constexpr TextStyle kCaption{FontRole::Caption, 1, false};

QString shapeText(const std::vector<ir::Dim>& shape)
{
    QStringList sizes;
    for (const ir::Dim& dim : shape)
        sizes << (dim.symbol.empty() ? QString::number(dim.size) : q(dim.symbol));
    return QStringLiteral("[%1]").arg(sizes.join(QStringLiteral(", ")));
}

QString valueText(const ir::ValueMeta& val)
{
    switch (val.kind) {
    case ir::ValueMeta::Kind::Tensor:
        return shortName(val.tensor.dtype) + QLatin1Char(' ') + shapeText(val.tensor.shape);
    case ir::ValueMeta::Kind::Scalar: return q(val.scalar);
    case ir::ValueMeta::Kind::Several:
        return val.parts.size() == 1 ? valueText(val.parts[0]) : tr("%1 values").arg(val.parts.size());
    case ir::ValueMeta::Kind::Missing: break;
    }
    return {};
}

const trace::AttributeInfo* attributeOf(const ir::Node& node, const NodeContext& context)
{
    const auto found = context.facts.attributes.find(node.target());
    return node.op() == ir::Op::GetAttr && found != context.facts.attributes.end() ? &found->second : nullptr;
}

QString typeText(const ir::Node& node, const NodeContext& context)
{
    if (const trace::AttributeInfo* attribute = attributeOf(node, context))
        return shortName(attribute->dtype) + QLatin1Char(' ') + q(ir::toText(attribute->shape));
    return valueText(node.meta().val);
}

QString modulePath(const ir::Node& node)
{
    if (node.meta().nnModuleStack.empty())
        return {};
    QString path = q(node.meta().nnModuleStack.back().path);
    if (path.startsWith(QStringLiteral("L['self']")))
        path.remove(0, path.size() > 9 && path[9] == QLatin1Char('.') ? 10 : 9);
    return path;
}

/// Names at all details: larger where less is shown, so that they keep 9 px on the screen.
void addName(NodeText& out, const QString& name, TextStyle style = kName)
{
    TextStyle brief = style;
    brief.scale = 1.25;
    TextStyle chips = kName;
    chips.scale = 1.9;
    out.lines.push_back({{text(name)}, style, Tone::Normal, Detail::Full, Detail::Full});
    out.lines.push_back({{text(name)}, brief, Tone::Normal, Detail::Brief, Detail::Brief});
    out.lines.push_back({{text(name)}, chips, Tone::Normal, Detail::Chips, Detail::Chips});
}

void addLine(NodeText& out, const QString& line, TextStyle style, Tone tone = Tone::Muted)
{
    if (!line.isEmpty())
        out.lines.push_back({{text(line)}, style, tone, Detail::Full, Detail::Full});
}

// ---- kinds of node --------------------------------------------------------------------------------------------------

QString observerFigures(const trace::ObserverRecord* record, bool isDynamic)
{
    if (isDynamic)
        return tr("computed at run time");
    if (!record || record->state.batches == 0)
        return tr("no data");
    const auto& state = record->state;
    QStringList parts;
    if (state.minVal && state.maxVal && state.minVal->elementCount() > 0 && state.maxVal->elementCount() > 0) {
        const std::vector<double> low = state.minVal->toDoubles();
        const std::vector<double> high = state.maxVal->toDoubles();
        if (low.size() > 1)
            parts << tr("%1 channels").arg(low.size());
        parts << tr("min %1  max %2")
                     .arg(displayNumber(*std::min_element(low.begin(), low.end())),
                          displayNumber(*std::max_element(high.begin(), high.end())));
    }
    parts << (state.batches == 1 ? tr("1 batch") : tr("%1 batches").arg(state.batches));
    return parts.join(QStringLiteral(" · "));
}

std::vector<float> sparkline(const quant::ObserverState& state)
{
    constexpr std::size_t kBars = 48;
    if (!state.histogram || state.histogram->elementCount() == 0)
        return {};
    const std::vector<double> bins = state.histogram->toDoubles();
    std::vector<float> out(std::min(kBars, bins.size()), 0);
    double largest = 0;
    std::vector<double> sums(out.size(), 0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        double& sum = sums[i * sums.size() / bins.size()];
        sum += std::isfinite(bins[i]) ? std::max(0.0, bins[i]) : 0;
        largest = std::max(largest, sum);
    }
    // tails decide clipping: logarithmic heights, as in the large plot
    for (std::size_t i = 0; i < out.size() && largest > 0; ++i)
        out[i] = static_cast<float>(std::log1p(sums[i]) / std::log1p(largest));
    return out;
}

void describeObserver(NodeText& out, const ir::Node& node, const NodeContext& context)
{
    out.role = NodeRole::Observer;
    out.form = Form::Stadium;
    out.doubled = true;
    const auto info = context.facts.observers.find(node.target());
    const auto found = context.facts.observerRecords.find(node.target());
    const trace::ObserverRecord* record = found == context.facts.observerRecords.end() ? nullptr : found->second.get();
    Runs title{{Glyph::Gauge, {}}};
    bool dynamic = false;
    QString type = tr("observer");
    if (info != context.facts.observers.end()) {
        const trace::ObserverInfo& o = *info->second;
        QString name = shortObserver(o.type);
        if (name == QStringLiteral("Hist"))
            name = QStringLiteral("Histogram");
        if (!o.inner.empty())
            name += QStringLiteral("(%1)").arg(shortObserver(o.inner));
        title.push_back(text(tr("obs %1 · %2").arg(o.instance).arg(name)));
        const GroupInfo group = context.sharing.ofObserver(o.instance);
        out.group = group.number;
        if (group.number >= 0 && group.size > 1) {
            title.push_back({group.isExplicit ? Glyph::Chain : Glyph::ChainDashed, {}});
            title.push_back(text(QString::number(group.number)));
        }
        dynamic = o.settings.isDynamic.value_or(false);
        type = q(o.type);
        out.sparkRow = o.type == "HistogramObserver" || o.inner == "HistogramObserver";
    } else {
        title.push_back(text(q(node.name())));
    }
    const QString figures = observerFigures(record, dynamic);
    out.dashed = !dynamic && (!record || record->state.batches == 0);
    out.lines.push_back({title, {FontRole::NodeText, 1, false}, Tone::Normal, Detail::Full, Detail::Full});
    out.lines.push_back({title, {FontRole::NodeText, 1.3, false}, Tone::Normal, Detail::Brief, Detail::Brief});
    // far away the number is enough
    const Runs number{{Glyph::Gauge, {}}, text(title[1].text.section(QStringLiteral(" · "), 0, 0))};
    out.lines.push_back({number, {FontRole::NodeName, 1.9, false}, Tone::Normal, Detail::Chips, Detail::Chips});
    out.lines.push_back({{text(figures)}, kMono, Tone::Normal, Detail::Full, Detail::Full});
    addLine(out, q(node.name()), kCaption);
    if (record)
        out.sparkline = sparkline(record->state);
    out.tooltip = QStringLiteral("%1\n%2\n%3").arg(q(node.name()), type, figures);
    out.accessible = tr("%1, %2, %3").arg(plainText(title), type, figures);
}

QString argumentText(const ir::Argument& argument, const NodeContext& context)
{
    if (const auto* number = argument.as<double>())
        return displayNumber(*number);
    if (const auto* whole = argument.as<std::int64_t>())
        return displayNumber(static_cast<double>(*whole));
    if (const ir::Node* node = context.facts.graph->find(argument.nodeId())) {
        const trace::AttributeInfo* attribute = attributeOf(*node, context);
        if (attribute && attribute->shape.size() == 1)
            return QStringLiteral("×%1").arg(attribute->shape[0]);
        return q(node->name());
    }
    return QStringLiteral("?");
}

void describeQuantize(NodeText& out, const ir::Node& node, const NodeContext& context, bool dequantize)
{
    out.role = dequantize ? NodeRole::Dequantize : NodeRole::Quantize;
    out.form = dequantize ? Form::Widening : Form::Narrowing;
    const QString target = q(node.target()).section(QLatin1Char('.'), 1, 1);
    const QString kind = target.section(QLatin1Char('_'), 1);
    const bool perChannel = kind == QStringLiteral("per_channel");
    const QString sign = dequantize ? QStringLiteral("DQ") : QStringLiteral("Q");
    const QString title = (dequantize ? tr("dequantize %1") : tr("quantize %1")).arg(kind);
    const std::size_t first = perChannel ? 4 : 3;
    QString figures =
        perChannel ? tr("scales %1  zps %2  axis %3")
                         .arg(argumentText(node.arg(1), context), argumentText(node.arg(2), context),
                              argumentText(node.arg(3), context))
                   : tr("s %1  z %2").arg(argumentText(node.arg(1), context), argumentText(node.arg(2), context));
    QString range;
    if (node.args().size() > first + 1)
        range = QStringLiteral("[%1,%2]").arg(argumentText(node.arg(first), context),
                                              argumentText(node.arg(first + 1), context));
    if (const auto* dtype = node.arg(first + 2).as<ir::DType>())
        range += QLatin1Char(' ') + shortName(*dtype);
    out.lines.push_back({{text(title)}, kText, Tone::Normal, Detail::Full, Detail::Full});
    out.lines.push_back({{text(sign + QStringLiteral(" ") + kind)},
                         {FontRole::NodeText, 1.3, false},
                         Tone::Normal,
                         Detail::Brief,
                         Detail::Brief});
    out.lines.push_back({{text(sign)}, {FontRole::NodeName, 1.9, false}, Tone::Normal, Detail::Chips, Detail::Chips});
    addLine(out, figures, kMono, Tone::Normal);
    addLine(out, range, kMono, Tone::Normal);
    addLine(out, q(node.name()), kCaption);
    out.tooltip = QStringLiteral("%1\n%2\n%3 %4").arg(q(node.name()), q(node.target()), figures, range);
    out.accessible = QStringLiteral("%1, %2, %3 %4").arg(q(node.name()), title, figures, range);
}

/// "i8 weight (folded), 8 scales" where a constant holds integers that a dequantize reads.
QString foldedText(const ir::Node& node, const NodeContext& context)
{
    const trace::AttributeInfo* attribute = attributeOf(node, context);
    if (!attribute || !ir::isInteger(attribute->dtype) || node.users().empty())
        return {};
    const ir::Node& user = *node.users()[0];
    if (helperKind(user) != Helper::Dequantize || user.arg(0).nodeId() != node.id())
        return {};
    std::int64_t scales = 1;
    if (const ir::Node* scale = context.facts.graph->find(user.arg(1).nodeId()))
        if (const trace::AttributeInfo* values = attributeOf(*scale, context))
            scales = values->shape.empty() ? 1 : values->shape[0];
    return tr("%1 weight (folded), %2")
        .arg(shortName(attribute->dtype), scales == 1 ? tr("1 scale") : tr("%1 scales").arg(scales));
}

void describeConstant(NodeText& out, const ir::Node& node, const NodeContext& context)
{
    out.role = NodeRole::Weight;
    out.form = Form::Folded;
    out.small = true;
    const QString type = typeText(node, context);
    if (isQParamConstant(node)) {
        out.lines.push_back({{text(q(node.name()))}, kCaption, Tone::Normal, Detail::Full, Detail::Full});
        addLine(out, type, kCaption, Tone::Normal);
    } else {
        addName(out, q(node.name()), kText);
        addLine(out, foldedText(node, context), kMono, Tone::Normal);
        addLine(out, type, kMono, Tone::Normal);
    }
    out.tooltip = QStringLiteral("%1\n%2\n%3").arg(q(node.name()), q(node.target()), type);
    out.accessible = tr("%1, constant %2, %3").arg(q(node.name()), q(node.target()), type);
}

void describeOp(NodeText& out, const ir::Node& node, const NodeContext& context)
{
    const bool input = node.op() == ir::Op::Placeholder;
    const bool output = node.op() == ir::Op::Output;
    out.role = input ? NodeRole::Input : output ? NodeRole::Output : NodeRole::Op;
    out.small = input || output;
    const QString type = typeText(node, context);
    const QString path = modulePath(node);
    addName(out, q(node.name()));
    if (!input && !output)
        addLine(out, q(node.target()), kText);
    addLine(out, type, kMono, Tone::Normal);
    if (path != q(node.name())) // the module says nothing more than the name then
        addLine(out, path, kCaption);
    QStringList tip{q(node.name()), q(node.target()), type, path};
    tip.removeAll(QString());
    out.tooltip = tip.join(QLatin1Char('\n'));
    out.accessible = QStringLiteral("%1, %2, %3").arg(q(node.name()), q(node.target()), type);
    if (context.labels && context.recorded && context.judged && node.op() == ir::Op::CallFunction && !isBuiltin(node)
        && !hasLabel(node)) {
        out.role = NodeRole::NotAnnotated;
        out.hatched = true;
        out.badge = tr("why?");
        out.accessible += tr(", not annotated");
    }
}

} // namespace

bool hasLabel(const ir::Node& node)
{
    const ir::Annotation* a = node.annotation().get();
    return a && (a->annotated || a->output || !a->inputs.empty());
}

bool isBuiltin(const ir::Node& node)
{
    return node.target().starts_with('<');
}

NodeText nodeText(const ir::Node& node, const NodeContext& context)
{
    NodeText out;
    const Helper helper = helperKind(node);
    if (helper == Helper::Observer)
        describeObserver(out, node, context);
    else if (helper != Helper::No)
        describeQuantize(out, node, context, helper == Helper::Dequantize);
    else if (node.op() == ir::Op::GetAttr)
        describeConstant(out, node, context);
    else
        describeOp(out, node, context);
    if (helper == Helper::No && context.labels) {
        out.labels = labelLines(node, context);
        for (const LabelLine& line : out.labels) {
            out.tooltip += QLatin1Char('\n') + line.tooltip;
            out.accessible += QStringLiteral("; ") + line.tooltip;
        }
    }
    return out;
}

NodeText ghostText(const QString& name, const QString& target, NodeRole role, Form form)
{
    NodeText out;
    out.role = role;
    out.form = form;
    addName(out, name, role == NodeRole::Weight ? kText : kName);
    if (role != NodeRole::Weight)
        addLine(out, target, kText);
    out.tooltip = tr("%1\n%2\nno longer in the graph").arg(name, target);
    out.accessible = tr("%1, no longer in the graph").arg(name);
    return out;
}

} // namespace gb::views
