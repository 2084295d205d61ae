// Graphs built by hand, with a recorder that listens, for the tests of the passes.
#pragma once

#include "ir/graph.h"
#include "ops/kernel_table.h"
#include "passes/pass_context.h"
#include "trace/recorder.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

namespace gb::test {

inline ir::NodeMetaPtr tensorMeta(ir::DType dtype = ir::DType::Float32, std::vector<std::int64_t> shape = {2, 3})
{
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->val.kind = ir::ValueMeta::Kind::Tensor;
    meta->val.tensor.dtype = dtype;
    for (const std::int64_t size : shape)
        meta->val.tensor.shape.push_back({size, {}});
    return meta;
}

/// A graph module, the recorder that it reports to, and short ways to add nodes.
class Model {
public:
    explicit Model(const std::string& path = {})
        : module(std::make_shared<ir::GraphModule>(std::make_shared<ir::NodeIds>(), path))
        , recorder(trace::Header{})
        , kernels(ops::KernelTable::all())
    {
        module->setListener(&recorder);
    }

    ir::Graph& graph() { return module->graph(); }
    passes::PassContext context() { return {recorder, kernels, {}}; }

    ir::Node* input(const std::string& name)
    {
        return graph().append({.op = ir::Op::Placeholder, .target = name, .nameHint = name, .meta = tensorMeta()});
    }
    ir::Node* attribute(const std::string& target, ir::Tensor value,
                        ir::AttributeKind kind = ir::AttributeKind::Parameter)
    {
        ir::NodeMetaPtr meta = tensorMeta(value.dtype(), value.shape());
        module->setAttribute(target, {std::move(value), kind, true});
        return graph().append({.op = ir::Op::GetAttr, .target = target, .meta = std::move(meta)});
    }
    ir::Node* call(const std::string& target, std::vector<ir::Argument> args, ir::NodeMetaPtr meta = tensorMeta())
    {
        const std::string op = target.substr(target.find('.') + 1);
        return graph().append({.op = ir::Op::CallFunction,
                               .target = target,
                               .args = std::move(args),
                               .nameHint = op.substr(0, op.find('.')),
                               .meta = std::move(meta)});
    }
    ir::Node* output(const std::vector<const ir::Node*>& results)
    {
        std::vector<ir::Argument> items;
        for (const ir::Node* n : results)
            items.push_back(ir::Argument::node(n->id()));
        return graph().append({.op = ir::Op::Output,
                               .target = "output",
                               .args = {ir::Argument::tuple(std::move(items))},
                               .nameHint = "output"});
    }

    /// Labels an input edge, or the output.
    void label(ir::Node* consumer, const ir::Node* upstream, ir::Spec spec)
    {
        ir::Annotation a = ir::Graph::annotationOf(consumer);
        a.setInput(upstream->id(), std::move(spec));
        a.annotated = true;
        graph().setAnnotation(consumer, std::make_shared<const ir::Annotation>(std::move(a)));
    }
    void labelOutput(ir::Node* node, ir::Spec spec)
    {
        ir::Annotation a = ir::Graph::annotationOf(node);
        a.output = std::move(spec);
        a.annotated = true;
        graph().setAnnotation(node, std::make_shared<const ir::Annotation>(std::move(a)));
    }
    void allowImplicitSharing(ir::Node* node, bool allow)
    {
        ir::Annotation a = ir::Graph::annotationOf(node);
        a.allowImplicitSharing = allow;
        graph().setAnnotation(node, std::make_shared<const ir::Annotation>(std::move(a)));
    }

    /// "name(arg, arg)" of every node, in order; placeholders and attributes are their names alone.
    QStringList lines()
    {
        QStringList out;
        for (const ir::Node* n = graph().first(); n; n = n->next()) {
            QStringList inputs;
            for (const ir::Node* i : n->inputs())
                inputs << QString::fromStdString(i->name());
            const QString name = QString::fromStdString(n->name());
            out << (inputs.isEmpty() ? name
                                     : name + QLatin1Char('(') + inputs.join(QLatin1String(", ")) + QLatin1Char(')'));
        }
        return out;
    }
    QStringList users(const ir::Node* node)
    {
        QStringList out;
        for (const ir::Node* user : node->users())
            out << QString::fromStdString(user->name());
        return out;
    }
    /// The events of a kind, as their sentences.
    QStringList sentences(trace::EventKind kind)
    {
        QStringList out;
        for (const trace::Event& e : recorder.recording().events)
            if (e.kind == kind)
                out << QString::fromStdString(e.sentence.text());
        return out;
    }
    QStringList field(trace::EventKind kind, const char* name)
    {
        QStringList out;
        for (const trace::Event& e : recorder.recording().events)
            if (e.kind == kind)
                out << QString::fromStdString(e.text(name));
        return out;
    }

    std::shared_ptr<ir::GraphModule> module;
    trace::Recorder recorder;
    ops::KernelTable kernels;
};

inline ir::Argument ref(const ir::Node* node)
{
    return ir::Argument::node(node->id());
}

inline ir::QuantizationSpec int8Spec(const std::string& observer = "MinMaxObserver")
{
    ir::QuantizationSpec spec;
    spec.dtype = ir::DType::Int8;
    spec.quantMin = -128;
    spec.quantMax = 127;
    spec.qscheme = ir::QScheme::PerTensorAffine;
    spec.observer.name = observer;
    return spec;
}

inline ir::Spec int8()
{
    return ir::makeSpec(int8Spec());
}

inline ir::Spec uint8()
{
    ir::QuantizationSpec spec = int8Spec();
    spec.dtype = ir::DType::UInt8;
    spec.quantMin = 0;
    spec.quantMax = 255;
    return ir::makeSpec(spec);
}

inline ir::Spec weightSpec()
{
    ir::QuantizationSpec spec = int8Spec("PerChannelMinMaxObserver");
    spec.quantMin = -127;
    spec.qscheme = ir::QScheme::PerChannelSymmetric;
    spec.chAxis = 0;
    return ir::makeSpec(spec);
}

inline ir::Spec sharedWithEdge(const ir::Node* upstream, const ir::Node* consumer)
{
    return ir::makeSpec(ir::SharedQuantizationSpec{{upstream->id(), consumer->id()}});
}

inline ir::Spec sharedWithNode(const ir::Node* node)
{
    return ir::makeSpec(ir::SharedQuantizationSpec{{node->id(), ir::kNoNode}});
}

} // namespace gb::test
