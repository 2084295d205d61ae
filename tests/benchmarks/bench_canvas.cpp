// Times the canvas: `bench_canvas RECORDING|NODES [--stage STAGE]`. NODES (a number) makes a plain transformer of about
// so many nodes. Prints a line a step, in milliseconds of processor time; of frames
// the median and the worst.
#include "canvas/graph_canvas.h"
#include "io/recording.h"
#include "panes/pane_area.h"
#include "picture/scene.h"
#include "picture_checks.h"
#include "transformer.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

using namespace gb;
using namespace gb::views;

/// Milliseconds of the processor that this thread has had: what other programs do meanwhile does not count.
double now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

template <class Work>
double timed(const char* what, Work work)
{
    const double start = now();
    work();
    const double took = now() - start;
    std::printf("%-44s %9.1f ms\n", what, took);
    return took;
}

void frames(const char* what, GraphCanvas& canvas, double zoom)
{
    std::vector<double> times;
    QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
    const QRectF all = canvas.picture()->bounds;
    for (int i = 0; i < 41; ++i) {
        canvas.camera()->set({all.center().x(), all.top() + all.height() * i / 40.0}, zoom);
        const double start = now();
        canvas.render(&image);
        times.push_back(now() - start);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-32s zoom %5.3f    %9.1f ms median, %.1f ms worst\n", what, canvas.camera()->zoom(), times[20],
                times.back());
}

void allZooms(const char* what, const PicturePtr& picture)
{
    Camera camera;
    Selection selection;
    GraphCanvas canvas(&camera, &selection);
    canvas.resize(1600, 1000);
    canvas.setPicture(picture);
    canvas.fitAll();
    const double fit = camera.zoom();
    for (const double zoom : {fit, 0.05, 0.15, 0.34, 0.5, 0.8, 1.0})
        if (zoom >= fit)
            frames(what, canvas, zoom);
}

/// What a step costs the thread that the user waits for, and how long it takes until it is seen.
void steps(const char* what, const trace::RecordingPtr& recording, const ScenePtr& scene)
{
    Session session;
    Selection selection;
    PaneArea area(&session, &selection);
    session.setRecording(recording, QStringLiteral("annotated"));
    area.setPaneCount(1);
    area.resize(1600, 1000);
    area.setScene(scene);
    area.show();
    area.showStart();
    const auto settle = [&area] {
        double longest = 0;
        do {
            const double start = now();
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
            longest = std::max(longest, now() - start);
        } while (area.busy());
        return longest;
    };
    settle();
    std::vector<double> calls;
    double longest = 0;
    double seen = 0;
    for (int i = 0; i < 9; ++i) {
        QElapsedTimer clock;
        clock.start();
        const double start = now();
        i % 2 == 0 ? session.stepBack() : session.stepForward();
        calls.push_back(now() - start);
        longest = std::max(longest, settle());
        seen = std::max(seen, static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }
    std::sort(calls.begin(), calls.end());
    std::printf("%-44s %9.1f ms median in the step, %.1f ms in the longest event after it, seen within %.0f ms\n", what,
                calls[calls.size() / 2], longest, seen);
    const ir::Node* last = session.moment()->top().graph->first()->next();
    timed("select", [&] {
        selection.selectNode(last->id());
        area.repaint();
    });
}

/// Says what is wrong with the pictures of all stages.
void check(const char* what, const trace::Recording& recording, const Scene& scene)
{
    trace::Replay replay(std::make_shared<const trace::Recording>(recording));
    int wrong = 0;
    for (const std::string& stage : recording.stages()) {
        const int event = recording.stageEvent(stage);
        const QString text = test::whatIsWrong(*makePicture(scene, *replay.at(event).value(), event));
        if (!text.isEmpty() && ++wrong)
            std::printf("%s, %s:\n%s\n", what, stage.c_str(), qPrintable(text));
    }
    std::printf("%-44s %9zu stages, %d with something wrong\n", what, recording.stages().size(), wrong);
}

int run(const trace::RecordingPtr& recording, const char* stage)
{
    const int event = recording->stageEvent(stage);
    trace::Replay replay(recording);
    const trace::MomentPtr moment = replay.at(event).value();
    std::printf("%s, %s: %zu nodes, %zu events\n", recording->header.model.c_str(), stage, moment->top().graph->size(),
                recording->events.size());
    ScenePtr scene;
    PicturePtr picture;
    const double place = timed("scene, folded at first", [&] { scene = makeScene(recording).value(); });
    const double paint = timed("picture, folded at first", [&] { picture = makePicture(*scene, *moment, event); });
    std::printf("%-44s %9.1f ms, %zu boxes\n", "first picture, folded", place + paint, picture->nodes.size());
    allZooms("frame, folded", picture);
    const Folding first = firstArrangement(*scene)->folding;
    ContentOptions options;
    for (std::size_t group = 1; group < moduleTree(*scene).groups().size(); ++group) {
        if (first.unfolded[group] || !firstArrangement(*scene)->boxOf(static_cast<int>(group)))
            continue;
        Folding folding = first;
        folding.unfolded[group] = true;
        timed(("unfold " + moduleTree(*scene).key(static_cast<int>(group))).substr(0, 43).c_str(), [&] {
            options.arrangement = arrange(*scene, folding).value();
            picture = makePicture(*scene, *moment, event, options);
        });
        if (group > 40)
            break;
    }
    steps("step, folded", recording, scene);
    check("folded", *recording, *scene);
    timed("scene, all unfolded", [&] { scene = makeScene(recording, {}, {}, {true, -1}).value(); });
    timed("picture, all unfolded", [&] { picture = makePicture(*scene, *moment, event); });
    std::printf("%zu boxes, %zu lines; %s\n", picture->nodes.size(), picture->edges.size(),
                qPrintable(picture->note.section(QLatin1Char('\n'), 0, 2)));
    allZooms("frame, all unfolded", picture);
    steps("step, all unfolded", recording, scene);
    check("all unfolded", *recording, *scene);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_canvas RECORDING|NODES [STAGE]\n");
        return 2;
    }
    if (const int nodes = std::atoi(argv[1]); nodes > 0)
        return run(test::makeTransformer({nodes, true}), argc > 2 ? argv[2] : "prepared");
    const auto read = io::readRecording(argv[1]);
    if (!read) {
        std::fprintf(stderr, "%s\n", read.error().text().c_str());
        return 2;
    }
    return run(read->recording, argc > 2 ? argv[2] : "prepared");
}
