#include "numbers/hand_mode.h"

#include "engine/outputs.h"
#include "numbers/site_values.h"
#include "ops/interpreter.h"
#include "passes/convert_observers.h"
#include "passes/module_attributes.h"
#include "passes/quantize_ops.h"
#include "quant/make_observer.h"

#include <algorithm>
#include <bit>
#include <map>

namespace gb::numbers {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using ir::Node;

using ObserverPtr = std::shared_ptr<quant::Observer>;
using ModulePtr = std::shared_ptr<ir::GraphModule>;

ObserverPtr observerOf(const ir::GraphModule& model, const Node& node)
{
    return node.op() == ir::Op::CallModule ? std::dynamic_pointer_cast<quant::Observer>(model.module(node.target()))
                                           : nullptr;
}

Error notThere(const std::string& name, const char* expected)
{
    return {ErrorCode::NotFound, say("found no \"{0}\", {1} expected", name, expected), {}};
}

bool isConstant(const Node& node)
{
    if (node.op() == ir::Op::GetAttr)
        return true;
    return node.op() == ir::Op::CallFunction && !node.inputs().empty()
           && std::ranges::all_of(node.inputs(), [](const Node* input) { return isConstant(*input); });
}

/// Free as a module and as a node: a graph that had observers remembers their names.
std::string freeName(ir::GraphModule& model)
{
    for (int number = 0;; ++number) {
        std::string name = "activation_post_process_" + std::to_string(number);
        if (!model.graph().names().used(name) && !passes::hasAttribute(model, name))
            return name;
    }
}

/// Stands in for the observers that a step leaves alone.
class Aside final : public ir::Module {
public:
    explicit Aside(std::shared_ptr<ir::Module> held)
        : module(std::move(held))
    {
    }
    std::shared_ptr<ir::Module> module;
};

Result<std::vector<engine::NamedTensors>> outputsOf(const ir::GraphModule& model, const Material& material,
                                                    const base::Work& work)
{
    ops::Interpreter interpreter(model.clone(), ops::KernelTable::shared(), material.threads);
    std::vector<engine::NamedTensors> out;
    for (const engine::Batch& batch : material.checkBatches()) {
        GB_ASSIGN(const ops::ValueList values, interpreter.run(batch, base::Work{work.stop, {}}));
        out.push_back(engine::namedOutputs("output", values));
    }
    return out;
}

/// "TARGET scale zero_point" of every dequantize, sorted.
std::vector<std::string> scalesOf(const ir::GraphModule& model)
{
    const auto text = [&](const ir::Argument& argument) -> std::string {
        if (const auto* number = argument.as<double>())
            return std::to_string(std::bit_cast<std::uint64_t>(*number));
        if (const auto* number = argument.as<std::int64_t>())
            return std::to_string(*number);
        const Node* node = model.graph().find(argument.nodeId());
        const ir::Attribute* attribute =
            node && node->op() == ir::Op::GetAttr ? model.attribute(node->target()) : nullptr;
        std::string out;
        for (const double value : attribute ? attribute->value.toDoubles() : std::vector<double>())
            out += std::to_string(std::bit_cast<std::uint64_t>(value)) + ",";
        return out;
    };
    std::vector<std::string> out;
    for (const Node* node = model.graph().first(); node; node = node->next())
        if (passes::isDequantize(*node))
            out.push_back(node->target() + " " + text(node->arg(1)) + " " + text(node->arg(2)));
    std::ranges::sort(out);
    return out;
}

std::map<std::string, int> opsOf(const ir::GraphModule& model)
{
    std::map<std::string, int> out;
    for (const Node* node = model.graph().first(); node; node = node->next())
        if (node->op() == ir::Op::CallFunction)
            ++out[node->target()];
    return out;
}

} // namespace

HandBench::HandBench(const Material& material)
    : m_material(material)
    , m_steps{{"the float model", withoutObservers(*material.calibrated->module)}}
{
}

std::vector<std::string> HandBench::history() const
{
    std::vector<std::string> out;
    for (const Step& step : m_steps)
        out.push_back(step.sentence);
    return out;
}

void HandBench::undo()
{
    if (canUndo())
        m_steps.pop_back();
}

void HandBench::keep(ModulePtr model, std::string sentence)
{
    m_steps.push_back({std::move(sentence), std::move(model)});
}

