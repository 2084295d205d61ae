#include "explain/observer_problems.h"

#include "explain/chosen_range.h"
#include "explain/seen.h"

#include <algorithm>
#include <cmath>

namespace gb::explain {
namespace {

using base::message;
using base::say;
using trace::EventKind;

constexpr double kFloat32Eps = 1.1920928955078125e-07; // torch.finfo(torch.float32).eps

/// An observer node with all that is known of it.
struct Observed {
    const ir::Node* node = nullptr;
    const ir::Node* input = nullptr; ///< what it observes
    const trace::ObserverInfo* info = nullptr;
    const quant::ObserverState* state = nullptr;
    int event = -1; ///< where its qparams were computed
};

bool observesValues(const trace::ObserverInfo& info)
{
    const std::string& type = info.inner.empty() ? info.type : info.inner;
    return !info.settings.isDynamic.value_or(false) && type != "PlaceholderObserver" && type != "NoopObserver"
           && !type.starts_with("FixedQParams") && !type.starts_with("Derived");
}

class Inspector {
public:
    Inspector(const RunView& run, Answer& answer)
        : m_run(run)
        , m_answer(answer)
        , m_seen(seenByObserver(run))
        , m_positions(positionsOf(run))
    {
        for (std::size_t i = 0; i < run.recording->events.size(); ++i)
            if (const trace::Event& e = run.recording->events[i]; e.kind == EventKind::QParams && !e.nodes.empty())
                m_qparams[e.nodes.front()] = static_cast<int>(i);
    }

    void visit(const Observed& o)
    {
        sayAxis(o);
        if (o.info->type.starts_with("FixedQParams") || o.info->inner.starts_with("FixedQParams"))
            sayGivenOutside(o);
        if (!observesValues(*o.info))
            return;
        sayNonFinite(o);
        if (!o.state || o.state->batches == 0) {
            sayNeverRan(o);
            return;
        }
        sayConstant(o);
        if (o.state->qparams) {
            sayEps(o, *o.state->qparams);
            sayClamped(o, *o.state->qparams);
            sayTrained(o, *o.state->qparams);
        }
    }

    [[nodiscard]] int eventOf(const ir::Node& node) const
    {
        const auto found = m_qparams.find(node.id());
        return found == m_qparams.end() ? -1 : found->second;
    }

private:
    void add(const Observed& o, Severity severity, const char* kind, base::Message sentence)
    {
        m_answer.findings.push_back({"", severity, o.node->name(), std::move(sentence), o.event, o.node->id(), kind});
    }

    void sayNeverRan(const Observed& o)
    {
        const bool weight = o.input->op() == ir::Op::GetAttr;
        const bool channels = o.info->settings.qscheme && ir::isPerChannel(*o.info->settings.qscheme);
        add(o, weight ? Severity::Error : Severity::Warning, "observer never ran",
            message(
                "{0}, the observer of {1}, never ran: its scale 1 and zero point 0 are defaults{2}. Run the prepared "
                "model once",
                o.node->name(), o.input->name(), channels ? ", one for all channels" : ""));
    }

    void sayNonFinite(const Observed& o)
    {
        const auto seen = m_seen.find(o.node->id());
        if (seen != m_seen.end() && seen->second.nonFinite > 0)
            add(o, Severity::Warning, "NaN or infinite input",
                message("{0}, the observer of {1}, was given {2} NaN or infinite values, which its range leaves out",
                        o.node->name(), o.input->name(), seen->second.nonFinite));
    }

    void sayConstant(const Observed& o)
    {
        const auto seen = m_seen.find(o.node->id());
        const ir::TensorMeta* val = o.input->val();
        const bool number = o.input->op() == ir::Op::GetAttr && val && val->shape.empty();
        if (number || seen == m_seen.end() || seen->second.low != seen->second.high)
            return;
        add(o, Severity::Warning, "constant input",
            message("{0}, the observer of {1}, saw only the value {2}", o.node->name(), o.input->name(),
                    seen->second.low));
    }

    void sayEps(const Observed& o, const quant::QParams& q)
    {
        const double eps = o.info->settings.eps.value_or(kFloat32Eps);
        const std::vector<double> scales = q.scale.toDoubles();
        const auto floored = std::ranges::count_if(scales, [eps](double s) { return s <= eps * 1.000001; });
        if (floored == 0)
            return;
        const std::string which =
            scales.size() == 1 ? std::string("the scale") : say("{0} of {1} scales", floored, scales.size());
        add(o, Severity::Warning, "scale at the eps floor",
            message("{0} of {1}, the observer of {2}, is the eps floor {3}: the values seen are too small for it",
                    which, o.node->name(), o.input->name(), eps));
    }

