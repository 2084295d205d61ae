// Runs the prepared model over batches and reports what its observers see.
//
// Thread: the one that runs the passes.
#pragma once

#include "base/progress.h"
#include "ops/interpreter.h"
#include "trace/recorder.h"

#include <memory>
#include <vector>

namespace gb::engine {

/// Says an `observe` event for each observer that a run reaches, as it reaches it. An observer that a loop reaches
/// again in the same batch gets one more event at the end of the batch, with what it holds then. The event has the
/// smallest and the largest value that was seen (fields batch_min and batch_max; of all times in the batch for the
/// second one), where the observer looks for them.
class ObserverReporter final : public ops::RunListener {
public:
    explicit ObserverReporter(trace::Recorder& recorder);

    void observerSaw(const ir::Node& node, const quant::Observer& observer) override;
    /// Reports what was seen again in this batch, and begins the next one.
    void endBatch();

private:
    struct Seen {
        const ir::Node* node = nullptr;
        const quant::Observer* observer = nullptr;
        std::int64_t times = 0;
        double min = 0; ///< of what it saw; min above max where that is not known
        double max = -1;
    };
    void report(const Seen& seen);

    trace::Recorder& m_recorder;
    std::vector<Seen> m_seen; ///< in order of first sight
};

/// One batch, inside a `batch` scope.
base::Result<ops::ValueList> runBatch(ops::Interpreter& interpreter, const ops::ValueList& batch, std::int64_t index,
                                      trace::Recorder& recorder, const base::Work& work);

/// Says a `qparams` event for every observer node of the graphs, sub-graphs after their graph.
void reportQParams(const ir::GraphModule& model, trace::Recorder& recorder);

} // namespace gb::engine
