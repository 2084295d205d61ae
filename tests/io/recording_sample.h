// A small recording that has every kind of edit and value in it, for the tests of recordings, dumps and their diff.
#pragma once

#include "trace/recorder.h"

#include <limits>

namespace gb::test {

/// An observer that only has settings and a state.
class StillObserver final : public quant::Observer {
public:
    StillObserver()
    {
        m_settings.dtype = ir::DType::Int8;
        m_settings.dtypeName = "int8";
        m_settings.qscheme = ir::QScheme::PerTensorAffine;
        m_settings.quantMin = -128;
        m_settings.quantMax = 127;
        m_settings.isDynamic = false;
        m_settings.bins = 4;
        m_settings.eps = 0.000244140625;
    }
    [[nodiscard]] const char* typeName() const override { return "HistogramObserver"; }
    [[nodiscard]] const quant::ObserverSettings& settings() const override { return m_settings; }
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool*) override { return x; }
    [[nodiscard]] base::Result<quant::QParams> calculateQParams() const override { return *state().qparams; }
    [[nodiscard]] quant::ObserverState state() const override
    {
        quant::ObserverState s;
        s.minVal = ir::Tensor::scalar(-0.1F);
        s.maxVal = ir::Tensor::scalar(std::numeric_limits<float>::infinity());
        s.histogram = ir::Tensor::fromVector(std::vector<float>{1, 0, 2.5F, 7});
        s.qparams = quant::QParams{ir::Tensor::fromVector(std::vector<float>{0.1F}),
                                   ir::Tensor::fromVector(std::vector<std::int64_t>{-3})};
        s.batches = 2;
        return s;
    }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<StillObserver>(*this); }

private:
    quant::ObserverSettings m_settings;
};

inline ir::NodeMetaPtr sampleMeta()
{
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->val.kind = ir::ValueMeta::Kind::Tensor;
    meta->val.tensor.shape = {{-1, "s77"}, {3, ""}};
    meta->val.tensor.strides = {{3, ""}, {1, ""}};
    meta->val.tensor.requiresGrad = true;
    meta->nnModuleStack = {{"L__self__", "", "models.Net"}, {"L__self___conv", "conv", "torch.nn.modules.conv.Conv2d"}};
    meta->sourceFnStack = {{"conv", "torch.nn.modules.conv.Conv2d"}};
    meta->torchFn = ir::SourceFunction{"conv2d_1", "builtin_function_or_method.conv2d"};
    meta->stackTrace = "File \"net.py\", line 3, in forward\n    x = \"ü\"";
    meta->fromNodes = {0};
    meta->other = {{"partitioner_tag", "is_forward"}};
    return meta;
}

inline trace::Event sampleEvent(trace::EventKind kind, const std::string& name, base::Message sentence)
{
    trace::Event e;
    e.kind = kind;
    e.name = name;
    e.sentence = std::move(sentence);
    return e;
}

/// Labels with every kind of spec; the act spec is one object in two places.
inline void annotateSample(ir::Graph& graph, ir::Node* x, ir::Node* w, ir::Node* conv, trace::Recorder& recorder)
{
    ir::QuantizationSpec act;
    act.quantMin = -128;
    act.quantMax = 127;
    act.qscheme = ir::QScheme::PerTensorAffine;
    act.observer = {"HistogramObserver", {{"eps", ir::Argument(0.25)}, {"reduce_range", ir::Argument(false)}}};
    const ir::Spec shared = ir::makeSpec(act);
    ir::DerivedQuantizationSpec derived;
    derived.from = {{x->id(), conv->id()}, {w->id(), ir::kNoNode}};
    derived.derive = "bias";
    ir::Annotation a;
    a.setInput(x->id(), shared);
    a.setInput(w->id(), ir::makeSpec(derived));
    a.output = ir::makeSpec(ir::SharedQuantizationSpec{{x->id(), conv->id()}});
    a.extra = {{"_is_output_of_quantized_pattern", ir::Argument(true)}};
    recorder.say(sampleEvent(trace::EventKind::Annotate, "conv", base::message("labels {0}", "conv")));
    graph.setAnnotation(conv, std::make_shared<const ir::Annotation>(a));
    ir::Annotation b;
    b.setInput(conv->id(), ir::Spec());
    b.output = shared;
    b.annotated = true;
    b.allowImplicitSharing = false;
    graph.setAnnotation(w, std::make_shared<const ir::Annotation>(b));
    ir::FixedQParamsQuantizationSpec fixed;
    fixed.scale = 1.0 / 256;
    ir::Annotation c;
    c.output = ir::makeSpec(fixed);
    graph.setAnnotation(x, std::make_shared<const ir::Annotation>(c));
}

inline trace::Header sampleHeader()
{
    trace::Header header;
    header.producerVersion = "0.1.0";
    header.torchVersion = "2.14.1";
    header.model = "sample";
    header.recipe = R"({"quantizer":"xnnpack","global":{"act_qmin":-5}})";
    header.calibrate = {0, 2};
    header.calibrateGiven = true;
    header.foldQuantize = false;
    return header;
}

