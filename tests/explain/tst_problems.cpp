// Problems of observers and of the run: for each the smallest graph that has it, and a neighbour that has not.
#include "explained.h"
#include "recipes.h"

using namespace gb;
using namespace gb::test;
using ir::Argument;
using ir::Node;
using ir::Tensor;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

Explained relu(const std::string& recipe, const std::vector<float>& values)
{
    Model m;
    m.output({m.call("aten.relu.default", {ref(m.input("x"))})});
    return explained(m.module, recipe, {}, {{Tensor::fromVector(values, {static_cast<std::int64_t>(values.size())})}});
}

std::string withObserver(std::string recipe, const std::string& observer)
{
    return recipe.replace(recipe.find("MinMaxObserver"), 14, observer);
}

Explained batchNorm(bool training)
{
    Model m;
    const auto channels = [&](const char* name, float value) {
        return m.attribute(name, Tensor::fromVector(std::vector<float>{value, value, value}, {3}));
    };
    Node* relu = m.call("aten.relu.default", {ref(m.input("x"))});
    m.output({m.call("aten.batch_norm.default",
                     {ref(relu), ref(channels("g", 1)), ref(channels("b", 0)), ref(channels("mean", 0)),
                      ref(channels("var", 1)), Argument(training), Argument(0.1), Argument(1e-5), Argument(false)})});
    return explained(m.module, kRelu, {}, oneBatch());
}

Explained x86(const char* follower, bool functional, const char* first = "aten.conv2d.default")
{
    Model m;
    const auto in = [](const char* path, const char* type) {
        auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
        meta->nnModuleStack = {{path, path, type}};
        return meta;
    };
    Node* w = m.attribute("w", Tensor::zeros(ir::DType::Float32, {3, 3, 1, 1}));
    const bool isConv = std::string_view(first).find("conv") != std::string_view::npos;
    Node* before = isConv ? m.call(first, {ref(m.input("x")), ref(w)},
                                   in("conv", std::string_view(first).find("conv1d") == std::string_view::npos
                                                  ? "torch.nn.modules.conv.Conv2d"
                                                  : "torch.nn.modules.conv.Conv1d"))
                          : m.call(first, {ref(m.input("x"))});
    m.output({*follower ? m.call(follower, {ref(before)},
                                 functional ? in("", "Net") : in("act", "torch.nn.modules.activation.ReLU"))
                        : before});
    return explained(m.module, kX86);
}

} // namespace

