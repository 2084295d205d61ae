// linear, conv and their fusions with relu.
#include "model_builder.h"

using namespace gb;
using gb::test::ModelBuilder;
using gb::test::xnnpack;

namespace {

constexpr const char* kLinear = "aten.linear.default";
constexpr const char* kConv = "aten.conv2d.default";
constexpr const char* kRelu = "aten.relu.default";

} // namespace

class TestXnnpackWeighted : public QObject {
    Q_OBJECT

private slots:
    void convTakesInputWeightBiasAndOutput()
    {
        ModelBuilder m;
        ir::Node* conv = m.weighted(kConv, m.input("x"), "c");
        m.output({conv});
        GB_VERIFY_OK(m.run(xnnpack({"is_per_channel"})));
        QCOMPARE(m.matches("conv"), std::string("conv2d_default"));
        QCOMPARE(m.label(conv), std::string("in x:HistogramObserver c_weight:PerChannelMinMaxObserver c_bias:none "
                                            "out HistogramObserver marked"));
        // weight and bias are marked, with an empty label of their own
        QCOMPARE(m.label(m.graph().find("c_weight")), std::string("in out none marked"));
        QCOMPARE(m.label(m.graph().find("c_bias")), std::string("in out none marked"));
        QCOMPARE(m.label(m.graph().find("x")), std::string("-"));
    }

