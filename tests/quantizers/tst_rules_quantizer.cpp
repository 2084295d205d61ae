// A quantizer made of a recipe's rules.
#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::ModelBuilder;

namespace {

ir::QuantizationSpec int8Spec()
{
    ir::QuantizationSpec spec;
    spec.quantMin = -128;
    spec.quantMax = 127;
    spec.qscheme = ir::QScheme::PerTensorAffine;
    spec.observer = {"MinMaxObserver", {}};
    return spec;
}

Rule rule(std::vector<std::vector<std::string>> pattern)
{
    Rule out;
    out.name = "r";
    out.pattern = std::move(pattern);
    return out;
}

Recipe recipe(std::vector<Rule> rules)
{
    Recipe out;
    out.quantizer = "rules";
    out.rules = std::move(rules);
    return out;
}

RuleInput input(std::int64_t of, ArgumentPath arg, RuleSpec spec)
{
    return {of, std::move(arg), std::move(spec), {}};
}

const std::vector<std::vector<std::string>> kConvRelu = {{"aten.conv2d.default"},
                                                         {"aten.relu.default", "aten.relu_.default"}};

/// conv2d, then relu
struct Model : ModelBuilder {
    ir::Node* conv = weighted("aten.conv2d.default", input("x"), "net.c");
    ir::Node* relu = call("aten.relu_.default", {conv}, "net.act", "torch.nn.modules.activation.ReLU");
};

} // namespace

class TestRulesQuantizer : public QObject {
    Q_OBJECT

private slots:
    void aChainIsLabelledAndMarked()
    {
        Model m;
        m.output({m.relu});
        Rule r = rule(kConvRelu);
        r.inputs = {input(0, {0}, int8Spec()), input(0, {1}, std::monostate())};
        r.outputs = {{1, int8Spec(), {}}};
        GB_VERIFY_OK(m.run(recipe({r})));
        QCOMPARE(m.matches("r"), std::string("conv2d_default+relu__default"));
        QCOMPARE(m.label(m.conv), std::string("in x:MinMaxObserver net_c_weight:none out none marked"));
        QCOMPARE(m.label(m.relu), std::string("in out MinMaxObserver marked"));
    }

    void markFalseLeavesTheChainToLaterRules()
    {
        Model m;
        m.output({m.relu});
        Rule first = rule({{"aten.conv2d.default"}});
        first.outputs = {{0, int8Spec(), {}}};
        first.mark = false;
        Rule second = rule({{"aten.conv2d.default"}});
        second.name = "second";
        second.inputs = {input(0, {0}, int8Spec())};
        GB_VERIFY_OK(m.run(recipe({first, second})));
        // the second rule edits what the first one wrote
        QCOMPARE(m.label(m.conv), std::string("in x:MinMaxObserver out MinMaxObserver marked"));
    }

    void refusedAsMarkedByAnEarlierRule()
    {
        Model m;
        m.output({m.relu});
        Rule second = rule({{"aten.conv2d.default"}});
        second.name = "second";
        GB_VERIFY_OK(m.run(recipe({rule(kConvRelu), second})));
        GB_COMPARE_REFUSAL(m.attempt("second", m.conv), "annotated", "R5");
        Rule third = second;
        third.skipMarked = false;
        third.outputs = {{0, int8Spec(), {}}};
        GB_VERIFY_OK(m.run(recipe({third})));
        QCOMPARE(m.label(m.conv), std::string("in out MinMaxObserver marked"));
    }

    void replacePutsANewAnnotationFirst()
    {
        Model m;
        m.output({m.relu});
        Rule first = rule(kConvRelu);
        first.inputs = {input(0, {0}, int8Spec())};
        first.mark = false;
        Rule second = rule(kConvRelu);
        second.replace = true;
        second.outputs = {{1, int8Spec(), {}}};
        GB_VERIFY_OK(m.run(recipe({first, second})));
        QCOMPARE(m.label(m.conv), std::string("in out none marked"));
    }

