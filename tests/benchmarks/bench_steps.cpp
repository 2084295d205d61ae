// Times what the user waits for while stepping through a run of a large graph, in the whole window:
// `bench_steps [NODES]`, default 20,000: a plain transformer with an event for each label and observer, every module
// folded as it is at first. Milliseconds of the UI thread's processor time: in the step itself, and in the longest
// event that follows it; then how long it takes on the wall until it is seen.
#include "io/recording.h"
#include "transformer.h"
#include "window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace {

using namespace gb;

/// Milliseconds of the processor that this thread has had.
double now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

struct Times {
    std::vector<double> calls; ///< in the step
    std::vector<double> after; ///< in the longest event after it
    std::vector<double> seen;
};

/// Until nothing is left to do: the longest event.
double settle(app::MainWindow& window)
{
    double longest = 0;
    do {
        const double start = now();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        longest = std::max(longest, now() - start);
    } while (window.busy() || window.panes()->busy());
    return longest;
}

void step(app::MainWindow& window, Times& times, const std::function<void()>& go)
{
    QElapsedTimer clock;
    clock.start();
    const double start = now();
    go();
    times.calls.push_back(now() - start);
    times.after.push_back(settle(window));
    times.seen.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
}

void print(const char* what, Times times)
{
    const auto text = [](std::vector<double>& values) {
        std::ranges::sort(values);
        return std::pair{values[values.size() / 2], values.back()};
    };
    const auto [call, worst] = text(times.calls);
    const auto [after, worstAfter] = text(times.after);
    const auto [seen, worstSeen] = text(times.seen);
    std::printf("%-34s %3zu: in it %6.1f (%6.1f), after it %6.1f (%6.1f), seen in %6.1f (%6.1f) ms: median (most)\n",
                what, times.calls.size(), call, worst, after, worstAfter, seen, worstSeen);
}

/// Both ways, from a place some steps before an event to one after it.
void around(app::MainWindow& window, const char* stage, int event)
{
    constexpr int kSteps = 30;
    views::Session& session = *window.session();
    session.setCursor(event);
    for (int i = 0; i < kSteps; ++i)
        session.stepBack();
    settle(window);
    Times forward;
    Times back;
    for (int i = 0; i < 2 * kSteps; ++i)
        step(window, forward, [&] { session.stepForward(); });
    for (int i = 0; i < 2 * kSteps; ++i)
        step(window, back, [&] { session.stepBack(); });
    print((std::string("forward past ") + stage).c_str(), forward);
    print((std::string("back past ") + stage).c_str(), back);
}

int run(const QString& path)
{
    app::MainWindow window;
    window.resize(1600, 1000);
    window.show();
    app::Request request;
    request.path = path;
    window.open(request);
    settle(window);
    if (!window.document())
        return 1;
    const trace::RecordingPtr recording = window.session()->recording();
    std::printf("%zu events, %d steps, %zu nodes at the end\n", recording->events.size(), window.session()->stepCount(),
                window.session()->moment()->top().graph->size());
    for (const std::string& stage : recording->stages())
        around(window, stage.c_str(), recording->stageEvent(stage));
    Times stages;
    for (int round = 0; round < 4; ++round) {
        step(window, stages, [&] { window.session()->toFirst(); });
        for (std::size_t i = 0; i < recording->stages().size(); ++i)
            step(window, stages, [&] { window.session()->toNextStage(); });
        for (std::size_t i = 0; i < recording->stages().size(); ++i)
            step(window, stages, [&] { window.session()->toPreviousStage(); });
    }
    print("to the next or previous stage", stages);
    Times jumps;
    const int count = window.session()->eventCount();
    for (int i = 1; i < 40; ++i)
        step(window, jumps, [&] { window.session()->setCursor(static_cast<int>(std::int64_t{i} * 7919 % count)); });
    print("to anywhere", jumps);
    Times selections;
    const ir::Node* node = window.session()->moment()->top().graph->first();
    for (int i = 0; i < 30; ++i, node = node->next()->next())
        step(window, selections, [&] { window.selection()->selectNode(node->id()); });
    print("select", selections);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("greenbox-bench"));
    test::TransformerOptions options;
    options.nodes = argc > 1 ? std::atoi(argv[1]) : 20000;
    options.stepwise = true;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("transformer.gbx"));
    if (const auto written = io::writeRecording(*test::makeTransformer(options), path.toStdString()); !written) {
        std::fprintf(stderr, "%s\n", written.error().text().c_str());
        return 2;
    }
    return run(path);
}
