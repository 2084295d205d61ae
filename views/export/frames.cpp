#include "export/frames.h"

#include "base/message.h"
#include "session/translate.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

constexpr std::array kStageNames{"exported", "folded", "annotated", "prepared", "calibrated", "converted"};

std::string joined(const std::vector<std::string>& names)
{
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

std::string numbered(int number, int digits)
{
    const std::string text = std::to_string(number);
    return std::string(static_cast<std::size_t>(std::max(0, digits - static_cast<int>(text.size()))), '0') + text;
}

} // namespace

base::Result<std::vector<Frame>> framesOfStages(const trace::Recording& recording,
                                                const std::vector<std::string>& stages)
{
    if (stages.empty())
        return Error{ErrorCode::Usage, "no stage given, one or more expected", {}};
    std::vector<Frame> out;
    for (const std::string& stage : stages) {
        const int event = recording.stageEvent(stage);
        if (event < 0)
            return Error{ErrorCode::NotFound,
                         say("the run has no stage \"{0}\"; it has {1}", stage, joined(recording.stages())),
                         recording.header.model};
        const auto place =
            std::find_if(kStageNames.begin(), kStageNames.end(), [&](const char* name) { return stage == name; });
        const int number = static_cast<int>(place - kStageNames.begin()) + 1;
        out.push_back({numbered(number, 2) + '-' + stage, event, stage, QString::fromStdString(stage)});
    }
    return out;
}

base::Result<std::vector<Frame>> framesOfSteps(const trace::Recording& recording, int first, int last)
{
    std::vector<int> steps;
    for (std::size_t i = 0; i < recording.events.size(); ++i)
        if (recording.events[i].changesSomething())
            steps.push_back(static_cast<int>(i));
    const int count = static_cast<int>(steps.size());
    if (first < 1 || last < first || last > count)
        return Error{ErrorCode::Usage, say("steps {0} to {1} found, 1 to {2} expected", first, last, count), "steps"};
    if (last - first + 1 > kMostFrames)
        return Error{ErrorCode::Usage, say("{0} steps found, at most {1} expected", last - first + 1, kMostFrames),
                     "steps"};
    std::vector<Frame> out;
    std::string stage;
    int from = 0;
    for (int step = first; step <= last; ++step) {
        const int event = steps[static_cast<std::size_t>(step - 1)];
        for (; from <= event; ++from)
            if (const trace::Event& e = recording.events[static_cast<std::size_t>(from)];
                e.kind == trace::EventKind::Stage)
                stage = e.name;
        const QString sentence = translated(recording.events[static_cast<std::size_t>(event)].sentence);
        out.push_back(
            {"step-" + numbered(step, 3), event, stage,
             QCoreApplication::translate("gb::views::export", "step %1/%2 · %3").arg(step).arg(count).arg(sentence)});
    }
    return out;
}

} // namespace gb::views
