// Times the canvas: `bench_canvas RECORDING|NODES [--stage STAGE]`. NODES (a number) makes a plain transformer of about
// so many nodes. Prints a line a step, in milliseconds of processor time; of frames
// the median and the worst.
#include "canvas/graph_canvas.h"
#include "io/recording.h"
#include "picture/scene.h"
#include "picture_checks.h"
#include "transformer.h"

#include <QApplication>
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
    PictureOptions options;
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
    check("folded", *recording, *scene);
    timed("scene, all unfolded", [&] { scene = makeScene(recording, {}, {}, {true, -1}).value(); });
    timed("picture, all unfolded", [&] { picture = makePicture(*scene, *moment, event); });
    std::printf("%zu boxes, %zu lines; %s\n", picture->nodes.size(), picture->edges.size(),
                qPrintable(picture->note.section(QLatin1Char('\n'), 0, 2)));
    allZooms("frame, all unfolded", picture);
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
