#include "numbers/op_errors.h"

#include "numbers/probe.h"
#include "numbers/subgraph_errors.h"
#include "ops/interpreter.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

namespace gb::numbers {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using ir::kNoNode;
using ir::NodeId;
using ir::Tensor;

/// What the output's quantize can represent; absent where it is worked out at run time or a channel.
struct Limits {
    double low = 0;
    double high = 0;
};

std::optional<Limits> limitsOf(const ir::Node* quantize)
{
    if (!quantize || !quantize->calls(passes::kQuantizePerTensor))
        return std::nullopt;
    const auto* scale = quantize->arg(1).as<double>();
    const auto* zeroPoint = quantize->arg(2).as<std::int64_t>();
    const auto* least = quantize->arg(3).as<std::int64_t>();
    const auto* most = quantize->arg(4).as<std::int64_t>();
    if (!scale || !zeroPoint || !least || !most)
        return std::nullopt;
    return Limits{static_cast<double>(*least - *zeroPoint) * *scale, static_cast<double>(*most - *zeroPoint) * *scale};
}

class Measurement final : public ops::RunListener {
public:
    Measurement(const Probe& probe, const ir::GraphModule& converted, std::vector<OpError>& ops)
        : m_ops(ops)
    {
        for (std::size_t i = 0; i < probe.ops.size(); ++i) {
            const OpProbes& p = probe.ops[i];
            m_roles[p.op].push_back({i, Role::Exact});
            for (const auto& [node, role] : {std::pair{p.cumulative, Role::Cumulative},
                                             {p.local, Role::Local},
                                             {p.inputsOnly, Role::Inputs},
                                             {p.weightsOnly, Role::Weights},
                                             {p.outputOnly, Role::Output}})
                if (node != kNoNode && node != p.op) {
                    m_roles[node].push_back({i, role});
                    ++m_expected[i];
                }
            m_limits.push_back(limitsOf(converted.graph().find(p.quantize)));
        }
        m_waiting = m_expected;
    }

    void nodeFinished(const ir::Node& node, const ops::Value& value) override
    {
        const auto found = m_roles.find(node.id());
        const Tensor* tensor = value.tensor();
        if (found == m_roles.end() || !tensor)
            return;
        for (const auto& [op, role] : found->second) {
            if (role == Role::Exact) {
                m_exact.insert_or_assign(op, *tensor);
                m_waiting[op] = m_expected[op];
                continue;
            }
            const auto exact = m_exact.find(op);
            if (exact == m_exact.end())
                continue;
            take(op, role, exact->second, *tensor);
            if (--m_waiting[op] == 0)
                m_exact.erase(exact);
        }
    }

private:
    enum class Role : std::uint8_t { Exact, Cumulative, Local, Inputs, Weights, Output };
    struct Use {
        std::size_t op;
        Role role;
    };

    void take(std::size_t index, Role role, const Tensor& exact, const Tensor& other)
    {
        OpError& op = m_ops[index];
        switch (role) {
        case Role::Cumulative: op.cumulative.add(exact, other); break;
        case Role::Local: op.local.add(exact, other); break;
        case Role::Inputs: addTo(op.inputs, exact, other); break;
        case Role::Weights: addTo(op.weights, exact, other); break;
        case Role::Output: splitOutput(op, m_limits[index], exact, other); break;
        case Role::Exact: break;
        }
    }

    static void addTo(std::optional<Gap>& gap, const Tensor& exact, const Tensor& other)
    {
        if (!gap)
            gap.emplace();
        gap->add(gapBetween(exact, other));
    }

    static void splitOutput(OpError& op, const std::optional<Limits>& limits, const Tensor& exact, const Tensor& other)
    {
        if (!limits) {
            addTo(op.rounding, exact, other);
            return;
        }
        if (!op.rounding)
            op.rounding.emplace();
        if (!op.clipping)
            op.clipping.emplace();
        const Tensor x = exact.contiguous();
        const Tensor y = other.contiguous();
        for (std::int64_t i = 0; i < x.elementCount(); ++i) {
            const double value = x.at(i);
            const double inside = std::clamp(value, limits->low, limits->high);
            op.clipping->add(value, inside);
            op.rounding->add(value, value + (y.at(i) - inside));
        }
    }

