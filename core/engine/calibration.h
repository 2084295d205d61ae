// Runs the prepared model over batches and reports what its observers see.
//
// Thread: the one that runs the passes.
#pragma once

#include "base/progress.h"
#include "engine/value_range.h"
#include "ops/interpreter.h"
#include "trace/recorder.h"

#include <memory>
#include <vector>

namespace gb::engine {

/// Says an `observe` event for each observer that a run reaches, as it reaches it. An observer that a loop reaches
/// again in the same batch gets one more event at the end of the batch, with what it holds then. The event also says
/// the range of what was seen in the batch (fields low, high, nonfinite; of all times for the second one), which the
/// state of an observer that several tensors share does not tell.
class ObserverReporter final : public ops::RunListener {
public:
    explicit ObserverReporter(trace::Recorder& recorder);

    void observerSaw(const ir::Node& node, const quant::Observer& observer) override;
    void nodeFinished(const ir::Node& node, const ops::Value& value) override;
    /// Reports what was seen again in this batch, completes the events whose observers take their time to tell a scale
    /// (they share the pool; null: this thread alone), and begins the next batch.
    void endBatch(base::Pool* pool = nullptr);

private:
    struct Seen {
        const ir::Node* node = nullptr;
        const quant::Observer* observer = nullptr;
        std::int64_t times = 0;
        ValueRange range = {};
        bool ranged = false; ///< the observer itself told the range of its newest input
        int event = -1;
    };
    /// An event that has no record yet, and the observer as it was then.
    struct Waiting {
        int event = -1;
        const ir::Node* node = nullptr;
        std::shared_ptr<const quant::Observer> observer;
    };
    int report(const Seen& seen);

    trace::Recorder& m_recorder;
    std::vector<Seen> m_seen; ///< in order of first sight
    std::vector<Waiting> m_waiting;
};

/// One batch, inside a `batch` scope.
base::Result<ops::ValueList> runBatch(ops::Interpreter& interpreter, const ops::ValueList& batch, std::int64_t index,
                                      trace::Recorder& recorder, const base::Work& work);

/// Says a `qparams` event for every observer node of the graphs, sub-graphs after their graph.
void reportQParams(const ir::GraphModule& model, trace::Recorder& recorder);

} // namespace gb::engine
