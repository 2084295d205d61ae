// Which setting of XNNPACKQuantizer reaches which node.
#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::flags;
using gb::test::ModelBuilder;

namespace {

constexpr const char* kLinearType = "torch.nn.modules.linear.Linear";

Recipe recipe()
{
    Recipe out;
    out.quantizer = "xnnpack";
    return out;
}

/// Two linears, in modules a and b.
struct Model : ModelBuilder {
    ir::Node* linear(ir::Node* in, const std::string& path, const std::string& type = kLinearType)
    {
        return call("aten.linear.default", {in, parameter(path + ".weight")}, path, type);
    }

    ir::Node* x = input("x");
    ir::Node* a = linear(x, "net.a");
    ir::Node* b = linear(a, "net.b", "my.Linear");
    ir::Node* end = callWith("output_is_elsewhere", {});
};

} // namespace

class TestXnnpackSettings : public QObject {
    Q_OBJECT

private slots:
    void withoutSettingsNothingIsLabelled()
    {
        Model m;
        GB_VERIFY_OK(m.run(recipe()));
        QCOMPARE(m.label(m.a), std::string("-"));
    }

    void aNullGlobalConfigLabelsNothing()
    {
        Model m;
        Recipe r = recipe();
        r.global = Config();
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(m.a), std::string("-"));
    }

    void aNameReachesItsModuleOnly()
    {
        Model m;
        Recipe r = recipe();
        r.moduleName = {{"net.a", flags({})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.matches("linear"), std::string("linear_default"));
        const trace::Event* attempt = m.attempt("linear", m.b);
        GB_COMPARE_REFUSAL(attempt, "filter", "R4");
        QCOMPARE(attempt->text("found"), std::string("linear_default_1: module net.b (my.Linear)"));
        QCOMPARE(attempt->text("expected"), std::string("a node of module net.a"));
    }

    void aNameIsNoPrefixAndNoSuffix()
    {
        for (const char* name : {"net", "a", "net.a.b"}) {
            Model m;
            Recipe r = recipe();
            r.moduleName = {{name, flags({})}};
            GB_VERIFY_OK(m.run(r));
            QCOMPARE(m.matches("linear"), std::string());
        }
    }

    void aNameReachesAStrictProgram()
    {
        ModelBuilder m;
        ir::Node* linear =
            m.call("aten.linear.default", {m.input("x"), m.parameter("w")}, "L['self'].net.a", kLinearType);
        m.output({linear});
        Recipe r = recipe();
        r.moduleName = {{"net.a", flags({})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.matches("linear"), linear->name());
    }

    void aTypeReachesItsModulesOnly()
    {
        Model m;
        Recipe r = recipe();
        r.moduleType = {{"my.Linear", flags({})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.matches("linear"), std::string("linear_default_1"));
        GB_COMPARE_REFUSAL(m.attempt("linear", m.a), "filter", "R4");
    }

    void namesComeBeforeTypesBeforeTheGlobalConfig()
    {
        Model m;
        Recipe r = recipe();
        r.global = Config(flags({}));
        r.moduleType = {{"models.Top", flags({"is_per_channel"})}};
        r.moduleName = {{"net.b", flags({})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(m.b), std::string("in linear_default:HistogramObserver net_b_weight:MinMaxObserver out "
                                           "HistogramObserver marked"));
        QCOMPARE(m.label(m.a), std::string("in x:HistogramObserver net_a_weight:PerChannelMinMaxObserver out "
                                           "HistogramObserver marked"));
        std::vector<std::string> settings;
        for (const trace::Event& event : m.events())
            if (event.kind == trace::EventKind::Rule && event.name == "linear")
                settings.push_back(event.text("setting"));
        QCOMPARE(settings, (std::vector<std::string>{"module_name net.b", "module_type models.Top", "global"}));
    }

    void aTypeWithANullConfigIsLeftInFloat()
    {
        Model m;
        Recipe r = recipe();
        r.global = Config(flags({}));
        r.moduleType = {{"my.Linear", Config()}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.matches("linear"), std::string("linear_default"));
        const trace::Event* attempt = m.attempt("linear", m.b);
        GB_COMPARE_REFUSAL(attempt, "filter", "R4");
    }

    void aNameWithANullConfigIsAnAssertionError()
    {
        Recipe r = recipe();
        r.moduleName = {{"net.a", Config()}};
        const auto made = makeQuantizer(r);
        GB_COMPARE_ERROR(made, AssertionError);
        QCOMPARE(made.error().place, std::string("module_name net.a"));
    }

    void operatorTypeIsReadByNothing()
    {
        Model m;
        Recipe r = recipe();
        r.operatorType = {{"aten.linear.default", flags({})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(m.a), std::string("-"));
    }

    void anOperatorTypesConfigMustStillBeMakeable()
    {
        Recipe r = recipe();
        r.operatorType = {{"aten.linear.default", ConfigArguments{{{"act_qmin", ir::Argument(300)}}}}};
        GB_COMPARE_ERROR(makeQuantizer(r), ValueError);
    }

    void aConvCannotBeReachedByItsName()
    {
        ModelBuilder m;
        ir::Node* conv = m.weighted("aten.conv2d.default", m.input("x"), "net.conv");
        m.output({conv});
        Recipe r = recipe();
        r.moduleName = {{"net.conv", flags({})}};
        GB_VERIFY_OK(m.run(r));
        const trace::Event* attempt = m.attempt("conv", conv);
        GB_COMPARE_REFUSAL(attempt, "filter", "R4");
        QCOMPARE(attempt->text("found"), std::string("net_conv_weight: no nn_module_stack"));
    }

    void withoutADynamicGlobalConfigTheStaticRulesRun()
    {
        Model m;
        Recipe r = recipe();
        r.moduleName = {{"net.a", flags({"is_dynamic"})}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(m.a), std::string("in x:PlaceholderObserver net_a_weight:MinMaxObserver out none marked"));
        QVERIFY(std::ranges::any_of(m.events(), [](const trace::Event& e) { return e.name == "conv_relu"; }));
    }

    void rulesRunInTorchaosOrder()
    {
        Model m;
        Recipe r = recipe();
        r.global = Config(flags({"is_qat"}));
        GB_VERIFY_OK(m.run(r));
        std::vector<std::string> rules;
        for (const trace::Event& event : m.events())
            if (event.kind == trace::EventKind::Rule)
                rules.push_back(event.name);
        const std::vector<std::string> wanted = {"conv_bn_relu",
                                                 "conv_bn",
                                                 "conv_transpose_bn_relu",
                                                 "conv_transpose_bn",
                                                 "linear_relu",
                                                 "linear",
                                                 "conv_relu",
                                                 "conv",
                                                 "conv_transpose_relu",
                                                 "adaptive_avg_pool2d",
                                                 "gru_io_only",
                                                 "add_relu",
                                                 "add",
                                                 "mul_relu",
                                                 "mul",
                                                 "cat",
                                                 "propagate"};
        QCOMPARE(rules, wanted);
    }
};

QTEST_GUILESS_MAIN(TestXnnpackSettings)
#include "tst_xnnpack_settings.moc"
