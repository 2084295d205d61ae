#include "engine/calibration.h"

#include "base/message.h"
#include "quant/uniform_observer.h"

#include <algorithm>

namespace gb::engine {
namespace {

using base::message;
using base::Message;
using trace::EventKind;

std::shared_ptr<const trace::ObserverRecord> recordOf(const ir::Node& node, const quant::Observer& observer)
{
    return std::make_shared<const trace::ObserverRecord>(
        trace::ObserverRecord{node.graph().path(), node.target(), observer.state()});
}

Message seenSentence(const ir::Node& node, const quant::ObserverState& state, std::int64_t times)
{
    const std::string again = times > 1 ? base::say(" ({0} times in this batch)", times) : std::string();
    if (!state.minVal || !state.maxVal || state.minVal->elementCount() == 0)
        return message("{0} sees its input{1}", node.name(), again);
    if (state.minVal->elementCount() == 1 && state.maxVal->elementCount() == 1)
        return message("{0} sees its input{1}: range {2} to {3} so far", node.name(), again, state.minVal->at(0),
                       state.maxVal->at(0));
    return message("{0} sees its input{1}: ranges of {2} channels so far", node.name(), again,
                   state.minVal->elementCount());
}

Message qparamsSentence(const ir::Node& node, const quant::ObserverState& state)
{
    if (!state.qparams)
        return state.noQParams.empty() ? message("{0} has no scale and zero point", node.name())
                                       : message("{0} has no scale and zero point: {1}", node.name(), state.noQParams);
    if (state.qparams->scale.elementCount() == 1 && state.qparams->zeroPoint.elementCount() == 1)
        return message("{0}: scale {1}, zero point {2}", node.name(), state.qparams->scale.at(0),
                       static_cast<std::int64_t>(state.qparams->zeroPoint.at(0)));
    return message("{0}: {1} scales and zero points", node.name(), state.qparams->scale.elementCount());
}

} // namespace

ObserverReporter::ObserverReporter(trace::Recorder& recorder)
    : m_recorder(recorder)
{
}

void ObserverReporter::observerSaw(const ir::Node& node, const quant::Observer& observer)
{
    Seen now{&node, &observer, 1};
    const quant::Observer* looking = observer.inner() ? observer.inner() : &observer;
    if (const auto* uniform = dynamic_cast<const quant::UniformObserver*>(looking); uniform && uniform->seen()) {
        now.min = std::ranges::min(uniform->seen()->min.toDoubles());
        now.max = std::ranges::max(uniform->seen()->max.toDoubles());
    }
    const auto known = std::ranges::find(m_seen, &node, &Seen::node);
    if (known != m_seen.end()) {
        ++known->times;
        known->min = std::min(known->min, now.min);
        known->max = std::max(known->max, now.max);
        return;
    }
    m_seen.push_back(now);
    report(now);
}

void ObserverReporter::endBatch()
{
    for (const Seen& seen : m_seen)
        if (seen.times > 1)
            report(seen);
    m_seen.clear();
}

void ObserverReporter::report(const Seen& seen)
{
    trace::Event e;
    e.kind = EventKind::Observe;
    e.graph = seen.node->graph().path();
    e.nodes = {seen.node->id()};
    e.record = recordOf(*seen.node, *seen.observer);
    e.sentence = seenSentence(*seen.node, e.record->state, seen.times);
    if (seen.min <= seen.max)
        e.fields = {{"batch_min", ir::Argument(seen.min)}, {"batch_max", ir::Argument(seen.max)}};
    m_recorder.say(std::move(e));
}

base::Result<ops::ValueList> runBatch(ops::Interpreter& interpreter, const ops::ValueList& batch, std::int64_t index,
                                      trace::Recorder& recorder, const base::Work& work)
{
    trace::Event e;
    e.kind = EventKind::Batch;
    e.name = std::to_string(index);
    e.sentence = message("batch {0} runs through the prepared model", index);
    std::string arrays;
    for (std::size_t i = 0; i < batch.size(); ++i)
        arrays += (i ? ", " : "") + ops::describe(batch[i]);
    e.fields = {{"index", ir::Argument(index)}, {"input", ir::Argument(arrays)}};
    const trace::Scope scope = recorder.open(std::move(e));
    ObserverReporter reporter(recorder);
    auto out = interpreter.run(batch, work, &reporter);
    reporter.endBatch();
    return out;
}

void reportQParams(const ir::GraphModule& model, trace::Recorder& recorder)
{
    for (const ir::Node* n = model.graph().first(); n; n = n->next()) {
        const auto observer = n->op() == ir::Op::CallModule
                                  ? std::dynamic_pointer_cast<quant::Observer>(model.module(n->target()))
                                  : nullptr;
        if (!observer)
            continue;
        trace::Event e;
        e.kind = EventKind::QParams;
        e.graph = model.graph().path();
        e.nodes = {n->id()};
        e.record = recordOf(*n, *observer);
        e.sentence = qparamsSentence(*n, e.record->state);
        recorder.say(std::move(e));
    }
    for (const auto& [target, sub] : model.subgraphs())
        reportQParams(*sub, recorder);
}

} // namespace gb::engine
