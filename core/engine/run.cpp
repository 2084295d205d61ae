#include "engine/run.h"

#include "base/message.h"
#include "engine/calibrated.h"
#include "engine/calibration.h"
#include "engine/outputs.h"
#include "passes/convert.h"
#include "passes/prepare.h"
#include "quantizers/quantizer.h"

#include <algorithm>
#include <array>
#include <new>

namespace gb::engine {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;
using base::Status;

constexpr std::array<std::string_view, 6> kStages = {"exported", "folded",     "annotated",
                                                     "prepared", "calibrated", "converted"};
constexpr int kPreparedAt = 100; ///< thousandths of a run
constexpr int kCalibratedAt = 850;

trace::Header headerOf(const RunInput& input, const quantizers::Recipe& recipe, const RunOptions& options)
{
    trace::Header header;
    header.producerVersion = options.producerVersion;
    header.torchVersion = input.torchVersion;
    header.model = input.model;
    header.mode = options.isQat ? "qat" : "ptq";
    header.recipe = recipe.json;
    header.calibrateGiven = options.calibrate.has_value();
    if (options.calibrate)
        header.calibrate = *options.calibrate;
    header.foldQuantize = options.foldQuantize;
    return header;
}

std::int64_t subgraphCount(const ir::GraphModule& module)
{
    auto count = static_cast<std::int64_t>(module.subgraphs().size());
    for (const auto& [target, sub] : module.subgraphs())
        count += subgraphCount(*sub);
    return count;
}

class Flow {
public:
    Flow(const RunInput& input, const quantizers::Recipe& recipe, const RunOptions& options,
         const std::vector<Batch>& batches, const base::Work& work)
        : m_input(input)
        , m_recipe(recipe)
        , m_options(options)
        , m_batches(batches)
        , m_work(work)
        , m_recorder(headerOf(input, recipe, options))
        , m_kernels(ops::KernelTable::shared())
        , m_pool(std::make_shared<base::Pool>(options.threads))
    {
    }

    RunResult finish()
    {
        Status status;
        try {
            status = steps();
        } catch (const std::bad_alloc&) {
            status = Error{ErrorCode::RuntimeError, "not enough memory for the run", {}};
        }
        RunResult result;
        if (!status) {
            m_recorder.fail(status.error());
            result.error = status.error();
        }
        for (NamedTensors* outputs : {&m_float, &m_prepared, &m_converted})
            result.outputs.insert(result.outputs.end(), outputs->begin(), outputs->end());
        result.calibrated = m_calibrated;
        result.recording = m_recorder.publish();
        m_work.report(1000, "done");
        return result;
    }

private:
    Status steps()
    {
        GB_TRY(checkOptions());
        load();
        GB_TRY(runFloat());
        if (m_options.stopAfter == "exported")
            return {};
        m_work.report(kPreparedAt / 2, "prepare");
        passes::PassContext context{m_recorder, *m_kernels, m_work, m_pool.get()};
        passes::ScopeTable scopes;
        GB_TRY(prepare(context, scopes));
        if (stopsBefore("calibrated"))
            return {};
        GB_TRY(calibrate());
        if (m_options.keepCalibrated)
            m_calibrated = std::make_shared<const Calibrated>(
                Calibrated{m_model->clone(), scopes, m_options.foldQuantize, m_options.isQat});
        if (stopsBefore("converted"))
            return {};
        m_work.report(kCalibratedAt, "convert");
        GB_TRY(passes::convert(*m_model, m_options.foldQuantize, context, scopes));
        m_recorder.stage("converted", message("the converted graph"));
        return runConverted();
    }

    Status checkOptions() const
    {
        if (!m_options.stopAfter.empty() && std::ranges::find(kStages, m_options.stopAfter) == kStages.end())
            return Error{
                ErrorCode::Usage,
                say("stage \"{0}\" found, exported, folded, annotated, prepared, calibrated or converted expected",
                    m_options.stopAfter),
                {}};
        const auto count = static_cast<std::int64_t>(m_batches.size());
        for (const std::int64_t position : m_options.calibrate.value_or(std::vector<std::int64_t>()))
            if (position < 0 || position >= count)
                return Error{ErrorCode::Usage,
                             say("batch {0} to calibrate on found, less than {1} expected", position, count),
                             {}};
        return {};
    }

    [[nodiscard]] bool stopsBefore(std::string_view stage) const
    {
        const auto last = std::ranges::find(kStages, m_options.stopAfter);
        return last < std::ranges::find(kStages, stage);
    }

    void load()
    {
        m_model = m_input.module->clone();
        trace::Event e;
        e.kind = trace::EventKind::Load;
        e.name = m_input.model;
        e.sentence = message("{0} is loaded: {1} nodes", m_input.model, m_model->graph().size());
        e.fields = {{"model", ir::Argument(m_input.model)},
                    {"torch", ir::Argument(m_input.torchVersion)},
                    {"graphs", ir::Argument(subgraphCount(*m_model))}};
        m_recorder.say(std::move(e));
        m_recorder.snapshot(*m_model);
        m_model->setListener(&m_recorder);
        m_recorder.stage("exported", message("the exported graph"));
    }

    /// On the program as it was loaded. Labels and prepare need no output, so an error here is only told.
    Status runFloat()
    {
        if (m_batches.empty())
            return {};
        m_work.report(0, "float model");
        ops::Interpreter interpreter(m_input.module, m_kernels, m_pool);
        auto out = interpreter.run(m_batches[0], part(0, kPreparedAt / 2, "float model"));
        if (out) {
            m_float = namedOutputs("float", *out);
            return {};
        }
        if (out.error().code == ErrorCode::Cancelled)
            return out.error();
        note(message("the float model gives no output: {0}", out.error().text()));
        return {};
    }

