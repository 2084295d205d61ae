#include "picture/group_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gb::views {
namespace {

constexpr TextStyle kName{FontRole::NodeName, 1, false};
constexpr TextStyle kText{FontRole::NodeText, 1, false};
constexpr TextStyle kCaption{FontRole::Caption, 1, false};

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::group", text);
}

/// The command line has no catalogue of plurals.
QString opCount(int ops)
{
    return ops == 1 ? tr("1 op") : tr("%1 ops").arg(ops);
}

QString q(const std::string& text)
{
    return QString::fromStdString(text);
}

Run text(const QString& t)
{
    return {Glyph::None, t};
}

/// "layers.0" and "layers.11" -> "layers.0 … 11"
QString range(const std::string& from, const std::string& until)
{
    std::size_t same = 0;
    for (std::size_t i = 0; i < std::min(from.size(), until.size()) && from[i] == until[i]; ++i)
        if (from[i] == '.')
            same = i + 1;
    return QStringLiteral("%1 … %2").arg(q(from), q(until.substr(same)));
}

QString tail(const std::string& type)
{
    return q(type).section(QLatin1Char('.'), -1);
}

/// The modules of one turn of a pattern: "Down, Basic", "Block, Block"; of more than three the first and a count.
QString pattern(const ModuleTree& tree, const ModuleGroup& repeat)
{
    QStringList types;
    std::vector<ModuleChild> members = repeat.children;
    while (!members.empty() && members[0].isGroup
           && tree.group(members[0].index).kind == ModuleGroup::Kind::Part) // a long run is cut into parts
        members = tree.group(members[0].index).children;
    for (std::size_t i = 0; i < members.size() && i < static_cast<std::size_t>(repeat.period); ++i)
        if (members[i].isGroup)
            types << tail(tree.group(members[i].index).type);
    constexpr qsizetype kMost = 3;
    if (types.size() > kMost)
        return tr("%1 and %2 more").arg(types[0]).arg(types.size() - 1);
    return types.join(QStringLiteral(", "));
}

void describe(NodeText& out, const ModuleTree& tree, int group, const GroupFacts& facts, bool labels)
{
    const ModuleGroup& g = tree.group(group);
    const QString name = groupName(g);
    QStringList tip{name, g.type.empty() ? groupType(tree, group) : q(g.type), opCount(facts.ops),
                    groupSummary(facts, labels)};
    tip.removeAll(QString());
    out.tooltip = tip.join(QLatin1Char('\n'));
    out.accessible = tr("module %1").arg(tip.join(QStringLiteral(", ")));
}

void addFar(NodeText& out, const QString& name)
{
    out.lines.push_back({{text(name)}, {FontRole::NodeName, 1.3, false}, Tone::Normal, Detail::Brief, Detail::Brief});
    out.lines.push_back({{text(name)}, {FontRole::NodeName, 1.7, false}, Tone::Normal, Detail::Chips, Detail::Chips});
}

NodeText folded(const ModuleTree& tree, int group, const QString& counts, const QString& summary)
{
    NodeText out;
    const QString name = groupName(tree.group(group));
    if (tree.group(group).kind == ModuleGroup::Kind::Unused) { // little to see: a small box beside the inputs
        out.small = true;
        out.lines.push_back({{text(name)}, kText, Tone::Muted, Detail::Full, Detail::Full});
        out.lines.push_back({{text(name)}, kText, Tone::Muted, Detail::Chips, Detail::Brief});
        return out;
    }
    out.lines.push_back({{text(name)}, kName, Tone::Normal, Detail::Full, Detail::Full});
    addFar(out, name);
    out.lines.push_back({{text(groupType(tree, group))}, kText, Tone::Muted, Detail::Full, Detail::Full});
    out.lines.push_back({{text(counts)}, kText, Tone::Normal, Detail::Full, Detail::Full});
    out.lines.push_back({{text(summary)}, kCaption, Tone::Normal, Detail::Full, Detail::Full});
    return out;
}

} // namespace

GroupFacts& GroupFacts::operator+=(const GroupFacts& other)
{
    ops += other.ops;
    labelled += other.labelled;
    unlabelled += other.unlabelled;
    observers += other.observers;
    pairs += other.pairs;
    constants += other.constants;
    return *this;
}

QString groupName(const ModuleGroup& group)
{
    switch (group.kind) {
    case ModuleGroup::Kind::Repeat: return range(group.path, group.until);
    case ModuleGroup::Kind::Part: return range(group.from, group.until);
    case ModuleGroup::Kind::Unused: return tr("not used");
    case ModuleGroup::Kind::Root: return tr("model");
    case ModuleGroup::Kind::Module: break;
    }
    return group.calls > 1 ? tr("%1, call %2").arg(q(group.path)).arg(group.call) : q(group.path);
}

QString groupType(const ModuleTree& tree, int index)
{
    const ModuleGroup& group = tree.group(index);
    if (group.kind == ModuleGroup::Kind::Repeat)
        return group.period == 1 ? QStringLiteral("%1 × %2").arg(tail(group.type)).arg(group.times)
                                 : QStringLiteral("(%1) × %2").arg(pattern(tree, group)).arg(group.times);
    if (group.kind == ModuleGroup::Kind::Unused)
        return range(group.from, group.until);
    if (group.kind == ModuleGroup::Kind::Part)
        return group.path.empty() ? tr("part of the model") : tr("part of %1").arg(q(group.path));
    return tail(group.type);
}

QString groupSummary(const GroupFacts& facts, bool labels)
{
    QStringList parts;
    if (labels)
        parts << tr("annotated %1/%2").arg(facts.labelled).arg(facts.ops);
    if (facts.observers > 0)
        parts << tr("%1 obs").arg(facts.observers);
    if (facts.pairs > 0)
        parts << tr("%1 q/dq").arg(facts.pairs);
    if (labels && facts.unlabelled > 0)
        parts << tr("%1 without label").arg(facts.unlabelled);
    return parts.join(QStringLiteral(" · "));
}

NodeText foldedText(const ModuleTree& tree, int group, const GroupFacts& facts, bool labels)
{
    const QString counts = opCount(facts.ops);
    NodeText out = folded(tree, group, counts, groupSummary(facts, labels));
    describe(out, tree, group, facts, labels);
    return out;
}

NodeText widestFoldedText(const ModuleTree& tree, int group)
{
    const int cells = tree.group(group).cells;
    const QString widest = groupSummary({cells, cells, cells, cells, 0, 0}, true);
    return folded(tree, group, opCount(cells), widest);
}

NodeText titleText(const ModuleTree& tree, int group, const GroupFacts& facts, bool labels)
{
    NodeText out;
    const QString name = groupName(tree.group(group));
    const QString type = groupType(tree, group);
    Runs runs{text(name)};
    if (!type.isEmpty())
        runs.push_back(text(type));
    out.lines.push_back({runs, kName, Tone::Normal, Detail::Full, Detail::Full});
    addFar(out, name);
    describe(out, tree, group, facts, labels);
    return out;
}

} // namespace gb::views
