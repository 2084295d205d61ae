// Small hand-built graphs for the quantizers' tests, and what a run of a quantizer left behind.
#pragma once

#include "quantizers/quantizer.h"

#include <QtTest>

#include <algorithm>

namespace gb::test {

/// A graph in the making, with a recorder that listens to it.
class ModelBuilder {
public:
    ModelBuilder()
        : module(std::make_shared<ir::NodeIds>(), "")
        , recorder(trace::Header{})
    {
        module.setListener(&recorder);
    }

    ir::Graph& graph() { return module.graph(); }

    static std::shared_ptr<ir::NodeMeta> tensorMeta(ir::DType dtype = ir::DType::Float32, std::int64_t size = 4)
    {
        auto meta = std::make_shared<ir::NodeMeta>();
        meta->val.kind = ir::ValueMeta::Kind::Tensor;
        meta->val.tensor.dtype = dtype;
        meta->val.tensor.shape = {{size, ""}};
        return meta;
    }

    ir::Node* input(const std::string& name, ir::DType dtype = ir::DType::Float32)
    {
        return graph().append({ir::Op::Placeholder, name, {}, {}, name, tensorMeta(dtype)});
    }

    ir::Node* parameter(const std::string& target, const ir::Tensor& value = ir::Tensor::scalar(1.0F))
    {
        module.setAttribute(target, {value, ir::AttributeKind::Parameter, true});
        return graph().append({ir::Op::GetAttr, target, {}, {}, {}, tensorMeta(value.dtype())});
    }

    static std::vector<ir::Argument> refs(const std::vector<ir::Node*>& nodes)
    {
        std::vector<ir::Argument> out;
        for (const ir::Node* node : nodes)
            out.push_back(ir::Argument::node(node->id()));
        return out;
    }

    ir::Node* call(const std::string& target, const std::vector<ir::Node*>& arguments,
                   const std::string& module_path = {}, const std::string& module_type = {})
    {
        return callWith(target, refs(arguments), module_path, module_type);
    }

    ir::Node* callWith(const std::string& target, std::vector<ir::Argument> arguments,
                       const std::string& module_path = {}, const std::string& module_type = {})
    {
        auto meta = tensorMeta();
        meta->nnModuleStack.push_back({"L__self__", "", "models.Top"});
        if (!module_path.empty())
            meta->nnModuleStack.push_back({"key", module_path, module_type});
        return graph().append({ir::Op::CallFunction, target, std::move(arguments), {}, {}, std::move(meta)});
    }

    /// Gives a node a source_fn_stack, as strict export does.
    void setSource(ir::Node* node, const std::string& name, const std::string& what)
    {
        auto meta = std::make_shared<ir::NodeMeta>(node->meta());
        meta->sourceFnStack = {{name, what}};
        graph().setMeta(node, std::move(meta));
    }

    void output(const std::vector<ir::Node*>& nodes)
    {
        graph().append({ir::Op::Output, "output", {ir::Argument::tuple(refs(nodes))}});
    }

    /// A conv, linear or the like with fresh weight and bias nodes called "NAME_weight" and "NAME_bias".
    ir::Node* weighted(const std::string& target, ir::Node* in, const std::string& name)
    {
        ir::Node* weight = parameter(name + ".weight");
        ir::Node* bias = parameter(name + ".bias");
        return call(target, {in, weight, bias}, name, "torch.nn.modules.conv.Conv2d");
    }

    /// transform_for_annotation and annotate.
    base::Status run(const quantizers::Recipe& recipe)
    {
        auto made = quantizers::makeQuantizer(recipe);
        if (!made)
            return made.error();
        GB_TRY((*made)->transformForAnnotation(module, recorder));
        return (*made)->annotate(module, recorder);
    }

    [[nodiscard]] const std::vector<trace::Event>& events() const { return recorder.recording().events; }

