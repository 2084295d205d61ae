#include "trace/recorder.h"
#include "trace/replay.h"

#include <QSet>
#include <QTest>

#include <set>

using namespace gb;
using namespace gb::trace;

namespace {

Event makeEvent(EventKind kind, const char* name)
{
    Event e;
    e.kind = kind;
    e.name = name;
    return e;
}

/// Everything that a moment shows of one graph, as text.
QString describe(const GraphMoment& moment)
{
    QStringList lines;
    for (const ir::Node* n = moment.graph->first(); n; n = n->next()) {
        QStringList users;
        for (const ir::Node* u : n->users())
            users << QString::fromStdString(u->name());
        lines << QString("%1 %2 %3 -> %4%5")
                     .arg(n->id())
                     .arg(QString::fromStdString(n->name()), QString::fromStdString(n->target()), users.join(','),
                          n->isAnnotated() ? " annotated" : "");
    }
    for (const auto& [name, attribute] : moment.attributes)
        lines << QString::fromStdString(name + " " + ir::name(attribute.dtype) + " " + ir::toText(attribute.shape));
    return lines.join('\n');
}

QString describe(const ir::GraphModule& module)
{
    GraphMoment moment;
    moment.graph = module.graph().clone();
    for (const auto& [name, a] : module.attributes())
        moment.attributes[name] = {a.kind, a.value.dtype(), a.value.shape(), a.value, {}};
    return describe(moment);
}

/// A model that many edits are made on, and what it was after each event.
struct History {
    std::shared_ptr<ir::NodeIds> ids = std::make_shared<ir::NodeIds>();
    ir::GraphModule module{ids, ""};
    Recorder recorder{{}};
    QStringList after;

    void did() { after << describe(module); }

    void make(int rounds)
    {
        ir::Graph& g = module.graph();
        ir::Node* x = g.append({ir::Op::Placeholder, "x", {}, {}, "x"});
        ir::Node* relu = g.append({ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(x->id())}});
        g.append({ir::Op::Output, "output", {ir::Argument::node(relu->id())}});
        module.setAttribute("w", {ir::Tensor::zeros(ir::DType::Float32, {2, 2})});
        recorder.say(makeEvent(EventKind::Load, "load"));
        recorder.snapshot(module);
        module.setListener(&recorder);
        did();
        for (int i = 0; i < rounds; ++i)
            round(i, x);
    }

    void round(int i, ir::Node* x)
    {
        ir::Graph& g = module.graph();
        recorder.say(makeEvent(EventKind::Insert, "insert"));
        ir::Node* last = g.output()->inputs()[0];
        ir::Node* added = g.insertBefore(
            g.output(),
            {ir::Op::CallFunction, "aten.add.Tensor", {ir::Argument::node(last->id()), ir::Argument::node(x->id())}});
        g.replaceInput(g.output(), last, added);
        did();
        recorder.say(makeEvent(EventKind::Annotate, "annotate"));
        ir::Annotation a;
        a.annotated = true;
        g.setAnnotation(added, std::make_shared<const ir::Annotation>(a));
        module.setAttribute("w" + std::to_string(i), {ir::Tensor::scalar(1.0F)});
        did();
        recorder.say(makeEvent(EventKind::Attempt, "nothing"));
        did();
        if (i % 3 == 2) {
            recorder.say(makeEvent(EventKind::Rewrite, "rewrite"));
            g.replaceAllUses(added, last);
            g.erase(added);
            module.eraseAttribute("w" + std::to_string(i - 1));
            g.moveBefore(x, g.first());
            did();
        }
    }
};