    void convWithoutBias()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* conv = m.call("aten.conv1d.default", {x, m.parameter("w")});
        m.output({conv});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(conv), std::string("in x:HistogramObserver w:MinMaxObserver out HistogramObserver marked"));
    }

    void convIsRefusedWhereItsWeightIsMarked()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* weight = m.parameter("w");
        ir::Node* first = m.call(kConv, {x, weight});
        ir::Node* second = m.call(kConv, {first, weight});
        m.output({second});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches("conv"), std::string("conv2d_default"));
        const trace::Event* attempt = m.attempt("conv", second);
        GB_COMPARE_REFUSAL(attempt, "annotated", "R5");
        QCOMPARE(attempt->text("found"), std::string("w is marked by rule conv"));
        const auto* by = attempt->field("by_event")->as<std::int64_t>();
        QCOMPARE(m.events()[static_cast<std::size_t>(*by)].nodes.front(), weight->id());
    }

    void convPaddingHasNoRuleOfItsOwn()
    {
        ModelBuilder m;
        ir::Node* conv = m.weighted("aten.conv2d.padding", m.input("x"), "c");
        m.output({conv});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(conv), std::string("-"));
        QVERIFY(!m.attempt("conv", conv));
    }

    void fusedReluSplitsTheLabel_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("producer");
        QTest::addColumn<QString>("relu");
        QTest::newRow("linear") << "linear_relu" << kLinear << kRelu;
        QTest::newRow("linear, relu_") << "linear_relu" << kLinear << "aten.relu_.default";
        QTest::newRow("conv1d") << "conv_relu"
                                << "aten.conv1d.default" << kRelu;
        QTest::newRow("conv2d") << "conv_relu" << kConv << kRelu;
        QTest::newRow("conv2d, relu_") << "conv_relu" << kConv << "aten.relu_.default";
        QTest::newRow("conv2d.padding") << "conv_relu"
                                        << "aten.conv2d.padding" << kRelu;
        QTest::newRow("conv3d") << "conv_relu"
                                << "aten.conv3d.default" << kRelu;
        QTest::newRow("conv_transpose1d") << "conv_transpose_relu"
                                          << "aten.conv_transpose1d.default" << kRelu;
        QTest::newRow("conv_transpose2d") << "conv_transpose_relu"
                                          << "aten.conv_transpose2d.input" << kRelu;
    }

    void fusedReluSplitsTheLabel()
    {
        QFETCH(QString, rule);
        QFETCH(QString, producer);
        QFETCH(QString, relu);
        ModelBuilder m;
        ir::Node* op = m.weighted(producer.toStdString(), m.input("x"), "c");
        ir::Node* end = m.call(relu.toStdString(), {op});
        m.output({end});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches(rule.toStdString()), op->name() + "+" + end->name());
        QCOMPARE(m.label(op),
                 std::string("in x:HistogramObserver c_weight:MinMaxObserver c_bias:none out none marked"));
        QCOMPARE(m.label(end), std::string("in out HistogramObserver marked"));
        QVERIFY(m.graph().find("c_bias")->isAnnotated());
    }

    void fusedReluIsRefusedBehindAnOpWithOtherUsers()
    {
        ModelBuilder m;
        ir::Node* conv = m.weighted(kConv, m.input("x"), "c");
        ir::Node* relu = m.call(kRelu, {conv});
        m.output({relu, conv});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt("conv_relu", conv);
        GB_COMPARE_REFUSAL(attempt, "has_other_users", "R6");
        QCOMPARE(attempt->text("found"), std::string("2 users of conv2d_default"));
        QCOMPARE(attempt->sentence.text(),
                 std::string("conv_relu cannot fuse conv2d_default and relu_default: conv2d_default has 2 users, "
                             "one expected"));
        // the conv rule takes the conv alone, and relu shares with it
        QCOMPARE(m.matches("conv"), std::string("conv2d_default"));
        QCOMPARE(m.label(relu),
                 std::string("in conv2d_default:shared(conv2d_default) out shared(conv2d_default) marked"));
    }

    void fusedReluIsRefusedBehindAnotherOp()
    {
        ModelBuilder m;
        ir::Node* tanh = m.call("aten.tanh.default", {m.input("x")});
        ir::Node* relu = m.call(kRelu, {tanh});
        m.output({relu});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt("conv_relu", relu);
        GB_COMPARE_REFUSAL(attempt, "producer", "R1");
        QCOMPARE(attempt->text("found"), std::string("tanh_default (aten.tanh.default)"));
        GB_COMPARE_REFUSAL(m.attempt("linear_relu", relu), "producer", "R1");
    }

    void linearTwiceIsLabelledTwice()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* weight = m.parameter("w");
        ir::Node* first = m.call(kLinear, {x, weight});
        ir::Node* second = m.call(kLinear, {first, weight});
        m.output({second});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches("linear"), std::string("linear_default linear_default_1"));
    }

    void linearReluTwiceStopsAtTheMarkedWeight()
    {
        ModelBuilder m;
        ir::Node* weight = m.parameter("w");
        ir::Node* first = m.call(kRelu, {m.call(kLinear, {m.input("x"), weight})});
        ir::Node* linear = m.call(kLinear, {first, weight});
        ir::Node* second = m.call(kRelu, {linear});
        m.output({second});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches("linear_relu"), std::string("linear_default+relu_default"));
        GB_COMPARE_REFUSAL(m.attempt("linear_relu", second), "annotated", "R5");
        QCOMPARE(m.matches("linear"), std::string("linear_default_1")); // looks at the op only
    }

    void linearEditsTheLabelThatIsThere()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        ir::Node* linear = m.call(kLinear, {x, m.parameter("w")});
        m.output({linear});
        ir::Annotation before;
        before.setInput(m.graph().find("w")->id(), nullptr);
        m.graph().setAnnotation(linear, std::make_shared<const ir::Annotation>(before));
        GB_VERIFY_OK(m.run(xnnpack()));
        // the entry that was there keeps its place, the object stays the same
        QCOMPARE(m.label(linear), std::string("in w:MinMaxObserver x:HistogramObserver out HistogramObserver marked"));
        QCOMPARE(linear->annotation()->object, before.object);
    }

    void aDynamicConfigRunsLinearOnly()
    {
        ModelBuilder m;
        ir::Node* conv = m.weighted(kConv, m.input("x"), "c");
        ir::Node* linear = m.weighted(kLinear, conv, "fc");
        m.output({linear});
        GB_VERIFY_OK(m.run(xnnpack({"is_dynamic"})));
        QCOMPARE(m.label(conv), std::string("-"));
        QCOMPARE(m.label(linear), std::string("in conv2d_default:PlaceholderObserver fc_weight:MinMaxObserver "
                                              "fc_bias:none out none marked"));
    }

    void anArgumentThatIsNoNodeIsAnAssertionError()
    {
        ModelBuilder m;
        ir::Node* x = m.input("x");
        m.output({m.callWith(kConv, {ir::Argument::node(x->id()), ir::Argument(1.0)})});
        GB_COMPARE_ERROR(m.run(xnnpack()), AssertionError);
    }

    void aMissingArgumentIsAnIndexError()
    {
        ModelBuilder m;
        m.output({m.callWith(kConv, {})});
        GB_COMPARE_ERROR(m.run(xnnpack()), IndexError);
        ModelBuilder withoutInput;
        withoutInput.output({withoutInput.callWith(kRelu, {})});
        GB_COMPARE_ERROR(withoutInput.run(xnnpack()), IndexError);
    }

    void everyWriteIsAnnounced()
    {
        ModelBuilder m;
        ir::Node* conv = m.weighted(kConv, m.input("x"), "c");
        m.output({conv});
        GB_VERIFY_OK(m.run(xnnpack()));
        int writes = 0;
        for (const trace::Event& event : m.events()) {
            const bool changes = std::ranges::any_of(event.edits, [](const trace::Edit& edit) {
                return std::holds_alternative<trace::AnnotationChanged>(edit);
            });
            QCOMPARE(event.kind == trace::EventKind::Annotate, changes);
            if (!changes)
                continue;
            ++writes;
            QCOMPARE(event.edits.size(), std::size_t{1});
            QCOMPARE(event.text("quantizer"), std::string("xnnpack"));
            QCOMPARE(event.source.file, std::string("_xnnpack_quantizer_utils.py"));
            const trace::Event& match = m.events()[static_cast<std::size_t>(event.parent)];
            QCOMPARE(match.kind, trace::EventKind::Match);
            QCOMPARE(m.events()[static_cast<std::size_t>(match.parent)].kind, trace::EventKind::Rule);
        }
        QCOMPARE(writes, 3); // the conv, its weight, its bias
    }
};

QTEST_GUILESS_MAIN(TestXnnpackWeighted)
#include "tst_xnnpack_weighted.moc"