void HandBench::takePrepared()
{
    keep(m_material.calibrated->module->clone(), "as prepare and calibration left it");
}

/// Observers that are shared stay shared.
ModulePtr HandBench::copyWithOwnObservers() const
{
    ModulePtr out = model().clone();
    std::map<std::string, ObserverPtr> copies; // by the first target of each object
    for (const auto& [target, module] : model().modules()) {
        const auto observer = std::dynamic_pointer_cast<quant::Observer>(module);
        if (!observer)
            continue;
        ObserverPtr copy;
        for (const auto& [known, made] : copies)
            if (model().module(known) == module)
                copy = made;
        if (!copy)
            copy = observer->copy();
        copies[target] = copy;
        out->setModule(target, copy);
    }
    return out;
}

Result<std::string> HandBench::insert(const ir::ObserverConstructor& observer, const std::string& producer,
                                      const std::string& consumer)
{
    GB_ASSIGN(const ObserverPtr made, quant::makeObserver(observer));
    ModulePtr next = copyWithOwnObservers();
    ir::Graph& graph = next->graph();
    Node* from = graph.find(producer);
    if (!from)
        return notThere(producer, "a node of the model");
    Node* to = consumer.empty() ? nullptr : graph.find(consumer);
    if (!consumer.empty() && !to)
        return notThere(consumer, "a node of the model");
    if (to && std::ranges::find(to->inputs(), from) == to->inputs().end())
        return Error{
            ErrorCode::Usage, say("{0} does not take {1}, an edge of the model expected", consumer, producer), {}};
    const std::vector<Node*> users = from->users();
    const std::string name = freeName(*next);
    next->setModule(name, made);
    Node* added = graph.insertAfter(
        from, {.op = ir::Op::CallModule, .target = name, .args = {ir::Argument::node(from->id())}, .nameHint = name});
    for (Node* user : users)
        if (!to || user == to)
            graph.replaceInput(user, from, added);
    const std::string addedName = added->name();
    keep(std::move(next),
         say("{0} ({1}) behind {2}", addedName, observer.name, to ? producer + " -> " + consumer : producer));
    return addedName;
}

Status HandBench::calibrate(const base::Work& work)
{
    ModulePtr next = copyWithOwnObservers();
    ops::Interpreter interpreter(next, ops::KernelTable::shared(), m_material.threads);
    for (std::size_t i = 0; i < m_material.calibration.size(); ++i) {
        work.report(static_cast<int>(i * 1000 / m_material.calibration.size()), say("batch {0}", i));
        GB_TRY(interpreter.run(m_material.calibration[i], base::Work{work.stop, {}}));
    }
    keep(std::move(next), say("calibrated on {0} batches", m_material.calibration.size()));
    return {};
}

Status HandBench::replaceByQdq(const std::string& observer)
{
    ModulePtr next = copyWithOwnObservers();
    const Node* node = next->graph().find(observer);
    if (!node || !observerOf(*next, *node))
        return notThere(observer, "an observer of the model");
    const std::string chosen = node->target();
    const auto modules = next->modules();
    for (const auto& [target, module] : modules)
        if (target != chosen)
            next->setModule(target, std::make_shared<Aside>(module));
    trace::Recorder recorder({});
    const auto kernels = ops::KernelTable::shared();
    next->setListener(&recorder);
    passes::PassContext context{recorder, *kernels, {}};
    const auto scopes = m_material.calibrated->scopes.find(next->graph().path());
    const Status done = passes::convertObservers(
        *next, scopes == m_material.calibrated->scopes.end() ? std::map<std::string, std::string>() : scopes->second,
        context);
    next->setListener(nullptr);
    GB_TRY(done);
    const auto left = next->modules();
    for (const auto& [target, module] : left)
        if (const auto aside = std::dynamic_pointer_cast<Aside>(module))
            next->setModule(target, aside->module);
    keep(std::move(next), say("{0} becomes quantize and dequantize", observer));
    return {};
}

