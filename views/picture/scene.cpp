#include "picture/scene.h"

#include "base/message.h"
#include "picture/module_input.h"
#include "picture/scene_data.h"

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
    SceneMaker(trace::RecordingPtr recording, const std::string& path, const base::Work& work,
               const SceneOptions& options)
        : m_scene(std::make_shared<Scene>())
        , m_work(work)
        , m_options(options)
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
        makeTree();
        m_work.report(500, "lay out");
        const Folding folding =
            m_options.unfolded ? allUnfolded(m_scene->tree) : firstFolding(m_scene->tree, m_scene->tucked, kFirstBoxes);
        GB_ASSIGN(m_scene->first, arrange(*m_scene, folding, m_work));
        m_work.report(1000, "lay out");
        return ScenePtr(std::move(m_scene));
    }

private:
    static Error cancelled() { return {ErrorCode::Cancelled, "the layout was cancelled", {}}; }

    base::Status unite()
    {
        trace::Replay replay(m_scene->recording);
        const int annotated = m_scene->recording->stageEvent("annotated");
        std::vector<int> events = moments(*m_scene->recording);
        if (m_options.onlyEvent >= 0)
            events = {m_options.onlyEvent};
        for (const int event : events) {
            if (m_work.cancelled())
                return cancelled();
            GB_ASSIGN(const trace::MomentPtr moment, replay.at(event));
            const auto found = moment->graphs.find(m_scene->path);
            if (found == moment->graphs.end())
                continue;
            const auto& facts = found->second;
            auto& all = m_scene->moments;
            const bool same = !all.empty() && all.back().facts->graph == facts->graph;
            if (!same)
                remember(*facts->graph, event);
            all.push_back({event, facts});
            if (event == annotated || (annotated < 0 && event >= m_scene->labelsFrom))
                judge(facts->graph);
            if (!same)
                m_scene->unionGraph.add(facts->graph);
        }
        if (m_scene->moments.empty())
            return Error{ErrorCode::NotFound, say("the recording has no graph \"{0}\"", m_scene->path),
                         m_scene->recording->header.model};
        if (m_options.onlyEvent > annotated && annotated >= 0) {
            GB_ASSIGN(const trace::MomentPtr moment, replay.at(annotated));
            if (const auto found = moment->graphs.find(m_scene->path); found != moment->graphs.end())
                judge(found->second->graph);
        }
        return {};
    }

    /// The graph as the quantizer left it: what has no label there was refused.
    void judge(const std::shared_ptr<const ir::Graph>& graph)
    {
        m_annotated = graph;
        for (const ir::Node* node = graph->first(); node; node = node->next())
            m_scene->judged.insert(node->id());
    }

    void remember(const ir::Graph& graph, int event)
    {
        for (const ir::Node* node = graph.first(); node; node = node->next()) {
            const auto [place, isNew] = m_scene->remembered.try_emplace(node->id());
            if (!isNew)
                continue;
            Remembered& r = place->second;
            r.name = QString::fromStdString(node->name());
            r.target = QString::fromStdString(node->target());
            r.born = event;
            const bool constant = node->op() == ir::Op::GetAttr;
            const bool observer = helperKind(*node) == Helper::Observer;
            r.role = constant ? NodeRole::Weight : observer ? NodeRole::Observer : NodeRole::Op;
            r.form = constant ? Form::Folded : observer ? Form::Stadium : Form::Box;
            m_nodes[node->id()] = node;
        }
    }

    void makeTree()
    {
        const auto isConstant = [&](int cell) {
            const auto& members = m_scene->unionGraph.cells()[static_cast<std::size_t>(cell)].nodes;
            return std::all_of(members.begin(), members.end(),
                               [&](ir::NodeId id) { return m_nodes.at(id)->op() == ir::Op::GetAttr; });
        };
        m_scene->tucked = tuck(m_scene->unionGraph, isConstant);
        m_scene->tree = ModuleTree(m_scene->unionGraph,
                                   moduleInput(m_scene->unionGraph, m_scene->tucked, m_nodes, m_annotated.get()));
    }

    std::shared_ptr<Scene> m_scene;
    const base::Work& m_work;
    SceneOptions m_options;
    FirstNodes m_nodes;
    std::shared_ptr<const ir::Graph> m_annotated;
};

} // namespace

