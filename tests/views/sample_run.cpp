#include "sample_run.h"

#include "quant/make_observer.h"

#include <cmath>

namespace gb::test {
namespace {

using ir::Argument;
using trace::Event;
using trace::EventKind;

ir::NodeMetaPtr tensorMeta(const std::vector<std::int64_t>& shape, const char* path = "")
{
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->val.kind = ir::ValueMeta::Kind::Tensor;
    for (const std::int64_t size : shape)
        meta->val.tensor.shape.push_back({size, {}});
    if (*path)
        meta->nnModuleStack.push_back({"L__self___conv", path, "torch.nn.modules.conv.Conv2d"});
    return meta;
}

ir::Tensor ramp(const ir::Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(std::sin(static_cast<double>(i))) * 2);
    return ir::Tensor::fromVector(values, shape);
}

class Maker {
public:
    Maker()
        : m_recorder(header())
        , m_module(std::make_shared<ir::NodeIds>(), "")
    {
    }

    SampleRun run(const SampleOptions& options)
    {
        exported();
        annotate();
        prepare();
        if (options.calibrated)
            calibrate();
        if (options.converted)
            convert(options.dropsAdd);
        m_run.recording = m_recorder.publish();
        return m_run;
    }

private:
    static trace::Header header()
    {
        trace::Header h;
        h.model = "sample";
        return h;
    }

    ir::Graph& graph() { return m_module.graph(); }
    ir::Node* node(ir::NodeId id) { return graph().find(id); }

    ir::NodeId append(ir::Op op, const char* target, std::vector<Argument> args, const char* name,
                      const std::vector<std::int64_t>& shape, const char* path = "")
    {
        return graph().append({op, target, std::move(args), {}, name, tensorMeta(shape, path)})->id();
    }

    void exported()
    {
        Event load;
        load.kind = EventKind::Load;
        m_recorder.say(load);
        m_module.setAttribute("conv.weight", {ramp({8, 3, 3, 3}), ir::AttributeKind::Parameter, true});
        m_module.setAttribute("conv.bias", {ramp({8}), ir::AttributeKind::Parameter, true});
        m_run.weight = append(ir::Op::GetAttr, "conv.weight", {}, "conv_weight", {8, 3, 3, 3});
        m_run.bias = append(ir::Op::GetAttr, "conv.bias", {}, "conv_bias", {8});
        m_run.x = append(ir::Op::Placeholder, "x", {}, "x", {1, 3, 8, 8});
        m_run.conv = append(ir::Op::CallFunction, "aten.conv2d.default",
                            {Argument::node(m_run.x), Argument::node(m_run.weight), Argument::node(m_run.bias)},
                            "conv2d", {1, 8, 6, 6}, "block.conv");
        m_run.relu =
            append(ir::Op::CallFunction, "aten.relu.default", {Argument::node(m_run.conv)}, "relu", {1, 8, 6, 6});
        m_run.add = append(ir::Op::CallFunction, "aten.add.Tensor",
                           {Argument::node(m_run.relu), Argument::node(m_run.relu)}, "add", {1, 8, 6, 6});
        m_run.cat =
            append(ir::Op::CallFunction, "aten.cat.default",
                   {Argument::list({Argument::node(m_run.add), Argument::node(m_run.x)})}, "cat", {1, 16, 6, 6});
        m_run.output =
            append(ir::Op::Output, "output", {Argument::list({Argument::node(m_run.cat)})}, "output", {1, 16, 6, 6});
        m_recorder.snapshot(m_module);
        m_module.setListener(&m_recorder);
        m_recorder.stage("exported", base::message("loaded"));
    }

    void set(ir::NodeId id, ir::Annotation annotation)
    {
        Event e;
        e.kind = EventKind::Annotate;
        e.nodes = {id};
        m_recorder.say(e);
        annotation.annotated = true;
        graph().setAnnotation(node(id), std::make_shared<const ir::Annotation>(std::move(annotation)));
    }

    void annotate()
    {
        Event pass;
        pass.kind = EventKind::Pass;
        pass.name = "annotate";
        {
            const auto scope = m_recorder.open(pass);
            const ir::Spec act = ir::makeSpec(activationSpec());
            ir::Annotation conv;
            conv.inputs = {{m_run.x, act}, {m_run.weight, ir::makeSpec(weightSpec())}, {m_run.bias, nullptr}};
            set(m_run.conv, conv);
            ir::Annotation relu;
            relu.output = act;
            set(m_run.relu, relu);
            ir::Annotation cat;
            cat.inputs = {{m_run.add, act},
                          {m_run.x, ir::makeSpec(ir::SharedQuantizationSpec{{m_run.add, m_run.cat}})}};
            set(m_run.cat, cat);
        }
        m_recorder.stage("annotated", base::message("annotated"));
    }

    ir::NodeId observe(ir::NodeId upstream, const std::vector<ir::NodeId>& users, const ir::QuantizationSpec& spec,
                       const char* name)
    {
        auto observer = quant::makeObserver(spec);
        m_observers[name] = observer.value();
        Event e;
        e.kind = EventKind::Insert;
        m_recorder.say(e);
        m_module.setModule(name, observer.value());
        ir::Node* inserted =
            graph().insertAfter(node(upstream), {ir::Op::CallModule, name, {Argument::node(upstream)}, {}, name, {}});
        for (const ir::NodeId user : users)
            graph().replaceInput(node(user), node(upstream), inserted);
        return inserted->id();
    }

