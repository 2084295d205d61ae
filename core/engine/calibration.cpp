#include "engine/calibration.h"

#include "base/message.h"
#include "quant/histogram_observer.h"

#include <algorithm>
#include <cmath>

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

/// A fake quantize's observer, or the observer itself, where it looks for a range; else null.
const quant::UniformObserver* rangeObserver(const quant::Observer& observer)
{
    return dynamic_cast<const quant::UniformObserver*>(observer.inner() ? observer.inner() : &observer);
}

/// Only the histogram's search takes its time.
bool searches(const quant::Observer& observer)
{
    return dynamic_cast<const quant::HistogramObserver*>(rangeObserver(observer)) != nullptr;
}

Message seenSentence(const ir::Node& node, const quant::Observer& observer, std::int64_t times)
{
    const std::string again = times > 1 ? base::say(" ({0} times in this batch)", times) : std::string();
    const quant::UniformObserver* uniform = rangeObserver(observer);
    if (!uniform || uniform->range().min.elementCount() == 0)
        return message("{0} sees its input{1}", node.name(), again);
    const quant::MinMax& range = uniform->range();
    if (range.min.elementCount() == 1 && range.max.elementCount() == 1)
        return message("{0} sees its input{1}: range {2} to {3} so far", node.name(), again, range.min.at(0),
                       range.max.at(0));
    return message("{0} sees its input{1}: ranges of {2} channels so far", node.name(), again,
                   range.min.elementCount());
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

/// The range of an observer's newest input, where it looked for one and found only finite numbers.
std::optional<ValueRange> rangeToldBy(const quant::Observer& observer)
{
    const quant::UniformObserver* uniform = rangeObserver(observer);
    if (!uniform || !uniform->seen())
        return std::nullopt;
    const ValueRange out{std::ranges::min(uniform->seen()->min.toDoubles()),
                         std::ranges::max(uniform->seen()->max.toDoubles()), 0};
    return std::isfinite(out.low) && std::isfinite(out.high) ? std::optional(out) : std::nullopt;
}

trace::Fields fieldsOf(const ValueRange& range)
{
    trace::Fields out;
    if (range.low <= range.high)
        out = {{"low", ir::Argument(range.low)}, {"high", ir::Argument(range.high)}};
    if (range.nonFinite > 0)
        out.emplace_back("nonfinite", ir::Argument(range.nonFinite));
    return out;
}

} // namespace

ObserverReporter::ObserverReporter(trace::Recorder& recorder)
    : m_recorder(recorder)
{
}

void ObserverReporter::observerSaw(const ir::Node& node, const quant::Observer& observer)
{
    const std::optional<ValueRange> range = rangeToldBy(observer);
    const auto known = std::ranges::find(m_seen, &node, &Seen::node);
    if (known != m_seen.end()) {
        ++known->times;
        known->ranged = range.has_value();
        known->range.unite(range.value_or(ValueRange()));
        return;
    }
    m_seen.push_back({&node, &observer, 1, range.value_or(ValueRange()), range.has_value()});
    m_seen.back().event = report(m_seen.back());
}

void ObserverReporter::nodeFinished(const ir::Node& node, const ops::Value& value)
{
    if (node.op() != ir::Op::CallModule)
        return;
    const auto seen = std::ranges::find(m_seen, &node, &Seen::node);
    const auto* tensor = std::get_if<ir::Tensor>(&value.held);
    // a fake quantize rounds what it returns
    if (seen == m_seen.end() || seen->ranged || !tensor || seen->observer->inner())
        return;
    seen->range.unite(rangeOf(*tensor));
    m_recorder.at(seen->event).fields = fieldsOf(seen->range);
}

void ObserverReporter::endBatch(base::Pool* pool)
{
    for (const Seen& seen : m_seen)
        if (seen.times > 1)
            report(seen);
    m_seen.clear();
    base::forEachChunk(
        pool, {}, static_cast<std::int64_t>(m_waiting.size()), 1, [this](std::int64_t begin, std::int64_t end) {
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
                m_recorder.at(m_waiting[i].event).record = recordOf(*m_waiting[i].node, *m_waiting[i].observer);
        });
    m_waiting.clear();
}

int ObserverReporter::report(const Seen& seen)
{
    trace::Event e;
    e.kind = EventKind::Observe;
    e.graph = seen.node->graph().path();
    e.nodes = {seen.node->id()};
    e.sentence = seenSentence(*seen.node, *seen.observer, seen.times);
    e.fields = fieldsOf(seen.range);
    const bool waits = searches(*seen.observer);
    if (!waits)
        e.record = recordOf(*seen.node, *seen.observer);
    const int event = m_recorder.say(std::move(e));
    if (waits)
        m_waiting.push_back({event, seen.node, seen.observer->copy()});
    return event;
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
    reporter.endBatch(interpreter.pool());
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