    Status prepare(passes::PassContext& context, passes::ScopeTable& scopes)
    {
        GB_ASSIGN(const auto quantizer, quantizers::makeQuantizer(m_recipe));
        passes::PrepareOptions prepareOptions{m_options.isQat, {}};
        if (m_options.stopAfter == "folded" || m_options.stopAfter == "annotated")
            prepareOptions.stopAfter = m_options.stopAfter;
        GB_TRY(passes::prepare(*m_model, *quantizer, prepareOptions, context, scopes));
        if (prepareOptions.stopAfter.empty())
            m_recorder.stage("prepared", message("the graph with its observers"));
        return {};
    }

    Status calibrate()
    {
        std::vector<std::int64_t> positions;
        for (std::size_t i = 0; i < m_batches.size() && !m_options.calibrate; ++i)
            positions.push_back(static_cast<std::int64_t>(i));
        if (m_options.calibrate)
            positions = *m_options.calibrate;
        trace::Event e;
        e.kind = trace::EventKind::Pass;
        e.name = "calibrate";
        e.sentence = message("run {0} batches through the prepared model", positions.size());
        const trace::Scope scope = m_recorder.open(std::move(e));
        ops::Interpreter interpreter(m_model, m_kernels, m_pool);
        const std::size_t runs = positions.size() + (m_options.isQat && !m_batches.empty() ? 1 : 0);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            GB_ASSIGN(const auto out, runPrepared(interpreter, positions[i], i, runs));
            // as in the oracle: fake quantizes change what they return, so QAT's output is taken after all batches
            if (positions[i] == 0 && !m_options.isQat)
                m_prepared = namedOutputs("prepared", out);
        }
        if (m_options.isQat && !m_batches.empty()) {
            GB_ASSIGN(const auto out, runPrepared(interpreter, 0, positions.size(), runs));
            m_prepared = namedOutputs("prepared", out);
        }
        keepWritten(interpreter);
        reportQParams(*m_model, m_recorder);
        m_recorder.stage("calibrated", message("the observers after {0} batches", positions.size()));
        compare(m_float, m_prepared, "float and prepared output");
        return {};
    }

    base::Result<ops::ValueList> runPrepared(ops::Interpreter& interpreter, std::int64_t position, std::size_t index,
                                             std::size_t runs)
    {
        const int span = kCalibratedAt - kPreparedAt;
        const int from = kPreparedAt + span * static_cast<int>(index) / static_cast<int>(runs);
        const int to = kPreparedAt + span * static_cast<int>(index + 1) / static_cast<int>(runs);
        return runBatch(interpreter, m_batches[static_cast<std::size_t>(position)], position, m_recorder,
                        part(from, to, "calibrate"));
    }

    /// What the runs wrote to buffers is the module's state from here on.
    void keepWritten(const ops::Interpreter& interpreter)
    {
        for (const auto& [name, value] : interpreter.mutatedAttributes()) {
            const ir::Attribute* old = m_model->attribute(name);
            if (old)
                m_model->setAttribute(name, {value.clone(), old->kind, old->persistent});
        }
    }

    Status runConverted()
    {
        if (m_batches.empty())
            return {};
        ops::Interpreter interpreter(m_model, m_kernels, m_pool);
        GB_ASSIGN(const auto out, interpreter.run(m_batches[0], part(900, 1000, "converted model")));
        m_converted = namedOutputs("converted", out);
        compare(m_float, m_converted, "float and converted output");
        return {};
    }

    /// The same stop token, with a part of the run's progress.
    [[nodiscard]] base::Work part(int from, int to, const std::string& stage) const
    {
        base::Work out{m_work.stop, {}};
        if (m_work.progress)
            out.progress = [sink = m_work.progress, from, to, stage](int thousandths, const std::string& node) {
                sink(from + (to - from) * thousandths / 1000, stage + ": " + node);
            };
        return out;
    }

    void compare(const NamedTensors& a, const NamedTensors& b, const char* what)
    {
        if (a.empty() || b.empty())
            return;
        const Difference d = difference(a, b);
        trace::Event e;
        e.kind = trace::EventKind::Compare;
        e.sentence = d.equal ? message("{0} are the same, bit for bit", what)
                             : message("{0} differ by {1} at most", what, d.largest);
        e.fields = {{"what", ir::Argument(what)},
                    {"largest", ir::Argument(d.largest)},
                    {"magnitude", ir::Argument(d.magnitude)},
                    {"equal", ir::Argument(d.equal)}};
        m_recorder.say(std::move(e));
    }

    void note(base::Message sentence)
    {
        trace::Event e;
        e.kind = trace::EventKind::Note;
        e.sentence = std::move(sentence);
        m_recorder.say(std::move(e));
    }

    const RunInput& m_input;
    const quantizers::Recipe& m_recipe;
    const RunOptions& m_options;
    const std::vector<Batch>& m_batches;
    const base::Work& m_work;
    trace::Recorder m_recorder;
    std::shared_ptr<const ops::KernelTable> m_kernels;
    std::shared_ptr<base::Pool> m_pool; ///< of the passes and of every interpreter, one after another
    std::shared_ptr<ir::GraphModule> m_model;
    CalibratedPtr m_calibrated;
    NamedTensors m_float;
    NamedTensors m_prepared;
    NamedTensors m_converted;
};

} // namespace

RunResult run(const RunInput& input, const quantizers::Recipe& recipe, const RunOptions& options,
              const std::vector<Batch>& batches, const base::Work& work)
{
    return Flow(input, recipe, options, batches, work).finish();
}

} // namespace gb::engine
