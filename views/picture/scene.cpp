#include "picture/scene.h"

#include "base/message.h"
#include "picture/box_metrics.h"
#include "picture/scene_data.h"
#include "picture/slot.h"

#include <algorithm>
#include <climits>
#include <map>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using trace::EventKind;

/// A recording with more events than this is united at its stages only.
constexpr std::size_t kManyEvents = 20000;

/// The moments whose nodes get a place: every stage, the end of every pass, and the end.
std::vector<int> moments(const trace::Recording& recording)
{
    std::vector<int> out;
    const bool passes = recording.events.size() <= kManyEvents;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const trace::Event& event = recording.events[i];
        if (event.kind == EventKind::Stage || (passes && event.kind == EventKind::Load))
            out.push_back(static_cast<int>(i));
        else if (event.kind == EventKind::Pass && passes)
            out.push_back(event.last);
    }
    out.push_back(static_cast<int>(recording.events.size()) - 1);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Labels appear with the first annotation, or when the annotate pass starts.
int firstLabel(const trace::Recording& recording)
{
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const trace::Event& event = recording.events[i];
        if (event.kind == EventKind::Annotate || (event.kind == EventKind::Pass && event.name == "annotate")
            || (event.kind == EventKind::Stage && event.name == "annotated"))
            return static_cast<int>(i);
    }
    return INT_MAX;
}

class SceneMaker {
public:
    SceneMaker(trace::RecordingPtr recording, const std::string& path, const base::Work& work)
        : m_scene(std::make_shared<Scene>())
        , m_work(work)
    {
        m_scene->recording = std::move(recording);
        m_scene->path = path;
        m_scene->labelsFrom = firstLabel(*m_scene->recording);
    }

    base::Result<ScenePtr> run()
    {
        GB_TRY(unite());
        m_scene->unionGraph.finish();
        m_scene->sharing = Sharing::of(*m_scene->recording, m_scene->path);
        if (m_scene->sharing.empty() && m_annotated)
            m_scene->sharing = Sharing::ofLabels(*m_annotated);
        m_sizes.resize(m_scene->unionGraph.cells().size());
        for (const auto& [event, facts] : m_moments) {
            if (m_work.cancelled())
                return cancelled();
            measureMoment(*facts, event);
        }
        m_work.report(500, "lay out");
        LayoutInput input;
        for (const CellSize& size : m_sizes) {
            input.boxes.push_back({std::max(1.0, size.width), std::max(1.0, size.box + size.strip)});
            m_scene->boxHeights.push_back(size.box);
        }
        for (const UnionGraph::Edge& edge : m_scene->unionGraph.edges())
            input.edges.push_back({edge.from, edge.to});
        GB_ASSIGN(m_scene->layout, layout(input, m_work.stop));
        m_work.report(1000, "lay out");
        return ScenePtr(std::move(m_scene));
    }

private:
    struct CellSize {
        double width = 0;
        double box = 0;
        double strip = 0;
    };

    static Error cancelled() { return {ErrorCode::Cancelled, "the layout was cancelled", {}}; }

    base::Status unite()
    {
        trace::Replay replay(m_scene->recording);
        const int annotated = m_scene->recording->stageEvent("annotated");
        for (const int event : moments(*m_scene->recording)) {
            if (m_work.cancelled())
                return cancelled();
            GB_ASSIGN(const trace::MomentPtr moment, replay.at(event));
            const auto found = moment->graphs.find(m_scene->path);
            if (found == moment->graphs.end())
                continue;
            const auto& facts = found->second;
            remember(*facts->graph, event);
            m_moments.emplace_back(event, facts);
            if (event == annotated || (annotated < 0 && event >= m_scene->labelsFrom)) {
                m_annotated = facts->graph;
                for (const ir::Node* node = facts->graph->first(); node; node = node->next())
                    m_scene->judged.insert(node->id());
            }
            if (m_moments.size() < 2 || m_moments[m_moments.size() - 2].second->graph != facts->graph)
                m_scene->unionGraph.add(facts->graph);
        }
        if (m_moments.empty())
            return Error{ErrorCode::NotFound, say("the recording has no graph \"{0}\"", m_scene->path),
                         m_scene->recording->header.model};
        return {};
    }

    void remember(const ir::Graph& graph, int event)
    {
        for (const ir::Node* node = graph.first(); node; node = node->next()) {
            Remembered& r = m_scene->remembered.try_emplace(node->id()).first->second;
            if (!r.name.isEmpty())
                continue;
            r.name = QString::fromStdString(node->name());
            r.target = QString::fromStdString(node->target());
            r.born = event;
            const bool constant = node->op() == ir::Op::GetAttr;
            const bool observer = helperKind(*node) == Helper::Observer;
            r.role = constant ? NodeRole::Weight : observer ? NodeRole::Observer : NodeRole::Op;
            r.form = constant ? Form::Folded : observer ? Form::Stadium : Form::Box;
        }
    }

    void measureMoment(const trace::GraphMoment& facts, int event)
    {
        std::map<int, std::vector<SlotMember>> slots;
        for (const ir::Node* node = facts.graph->first(); node; node = node->next()) {
            const int cell = m_scene->unionGraph.cellOf(node->id());
            const BoxSize size = measure(nodeText(*node, m_scene->context(facts, *node, event, {})));
            if (m_scene->unionGraph.cells()[static_cast<std::size_t>(cell)].slot) {
                slots[cell].push_back({node, size.box, {}});
                continue;
            }
            CellSize& known = m_sizes[static_cast<std::size_t>(cell)];
            known.width = std::max({known.width, size.box.width(), std::ceil(size.stripWidth)});
            known.box = std::max(known.box, size.box.height());
            known.strip = std::max(known.strip, size.strip);
        }
        for (auto& [cell, members] : slots) {
            const QSizeF need = arrangeSlot(members);
            CellSize& known = m_sizes[static_cast<std::size_t>(cell)];
            known.width = std::max(known.width, need.width());
            known.box = std::max(known.box, need.height());
        }
    }

    std::shared_ptr<Scene> m_scene;
    const base::Work& m_work;
    std::vector<std::pair<int, std::shared_ptr<const trace::GraphMoment>>> m_moments;
    std::shared_ptr<const ir::Graph> m_annotated;
    std::vector<CellSize> m_sizes;
};

} // namespace

std::vector<ir::NodeId> Scene::sameCell(ir::NodeId id) const
{
    const int cell = unionGraph.cellOf(id);
    return cell < 0 ? std::vector<ir::NodeId>{} : unionGraph.cells()[static_cast<std::size_t>(cell)].nodes;
}

NodeContext Scene::context(const trace::GraphMoment& facts, const ir::Node& node, int event,
                           const PictureOptions& options) const
{
    return {facts,
            sharing,
            options.labels && showsLabels(event),
            options.annotationsRecorded,
            judged.contains(node.id()),
            [this](ir::NodeId id) { return sameCell(id); }};
}

base::Result<ScenePtr> makeScene(trace::RecordingPtr recording, const std::string& path, base::Work work)
{
    if (!recording || recording->events.empty())
        return Error{ErrorCode::NotFound, "the recording is empty", {}};
    return SceneMaker(std::move(recording), path, work).run();
}

std::vector<std::string> graphPaths(const trace::Moment& moment)
{
    std::vector<std::string> out;
    for (const auto& [path, graph] : moment.graphs)
        out.push_back(path);
    return out;
}

} // namespace gb::views
