#include "passes/create_observers.h"

#include "base/message.h"
#include "quant/make_observer.h"

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using quant::Observer;
using ObserverPtr = std::shared_ptr<Observer>;

class Creator {
public:
    Creator(const ir::Graph& graph, ObserverMap& map, bool isQat)
        : m_graph(graph)
        , m_map(map)
        , m_isQat(isQat)
    {
    }

    /// _create_obs_or_fq_from_qspec; `made` rows of the map are filled so far.
    Result<ObserverPtr> create(const ir::Spec& spec, std::size_t made) const
    {
        if (!spec)
            return ObserverPtr();
        if (const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec)) {
            const auto row = m_map.groups.specs.find(shared->with);
            if (row && *row < made)
                return m_map.byRow[*row];
            return Error{
                ErrorCode::AssertionError,
                base::say("a shared spec refers to {0}, which has no observer yet; shared specs may only refer "
                          "to an edge or node that has one",
                          positionText(m_graph, shared->with)),
                {}};
        }
        if (const auto* derived = ir::as<ir::DerivedQuantizationSpec>(spec)) {
            GB_ASSIGN(auto from, sources(*derived, made));
            return quant::makeObserver(*derived, std::move(from));
        }
        if (const auto* fixed = ir::as<ir::FixedQParamsQuantizationSpec>(spec))
            return quant::makeObserver(*fixed, m_isQat);
        return quant::makeObserver(std::get<ir::QuantizationSpec>(*spec));
    }

private:
    Result<std::vector<std::shared_ptr<const Observer>>> sources(const ir::DerivedQuantizationSpec& spec,
                                                                 std::size_t made) const
    {
        std::vector<std::shared_ptr<const Observer>> out;
        for (const ir::Position p : spec.from) {
            const auto row = m_map.groups.specs.find(p);
            if (!row || *row >= made)
                return Error{
                    ErrorCode::KeyError,
                    base::say("a derived spec refers to {0}, which has no observer yet", positionText(m_graph, p)),
                    {}};
            out.push_back(m_map.byRow[*row]);
        }
        return out;
    }

    const ir::Graph& m_graph;
    ObserverMap& m_map;
    bool m_isQat;
};

void sayObserver(const ir::Graph& graph, ir::Position position, int group, const Observer& observer,
                 trace::Recorder& recorder)
{
    const std::int64_t instance = recorder.instanceOf(&observer);
    trace::Event e;
    e.kind = trace::EventKind::Observer;
    e.graph = graph.path();
    e.nodes.push_back(position.node);
    if (position.isEdge())
        e.nodes.push_back(position.consumer);
    e.sentence = message("{0} number {1} for group {2}, from the spec of {3}", observer.typeName(), instance, group,
                         positionText(graph, position));
    e.fields = {{"group", ir::Argument(group)},
                {"observer", ir::Argument(instance)},
                {"type", ir::Argument(observer.typeName())},
                {"spec", positionField(position)}};
    recorder.say(std::move(e));
}

} // namespace

ObserverPtr ObserverMap::at(ir::Position position) const
{
    const auto row = groups.specs.find(position);
    return row ? byRow[*row] : nullptr;
}

Result<ObserverMap> createObservers(const ir::Graph& graph, SharingGroups groups, bool isQat, trace::Recorder& recorder)
{
    ObserverMap map{std::move(groups), {}};
    const auto& rows = map.groups.specs.rows();
    map.byRow.resize(rows.size());
    std::vector<bool> created(static_cast<std::size_t>(map.groups.count));
    std::vector<ObserverPtr> ofGroup(created.size());
    const Creator creator(graph, map, isQat);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto group = static_cast<std::size_t>(map.groups.groupOf[row]);
        if (!created[group]) {
            auto observer = creator.create(rows[row].spec, row);
            if (!observer)
                return observer.error().in(positionText(graph, rows[row].position));
            ofGroup[group] = std::move(observer).value();
            created[group] = true;
            if (ofGroup[group])
                sayObserver(graph, rows[row].position, map.groups.groupOf[row], *ofGroup[group], recorder);
        }
        map.byRow[row] = ofGroup[group];
    }
    return map;
}

} // namespace gb::passes
