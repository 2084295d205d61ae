#include "export/dot_writer.h"

namespace gb::views {
namespace {

QByteArray quoted(QString text)
{
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    text.replace(QLatin1Char('"'), QStringLiteral("\\\""));
    text.replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    return '"' + text.toUtf8() + '"';
}

const char* shape(Form form)
{
    switch (form) {
    case Form::Stadium: return "box";
    case Form::Narrowing: return "invtrapezium";
    case Form::Widening: return "trapezium";
    case Form::Folded: return "note";
    case Form::Box: break;
    }
    return "box";
}

const char* edgeStyle(const EdgeItem& edge)
{
    if (edge.plain)
        return "solid";
    switch (edge.kind) {
    case LabelKind::None: return "dashed";
    case LabelKind::Absent:
    case LabelKind::NotRecorded: return "dotted";
    default: return "solid";
    }
}

QString wholeText(const TextItem& item)
{
    return item.whole.isEmpty() ? plainText(item.runs) : item.whole;
}

QString labelOf(const NodeItem& node)
{
    QStringList lines;
    for (const TextItem& text : node.texts)
        if (text.from == Detail::Full || (node.ghost && lines.isEmpty()))
            lines << wholeText(text);
    for (const LabelItem& label : node.labels) {
        QStringList parts;
        for (const TextItem& text : label.texts)
            if (text.from == Detail::Full)
                parts << wholeText(text);
        lines << parts.join(QLatin1Char(' '));
    }
    if (!node.badge.isEmpty())
        lines << node.badge;
    return lines.join(QLatin1Char('\n'));
}

QByteArray nodeStatement(const NodeItem& node, const Theme& theme)
{
    QByteArray style = node.ghost || node.dashed || node.hatched ? "filled,dashed" : "filled";
    if (node.form == Form::Stadium)
        style += ",rounded";
    QByteArray out = "  " + quoted(node.name) + " [label=" + quoted(labelOf(node)) + ", shape=" + shape(node.form)
                     + ", style=\"" + style + "\", fillcolor=" + quoted(theme.fill(node.role).name())
                     + ", color=" + quoted(theme.border(node.role).name());
    if (node.doubled)
        out += ", peripheries=2";
    return out + "];\n";
}

} // namespace

QByteArray toDot(const Picture& picture, const Theme& theme, const QString& title)
{
    QByteArray out =
        "digraph " + quoted(title) + " {\n  rankdir=TB;\n  node [fontname=\"DejaVu Sans\", fontsize=10];\n";
    for (const NodeItem& node : picture.nodes)
        out += nodeStatement(node, theme);
    for (const EdgeItem& edge : picture.edges) {
        const NodeItem* from = picture.find(edge.from);
        const NodeItem* to = picture.find(edge.to);
        out += "  " + quoted(from->name) + " -> " + quoted(to->name);
        if (!edge.plain && edge.kind == LabelKind::Shared)
            out += " [color=\"black:white:black\"]";
        else
            out += QByteArray(" [style=") + edgeStyle(edge) + ']';
        out += ";\n";
    }
    return out + "}\n";
}

} // namespace gb::views