    void implicitSharingIsSetOnWhatHasALabel()
    {
        Model m;
        m.output({m.relu});
        Rule r = rule(kConvRelu);
        r.outputs = {{1, int8Spec(), {}}};
        r.allowImplicitSharing = false;
        GB_VERIFY_OK(m.run(recipe({r})));
        QVERIFY(!m.relu->annotation()->allowImplicitSharing);
        QVERIFY(m.conv->annotation()->allowImplicitSharing); // it had no label when this was set
    }

    void anArgumentThatIsNoNodeIsSkipped()
    {
        Model m;
        m.output({m.relu});
        Rule r = rule({{"aten.relu_.default"}});
        ir::QuantizationSpec broken = int8Spec();
        broken.quantMin = 200; // not even looked at
        m.graph().setArgs(m.relu, {ir::Argument::node(m.conv->id()), ir::Argument(3)});
        r.inputs = {input(0, {1}, broken)};
        r.mark = false;
        GB_VERIFY_OK(m.run(recipe({r})));
        QCOMPARE(m.label(m.relu), std::string("-"));
    }

    void negativeIndicesCountFromTheEnd()
    {
        Model m;
        m.output({m.relu});
        Rule r = rule(kConvRelu);
        r.inputs = {input(-2, {-3}, int8Spec())};
        r.outputs = {{-1, int8Spec(), {}}};
        GB_VERIFY_OK(m.run(recipe({r})));
        QCOMPARE(m.label(m.conv), std::string("in x:MinMaxObserver out none marked"));
        QCOMPARE(m.label(m.relu), std::string("in out MinMaxObserver marked"));
    }