std::vector<ir::NodeId> Scene::sameCell(ir::NodeId id) const
{
    const int cell = unionGraph.cellOf(id);
    return cell < 0 ? std::vector<ir::NodeId>{} : unionGraph.cells()[static_cast<std::size_t>(cell)].nodes;
}

NodeContext Scene::context(const trace::GraphMoment& facts, const ir::Node& node, int event,
                           const ContentOptions& options) const
{
    return {facts,
            sharing,
            options.labels && showsLabels(event),
            options.annotationsRecorded,
            judged.contains(node.id()),
            [this](ir::NodeId id) { return sameCell(id); }};
}

base::Result<ScenePtr> makeScene(trace::RecordingPtr recording, const std::string& path, base::Work work,
                                 const SceneOptions& options)
{
    if (!recording || recording->events.empty())
        return Error{ErrorCode::NotFound, "the recording is empty", {}};
    return SceneMaker(std::move(recording), path, work, options).run();
}

base::Result<ArrangementPtr> arrange(const Scene& scene, const Folding& folding, base::Work work)
{
    return arrange(scene.unionGraph, scene.tree, scene.tucked, folding, scene.measures.source(), scene.layouts,
                   work.stop);
}

const ModuleTree& moduleTree(const Scene& scene)
{
    return scene.tree;
}

ArrangementPtr firstArrangement(const Scene& scene)
{
    return scene.first;
}

int groupOf(const Scene& scene, ir::NodeId node)
{
    const int cell = scene.unionGraph.cellOf(node);
    return cell < 0 ? 0 : scene.tree.groupOf(cell);
}

Folding carriedOver(const Scene& from, const Folding& folding, const Scene& to)
{
    Folding out{std::vector<bool>(to.tree.groups().size(), false), folding.constants, {}};
    std::map<std::string, bool> known;
    for (std::size_t i = 1; i < folding.unfolded.size(); ++i)
        known[from.tree.key(static_cast<int>(i))] = folding.unfolded[i];
    for (std::size_t i = 1; i < out.unfolded.size(); ++i) {
        const auto found = known.find(to.tree.key(static_cast<int>(i)));
        out.unfolded[i] = found == known.end() ? to.first->folding.unfolded[i] : found->second;
    }
    return out;
}

Folding unfoldedTo(const Scene& scene, ir::NodeId node, Folding folding)
{
    folding.unfolded.resize(scene.tree.groups().size(), false);
    for (int group = groupOf(scene, node); group > 0; group = scene.tree.group(group).parent)
        folding.unfolded[static_cast<std::size_t>(group)] = true;
    return folding;
}

Folding without(const Scene& scene, const std::unordered_set<ir::NodeId>& nodes, Folding folding)
{
    const std::size_t count = scene.unionGraph.cells().size();
    if (folding.only.empty())
        folding.only.assign(count, true);
    const auto isHidden = [&](int group) {
        for (; group > 0; group = scene.tree.group(group).parent)
            if (nodes.contains(groupId(group)))
                return true;
        return false;
    };
    for (std::size_t cell = 0; cell < count; ++cell) {
        const auto& members = scene.unionGraph.cells()[cell].nodes;
        if (isHidden(scene.tree.groupOf(static_cast<int>(cell)))
            || std::any_of(members.begin(), members.end(), [&](ir::NodeId id) { return nodes.contains(id); }))
            folding.only[cell] = false;
    }
    return folding;
}

std::vector<std::string> graphPaths(const trace::Moment& moment)
{
    std::vector<std::string> out;
    for (const auto& [path, graph] : moment.graphs)
        out.push_back(path);
    return out;
}

} // namespace gb::views
