// A step, a jump, a search, and a breakpoint over a recording of many events: how long each takes.
//
//     bench_debugger [EVENTS]     default 10,000
#include "explain/query.h"
#include "explain/report.h"
#include "trace/breakpoints.h"
#include "trace/recorder.h"
#include "trace/replay.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

using namespace gb;

namespace {

/// Processor time: on a machine that does other things, too, the clock on the wall says more about those.
double now()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double milliseconds(const auto& work)
{
    const double begin = now();
    work();
    return now() - begin;
}

/// A chain of `count / 3` relus, each with a rule that refuses it, one that labels it, and the label itself.
trace::RecordingPtr recordingOf(int count)
{
    ir::GraphModule module(std::make_shared<ir::NodeIds>(), "");
    trace::Recorder recorder({});
    std::vector<ir::Node*> nodes{module.graph().append({ir::Op::Placeholder, "x", {}, {}, "x"})};
    for (int i = 0; i < count / 3; ++i)
        nodes.push_back(module.graph().append(
            {ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(nodes.back()->id())}, {}, "relu"}));
    trace::Event load;
    load.kind = trace::EventKind::Load;
    recorder.say(load);
    recorder.snapshot(module);
    module.setListener(&recorder);
    for (std::size_t i = 1; i < nodes.size(); ++i)
        for (const auto kind : {trace::EventKind::Attempt, trace::EventKind::Match, trace::EventKind::Annotate}) {
            trace::Event e;
            e.kind = kind;
            e.nodes = {nodes[i]->id()};
            e.fields = {{"rule", "relu"}, {"code", i % 7 == 0 ? "R5" : "R6"}};
            e.sentence = base::message("event of {0}", nodes[i]->name());
            recorder.say(e);
            if (kind != trace::EventKind::Annotate)
                continue;
            ir::Annotation label;
            label.annotated = true;
            nodes[i]->graph().setAnnotation(nodes[i], std::make_shared<const ir::Annotation>(label));
        }
    recorder.stage("annotated", base::message("annotated"));
    module.setListener(nullptr);
    return recorder.publish();
}

void print(const char* what, std::vector<double> times)
{
    std::ranges::sort(times);
    std::printf("%-28s median %8.3f ms   95 %% %8.3f ms   most %8.3f ms\n", what, times[times.size() / 2],
                times[times.size() * 95 / 100], times.back());
}

} // namespace

int main(int argc, char** argv)
{
    const int events = argc > 1 ? std::atoi(argv[1]) : 10000;
    const trace::RecordingPtr recording = recordingOf(events);
    const int count = static_cast<int>(recording->events.size());
    std::printf("%d events\n", count);
    trace::Replay replay(recording);
    bool sound = true;
    trace::MomentPtr shown; // the views hold what they show until the next is there
    const auto go = [&](int to) {
        return milliseconds([&] {
            const auto moment = replay.at(to);
            sound = moment.ok() && sound;
            if (moment)
                shown = *moment;
        });
    };
    std::printf("%-28s %8.3f ms\n", "first look at the end", go(count - 1));

    std::vector<double> steps;
    go(count / 2);
    for (int i = 0; i < 300; ++i)
        steps.push_back(go(count / 2 + i));
    print("step forward", steps);
    steps.clear();
    for (int i = 300; i > 0; --i)
        steps.push_back(go(count / 2 + i));
    print("step back", steps);
    std::mt19937 random(7);
    std::vector<double> jumps;
    for (int i = 0; i < 100; ++i)
        jumps.push_back(go(std::uniform_int_distribution<int>(0, count - 1)(random)));
    print("jump anywhere", jumps);

    explain::ReportPtr report;
    std::printf("%-28s %8.3f ms (off the UI thread)\n", "explain", milliseconds([&] {
                    if (auto made = explain::report(recording, {}))
                        report = *made;
                }));
    const auto index = explain::searchIndex(recording, report->answer);
    std::vector<double> searches;
    for (const char* text : {"relu", "op:relu not name:relu_1*", "reason:R5 or scale>0.1", "label:yes module:layer*"})
        for (int i = 0; i < 25; ++i)
            searches.push_back(
                milliseconds([&] { sound = explain::Query::parse(text)->run(*index).size() < 1U << 30; }));
    print("search", searches);
    const trace::BreakpointFinder finder(recording);
    std::vector<double> stops;
    for (const char* text : {"node:relu_100", "op:relu", "reason:R5", "scale<0.1"})
        for (int i = 0; i < 25; ++i)
            stops.push_back(
                milliseconds([&] { sound = finder.next({*trace::Breakpoint::parse(text)}, i * count / 30) < count; }));
    print("continue to a breakpoint", stops);
    return sound ? 0 : 1;
}