    std::vector<OpError>& m_ops;
    std::unordered_map<NodeId, std::vector<Use>> m_roles;
    std::unordered_map<std::size_t, int> m_expected;
    std::unordered_map<std::size_t, int> m_waiting;
    std::unordered_map<std::size_t, Tensor> m_exact; ///< float values whose probes are still to come
    std::vector<std::optional<Limits>> m_limits;
};

std::vector<OpError> emptyRows(const Probe& probe, const ir::GraphModule& floats)
{
    std::vector<OpError> out;
    for (const OpProbes& p : probe.ops) {
        const ir::Node* node = floats.graph().find(p.op);
        OpError row;
        row.node = p.op;
        row.name = node->name();
        row.target = node->target();
        row.module = node->meta().nnModuleStack.empty() ? "" : node->meta().nnModuleStack.back().path;
        row.quantized = p.local != kNoNode;
        out.push_back(std::move(row));
    }
    return out;
}

void addAgreement(ErrorReport& report, const Tensor& exact, const Tensor& other)
{
    if (exact.dim() != 2 || exact.shape() != other.shape() || exact.size(1) < 2)
        return;
    const auto largestOf = [](const Tensor& t, std::int64_t row) {
        std::int64_t at = 0;
        for (std::int64_t c = 1; c < t.size(1); ++c)
            if (t.at(row * t.size(1) + c) > t.at(row * t.size(1) + at))
                at = c;
        return at;
    };
    for (std::int64_t row = 0; row < exact.size(0); ++row)
        report.agreed += largestOf(exact, row) == largestOf(other, row) ? 1 : 0;
    report.rows += exact.size(0);
}

base::Status measureOutputs(ErrorReport& report, ops::Interpreter& floats, ops::Interpreter& converted,
                            const engine::Batch& batch, const base::Work& work)
{
    GB_ASSIGN(const ops::ValueList exact, floats.run(batch, work));
    GB_ASSIGN(const ops::ValueList other, converted.run(batch, work));
    for (std::size_t i = 0; i < std::min(exact.size(), other.size()); ++i) {
        const Tensor* x = exact[i].tensor();
        const Tensor* y = other[i].tensor();
        if (!x || !y || !ir::isFloatingPoint(x->dtype()))
            continue;
        report.output.add(gapBetween(*x, *y));
        if (i == 0)
            addAgreement(report, *x, *y);
    }
    return {};
}

Cell sqnrCell(const std::optional<Gap>& gap)
{
    return gap ? numberCell(gap->sqnr()) : Cell();
}

} // namespace

base::Result<ErrorReport> opErrors(const Material& material, const base::Work& work)
{
    GB_ASSIGN(const auto converted, convertedCopy(*material.calibrated, work));
    return opErrors(material, *converted, work);
}

base::Result<ErrorReport> opErrors(const Material& material, const ir::GraphModule& converted, const base::Work& work)
{
    const auto& batches = material.checkBatches();
    if (batches.empty())
        return Error{ErrorCode::Usage, "no batches found, at least one expected to measure errors on", {}};
    const std::shared_ptr<const ir::GraphModule> floats = withoutObservers(*material.calibrated->module);
    const Probe probe = makeProbe(*floats, converted);
    const auto kernels = ops::KernelTable::shared();
    ops::Interpreter probed(probe.module, kernels, material.threads);
    ops::Interpreter exact(floats, kernels, material.threads);
    ops::Interpreter quantized(converted.clone(), kernels, material.threads);
    ErrorReport report;
    report.ops = emptyRows(probe, *floats);
    Measurement measurement(probe, converted, report.ops);
    for (std::size_t i = 0; i < batches.size(); ++i) {
        work.report(static_cast<int>(i * 1000 / batches.size()), base::say("measure batch {0}", i));
        const base::Work quiet{work.stop, {}};
        GB_TRY(probed.run(batches[i], quiet, &measurement));
        GB_TRY(measureOutputs(report, exact, quantized, batches[i], quiet));
    }
    GB_ASSIGN(std::vector<OpError> inner, subgraphErrors(*floats, converted, batches, material.threads, work));
    std::ranges::move(inner, std::back_inserter(report.ops));
    const auto different = std::ranges::find_if(
        report.ops, [](const OpError& op) { return op.cumulative.all().count > 0 && !op.cumulative.all().equal(); });
    if (different != report.ops.end())
        report.firstDifferent = different->name;
    return report;
}

