// Filters, and what a rule's events say.
#include "quantizers/report.h"

#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::ModelBuilder;

namespace {

/// A run of a rule "r" over a conv in module net.c.
struct Run : ModelBuilder {
    ir::Node* x = input("x");
    ir::Node* conv = weighted("aten.conv2d.default", x, "net.c");
    ir::Node* relu = call("aten.relu.default", {conv}, "net.act", "torch.nn.modules.activation.ReLU");
    Writers writers{recorder};
    RuleContext context{module, recorder, writers, "mine", "0.1"};
    RuleRun run{context, {"r", {"aten.conv2d.default", "aten.conv1d.default"}, {"file.py", 7}}, "global"};

    [[nodiscard]] const trace::Event& last() const { return events().back(); }
};

ir::Spec minMax()
{
    ir::QuantizationSpec spec;
    spec.observer = {"MinMaxObserver", {}};
    return ir::makeSpec(std::move(spec));
}

std::vector<std::string> writtenSlots(const trace::Event& event)
{
    std::vector<std::string> out;
    for (const ir::Argument& slot : event.field("slots")->as<ir::Sequence>()->items)
        out.push_back(*slot.as<std::string>());
    return out;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private slots:
    void aRuleSaysWhoItIs()
    {
        Run r;
        const trace::Event& rule = r.events().back();
        QCOMPARE(rule.kind, trace::EventKind::Rule);
        QCOMPARE(rule.name, std::string("r"));
        QCOMPARE(rule.text("quantizer"), std::string("mine"));
        QCOMPARE(rule.text("place"), std::string("0.1"));
        QCOMPARE(rule.text("setting"), std::string("global"));
        QCOMPARE(rule.field("targets")->as<ir::Sequence>()->items.size(), std::size_t{2});
        QCOMPARE(rule.source.file, std::string("file.py"));
        QCOMPARE(rule.source.line, 7);
    }

    void candidatesAreCallsWithATarget()
    {
        Run r;
        QCOMPARE(nameList(r.run.candidates()), std::string("conv2d_default"));
    }

    void aRefusalIsDataAndASentence()
    {
        Run r;
        r.run.refuse({r.conv, r.relu}, {"condition", "R14", "two", "one", base::message("no {0}", "good")});
        const trace::Event& attempt = r.last();
        QCOMPARE(attempt.kind, trace::EventKind::Attempt);
        QCOMPARE(attempt.nodes, (std::vector<ir::NodeId>{r.conv->id(), r.relu->id()}));
        QCOMPARE(attempt.text("condition"), std::string("condition"));
        QCOMPARE(attempt.text("code"), std::string("R14"));
        QCOMPARE(attempt.text("found"), std::string("two"));
        QCOMPARE(attempt.text("expected"), std::string("one"));
        QCOMPARE(attempt.sentence.text(), std::string("no good"));
        QCOMPARE(attempt.parent, 0 + static_cast<int>(r.events().size()) - 2); // the rule's scope
    }

    void replacingSaysEverySlot()
    {
        Run r;
        ir::Annotation annotation;
        annotation.setInput(r.x->id(), minMax());
        annotation.output = minMax();
        annotation.annotated = true;
        r.run.take({r.conv}).replace(r.conv, annotation);
        QCOMPARE(writtenSlots(r.last()), (std::vector<std::string>{"input x", "output", "annotated"}));
        QCOMPARE(*r.last().field("replaced"), ir::Argument(false));
        r.run.take({r.conv}).replace(r.conv, {});
        QVERIFY(writtenSlots(r.last()).empty());
        QCOMPARE(*r.last().field("replaced"), ir::Argument(true));
        QVERIFY(r.conv->annotation()->object != annotation.object);
    }

    void editingKeepsTheObject()
    {
        Run r;
        Match match = r.run.take({r.conv});
        match.setInput(r.conv, r.x, minMax());
        const auto object = r.conv->annotation()->object;
        match.setInput(r.conv, r.x, nullptr);
        match.setOutput(r.conv, minMax());
        match.setImplicitSharing(r.conv, false);
        match.setExtra(r.conv, "field", ir::Argument(1));
        match.setExtra(r.conv, "field", ir::Argument(2));
        match.mark({r.conv});
        QCOMPARE(r.conv->annotation()->object, object);
        QCOMPARE(r.label(r.conv), std::string("in x:none out MinMaxObserver marked"));
        QVERIFY(!r.conv->annotation()->allowImplicitSharing);
        QCOMPARE(r.conv->annotation()->extra.size(), std::size_t{1});
        QCOMPARE(r.conv->annotation()->extra[0].second, ir::Argument(2));
    }

    void implicitSharingNeedsAnAnnotation()
    {
        Run r;
        r.run.take({r.conv}).setImplicitSharing(r.conv, false);
        QVERIFY(!r.conv->annotation());
    }

    void markingAMarkedNodeSaysNothing()
    {
        Run r;
        ir::Annotation fresh;
        fresh.extra = {{"field", ir::Argument(true)}};
        Match match = r.run.take({r.conv});
        match.mark({r.conv, nullptr, r.relu}, fresh);
        const std::size_t before = r.events().size();
        match.mark({r.conv, r.relu});
        QCOMPARE(r.events().size(), before);
        QCOMPARE(r.relu->annotation()->extra.size(), std::size_t{1});
    }

    void theRuleThatMarkedIsNamed()
    {
        Run r;
        QCOMPARE(r.writers.markedBy(r.conv->id()), -1);
        r.run.take({r.conv}).setOutput(r.conv, minMax());
        QCOMPARE(r.writers.markedBy(r.conv->id()), -1); // a label, but no mark
        r.run.take({r.conv}).mark({r.conv});
        const int by = r.writers.markedBy(r.conv->id());
        QCOMPARE(by, static_cast<int>(r.events().size()) - 1);
        QVERIFY(r.run.refusedAsMarked({r.relu}, {r.relu, r.conv}));
        QCOMPARE(*r.last().field("by_event"), ir::Argument(by));
        QCOMPARE(r.last().sentence.text(),
                 std::string("r leaves relu_default alone: conv2d_default was already marked by rule r"));
    }

    void aMarkFromOutsideHasNoRule()
    {
        Run r;
        ir::Annotation marked;
        marked.annotated = true;
        r.graph().setAnnotation(r.conv, std::make_shared<const ir::Annotation>(marked));
        QVERIFY(r.run.refusedAsMarked({r.conv}, {r.conv}));
        QCOMPARE(r.last().text("found"), std::string("conv2d_default is marked by an earlier rule"));
        QVERIFY(!r.last().field("by_event"));
    }

    void unmarkedNodesAreNotRefused()
    {
        Run r;
        const std::size_t before = r.events().size();
        QVERIFY(!r.run.refusedAsMarked({r.conv}, {r.conv, r.relu}));
        QVERIFY(!r.run.refusedByOtherUsers({r.conv}, r.conv));
        QVERIFY(!r.run.refusedByFilter({r.conv}, {r.conv}, Filter{}));
        QCOMPARE(r.events().size(), before);
    }

    void filtersByName()
    {
        Run r;
        QVERIFY(moduleNameFilter("net.c")(*r.conv));
        QVERIFY(moduleNameFilter("")(*r.conv)); // the top module has the empty path
        QVERIFY(!moduleNameFilter("net")(*r.conv));
        QVERIFY(!moduleNameFilter("net.c")(*r.x));
        QCOMPARE(moduleNameFilter("net.c").setting, std::string("module_name net.c"));
    }

    void filtersByType()
    {
        Run r;
        QVERIFY(moduleTypeFilter("torch.nn.modules.conv.Conv2d")(*r.conv));
        QVERIFY(moduleTypeFilter("models.Top")(*r.conv));
        QVERIFY(moduleTypeFilter("torch.nn.Conv2d")(*r.conv)); // the name by which Python imports the same class
        QVERIFY(!moduleTypeFilter("torch.nn.2d")(*r.conv));
        QVERIFY(!moduleTypeFilter("torch.nn.conv.Conv2d")(*r.conv));
        QVERIFY(!moduleTypeFilter("Conv2d")(*r.conv));
    }

    void theGlobalFilterIsWhatIsLeft()
    {
        Run r;
        const Filter left = notModuleTypeOrNameFilter({"torch.nn.modules.activation.ReLU"}, {"net.c"});
        QVERIFY(!left(*r.conv));
        QVERIFY(!left(*r.relu));
        QVERIFY(left(*r.x));
        QVERIFY(notModuleTypeOrNameFilter({}, {})(*r.conv));
    }

    void aModuleIsDescribed()
    {
        Run r;
        QCOMPARE(describeModule(*r.relu), std::string("module net.act (torch.nn.modules.activation.ReLU)"));
        QCOMPARE(describeModule(*r.x), std::string("no nn_module_stack"));
        QCOMPARE(normalizedPath("L['self'].net.c"), std::string("net.c"));
    }

    void specsAreDescribed()
    {
        Run r;
        QCOMPARE(describe(nullptr, r.graph()), std::string("none"));
        QCOMPARE(describe(minMax(), r.graph()), std::string("int8 (MinMaxObserver)"));
        QCOMPARE(describe(ir::makeSpec(ir::SharedQuantizationSpec{{r.x->id(), r.conv->id()}}), r.graph()),
                 std::string("shared with x -> conv2d_default"));
        QCOMPARE(describe(ir::makeSpec(ir::SharedQuantizationSpec{{r.x->id()}}), r.graph()),
                 std::string("shared with x"));
        ir::FixedQParamsQuantizationSpec fixed;
        fixed.scale = 0.5;
        QCOMPARE(describe(ir::makeSpec(fixed), r.graph()), std::string("uint8 fixed, scale 0.5, zero point 0"));
        ir::DerivedQuantizationSpec derived;
        derived.derive = "bias";
        QCOMPARE(describe(ir::makeSpec(derived), r.graph()), std::string("int32 derived (bias)"));
    }

    void namesAreListed()
    {
        Run r;
        QCOMPARE(nameList({}), std::string());
        QCOMPARE(nameList({r.x}), std::string("x"));
        QCOMPARE(nameList({r.x, nullptr, r.conv, r.relu}), std::string("x, conv2d_default and relu_default"));
    }

    void argumentsOfANode()
    {
        Run r;
        GB_VERIFY_OK(argumentAt(*r.conv, 2));
        GB_COMPARE_ERROR(argumentAt(*r.conv, 3), IndexError);
        QCOMPARE(inputAt(*r.relu, 0).value(), r.conv);
        GB_COMPARE_ERROR(inputAt(*r.relu, 1), IndexError);
        r.graph().setArgs(r.relu, {ir::Argument(1)});
        GB_COMPARE_ERROR(inputAt(*r.relu, 0), AssertionError);
    }
};

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