/// The stages exported, annotated, prepared, calibrated and converted of a made-up graph with a sub-graph.
inline trace::RecordingPtr sampleRecording()
{
    using ir::Argument;
    using trace::EventKind;
    auto ids = std::make_shared<ir::NodeIds>();
    ir::GraphModule m(ids, "");
    auto body = std::make_shared<ir::GraphModule>(ids, "body");
    ir::Graph& graph = m.graph();
    m.setAttribute("conv.weight", {ir::Tensor::fromVector(std::vector<float>{1, 2, 3, 4}, {2, 2})});
    m.setSubgraph("body", body);
    body->graph().append({ir::Op::Placeholder, "arg0", {}, {}, "arg0"});
    const ir::NodeMetaPtr meta = sampleMeta();
    ir::Node* w = graph.append({ir::Op::GetAttr, "conv.weight", {}, {}, "w", meta});
    ir::Node* x = graph.append({ir::Op::Placeholder, "x", {}, {}, "x", meta});
    ir::Node* sub = graph.append({ir::Op::GetAttr, "body", {}, {}, "body_1"});
    ir::Node* conv = graph.append(
        {ir::Op::CallFunction,
         "aten.conv2d.default",
         {Argument::node(x->id()), Argument::tuple({Argument(1), Argument(std::numeric_limits<double>::infinity())}),
          Argument(Argument::Value(ir::SliceArgument{{Argument(), Argument(2), Argument(1.5)}}))},
         {{"weight", Argument::node(w->id())},
          {"dtype", Argument(ir::DType::BFloat16)},
          {"memory_format", Argument(Argument::Value(ir::Opaque{"torch.contiguous_format"}))},
          {"table", Argument(Argument::Value(ir::Mapping{{{"a", Argument("text")}, {"b", Argument(true)}}}))}},
         "conv2d",
         meta});
    ir::Node* extra = graph.append({ir::Op::CallFunction, "aten.relu.default", {Argument::node(x->id())}, {}, "relu"});
    graph.append({ir::Op::Output,
                  "output",
                  {Argument::list({Argument::node(conv->id()), Argument::node(sub->id())})},
                  {},
                  "output"});

    trace::Recorder recorder(sampleHeader());
    {
        const auto load = recorder.open(sampleEvent(EventKind::Load, "sample", base::message("loads {0}", "sample")));
        recorder.snapshot(m);
    }
    m.setListener(&recorder);
    recorder.stage("exported", base::message("exported"));
    {
        auto event = sampleEvent(EventKind::Rule, "conv", base::message("rule conv"));
        event.source = {"_xnnpack_quantizer_utils.py", 321};
        event.fields = {{"targets", Argument::list({Argument("aten.conv2d.default")})}, {"most", Argument(5)}};
        const auto rule = recorder.open(std::move(event));
        auto attempt = sampleEvent(EventKind::Attempt, "conv", base::message("not {0}", "relu"));
        attempt.nodes = {extra->id()};
        recorder.say(std::move(attempt));
        annotateSample(graph, x, w, conv, recorder);
    }
    recorder.stage("annotated", base::message("annotated"));
    recorder.say(sampleEvent(EventKind::Insert, "insert", base::message("inserts an observer")));
    ir::Node* observer = graph.insertBefore(
        conv,
        {ir::Op::CallModule, "activation_post_process_0", {Argument::node(x->id())}, {}, "activation_post_process_0"});
    m.setModule("activation_post_process_0", std::make_shared<StillObserver>());
    graph.replaceInput(conv, x, observer);
    recorder.stage("prepared", base::message("prepared"));
    auto observe = sampleEvent(EventKind::Observe, "x", base::message("saw x"));
    observe.record = std::make_shared<trace::ObserverRecord>(
        trace::ObserverRecord{"", "activation_post_process_0", StillObserver().state()});
    recorder.say(std::move(observe));
    recorder.stage("calibrated", base::message("calibrated"));
    recorder.say(sampleEvent(EventKind::Rewrite, "convert", base::message("converts")));
    graph.erase(extra);
    graph.moveBefore(w, conv);
    graph.setTarget(w, "_frozen_param0");
    graph.setMeta(w, std::make_shared<const ir::NodeMeta>());
    graph.rename(w, "frozen");
    graph.setAnnotation(x, nullptr);
    m.setAttribute("_frozen_param0",
                   {ir::Tensor::fromVector(std::vector<std::int8_t>{1, -1}), ir::AttributeKind::Buffer});
    m.eraseAttribute("conv.weight");
    m.eraseModule("activation_post_process_0");
    recorder.stage("converted", base::message("converted"));
    m.setListener(nullptr);
    return recorder.publish();
}

} // namespace gb::test