    /// The attempts of a rule at the node (as last of the chain or anywhere in it), newest first.
    [[nodiscard]] const trace::Event* attempt(const std::string& rule, const ir::Node* node) const
    {
        for (auto event = events().rbegin(); event != events().rend(); ++event)
            if (event->kind == trace::EventKind::Attempt && event->name == rule
                && std::ranges::find(event->nodes, node->id()) != event->nodes.end())
                return &*event;
        return nullptr;
    }

    /// "conv2d+relu": the chains that a rule took, in order, separated by a space.
    [[nodiscard]] std::string matches(const std::string& rule) const
    {
        std::string out;
        for (const trace::Event& event : events()) {
            if (event.kind != trace::EventKind::Match || event.name != rule)
                continue;
            std::string chain;
            for (const ir::NodeId id : event.nodes)
                chain += (chain.empty() ? "" : "+") + module.graph().nameOf(id);
            out += (out.empty() ? "" : " ") + chain;
        }
        return out;
    }

    /// "in x:HistogramObserver conv_weight:MinMaxObserver out shared(x) marked": a node's annotation in one line.
    [[nodiscard]] std::string label(const ir::Node* node) const
    {
        if (!node->annotation())
            return "-";
        std::string out = "in";
        for (const auto& [upstream, spec] : node->annotation()->inputs)
            out += " " + module.graph().nameOf(upstream) + ":" + specText(spec);
        out += " out " + specText(node->annotation()->output);
        return node->annotation()->annotated ? out + " marked" : out;
    }

    ir::GraphModule module;
    trace::Recorder recorder;

private:
    [[nodiscard]] std::string specText(const ir::Spec& spec) const
    {
        if (!spec)
            return "none";
        if (const auto* shared = ir::as<ir::SharedQuantizationSpec>(spec)) {
            const std::string from = module.graph().nameOf(shared->with.node);
            return shared->with.isEdge() ? "shared(" + from + "->" + module.graph().nameOf(shared->with.consumer) + ")"
                                         : "shared(" + from + ")";
        }
        if (const auto* plain = ir::as<ir::QuantizationSpec>(spec))
            return plain->observer.name;
        return ir::as<ir::DerivedQuantizationSpec>(spec) ? "derived" : "fixed";
    }
};

inline quantizers::ConfigArguments flags(std::initializer_list<const char*> names)
{
    quantizers::ConfigArguments out;
    for (const char* name : names)
        out.items.emplace_back(name, ir::Argument(true));
    return out;
}

/// xnnpack with a global config of these flags.
inline quantizers::Recipe xnnpack(std::initializer_list<const char*> names = {})
{
    quantizers::Recipe out;
    out.quantizer = "xnnpack";
    out.global = quantizers::Config(flags(names));
    return out;
}

} // namespace gb::test

/// The attempt exists and has this condition and code.
#define GB_COMPARE_REFUSAL(attempt, wantedCondition, wantedCode)                                                       \
    do {                                                                                                               \
        const gb::trace::Event* gbEvent = (attempt);                                                                   \
        QVERIFY2(gbEvent != nullptr, "no attempt was reported");                                                       \
        QCOMPARE(gbEvent->text("condition"), std::string(wantedCondition));                                            \
        QCOMPARE(gbEvent->text("code"), std::string(wantedCode));                                                      \
        QVERIFY(!gbEvent->sentence.empty());                                                                           \
    } while (false)
#define GB_VERIFY_OK(expression)                                                                                       \
    do {                                                                                                               \
        const auto& gbStatus = (expression);                                                                           \
        QVERIFY2(gbStatus.ok(), gbStatus.ok() ? "" : gbStatus.error().text().c_str());                                 \
    } while (false)
#define GB_COMPARE_ERROR(expression, wantedCode)                                                                       \
    do {                                                                                                               \
        const auto& gbStatus = (expression);                                                                           \
        QVERIFY(!gbStatus.ok());                                                                                       \
        QCOMPARE(gbStatus.error().code, gb::base::ErrorCode::wantedCode);                                              \
    } while (false)
