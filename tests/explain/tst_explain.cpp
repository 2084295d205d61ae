// Reasons from small recordings, one for each way in which a label can be missing.
#include "explain/explain.h"
#include "trace/recorder.h"

#include <QtTest>

using namespace gb;
using base::message;
using explain::Answer;
using ir::Argument;
using quantizers::Recipe;
using trace::Event;
using trace::EventKind;

namespace {

Argument texts(const std::vector<std::string>& list)
{
    return Argument::list({list.begin(), list.end()});
}

/// A run that is put together by hand: conv2d, relu_ in the top graph, linear in a sub-graph.
class HandRun {
public:
    HandRun()
        : m_ids(std::make_shared<ir::NodeIds>())
        , model(m_ids, "")
        , recorder({})
    {
        ir::Node* x = model.graph().append({ir::Op::Placeholder, "x", {}, {}, "x"});
        auto meta = std::make_shared<ir::NodeMeta>();
        meta->nnModuleStack = {{"net", "net", "models.Net"}, {"conv1", "net.conv1", "torch.nn.modules.conv.Conv2d"}};
        conv = model.graph().append(
            {ir::Op::CallFunction, "aten.conv2d.default", {Argument::node(x->id())}, {}, "conv2d", meta});
        relu = model.graph().append(
            {ir::Op::CallFunction, "aten.relu_.default", {Argument::node(conv->id())}, {}, "relu_"});
        auto body = std::make_shared<ir::GraphModule>(m_ids, "body");
        body->graph().append({ir::Op::CallFunction, "aten.linear.default", {}, {}, "linear"});
        model.setSubgraph("body", body);
        recorder.say(event(EventKind::Load, "m"));
        recorder.snapshot(model);
        model.setListener(&recorder);
        recorder.stage("exported", message("exported"));
        recorder.stage("folded", message("folded"));
    }
    ~HandRun() { model.setListener(nullptr); }

    static Event event(EventKind kind, const std::string& name)
    {
        Event e;
        e.kind = kind;
        e.name = name;
        e.sentence = message("{0} of {1}", trace::name(kind), name);
        return e;
    }

    trace::Scope rule(const std::string& name, const std::vector<std::string>& targets,
                      const std::string& setting = "global", const std::string& place = "")
    {
        Event e = event(EventKind::Rule, name);
        e.fields = {{"quantizer", "xnnpack"}, {"place", place}, {"setting", setting}, {"targets", texts(targets)}};
        return recorder.open(std::move(e));
    }

    void attempt(const std::string& rule, const ir::Node* node, const std::string& code, const std::string& condition)
    {
        Event e = event(EventKind::Attempt, rule);
        e.nodes = {node->id()};
        e.fields = {{"rule", rule},    {"quantizer", "xnnpack"}, {"condition", condition},
                    {"found", "this"}, {"expected", "that"},     {"code", code}};
        recorder.say(std::move(e));
    }

    void label(const std::string& rule, ir::Node* node, const std::string& place = "")
    {
        Event e = event(EventKind::Annotate, rule);
        e.nodes = {node->id()};
        e.fields = {{"rule", rule}, {"quantizer", "xnnpack"}, {"place", place}, {"slots", texts({"output"})}};
        recorder.say(std::move(e));
        ir::Annotation a;
        a.annotated = true;
        node->graph().setAnnotation(node, std::make_shared<const ir::Annotation>(a));
    }

    Answer finish(const Recipe& recipe = {})
    {
        recorder.stage("annotated", message("annotated"));
        return answer(recipe);
    }