/// All that a moment holds: also what describe() leaves out.
QString describeAll(const Moment& moment)
{
    QStringList lines;
    for (const auto& [path, facts] : moment.graphs) {
        lines << QString::fromStdString("graph " + path) << describe(*facts);
        for (const ir::Node* n = facts->graph->first(); n; n = n->next()) {
            QStringList inputs;
            for (const ir::Node* input : n->inputs())
                inputs << QString::fromStdString(input->name());
            lines << inputs.join(QLatin1Char(' '))
                         + QString(" %1 args, meta of %2, previous %3")
                               .arg(n->args().size())
                               .arg(QString::fromStdString(n->meta().stackTrace),
                                    QString::fromStdString(n->previous() ? n->previous()->name() : std::string()));
        }
        for (ir::NodeId id = 0; id < 12; ++id) // those that are gone, too
            lines << QString::fromStdString(facts->graph->nameOf(id));
        for (const auto& [target, info] : facts->observers)
            lines << QString::fromStdString(target + " " + info->type);
        for (const auto& [target, record] : facts->observerRecords)
            lines << QString("%1 %2").arg(QString::fromStdString(target)).arg(record->state.batches);
    }
    return lines.join(QLatin1Char('\n'));
}

/// One event for each kind of edit, some twice, in two graphs.
RecordingPtr everyKindOfEdit()
{
    auto ids = std::make_shared<ir::NodeIds>();
    ir::GraphModule module(ids, "");
    Recorder recorder({});
    ir::Graph& g = module.graph();
    const auto say = [&](EventKind kind) { recorder.say(makeEvent(kind, "")); };
    const auto call = [&](const char* target, const std::vector<ir::Node*>& inputs) {
        std::vector<ir::Argument> args;
        for (const ir::Node* n : inputs)
            args.push_back(ir::Argument::node(n->id()));
        return g.append({ir::Op::CallFunction, target, std::move(args)});
    };
    say(EventKind::Load);
    recorder.snapshot(module);
    module.setListener(&recorder);
    ir::Node* x = g.append({ir::Op::Placeholder, "x", {}, {}, "x"});
    ir::Node* a = call("aten.relu.default", {x});
    ir::Node* b = call("aten.add.Tensor", {a, x});
    ir::Node* c = call("aten.mul.Tensor", {x, a});
    ir::Node* d = call("aten.sub.Tensor", {x, x});
    say(EventKind::Rewrite);
    g.setArgs(b, {ir::Argument::node(x->id()), ir::Argument::node(a->id())}); // moves b among x's users
    say(EventKind::Rewrite);
    g.moveBefore(d, a);
    say(EventKind::Annotate);
    g.setAnnotation(c, std::make_shared<const ir::Annotation>(ir::Annotation{{}, {}, true, {}, {}}));
    say(EventKind::Rewrite);
    g.erase(c); // between other users of x, with its label
    say(EventKind::Rewrite);
    g.setTarget(a, "aten.relu_.default");
    g.rename(a, "relu_");
    say(EventKind::Rewrite);
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->stackTrace = "line 7";
    g.setMeta(a, meta);
    say(EventKind::Insert);
    recorder.at(static_cast<int>(recorder.recording().events.size()) - 1)
        .edits.push_back(
            ModuleChanged{"", "obs", std::make_shared<ObserverInfo>(ObserverInfo{0, "MinMax", {}, {}, {}, {}})});
    for (int batches = 1; batches < 3; ++batches) {
        Event observe = makeEvent(EventKind::Observe, "");
        observe.record = std::make_shared<ObserverRecord>(ObserverRecord{"", "obs", {}});
        std::const_pointer_cast<ObserverRecord>(observe.record)->state.batches = batches;
        recorder.say(std::move(observe));
    }
    say(EventKind::Rewrite);
    module.setAttribute("w", {ir::Tensor::zeros(ir::DType::Float32, {2, 2})});
    say(EventKind::Rewrite);
    module.setAttribute("w", {ir::Tensor::zeros(ir::DType::Float32, {3})});
    say(EventKind::Rewrite);
    g.replaceAllUses(a, x);
    g.erase(a);
    module.eraseAttribute("w");
    say(EventKind::Rewrite);
    recorder.at(static_cast<int>(recorder.recording().events.size()) - 1)
        .edits.push_back(NodeAdded{"body", {40, "inner", ir::Op::Placeholder, "inner", {}, {}, {}}});
    say(EventKind::Rewrite);
    recorder.at(static_cast<int>(recorder.recording().events.size()) - 1)
        .edits.push_back(ModuleChanged{"", "obs", nullptr});
    g.erase(d);
    return recorder.publish();
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT

private slots:
    void everyMomentIsTheGraphAsItWas()
    {
        History h;
        h.make(200);
        Replay replay(h.recorder.publish());
        for (int i = 0; i < h.after.size(); ++i)
            QCOMPARE(describe((*replay.at(i))->top()), h.after[i]);
    }

    void jumpsInAnyOrderGiveTheSame()
    {
        History h;
        h.make(300);
        Replay replay(h.recorder.publish());
        std::uint32_t state = 1;
        for (int i = 0; i < 120; ++i) {
            state = state * 1664525 + 1013904223;
            const int index = static_cast<int>((state >> 8) % static_cast<std::uint32_t>(h.after.size()));
            QCOMPARE(describe((*replay.at(index))->top()), h.after[index]);
        }
    }

    void momentsStayAsTheyWereWhileTheReplayGoesOn()
    {
        History h;
        h.make(10);
        Replay replay(h.recorder.publish());
        const MomentPtr early = *replay.at(1);
        const QString before = describe(early->top());
        QVERIFY(replay.at(20).ok());
        QCOMPARE(describe(early->top()), before);
    }

    void steppingBackTakesEveryKindOfEditBack()
    {
        const RecordingPtr recording = everyKindOfEdit();
        const int last = static_cast<int>(recording->events.size()) - 1;
        QStringList expected; // by replays that only ever went forward
        for (int i = 0; i <= last; ++i)
            expected << describeAll(**Replay(recording).at(i));
        QCOMPARE(QSet<QString>(expected.begin(), expected.end()).size(), last + 1);
        Replay replay(recording);
        std::uint32_t state = 5;
        std::vector<MomentPtr> held;
        int at = last;
        for (int i = 0; i < 400; ++i) {
            state = state * 1664525 + 1013904223;
            at = std::clamp(at + static_cast<int>((state >> 8) % 7) - 3, 0, last);
            const MomentPtr moment = *replay.at(at);
            QCOMPARE(describeAll(*moment), expected[at]);
            if ((state >> 16) % 3 == 0) // as views do, some for long
                held.push_back(moment);
            if (held.size() > 4)
                held.erase(held.begin());
        }
        for (const MomentPtr& moment : held)
            QCOMPARE(describeAll(*moment), expected[moment->event]);
        QVERIFY(replay.at(-1)->get()->graphs.empty());
    }

    void aStepCarriesTheGraphOnThatNobodyHoldsAnyMore()
    {
        History h;
        h.make(60);
        Replay replay(h.recorder.publish());
        std::set<const ir::Graph*> graphs;
        MomentPtr shown;
        for (int i = 90; i > 30; --i) {
            shown = *replay.at(i);
            graphs.insert(shown->top().graph.get());
        }
        for (int i = 30; i < 90; ++i) {
            shown = *replay.at(i);
            graphs.insert(shown->top().graph.get());
        }
        QVERIFY2(graphs.size() <= 3, qPrintable(QString::number(graphs.size()))); // else each step copied one
    }

    void afterABrokenEventTheOthersAreStillThere()
    {
        History h;
        h.make(5);
        Recording broken = *h.recorder.publish();
        Event e = makeEvent(EventKind::Rewrite, "rewrite");
        e.edits.push_back(AnnotationChanged{"", 0, nullptr});
        e.edits.push_back(NodeErased{"", 4711});
        broken.events.push_back(std::move(e));
        const int last = static_cast<int>(broken.events.size()) - 1;
        Replay replay(std::make_shared<const Recording>(std::move(broken)));
        for (int i = 0; i < 2; ++i) {
            QVERIFY(!replay.at(last).ok());
            QCOMPARE(describe((*replay.at(last - 1))->top()), h.after[last - 1]);
        }
    }

    void aGraphIsCopiedOnlyForWhoStillHoldsIt()
    {
        History h;
        h.make(40);
        const int last = static_cast<int>(h.after.size()) - 1;
        Replay replay(h.recorder.publish());
        // every moment held at once is as it was, whichever way the replay went
        std::vector<MomentPtr> held;
        for (int i = 0; i <= last; ++i)
            held.push_back(*replay.at(i));
        for (int i = last; i >= 0; i -= 3)
            QCOMPARE(describe((*replay.at(i))->top()), describe(held[static_cast<std::size_t>(i)]->top()));
        for (int i = 0; i <= last; ++i)
            QCOMPARE(describe(held[static_cast<std::size_t>(i)]->top()), h.after[i]);
        // two looks at one moment are one graph; a moment that nobody holds is made anew, and equal
        const auto* graph = (*replay.at(last))->top().graph.get();
        QCOMPARE((*replay.at(last))->top().graph.get(), graph);
        held.clear();
        QCOMPARE(describe((*replay.at(last / 2))->top()), h.after[last / 2]);
    }

    void eventsWithoutEffectShareTheMoment()
    {
        History h;
        h.make(2);
        Replay replay(h.recorder.publish());
        const MomentPtr annotated = *replay.at(2);
        QCOMPARE(replay.at(3)->get(), annotated.get()); // the attempt changed nothing
        QVERIFY(replay.at(4)->get() != annotated.get());
    }

    void beforeTheFirstEventThereIsNothing()
    {
        History h;
        h.make(1);
        Replay replay(h.recorder.publish());
        QCOMPARE((*replay.at(-1))->top().graph->size(), std::size_t{0});
        QVERIFY(replay.at(1000000).ok()); // beyond the end is the end
    }

    void subgraphsHaveTheirPath()
    {
        auto ids = std::make_shared<ir::NodeIds>();
        ir::GraphModule m(ids, "");
        auto body = std::make_shared<ir::GraphModule>(ids, "body");
        body->graph().append({ir::Op::Placeholder, "inner"});
        m.graph().append({ir::Op::Placeholder, "outer"});
        m.setSubgraph("body", body);
        Recorder r({});
        r.say(makeEvent(EventKind::Load, "load"));
        r.snapshot(m);
        Replay replay(r.publish());
        const MomentPtr moment = *replay.at(0);
        QCOMPARE(moment->graphs.size(), std::size_t{2});
        QVERIFY(moment->graphs.at("body")->graph->find("inner"));
        QVERIFY(!moment->top().graph->find("inner"));
    }

    void observerStatesAreTheNewest()
    {
        Recorder r({});
        for (int i = 0; i < 3; ++i) {
            Event e = makeEvent(EventKind::Observe, "observe");
            auto record = std::make_shared<ObserverRecord>();
            record->target = "activation_post_process_0";
            record->state.batches = i + 1;
            e.record = std::move(record);
            r.say(std::move(e));
        }
        Replay replay(r.publish());
        const auto batches = [&](int index) {
            return (*replay.at(index))->top().observerRecords.at("activation_post_process_0")->state.batches;
        };
        QCOMPARE(batches(0), std::int64_t{1});
        QCOMPARE(batches(2), std::int64_t{3});
        QCOMPARE(batches(1), std::int64_t{2});
    }

    void editsThatDoNotFitAreAnError()
    {
        const auto failing = [](Edit edit) {
            Recording broken;
            Event e = makeEvent(EventKind::Rewrite, "rewrite");
            e.edits.push_back(std::move(edit));
            broken.events.push_back(std::move(e));
            Replay replay(std::make_shared<const Recording>(std::move(broken)));
            const auto moment = replay.at(0);
            return moment.ok() ? QString() : QString::fromStdString(moment.error().text());
        };
        QCOMPARE(failing(NodeErased{"", 4}), "event 0: refers to node number 4, which is not there");
        QCOMPARE(failing(InputsChanged{"", 9, {}, {}}), "event 0: refers to node number 9, which is not there");
        QVERIFY(failing(NodeMoved{"", 1, 2}).contains("not there"));
        QVERIFY(failing(AnnotationChanged{"", 1, nullptr}).contains("not there"));
        NodeAdded added;
        added.row.id = 1;
        added.row.name = "a";
        added.before = 77;
        QVERIFY(failing(added).contains("77"));
    }
};

QTEST_GUILESS_MAIN(ReplayTest)
#include "tst_replay.moc"