Sheet errorSheet(const ErrorReport& report)
{
    Sheet sheet;
    sheet.what = "error";
    sheet.columns = {{"op", message("op")},
                     {"target", message("target")},
                     {"module", message("module")},
                     {"local_typical_sqnr_db", message("local, typical channel (dB)")},
                     {"local_sqnr_db", message("local (dB)")},
                     {"cumulative_sqnr_db", message("cumulative (dB)")},
                     {"weights_sqnr_db", message("weights (dB)")},
                     {"inputs_sqnr_db", message("inputs (dB)")},
                     {"clipping_sqnr_db", message("clipping (dB)")},
                     {"rounding_sqnr_db", message("rounding (dB)")},
                     {"local_largest", message("local, largest")},
                     {"cumulative_largest", message("cumulative, largest")},
                     {"cosine", message("cosine")},
                     {"worst_channel", message("worst channel")},
                     {"graph", message("sub-graph")}};
    std::vector<const OpError*> order;
    for (const OpError& op : report.ops)
        order.push_back(&op);
    const auto size = [](const OpError* op) {
        return op->quantized ? op->local.typicalSqnr().value_or(1e300) : std::numeric_limits<double>::infinity();
    };
    std::ranges::stable_sort(order, [&](const OpError* a, const OpError* b) { return size(a) < size(b); });
    for (const OpError* op : order) {
        SheetRow row;
        row.node = op->node;
        const Gap& local = op->local.all();
        const Gap& whole = op->cumulative.all();
        row.cells = {op->name,
                     op->target,
                     op->module,
                     op->quantized ? numberCell(op->local.typicalSqnr()) : Cell(),
                     op->quantized ? numberCell(local.sqnr()) : Cell(),
                     numberCell(whole.sqnr()),
                     sqnrCell(op->weights),
                     sqnrCell(op->inputs),
                     sqnrCell(op->clipping),
                     sqnrCell(op->rounding),
                     op->quantized ? Cell(local.largest) : Cell(),
                     whole.largest,
                     numberCell(whole.cosine()),
                     op->quantized && op->local.worstChannel() >= 0 ? Cell(op->local.worstChannel()) : Cell(),
                     op->graph};
        sheet.rows.push_back(std::move(row));
    }
    if (const auto sqnr = report.output.sqnr())
        sheet.notes.push_back(message("output: SQNR {0} dB, largest difference {1}", *sqnr, report.output.largest));
    if (report.rows > 0)
        sheet.notes.push_back(message("{0} of {1} rows have their largest value at the same place as the float model",
                                      report.agreed, report.rows));
    if (std::ranges::any_of(report.ops, [](const OpError& op) { return !op.graph.empty(); }))
        sheet.notes.push_back(message("ops of sub-graphs have their cumulative error only, over all rounds"));
    if (!report.firstDifferent.empty())
        sheet.notes.push_back(message("the first op that differs from the float model: {0}", report.firstDifferent));
    return sheet;
}

Sheet overlaySheet(const ErrorReport& report, ErrorFigure figure)
{
    const OverlayValues overlay = overlayOf(report, figure);
    const base::Message title = figure == ErrorFigure::LocalSqnr        ? message("local SQNR (dB)")
                                : figure == ErrorFigure::CumulativeSqnr ? message("cumulative SQNR (dB)")
                                                                        : message("largest difference");
    Sheet sheet;
    sheet.what = "error";
    sheet.columns = {{"node", message("node")}, {title.text(), title}};
    for (const OpError& op : report.ops)
        if (const auto value = overlay.values.find(op.node); value != overlay.values.end() && op.graph.empty())
            sheet.rows.push_back({{op.name, value->second}, op.node});
    return sheet;
}

OverlayValues overlayOf(const ErrorReport& report, ErrorFigure figure)
{
    OverlayValues out;
    out.unit = figure == ErrorFigure::LargestGap ? "" : "dB";
    for (const OpError& op : report.ops) {
        std::optional<double> value;
        if (figure == ErrorFigure::LocalSqnr)
            value = op.quantized ? op.local.typicalSqnr() : std::nullopt;
        else
            value = figure == ErrorFigure::CumulativeSqnr ? op.cumulative.all().sqnr() : op.cumulative.all().largest;
        if (value && std::isfinite(*value))
            out.values[op.node] = *value;
    }
    return out;
}

} // namespace gb::numbers