    /// The zero point that the range asks for lies outside the codes (an infinite range asks for none at all).
    void sayClamped(const Observed& o, const quant::QParams& q)
    {
        const auto& s = o.info->settings;
        const bool affine = s.qscheme && !ir::isSymmetric(*s.qscheme) && !ir::isPerChannel(*s.qscheme);
        if (!affine || !s.quantMin || !s.quantMax || q.scale.elementCount() != 1 || !o.state->minVal
            || o.state->minVal->elementCount() != 1)
            return;
        const auto low = static_cast<double>(*s.quantMin);
        const auto high = static_cast<double>(*s.quantMax);
        const auto wantedFor = [&](double min) { return low - std::nearbyint(std::min(min, 0.0) / q.scale.at(0)); };
        const auto isCode = [&](double zero) { return zero >= low && zero <= high; };
        double wanted = wantedFor(o.state->minVal->at(0));
        if (isCode(wanted))
            return;
        if (const auto chosen = chosenRange(*o.state, s); chosen && chosen->search) // a search cuts ends off
            wanted = wantedFor(chosen->min);
        if (isCode(wanted))
            return;
        add(o, Severity::Warning, "zero point clamped",
            message("the zero point of {0}, the observer of {1}, would be {2} and is clamped to {3}", o.node->name(),
                    o.input->name(), wanted, q.zeroPoint.at(0)));
    }

    /// A given zero point that is none of the codes: no code stands for 0.
    void sayGivenOutside(const Observed& o)
    {
        const auto& s = o.info->settings;
        if (!o.state || !o.state->qparams || !s.quantMin || !s.quantMax)
            return;
        const double zero = o.state->qparams->zeroPoint.at(0);
        if (zero >= static_cast<double>(*s.quantMin) && zero <= static_cast<double>(*s.quantMax))
            return;
        add(o, Severity::Warning, "zero point clamped",
            message("the given zero point {0} of {1}, the observer of {2}, lies outside of the codes {3} to {4}: no "
                    "code stands for 0",
                    zero, o.node->name(), o.input->name(), *s.quantMin, *s.quantMax));
    }

    /// A fake quantize that rounded with other qparams than convert writes.
    void sayTrained(const Observed& o, const quant::QParams& q)
    {
        const auto& used = o.state->used;
        if (!used || used->scale.elementCount() != q.scale.elementCount())
            return;
        std::int64_t worst = 0;
        double most = 0.0;
        for (std::int64_t i = 0; i < q.scale.elementCount(); ++i)
            if (const double gap = std::fabs(used->scale.at(i) / q.scale.at(i) - 1.0); gap > most) {
                most = gap;
                worst = i;
            }
        if (most > 1e-3)
            add(o, Severity::Warning, "trained with another scale",
                message("{0} was trained with scale {1} and is converted with {2}{3}", o.input->name(),
                        used->scale.at(worst), q.scale.at(worst),
                        q.scale.elementCount() > 1 ? say(" (channel {0})", worst) : std::string()));
    }

    void sayAxis(const Observed& o)
    {
        const auto& s = o.info->settings;
        if (!s.qscheme || !ir::isPerChannel(*s.qscheme) || !s.chAxis)
            return;
        const auto positions = m_positions.find(o.node->id());
        if (positions == m_positions.end() || !positions->second.front().isEdge())
            return;
        const ir::Node* consumer = m_run.find(positions->second.front().consumer);
        const auto axis = consumer ? outputChannelAxis(consumer->target()) : std::nullopt;
        if (axis && *axis != *s.chAxis)
            add(o, Severity::Warning, "axis is not the output channel",
                message("the scales of {0} lie on axis {1}, the output channels of {2} on axis {3}", o.input->name(),
                        *s.chAxis, consumer->name(), *axis));
    }

    const RunView& m_run;
    Answer& m_answer;
    std::map<ir::NodeId, SeenRange> m_seen;
    std::map<ir::NodeId, std::vector<ir::Position>> m_positions;
    std::map<ir::NodeId, int> m_qparams;
};

} // namespace

std::optional<std::int64_t> outputChannelAxis(std::string_view target)
{
    if (target.starts_with("aten.conv_transpose"))
        return 1;
    if (target.starts_with("aten.conv") || target.starts_with("aten.linear") || target.starts_with("aten.embedding"))
        return 0;
    return std::nullopt;
}

void addObserverProblems(const RunView& run, Answer& answer)
{
    if (!run.calibrated)
        return;
    Inspector inspector(run, answer);
    for (const auto& [path, graph] : run.calibrated->graphs)
        for (const ir::Node* n = graph->graph->first(); n; n = n->next()) {
            const auto info =
                n->op() == ir::Op::CallModule ? graph->observers.find(n->target()) : graph->observers.end();
            const ir::Node* input = graph->graph->find(n->arg(0).nodeId());
            if (info != graph->observers.end() && input)
                inspector.visit({n, input, info->second.get(), graph->stateOf(n->target()), inspector.eventOf(*n)});
        }
}

} // namespace gb::explain
