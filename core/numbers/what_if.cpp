#include "numbers/what_if.h"

#include "numbers/observer_sites.h"
#include "numbers/site_values.h"
#include "quant/make_observer.h"
#include "quant/uniform_observer.h"

#include <algorithm>

namespace gb::numbers {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;
using base::Status;
using ir::Node;

using ObserverPtr = std::shared_ptr<quant::Observer>;

class Changer {
public:
    Changer(const Material& material, const base::Work& work)
        : m_material(material)
        , m_work(work)
        , m_model(material.calibrated->module->clone())
    {
    }

    Status apply(const Change& change)
    {
        switch (change.kind) {
        case Change::Kind::FloatOp: return floatOp(change);
        case Change::Kind::FloatObserver: return floatObserver(change);
        case Change::Kind::Observer: return replace(change);
        case Change::Kind::Range: return setRange(change);
        }
        return {};
    }

    std::shared_ptr<ir::GraphModule> take() { return std::move(m_model); }

private:
    ir::Graph& graph() { return m_model->graph(); }

    ObserverPtr observerOf(const Node& node) const
    {
        return node.op() == ir::Op::CallModule
                   ? std::dynamic_pointer_cast<quant::Observer>(m_model->module(node.target()))
                   : nullptr;
    }

    void bypass(Node* observerNode)
    {
        graph().replaceAllUses(observerNode, graph().find(observerNode->arg(0).nodeId()));
        graph().erase(observerNode);
    }

    Status floatOp(const Change& change)
    {
        Node* op = graph().find(change.site);
        if (!op || op->op() != ir::Op::CallFunction)
            return Error{ErrorCode::NotFound,
                         say("found no op \"{0}\", a node of the calibrated graph expected", change.site),
                         {}};
        for (Node* input : std::vector<Node*>(op->inputs())) {
            if (!observerOf(*input))
                continue;
            graph().replaceInput(op, input, graph().find(input->arg(0).nodeId()));
            if (input->users().empty())
                graph().erase(input);
        }
        for (Node* user : std::vector<Node*>(op->users()))
            if (observerOf(*user))
                bypass(user);
        return {};
    }

    base::Result<ObserverPtr> observerAt(const Change& change) const
    {
        auto found = std::dynamic_pointer_cast<quant::Observer>(m_model->module(change.site));
        if (found)
            return found;
        std::string known;
        for (const auto& [target, module] : m_model->modules())
            known += (known.empty() ? "" : ", ") + target;
        return Error{ErrorCode::NotFound,
                     say("found no observer \"{0}\", one of {1} expected", change.site, known.empty() ? "none" : known),
                     {}};
    }

    /// The nodes of the top graph that call an observer.
    std::vector<Node*> nodesOf(const ObserverPtr& observer)
    {
        std::vector<Node*> out;
        for (Node* node : graph().nodes())
            if (observerOf(*node) == observer)
                out.push_back(node);
        return out;
    }

    Status floatObserver(const Change& change)
    {
        GB_ASSIGN(const ObserverPtr observer, observerAt(change));
        for (Node* node : nodesOf(observer))
            bypass(node);
        return {};
    }

    void put(const ObserverPtr& old, const ObserverPtr& made)
    {
        std::vector<std::string> targets;
        for (const auto& [target, module] : m_model->modules())
            if (module == old)
                targets.push_back(target);
        for (const std::string& target : targets)
            m_model->setModule(target, made);
    }

    Status replace(const Change& change)
    {
        GB_ASSIGN(const ObserverPtr old, observerAt(change));
        GB_ASSIGN(const ObserverPtr made, quant::makeObserver(change.observer));
        const auto floats = withoutObservers(*m_material.calibrated->module);
        std::vector<std::vector<ir::Tensor>> values; // as the shared observer saw them: batch by batch, node by node
        for (const Node* node : nodesOf(old)) {
            GB_ASSIGN(auto seen, valuesOf(m_material, *floats, node->arg(0).nodeId(), m_material.calibration, m_work));
            values.push_back(std::move(seen));
        }
        for (std::size_t batch = 0; batch < m_material.calibration.size(); ++batch)
            for (const auto& seen : values)
                GB_TRY(made->forward(seen[batch]));
        put(old, made);
        return {};
    }

