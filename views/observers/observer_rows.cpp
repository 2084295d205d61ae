#include "observers/observer_rows.h"

#include <algorithm>
#include <map>
#include <set>

namespace gb::views {
namespace {

QString nameOf(const ir::Node& node)
{
    return QString::fromStdString(node.name());
}

void addOnce(QStringList& names, const QString& name)
{
    if (!names.contains(name))
        names << name;
}

/// The record that saw more: a shared observer has one a node, of the batch that came through that node last.
bool isNewer(const trace::ObserverRecord& a, const trace::ObserverRecord* b)
{
    return !b || a.state.batches > b->state.batches;
}

class Collector {
public:
    explicit Collector(std::vector<ObserverRow>& rows)
        : m_rows(rows)
    {
    }

    void add(const std::string& path, const trace::GraphMoment& moment)
    {
        for (const ir::Node* node = moment.graph->first(); node; node = node->next()) {
            if (node->op() != ir::Op::CallModule)
                continue;
            const auto observer = moment.observers.find(node->target());
            if (observer != moment.observers.end() && observer->second)
                addNode(path, moment, *node, observer->second);
        }
    }

private:
    void addNode(const std::string& path, const trace::GraphMoment& moment, const ir::Node& node,
                 const std::shared_ptr<const trace::ObserverInfo>& info)
    {
        ObserverRow& row = rowOf(path, node, info);
        row.nodes.push_back(node.id());
        row.names << nameOf(node);
        row.inputs.push_back(node.inputs().empty() ? ir::kNoNode : node.inputs().front()->id());
        if (!node.inputs().empty())
            addOnce(row.observes, nameOf(*node.inputs().front()));
        for (const ir::Node* user : node.users())
            addOnce(row.users, nameOf(*user));
        const auto record = moment.observerRecords.find(node.target());
        if (record != moment.observerRecords.end() && record->second && isNewer(*record->second, row.record.get()))
            row.record = record->second;
    }

    ObserverRow& rowOf(const std::string& path, const ir::Node& node,
                       const std::shared_ptr<const trace::ObserverInfo>& info)
    {
        // an observer without a number is known by its node alone
        const auto found = info->instance < 0 ? m_byInstance.end() : m_byInstance.find(info->instance);
        if (found != m_byInstance.end())
            return m_rows[found->second];
        if (info->instance >= 0)
            m_byInstance[info->instance] = m_rows.size();
        ObserverRow row;
        row.instance = info->instance >= 0 ? info->instance : -2 - static_cast<std::int64_t>(node.id());
        row.graph = path;
        row.info = info;
        return m_rows.emplace_back(std::move(row));
    }

    std::vector<ObserverRow>& m_rows;
    std::map<std::int64_t, std::size_t> m_byInstance;
};

} // namespace

const quant::ObserverState& ObserverRow::state() const
{
    static const quant::ObserverState kNothing;
    return record ? record->state : kNothing;
}

QString ObserverRow::typeText() const
{
    const QString type = QString::fromStdString(info->type);
    return info->inner.empty() ? type : QStringLiteral("%1 (%2)").arg(type, QString::fromStdString(info->inner));
}

std::vector<ObserverRow> observerRows(const trace::Moment& moment)
{
    std::vector<ObserverRow> rows;
    Collector collector(rows);
    for (const auto& [path, graph] : moment.graphs) // "" sorts first
        collector.add(path, *graph);
    return rows;
}

} // namespace gb::views
