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

} // namespace gb::test
