// A recording made by hand: small enough to count, with every shape of scope.
#pragma once

#include "trace/recorder.h"

namespace gb::test {

inline trace::Event made(trace::EventKind kind, const char* name)
{
    trace::Event e;
    e.kind = kind;
    e.name = name;
    e.sentence = base::message("{0} happened", name);
    return e;
}

/// 0 load, 1 stage exported, 2 pass annotate {3 rule conv {4 attempt, 5 attempt}, 6 rule relu {7 match {8 annotate}}},
/// 9 stage annotated, 10 pass prepare {11 insert}, 12 stage prepared. Events that change something: 0 1 8 9 11 12.
inline trace::RecordingPtr smallRun()
{
    using trace::EventKind;
    auto ids = std::make_shared<ir::NodeIds>();
    ir::GraphModule m(ids, "");
    ir::Node* x = m.graph().append({ir::Op::Placeholder, "x", {}, {}, "x"});
    ir::Node* relu =
        m.graph().append({ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(x->id())}, {}, "relu"});
    trace::Header header;
    header.model = "small";
    trace::Recorder r(header);
    r.say(made(EventKind::Load, "load"));
    r.snapshot(m);
    m.setListener(&r);
    r.stage("exported", base::message("exported"));
    {
        const auto pass = r.open(made(EventKind::Pass, "annotate"));
        {
            const auto rule = r.open(made(EventKind::Rule, "conv"));
            r.say(made(EventKind::Attempt, "first"));
            r.say(made(EventKind::Attempt, "second"));
        }
        const auto rule = r.open(made(EventKind::Rule, "relu"));
        const auto match = r.open(made(EventKind::Match, "relu"));
        trace::Event annotate = made(EventKind::Annotate, "relu");
        annotate.nodes = {relu->id()};
        r.say(annotate);
        ir::Annotation a;
        a.annotated = true;
        m.graph().setAnnotation(relu, std::make_shared<const ir::Annotation>(a));
    }
    r.stage("annotated", base::message("annotated"));
    {
        const auto pass = r.open(made(EventKind::Pass, "prepare"));
        r.say(made(EventKind::Insert, "observer"));
        m.graph().insertAfter(relu, {ir::Op::CallModule,
                                     "activation_post_process_0",
                                     {ir::Argument::node(relu->id())},
                                     {},
                                     "activation_post_process_0"});
    }
    r.stage("prepared", base::message("prepared"));
    return r.publish();
}

/// 0 an observer and its first update, 1 its second, 2 a stage. Its range goes from 0..1 to -1..1.
inline trace::RecordingPtr observedRun()
{
    using trace::EventKind;
    trace::Recording out;
    const auto update = [](const char* name, float min) {
        trace::Event e = made(EventKind::Observe, name);
        auto record = std::make_shared<trace::ObserverRecord>();
        record->target = "obs";
        record->state.minVal = ir::Tensor::scalar(min);
        record->state.maxVal = ir::Tensor::scalar(1.0F);
        record->state.batches = 1;
        e.record = std::move(record);
        return e;
    };
    out.events = {update("first", 0.0F), update("second", -1.0F), made(EventKind::Stage, "calibrated")};
    auto info = std::make_shared<trace::ObserverInfo>();
    info->instance = 0;
    info->type = "MinMaxObserver";
    out.events[0].edits.push_back(trace::ModuleChanged{"", "obs", std::move(info)});
    for (int i = 0; i < 3; ++i)
        out.events[static_cast<std::size_t>(i)].last = i;
    return std::make_shared<const trace::Recording>(std::move(out));
}

} // namespace gb::test