    void prepare()
    {
        m_run.xObserver = observe(m_run.x, {m_run.conv}, activationSpec(), "activation_post_process_0");
        m_run.weightObserver = observe(m_run.weight, {m_run.conv}, weightSpec(), "activation_post_process_1");
        m_run.reluObserver = observe(m_run.relu, {m_run.add}, activationSpec(), "activation_post_process_2");
        m_recorder.stage("prepared", base::message("prepared"));
    }

    void calibrate()
    {
        for (const auto& [name, observer] : m_observers) {
            (void)observer->forward(ramp({8, 3, 3, 3}));
            Event e;
            e.kind = EventKind::Observe;
            e.record =
                std::make_shared<const trace::ObserverRecord>(trace::ObserverRecord{"", name, observer->state()});
            m_recorder.say(e);
        }
        m_recorder.stage("calibrated", base::message("calibrated"));
    }

    /// observer -> quantize -> dequantize, one dequantize for each user.
    std::vector<ir::NodeId> quantize(ir::NodeId observer)
    {
        ir::Node* old = node(observer);
        const ir::NodeId upstream = old->arg(0).nodeId();
        const std::vector<Argument> rest{Argument(0.05), Argument(-3), Argument(-128), Argument(127),
                                         Argument(ir::DType::Int8)};
        std::vector<Argument> args{Argument::node(upstream)};
        args.insert(args.end(), rest.begin(), rest.end());
        ir::Node* q = graph().insertAfter(old, {ir::Op::CallFunction,
                                                "quantized_decomposed.quantize_per_tensor.default",
                                                args,
                                                {},
                                                "quantize_per_tensor_default",
                                                {}});
        args[0] = Argument::node(q->id());
        std::vector<ir::NodeId> out{q->id()};
        ir::Node* last = q;
        for (ir::Node* user : std::vector<ir::Node*>(old->users())) {
            last = graph().insertAfter(last, {ir::Op::CallFunction,
                                              "quantized_decomposed.dequantize_per_tensor.default",
                                              args,
                                              {},
                                              "dequantize_per_tensor_default",
                                              {}});
            graph().replaceInput(user, old, last);
            out.push_back(last->id());
        }
        graph().erase(old);
        return out;
    }

    void convert(bool dropsAdd)
    {
        Event e;
        e.kind = EventKind::Rewrite;
        m_recorder.say(e);
        const auto xPair = quantize(m_run.xObserver);
        m_run.xQuantize = xPair[0];
        m_run.xDequantize = xPair[1];
        quantize(m_run.reluObserver);
        m_module.setAttribute("_frozen_param0",
                              {ir::Tensor::zeros(ir::DType::Int8, {8, 3, 3, 3}), ir::AttributeKind::Buffer, true});
        m_module.setAttribute("_scale_0", {ramp({8}), ir::AttributeKind::Buffer, true});
        ir::Node* conv = node(m_run.conv);
        ir::Node* frozen = graph().insertBefore(conv, {ir::Op::GetAttr, "_frozen_param0", {}, {}, "frozen", {}});
        ir::Node* scale = graph().insertBefore(conv, {ir::Op::GetAttr, "_scale_0", {}, {}, "_scale_0", {}});
        ir::Node* dq = graph().insertBefore(
            conv, {ir::Op::CallFunction,
                   "quantized_decomposed.dequantize_per_channel.default",
                   {Argument::node(frozen->id()), Argument::node(scale->id()), Argument::node(scale->id()), Argument(0),
                    Argument(-127), Argument(127), Argument(ir::DType::Int8)},
                   {},
                   "dequantize_per_channel_default",
                   {}});
        graph().replaceInput(conv, node(m_run.weightObserver), dq);
        graph().erase(node(m_run.weightObserver));
        graph().erase(node(m_run.weight));
        m_run.foldedWeight = frozen->id();
        m_run.weightScale = scale->id();
        m_run.weightDequantize = dq->id();
        if (dropsAdd) {
            graph().replaceAllUses(node(m_run.add), node(m_run.relu));
            graph().erase(node(m_run.add));
        }
        m_recorder.stage("converted", base::message("converted"));
    }

    SampleRun m_run;
    trace::Recorder m_recorder;
    ir::GraphModule m_module;
    std::map<std::string, std::shared_ptr<quant::Observer>> m_observers;
};

} // namespace

SampleRun makeSampleRun(const SampleOptions& options)
{
    return Maker().run(options);
}

trace::MomentPtr momentAt(const trace::RecordingPtr& recording, const char* stage)
{
    trace::Replay replay(recording);
    return replay.at(recording->stageEvent(stage)).value();
}

ir::QuantizationSpec activationSpec()
{
    ir::QuantizationSpec spec;
    spec.quantMin = -128;
    spec.quantMax = 127;
    spec.qscheme = ir::QScheme::PerTensorAffine;
    spec.observer = {"HistogramObserver", {{"eps", Argument(0.000244140625)}}};
    return spec;
}

ir::QuantizationSpec weightSpec()
{
    ir::QuantizationSpec spec;
    spec.quantMin = -127;
    spec.quantMax = 127;
    spec.qscheme = ir::QScheme::PerChannelSymmetric;
    spec.chAxis = 0;
    spec.observer = {"PerChannelMinMaxObserver", {}};
    return spec;
}

} // namespace gb::test