    Status setRange(const Change& change)
    {
        if (!(change.min <= change.max))
            return Error{ErrorCode::Usage,
                         say("range {0} to {1} found, the smaller value first expected", change.min, change.max),
                         change.site};
        GB_ASSIGN(const ObserverPtr old, observerAt(change));
        const quant::ObserverSettings& s = old->settings();
        if (!s.qscheme || ir::isPerChannel(*s.qscheme) || !s.dtype)
            return Error{ErrorCode::Usage, "the observer is not per tensor, one with a single range expected",
                         change.site};
        ir::ObserverConstructor plain{"MinMaxObserver",
                                      {{"dtype", *s.dtype}, {"qscheme", std::string(ir::name(*s.qscheme))}}};
        if (s.quantMin && s.quantMax) {
            plain.arguments.emplace_back("quant_min", *s.quantMin);
            plain.arguments.emplace_back("quant_max", *s.quantMax);
        }
        if (s.eps)
            plain.arguments.emplace_back("eps", *s.eps);
        GB_ASSIGN(const ObserverPtr made, quant::makeObserver(plain));
        static_cast<quant::UniformObserver&>(*made).setRange(
            {ir::Tensor::scalar(static_cast<float>(change.min)), ir::Tensor::scalar(static_cast<float>(change.max))});
        put(old, made);
        return {};
    }

    const Material& m_material;
    const base::Work& m_work;
    std::shared_ptr<ir::GraphModule> m_model;
};

} // namespace

base::Result<engine::CalibratedPtr> changed(const Material& material, const std::vector<Change>& changes,
                                            const base::Work& work)
{
    Changer changer(material, work);
    for (const Change& change : changes)
        GB_TRY(changer.apply(change));
    const engine::Calibrated& old = *material.calibrated;
    return std::make_shared<const engine::Calibrated>(
        engine::Calibrated{changer.take(), old.scopes, old.foldQuantize, old.isQat});
}

base::Result<Gain> tryOut(const Material& material, const ErrorReport& before, const std::vector<Change>& changes,
                          const base::Work& work)
{
    GB_ASSIGN(const engine::CalibratedPtr other, changed(material, changes, work));
    GB_ASSIGN(const auto converted, convertedCopy(*other, work));
    GB_ASSIGN(ErrorReport report, opErrors(material, *converted, work));
    Gain gain{before.output, report.output, before.agreed, report.agreed, report.rows, {}};
    gain.report = std::move(report);
    return gain;
}

std::vector<base::Message> gainNotes(const ErrorReport& before, const ErrorReport& after,
                                     const std::vector<Change>& changes)
{
    std::vector<base::Message> out;
    for (const Change& change : changes)
        out.push_back(message("changed: {0}", changeWords(change).text()));
    const auto was = before.output.sqnr();
    const auto is = after.output.sqnr();
    if (was && is)
        out.push_back(message("output: SQNR {0} dB before, {1} dB after", *was, *is));
    if (after.rows > 0)
        out.push_back(
            message("rows as in float: {0} before, {1} after, of {2}", before.agreed, after.agreed, after.rows));
    return out;
}

base::Result<Sheet> gainSheet(const Material& material, const base::Work& work)
{
    GB_ASSIGN(const ErrorReport before, opErrors(material, work));
    struct Row {
        const OpError* op;
        Gain gain;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < before.ops.size(); ++i) {
        work.report(static_cast<int>(i * 1000 / before.ops.size()), before.ops[i].name);
        if (!before.ops[i].quantized || before.ops[i].target == before.ops[i].name) // a model input is no op
            continue;
        GB_ASSIGN(Gain gain,
                  tryOut(material, before, {{Change::Kind::FloatOp, before.ops[i].name}}, base::Work{work.stop, {}}));
        rows.push_back({&before.ops[i], std::move(gain)});
    }
    std::ranges::stable_sort(rows, [](const Row& a, const Row& b) { return a.gain.after.noise < b.gain.after.noise; });
    Sheet sheet;
    sheet.what = "gain";
    sheet.columns = {{"op", message("left in float")},
                     {"target", message("target")},
                     {"sqnr_before_db", message("output SQNR before (dB)")},
                     {"sqnr_after_db", message("after (dB)")},
                     {"gain_db", message("gain (dB)")},
                     {"largest_before", message("largest difference before")},
                     {"largest_after", message("after")}};
    for (const Row& row : rows) {
        const auto was = row.gain.before.sqnr();
        const auto is = row.gain.after.sqnr();
        sheet.rows.push_back({{row.op->name, row.op->target, numberCell(was), numberCell(is),
                               was && is ? Cell(*is - *was) : Cell(), row.gain.before.largest, row.gain.after.largest},
                              row.op->node});
    }
    return sheet;
}

} // namespace gb::numbers