class TestProblems : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aZeroPointThatNoCodeStandsFor()
    {
        const auto clamped = [](const Explained& run) { return run.problem("zero point clamped"); };
        const std::string input = inputRule("[\"aten.relu.default\"]");
        QVERIFY(clamped(relu(input, {-kInf, 1})).find("activation_post_process_0") != std::string::npos);
        QCOMPARE(clamped(relu(input, {-1, 1})), std::string());
        // what a histogram's search has cut off asks for nothing
        std::vector<float> values;
        for (int i = 0; i < 400; ++i)
            values.push_back(static_cast<float>(i % 20) / 20);
        values.push_back(-50);
        QCOMPARE(clamped(relu(withObserver(input, "HistogramObserver"), values)), std::string());
    }

    void aGivenZeroPointOutsideOfTheCodes()
    {
        const auto make = [](int zero) {
            Model m;
            m.output({m.call("aten.sigmoid.default", {ref(m.input("x"))})});
            return explained(m.module, fixedZeroPoint(zero), {}, oneBatch()).problem("zero point clamped");
        };
        QVERIFY(make(300).starts_with("the given zero point 300 of activation_post_process_0"));
        QCOMPARE(make(0), std::string());
    }

    void aBatchNormThatStillTrains()
    {
        QVERIFY(batchNorm(true).problem("batch norm in training mode").starts_with("batch_norm is still in training"));
        QCOMPARE(batchNorm(false).problem("batch norm in training mode"), std::string());
    }

    void everyFindingHasAKindAndAnEventToGoTo()
    {
        const Explained runs[] = {batchNorm(true),
                                  relu(inputRule("[\"aten.relu.default\"]"), {-kInf, 1}),
                                  relu(kXnnpack, {1, 2}),
                                  explainedCase("field_reasons", "c24_replaced"),
                                  explainedCase("field_reasons", "c28_chunk"),
                                  explainedCase("field_reasons", "c45_global"),
                                  explainedCase("field_reasons", "c16_cond")};
        int all = 0;
        for (const Explained& run : runs)
            for (const explain::Finding& f : run.answer.findings) {
                QVERIFY2(!f.kind.empty(), f.sentence.text().c_str());
                QVERIFY2(f.event >= 0 && f.event < static_cast<int>(run.recording->events.size()),
                         f.sentence.text().c_str());
                ++all;
            }
        QVERIFY(all >= 10);
    }

    void aFindingOfALabelGoesToWhoWroteIt()
    {
        const Explained run = explainedCase("field_reasons", "c20_eq_output_labelled");
        const auto found = std::ranges::find(run.answer.findings, "R7", &explain::Finding::code);
        QVERIFY(found != run.answer.findings.end());
        const trace::Event& e = run.recording->events[static_cast<std::size_t>(found->event)];
        QCOMPARE(e.kind, trace::EventKind::Annotate);
        QCOMPARE(e.nodes.front(), found->id);
    }

    void r3AnActivationThatIsNoModule()
    {
        const Explained run = x86("aten.relu.default", true);
        QCOMPARE(run.codeOf("relu"), std::string("R3"));
        QCOMPARE(run.codeOf("conv2d"), std::string("labelled"));
        const explain::NodeReason* reason = run.reason("relu");
        QCOMPARE(*reason->nearest, std::string("conv2d_unary"));
        QVERIFY(reason->sentence.text().find("wants torch.nn.modules.activation.ReLU") != std::string::npos);
        QCOMPARE(x86("aten.relu.default", false).codeOf("relu"), std::string("labelled"));
    }

    void r1AnActivationBehindNothingThatFuses()
    {
        const Explained run = x86("aten.relu.default", true, "aten.abs.default");
        QCOMPARE(run.codeOf("relu"), std::string("R1"));
        QVERIFY(run.reason("relu")->sentence.text().find("only behind") != std::string::npos);
    }

    void r1AConvWithoutARuleOfItsOwn()
    {
        const Explained run = x86("", true, "aten.conv1d.default");
        QCOMPARE(run.codeOf("conv1d"), std::string("R1"));
        QVERIFY(run.reason("conv1d")->sentence.text().find("only with an activation behind it") != std::string::npos);
        QCOMPARE(x86("aten.relu.default", false, "aten.conv1d.default").codeOf("conv1d"), std::string("labelled"));
    }

    void r2AConvThatWasDecomposed()
    {
        const auto make = [](const char* target, std::vector<std::int64_t> shape) {
            Model m;
            Node* w = m.attribute("w", Tensor::zeros(ir::DType::Float32, {3, 3, 1, 1}));
            m.output({m.call(target, {ref(m.input("x")), ref(w)}, tensorMeta(ir::DType::Float32, std::move(shape)))});
            return explained(m.module, kXnnpack);
        };
        const Explained run = make("aten.convolution.default", {1, 3, 2, 2});
        QCOMPARE(run.codeOf("convolution"), std::string("R2"));
        QVERIFY(run.reason("convolution")->toChange.text().find("exports aten.conv2d.default") != std::string::npos);
        QVERIFY(make("aten.convolution.default", {1, 3, 2}).reason("convolution")->toChange.text().find("conv1d")
                != std::string::npos);
        QCOMPARE(make("aten.conv2d.default", {1, 3, 2, 2}).codeOf("conv2d"), std::string("labelled"));
    }

    void r6AMemberOfAFusedPatternWithoutALabel()
    {
        const Explained run = explainedCase("cases", "conv_bn_relu.xnnpack_qat", "qat");
        const explain::NodeReason* reason = run.reason("batch_norm");
        QVERIFY(reason);
        QCOMPARE(reason->code, std::string("R6"));
        QVERIFY(reason->sentence.text().find("conv_bn_relu took batch_norm") != std::string::npos);
        QCOMPARE(run.codeOf("relu"), std::string("labelled"));
    }

    void aFunctionTypeIsReadUnderItsOp()
    {
        Model m;
        auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
        meta->nnModuleStack = {{"fc", "fc", "torch.nn.modules.linear.Linear"}};
        Node* w = m.attribute("w", Tensor::zeros(ir::DType::Float32, {3, 3}));
        m.output({m.call("aten.linear.default", {ref(m.input("x")), ref(w)}, meta)});
        const Explained run = explained(m.module, kFunctionType);
        QCOMPARE(run.answer.settings.size(), std::size_t{1});
        QVERIFY(run.answer.settings[0].read);
        QCOMPARE(run.answer.settings[0].reached, std::vector<std::string>{"linear"});
        QVERIFY(!run.hasFinding("R13"));
    }

    void anOperatorTypeIsNeverRead()
    {
        Model m;
        Node* x = m.input("x");
        m.output({m.call("aten.add.Tensor", {ref(x), ref(x)})});
        const Explained run = explained(m.module, kOperatorTypeNull);
        QCOMPARE(run.codeOf("add"), std::string("labelled")); // although the recipe says: not
        QVERIFY(run.problem("setting not read").starts_with("operator_type aten.add is stored, but no rule"));
    }

    void aSettingForAModuleThatIsNotThere()
    {
        const auto make = [](const char* name) {
            Model m;
            auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
            meta->nnModuleStack = {{"net.fc", "net.fc", "torch.nn.modules.linear.Linear"}};
            Node* w = m.attribute("w", Tensor::zeros(ir::DType::Float32, {3, 3}));
            m.output({m.call("aten.linear.default", {ref(m.input("x")), ref(w)}, meta)});
            return explained(m.module, moduleName(name));
        };
        QCOMPARE(make("fc").problem("setting of nothing"),
                 std::string("module_name fc reached no node; the model has net.fc"));
        QCOMPARE(make("net.fc").problem("setting of nothing"), std::string());
    }
};

QTEST_GUILESS_MAIN(TestProblems)
#include "tst_problems.moc"