    Answer answer(const Recipe& recipe = {})
    {
        model.setListener(nullptr);
        auto result = explain::explain(recorder.publish(), recipe);
        if (!result)
            qWarning("%s", result.error().text().c_str());
        return result ? std::move(*result) : Answer();
    }

private:
    std::shared_ptr<ir::NodeIds> m_ids;

public:
    ir::GraphModule model;
    trace::Recorder recorder;
    ir::Node* conv = nullptr;
    ir::Node* relu = nullptr;
};

std::string codeOf(const Answer& answer, const std::string& node)
{
    for (const explain::NodeReason& n : answer.nodes)
        if (n.node == node)
            return n.code;
    return "labelled";
}

Recipe xnnpack()
{
    Recipe recipe;
    recipe.quantizer = "xnnpack";
    recipe.global = quantizers::ConfigArguments{};
    return recipe;
}

std::vector<std::string> findingCodes(const Answer& answer)
{
    std::vector<std::string> out;
    for (const explain::Finding& f : answer.findings)
        if (!f.code.empty() && f.code != "R10") // the body that is never entered is there in every run
            out.push_back(f.code);
    return out;
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void r1NoRuleLooksAtTheOp()
    {
        HandRun run;
        {
            const auto rule = run.rule("add", {"aten.add.Tensor"});
        }
        const Answer a = run.finish();
        QCOMPARE(codeOf(a, "conv2d"), std::string("R1"));
        QCOMPARE(a.nodes[0].sentence.text(), std::string("no rule of xnnpack looks at aten.conv2d.default"));
        QVERIFY(!a.nodes[0].nearest);
    }

    void r2AnotherSpellingHasARule()
    {
        HandRun run;
        {
            const auto rule = run.rule("propagate", {"aten.relu.default"});
        }
        const Answer a = run.finish();
        QCOMPARE(codeOf(a, "relu_"), std::string("R2"));
    }

    void theMostTellingRefusalCounts()
    {
        HandRun run;
        {
            const auto rule = run.rule("conv_relu", {"aten.conv2d.default"});
            run.attempt("conv_relu", run.conv, "R6", "has_other_users");
            run.attempt("conv", run.conv, "R5", "annotated");
        }
        const Answer a = run.finish();
        QCOMPARE(codeOf(a, "conv2d"), std::string("R5"));
        const explain::NodeReason& reason = a.nodes[0];
        QCOMPARE(reason.rules.size(), std::size_t{2});
        QCOMPARE(*reason.nearest, std::string("conv"));
        QCOMPARE(reason.rules[0].failed, std::string("has_other_users: found this, that expected"));
        QCOMPARE(reason.rules[0].event, 4);
    }

    void r10ASubgraphThatIsNotEntered()
    {
        HandRun run;
        {
            const auto rule = run.rule("linear", {"aten.linear.default"});
        }
        const Answer a = run.finish();
        QCOMPARE(codeOf(a, "linear"), std::string("R10"));
        QCOMPARE(a.summary.inSubgraphsNotEntered, 1);
        QCOMPARE(a.summary.ops, 3);
        QCOMPARE(a.summary.unlabelled, 3);
    }

    void aSubgraphThatWasEnteredIsLookedAt()
    {
        HandRun run;
        {
            const auto rule = run.rule("add", {"aten.add.Tensor"});
        }
        run.recorder.stage("annotated", message("top"));
        run.recorder.stage("annotated", message("body"), "body");
        const Answer a = run.answer();
        QCOMPARE(codeOf(a, "linear"), std::string("R1"));
        QCOMPARE(a.summary.inSubgraphsNotEntered, 0);
    }

    void r16TheQuantizerRaised()
    {
        HandRun run;
        {
            const auto rule = run.rule("add", {"aten.add.Tensor"});
            run.recorder.fail({base::ErrorCode::IndexError, "list index out of range", {}});
        }
        const Answer a = run.answer(xnnpack());
        QCOMPARE(codeOf(a, "conv2d"), std::string("R16"));
        QCOMPARE(findingCodes(a), std::vector<std::string>{"R16"});
        QVERIFY(a.settings.empty());
    }

    void r17NothingWasRecorded()
    {
        HandRun run;
        QCOMPARE(codeOf(run.finish(), "conv2d"), std::string("R17"));
        HandRun silent;
        {
            const auto rule = silent.rule("conv", {"aten.conv2d.default"});
        }
        QCOMPARE(codeOf(silent.finish(), "conv2d"), std::string("R17"));
    }

    void r15ALabelThatIsWrittenTwice()
    {
        HandRun run;
        {
            const auto rule = run.rule("first", {"aten.conv2d.default"}, "global", "0");
            run.label("first", run.conv, "0");
        }
        {
            const auto rule = run.rule("second", {"aten.conv2d.default"}, "global", "1");
            run.label("second", run.conv, "1");
        }
        const Answer a = run.finish();
        QCOMPARE(findingCodes(a), std::vector<std::string>{"R15"});
        QCOMPARE(a.findings.back().sentence.text(),
                 std::string("output of conv2d: written by rule first of xnnpack, then by rule second of xnnpack"));
    }

    void r6AFusionThatHadToGiveWay()
    {
        HandRun run;
        {
            const auto rule = run.rule("conv", {"aten.conv2d.default"});
            run.attempt("conv_relu", run.conv, "R6", "has_other_users");
            run.label("conv", run.conv);
        }
        const Answer a = run.finish();
        QCOMPARE(codeOf(a, "conv2d"), std::string("labelled"));
        QCOMPARE(findingCodes(a), std::vector<std::string>{"R6"});
    }

    void settingsSayWhatTheyReached()
    {
        HandRun run;
        {
            const auto rule = run.rule("conv", {"aten.conv2d.default"});
            run.label("conv", run.conv);
        }
        {
            const auto rule = run.rule("conv", {"aten.conv2d.default"}, "module_name conv1");
        }
        Recipe recipe = xnnpack();
        recipe.moduleName = {{"conv1", quantizers::ConfigArguments{}}};
        recipe.operatorType = {{"aten.conv2d", quantizers::ConfigArguments{}}};
        const Answer a = run.finish(recipe);
        QCOMPARE(a.settings.size(), std::size_t{3});
        QCOMPARE(a.settings[0].setting, std::string("global"));
        QCOMPARE(a.settings[0].reached, std::vector<std::string>{"conv2d"});
        QVERIFY(!a.settings[1].read);
        QCOMPARE(a.settings[2].sentence.text(),
                 std::string("module_name conv1 reached no node; the model has net.conv1"));
        QCOMPARE(*a.settings[2].nearest, std::string("net.conv1"));
    }

    void composedSettingsAreToldApartByPlace()
    {
        HandRun run;
        {
            const auto rule = run.rule("conv", {"aten.conv2d.default"}, "global", "1");
            run.label("conv", run.conv, "1");
        }
        Recipe composed;
        composed.quantizer = "composable";
        composed.quantizers = {xnnpack(), xnnpack()};
        const Answer a = run.finish(composed);
        QCOMPARE(a.settings[0].setting, std::string("quantizers[0] global"));
        QVERIFY(!a.settings[0].read);
        QCOMPARE(a.settings[1].reached, std::vector<std::string>{"conv2d"});
    }

    void r13AModeThatTheGlobalConfigDecides()
    {
        HandRun run;
        {
            const auto rule = run.rule("conv", {"aten.conv2d.default"}, "module_name net");
        }
        Recipe recipe;
        recipe.quantizer = "xnnpack";
        recipe.moduleName = {{"net", quantizers::ConfigArguments{{{"is_dynamic", Argument(true)}}}}};
        const Answer a = run.finish(recipe);
        QCOMPARE(findingCodes(a), std::vector<std::string>{"R13"});
    }

    void droppedLabelsKeepTheirCode()
    {
        HandRun run;
        run.label("conv", run.conv);
        run.recorder.stage("annotated", message("annotated"));
        Event e = HandRun::event(EventKind::Drop, "conv2d");
        e.nodes = {run.conv->id()};
        e.fields = {{"code", "O5"}};
        run.recorder.say(std::move(e));
        Event reuse = HandRun::event(EventKind::Reuse, "conv2d");
        reuse.nodes = {run.conv->id()};
        reuse.fields = {{"why", "other_user"}};
        run.recorder.say(std::move(reuse));
        const Answer a = run.answer();
        QCOMPARE(a.nodes[0].code, std::string("O5"));
        QCOMPARE(a.nodes[0].target, std::string("aten.conv2d.default"));
        QCOMPARE(a.nodes[1].code, std::string("O3"));
        QCOMPARE(findingCodes(a), std::vector<std::string>{"R12"});
    }
};

QTEST_GUILESS_MAIN(TestExplain)
#include "tst_explain.moc"