    void aPathLeadsIntoAList()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* y = m.input("y");
        ir::Node* cat = m.callWith("aten.cat.default", {ir::Argument::list(ModelBuilder::refs({x, y}))});
        m.output({cat});
        Rule r = rule({{"aten.cat.default"}});
        r.inputs = {input(0, {0, 0}, int8Spec()), input(0, {0, 1}, RuleShared{RuleEdge{0, {0, 0}}})};
        r.outputs = {{0, RuleShared{RuleOutput{0}}, {}}};
        GB_VERIFY_OK(m.run(recipe({r})));
        QCOMPARE(m.label(cat),
                 std::string("in x:MinMaxObserver y:shared(x->cat_default) out shared(cat_default) marked"));
    }

    void aNamedNodeIsAPositionAnywhere()
    {
        Model m;
        m.output({m.relu});
        Rule r = rule({{"aten.relu_.default"}});
        r.outputs = {{0, RuleShared{RuleNode{"x"}}, {}}};
        GB_VERIFY_OK(m.run(recipe({r})));
        QCOMPARE(m.label(m.relu), std::string("in out shared(x) marked"));
    }

    void aDerivedSpecNamesItsPositions()
    {
        Model m;
        m.output({m.relu});
        Rule r = rule({{"aten.conv2d.default"}});
        RuleDerived derived;
        derived.from = {RuleEdge{0, {0}}, RuleEdge{0, {1}}};
        derived.spec.derive = "bias";
        r.inputs = {input(0, {2}, derived)};
        GB_VERIFY_OK(m.run(recipe({r})));
        const auto* spec = ir::as<ir::DerivedQuantizationSpec>(m.conv->annotation()->inputs[0].second);
        QVERIFY(spec);
        QCOMPARE(spec->from.size(), std::size_t{2});
        QCOMPARE(spec->from[1], (ir::Position{m.graph().find("net_c_weight")->id(), m.conv->id()}));
    }

    void refusedWhere_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("condition");
        QTest::newRow("name of a chain's node") << "relu__default"
                                                << ""
                                                << ""
                                                << "";
        QTest::newRow("another name") << "relu"
                                      << ""
                                      << ""
                                      << "where_name";
        QTest::newRow("module prefix") << ""
                                       << "net"
                                       << ""
                                       << "";
        QTest::newRow("module of one node only") << ""
                                                 << "net.c"
                                                 << ""
                                                 << "where_module";
        QTest::newRow("part of a module's name") << ""
                                                 << "ne"
                                                 << ""
                                                 << "where_module";
        QTest::newRow("type of all") << ""
                                     << ""
                                     << "models.Top"
                                     << "";
        QTest::newRow("type of one node only") << ""
                                               << ""
                                               << "torch.nn.modules.conv.Conv2d"
                                               << "where_module_type";
    }

    void refusedWhere()
    {
        QFETCH(QString, name);
        QFETCH(QString, module);
        QFETCH(QString, type);
        QFETCH(QString, condition);
        Model m;
        m.output({m.relu});
        Rule r = rule(kConvRelu);
        if (!name.isEmpty())
            r.whereName = name.toStdString();
        if (!module.isEmpty())
            r.whereModule = module.toStdString();
        if (!type.isEmpty())
            r.whereModuleType = type.toStdString();
        GB_VERIFY_OK(m.run(recipe({r})));
        QCOMPARE(m.matches("r").empty(), !condition.isEmpty());
        if (!condition.isEmpty())
            GB_COMPARE_REFUSAL(m.attempt("r", m.conv), condition.toStdString(), "R4");
    }

    void refusedChainWithOtherUsers()
    {
        Model m;
        m.output({m.relu, m.conv});
        GB_VERIFY_OK(m.run(recipe({rule(kConvRelu)})));
        GB_COMPARE_REFUSAL(m.attempt("r", m.conv), "one_user", "R6");
    }

    void refusedChainWithAnotherOpNext()
    {
        Model m;
        m.output({m.relu});
        GB_VERIFY_OK(m.run(recipe({rule({{"aten.conv2d.default"}, {"aten.tanh.default"}})})));
        const trace::Event* attempt = m.attempt("r", m.conv);
        GB_COMPARE_REFUSAL(attempt, "next_target", "R1");
        QCOMPARE(attempt->text("found"), std::string("relu__default (aten.relu_.default)"));
    }

    void refusedChainThatIsNotTheFirstArgument()
    {
        ModelBuilder m;
        ir::Node* tanh = m.call("aten.tanh.default", {m.input("x")});
        m.output({m.call("aten.add.Tensor", {m.input("y"), tanh})});
        GB_VERIFY_OK(m.run(recipe({rule({{"aten.tanh.default"}, {"aten.add.Tensor"}})})));
        GB_COMPARE_REFUSAL(m.attempt("r", tanh), "first_argument", "R1");
    }

    void errorsAreThoseOfPython_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("type");
        QTest::newRow("place beyond the chain") << 0 << "IndexError";
        QTest::newRow("argument beyond the end") << 1 << "IndexError";
        QTest::newRow("path into a number") << 2 << "TypeError";
        QTest::newRow("name of no node") << 3 << "StopIteration";
        QTest::newRow("edge from a number") << 4 << "AttributeError";
        QTest::newRow("quant_min above quant_max") << 5 << "ValueError";
        QTest::newRow("output beyond the chain") << 6 << "IndexError";
    }

    void errorsAreThoseOfPython()
    {
        QFETCH(int, which);
        QFETCH(QString, type);
        Model m;
        m.graph().setArgs(m.relu, {ir::Argument::node(m.conv->id()), ir::Argument(3)});
        m.output({m.relu});
        ir::QuantizationSpec broken = int8Spec();
        broken.quantMin = 200;
        const std::vector<RuleInput> rows = {input(1, {0}, int8Spec()),
                                             input(0, {5}, int8Spec()),
                                             input(0, {1, 0}, int8Spec()),
                                             input(0, {0}, RuleShared{RuleNode{"nobody"}}),
                                             input(0, {0}, RuleShared{RuleEdge{0, {1}}}),
                                             input(0, {0}, broken),
                                             input(0, {0}, RuleShared{RuleOutput{-2}})};
        Rule r = rule({{"aten.relu_.default"}});
        r.inputs = {rows[static_cast<std::size_t>(which)]};
        const auto done = m.run(recipe({r}));
        QVERIFY(!done.ok());
        QCOMPARE(QString(base::exceptionName(done.error().code)), type);
        QVERIFY(done.error().place.starts_with("rule r"));
    }

    void anEmptyPatternIsAnIndexError()
    {
        Model m;
        GB_COMPARE_ERROR(m.run(recipe({rule({})})), IndexError);
    }
};

QTEST_GUILESS_MAIN(TestRulesQuantizer)
#include "tst_rules_quantizer.moc"
