// Times what a drag of the batch slider costs: `bench_scrub STEPS`. Each step shows another histogram of 2,048 bins and
// paints the view. Prints the median and the largest, in milliseconds.
#include "figures/batches_view.h"

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace gb;

namespace {

numbers::History historyOf(int steps)
{
    auto info = std::make_shared<trace::ObserverInfo>();
    info->type = "HistogramObserver";
    info->settings.dtype = ir::DType::Int8;
    info->settings.dtypeName = "int8";
    info->settings.qscheme = ir::QScheme::PerTensorAffine;
    info->settings.quantMin = -128;
    info->settings.quantMax = 127;
    info->settings.bins = 2048;
    info->settings.eps = 1.1920928955078125e-07;
    numbers::History out{0, "", "observer", 1, info, {}};
    for (int s = 0; s < steps; ++s) {
        quant::ObserverState state;
        const float most = 3 + 0.02F * static_cast<float>(s);
        std::vector<float> counts;
        for (int i = 0; i < 2048; ++i) {
            const double at = (i - 900) / 200.0;
            counts.push_back(static_cast<float>(std::floor(5000.0 * (s + 1) * std::exp(-at * at))));
        }
        state.minVal = ir::Tensor::scalar(-3.0F);
        state.maxVal = ir::Tensor::scalar(most);
        state.histogram = ir::Tensor::fromVector(counts);
        state.qparams = quant::QParams{ir::Tensor::scalar((most + 3) / 255), ir::Tensor::scalar(std::int64_t{0})};
        state.batches = s + 1;
        numbers::HistoryStep step;
        step.batch = s;
        step.record = std::make_shared<trace::ObserverRecord>(trace::ObserverRecord{"", "observer", state});
        step.range = step.seen = numbers::Extremes{-3, static_cast<double>(most)};
        step.widenedMax = s > 0;
        out.steps.push_back(std::move(step));
    }
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication app(argc, argv);
    const int steps = argc > 1 ? std::atoi(argv[1]) : 100;
    views::Session session;
    views::Selection selection;
    views::BatchesView view(&session, &selection);
    view.resize(1300, 400);
    view.setHistories({historyOf(steps)});
    view.show();
    QCoreApplication::processEvents();
    std::vector<double> times;
    for (int s = 0; s < steps; ++s) {
        QElapsedTimer timer;
        timer.start();
        view.setStep(s);
        QCoreApplication::processEvents();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::ranges::sort(times);
    std::printf("%d steps: median %.2f ms, largest %.2f ms\n", steps, times[times.size() / 2], times.back());
    return 0;
}