Status HandBench::fold(const std::string& quantize)
{
    ModulePtr next = copyWithOwnObservers();
    ir::Graph& graph = next->graph();
    Node* node = graph.find(quantize);
    if (!node)
        return notThere(quantize, "a quantize node");
    if (!passes::isQuantize(*node) || !isConstant(*node))
        return Error{ErrorCode::Usage, say("{0} is no quantize of weights alone, one expected", quantize), {}};
    const std::vector<engine::Batch> one(m_material.calibration.begin(),
                                         m_material.calibration.begin() + (m_material.calibration.empty() ? 0 : 1));
    GB_ASSIGN(const auto values, valuesOf(m_material, *next, node->id(), one));
    if (values.empty())
        return Error{ErrorCode::Usage, "no batches found, one expected to run the model on", {}};
    const std::string target = passes::newAttributeName(*next, "_frozen_param");
    next->setAttribute(target, {values.front(), ir::AttributeKind::Buffer, true});
    Node* constant = graph.insertBefore(node, {.op = ir::Op::GetAttr, .target = target, .meta = node->metaPtr()});
    graph.replaceAllUses(node, constant);
    const std::string name = node->name();
    graph.erase(node);
    graph.rename(constant, name);
    for (Node* unused : graph.nodes())
        if (unused->op() == ir::Op::GetAttr && unused->users().empty())
            graph.erase(unused);
    keep(std::move(next), say("{0} is computed now", quantize));
    return {};
}

Status HandBench::setSwitches(const std::string& observer, bool observerEnabled, bool fakeQuantEnabled)
{
    ModulePtr next = copyWithOwnObservers();
    bool found = observer.empty();
    for (const auto& [target, module] : next->modules()) {
        const auto made = std::dynamic_pointer_cast<quant::Observer>(module);
        if (!made || !made->inner() || (!observer.empty() && target != observer))
            continue;
        made->setObserverEnabled(observerEnabled);
        made->setFakeQuantEnabled(fakeQuantEnabled);
        found = true;
    }
    if (!found)
        return notThere(observer, "a fake quantize of the model");
    keep(std::move(next), say("{0}: observer {1}, fake quant {2}", observer.empty() ? "all" : observer,
                              observerEnabled ? "on" : "off", fakeQuantEnabled ? "on" : "off"));
    return {};
}

Result<Gap> HandBench::outputGap(const base::Work& work) const
{
    GB_ASSIGN(const auto exact, outputsOf(*m_steps.front().model, m_material, work));
    const ModulePtr copy = copyWithOwnObservers();
    GB_ASSIGN(const auto made, outputsOf(*copy, m_material, work));
    Gap gap;
    for (std::size_t b = 0; b < exact.size(); ++b)
        for (std::size_t i = 0; i < std::min(exact[b].size(), made[b].size()); ++i)
            if (ir::isFloatingPoint(exact[b][i].second.dtype()))
                gap.add(gapBetween(exact[b][i].second, made[b][i].second));
    return gap;
}

Result<HandVerdict> HandBench::compareWithApi(const base::Work& work) const
{
    GB_ASSIGN(const ModulePtr api, convertedCopy(*m_material.calibrated, work));
    HandVerdict out;
    const auto hand = opsOf(model());
    auto wanted = opsOf(*api);
    for (const auto& [target, count] : hand)
        wanted.try_emplace(target, 0);
    out.sameOps = true;
    bool fewerDequantizes = false;
    for (const auto& [target, count] : wanted) {
        const auto found = hand.find(target);
        const int there = found == hand.end() ? 0 : found->second;
        if (there == count)
            continue;
        out.sameOps = false;
        fewerDequantizes =
            fewerDequantizes || (target.starts_with("quantized_decomposed.dequantize") && there > 0 && there < count);
        out.notes.push_back(say("{0} times {1} by hand, {2} of the API", there, target, count));
    }
    if (fewerDequantizes)
        out.notes.emplace_back("convert gives each user of a tensor a dequantize of its own (DuplicateDQPass)");
    out.sameScales = scalesOf(model()) == scalesOf(*api);
    if (!out.sameScales)
        out.notes.emplace_back("scales or zero points differ");
    const ModulePtr copy = copyWithOwnObservers();
    GB_ASSIGN(const auto mine, outputsOf(*copy, m_material, work));
    GB_ASSIGN(const auto theirs, outputsOf(*api, m_material, work));
    for (std::size_t b = 0; b < mine.size(); ++b)
        out.largestDifference = std::max(out.largestDifference, engine::difference(mine[b], theirs[b]).largest);
    return out;
}

} // namespace gb::numbers
