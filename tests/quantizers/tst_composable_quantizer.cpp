// Several quantizers one after the other, and EmbeddingQuantizer.
#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::ModelBuilder;
using gb::test::xnnpack;

namespace {

Recipe composed(std::vector<Recipe> members)
{
    Recipe out;
    out.quantizer = "composable";
    out.quantizers = std::move(members);
    return out;
}

Recipe embedding()
{
    Recipe out;
    out.quantizer = "embedding";
    return out;
}

/// A rules quantizer whose one rule writes "not quantized" on the output of linears.
Recipe linearRule(bool replace)
{
    Rule rule;
    rule.name = "float output";
    rule.pattern = {{"aten.linear.default"}};
    rule.outputs = {{0, std::monostate(), {}}};
    rule.skipMarked = false;
    rule.replace = replace;
    Recipe out;
    out.quantizer = "rules";
    out.rules = {rule};
    return out;
}

struct Model : ModelBuilder {
    Model() { output({linear}); }
    ir::Node* linear = call("aten.linear.default", {input("x"), parameter("w")});
};

} // namespace

class TestComposableQuantizer : public QObject {
    Q_OBJECT

private slots:
    void embeddingLabelsTheWeightAndMarksNothing()
    {
        ModelBuilder m;
        ir::Node* weight = m.parameter("w");
        ir::Node* node = m.call("aten.embedding.default", {weight, m.input("i", ir::DType::Int64)});
        m.output({node});
        GB_VERIFY_OK(m.run(embedding()));
        QCOMPARE(m.label(node), std::string("in w:PerChannelMinMaxObserver out none"));
        const auto* spec = ir::as<ir::QuantizationSpec>(node->annotation()->inputs[0].second);
        QCOMPARE(spec->dtype, ir::DType::UInt8);
        QCOMPARE(*spec->qscheme, ir::QScheme::PerChannelAffineFloatQParams);
        QCOMPARE(*spec->chAxis, 0);
        QVERIFY(!spec->quantMin);
    }

    void embeddingWithoutArgumentsIsAnIndexError()
    {
        ModelBuilder m;
        m.output({m.callWith("aten.embedding.default", {})});
        GB_COMPARE_ERROR(m.run(embedding()), IndexError);
    }

    void membersRunInOrderAndSayTheirPlace()
    {
        Model m;
        GB_VERIFY_OK(m.run(composed({embedding(), composed({embedding(), xnnpack()})})));
        QCOMPARE(m.matches("linear"), std::string("linear_default"));
        std::vector<std::string> places;
        for (const trace::Event& event : m.events())
            if (event.kind == trace::EventKind::Rule && (event.name == "embedding" || event.name == "linear"))
                places.push_back(event.text("place"));
        QCOMPARE(places, (std::vector<std::string>{"0", "1.0", "1.1"}));
    }

    void theFirstOfTwoMembersWins()
    {
        Model m;
        GB_VERIFY_OK(m.run(composed({xnnpack({"is_dynamic"}), xnnpack()})));
        QCOMPARE(m.label(m.linear), std::string("in x:PlaceholderObserver w:MinMaxObserver out none marked"));
        GB_COMPARE_REFUSAL(m.attempt("linear", m.linear), "annotated", "R5");
    }

    void editingAnEarlierAnnotationIsAllowed()
    {
        Model m;
        GB_VERIFY_OK(m.run(composed({xnnpack(), linearRule(false)})));
        QCOMPARE(m.label(m.linear), std::string("in x:HistogramObserver w:MinMaxObserver out none marked"));
    }

    void replacingAnEarlierAnnotationIsARuntimeError()
    {
        Model m;
        const auto done = m.run(composed({xnnpack(), linearRule(true)}));
        GB_COMPARE_ERROR(done, RuntimeError);
        QCOMPARE(done.error().place, std::string("node linear_default"));
        QVERIFY(done.error().sentence.find("RulesQuantizer") != std::string::npos);
    }

    void replacingItsOwnAnnotationIsAllowed()
    {
        Model m;
        GB_VERIFY_OK(m.run(composed({embedding(), linearRule(true)})));
    }

    void everyMemberTransformsTheGraph()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* add = m.callWith("aten.add.Tensor", {ir::Argument::node(x->id()), ir::Argument(1)});
        m.output({add});
        GB_VERIFY_OK(m.run(composed({embedding(), xnnpack()})));
        QVERIFY(m.module.attribute("_tensor_constant_0"));
        QCOMPARE(m.matches("add"), std::string("add_tensor"));
    }

    void noMembersDoNothing()
    {
        Model m;
        GB_VERIFY_OK(m.run(composed({})));
        QCOMPARE(m.label(m.linear), std::string("-"));
    }
};

QTEST_GUILESS_MAIN(TestComposableQuantizer)
#include "tst_composable_quantizer.moc"
