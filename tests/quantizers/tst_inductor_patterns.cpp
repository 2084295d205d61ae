// Every fusion of the inductor quantizers, by table; their errors and their settings.
#include "quantizers/inductor/rule_call.h"
#include "quantizers/inductor/settings.h"

#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::flags;
using gb::test::ModelBuilder;

namespace {

struct Layer {
    const char* target;
    const char* type;
};

const std::map<std::string, Layer> kLayers = {
    {"conv1d", {"aten.conv1d.default", "torch.nn.modules.conv.Conv1d"}},
    {"conv2d", {"aten.conv2d.default", "torch.nn.modules.conv.Conv2d"}},
    {"same", {"aten.conv2d.padding", "torch.nn.modules.conv.Conv2d"}},
    {"linear", {"aten.linear.default", "torch.nn.modules.linear.Linear"}},
    {"bn", {"aten.batch_norm.default", "torch.nn.modules.batchnorm.BatchNorm2d"}},
    {"relu", {"aten.relu.default", "torch.nn.modules.activation.ReLU"}},
    {"hardtanh", {"aten.hardtanh.default", "torch.nn.modules.activation.Hardtanh"}},
    {"hardswish", {"aten.hardswish.default", "torch.nn.modules.activation.Hardswish"}},
    {"relu6", {"aten.relu6.default", "torch.nn.modules.activation.ReLU6"}},
    {"silu", {"aten.silu.default", "torch.nn.modules.activation.SiLU"}},
    {"leaky", {"aten.leaky_relu.default", "torch.nn.modules.activation.LeakyReLU"}},
    {"tanh", {"aten.tanh.default", "torch.nn.modules.activation.Tanh"}},
    {"gelu", {"aten.gelu.default", "torch.nn.modules.activation.GELU"}},
    {"sigmoid", {"aten.sigmoid.default", "torch.nn.modules.activation.Sigmoid"}},
};

/// Modules in a row; "add" adds x to what came before.
struct Row : ModelBuilder {
    explicit Row(const QString& layers)
    {
        for (const QString& layer : layers.split(' ')) {
            const std::string name = layer.toStdString();
            if (name == "add") {
                nodes.push_back(call("aten.add.Tensor", {nodes.back(), nodes.front()}));
                setSource(nodes.back(), "add", "_operator.add");
                continue;
            }
            const Layer& kind = kLayers.at(name);
            std::vector<ir::Node*> arguments = {nodes.back()};
            if (name == "conv1d" || name == "conv2d" || name == "same" || name == "linear")
                arguments.push_back(parameter(name + std::to_string(nodes.size()) + ".weight"));
            nodes.push_back(call(kind.target, arguments, "m" + std::to_string(nodes.size()), kind.type));
            setSource(nodes.back(), nodes.back()->name(), kind.type);
        }
        output({nodes.back()});
    }
    std::vector<ir::Node*> nodes = {input("x")};
};

Recipe recipe(const QString& kind, std::initializer_list<const char*> names = {})
{
    Recipe out;
    out.quantizer = kind.toStdString();
    out.global = Config(flags(names));
    return out;
}

} // namespace

class TestInductorPatterns : public QObject {
    Q_OBJECT

private slots:
    void patterns_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("qat");
        QTest::addColumn<QString>("layers");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<bool>("labelsTheEnd"); // with an output spec
        const auto row = [](const char* kind, bool qat, const char* layers, const char* rule) {
            QTest::addRow("%s %s%s", kind, layers, qat ? " qat" : "")
                << kind << qat << layers << rule << QString(rule).startsWith("qat");
        };
        for (const char* act : {"relu", "hardtanh", "hardswish", "relu6", "silu"}) {
            row("x86_inductor", false, qPrintable(QString("conv2d ") + act), "conv2d_unary");
            row("x86_inductor", true, qPrintable(QString("conv2d bn ") + act), "qat_conv2d_bn_unary");
        }
        for (const char* act : {"relu", "leaky", "tanh", "gelu"})
            row("x86_inductor", false, qPrintable(QString("linear ") + act), "linear_unary");
        row("x86_inductor", false, "conv1d relu", "conv2d_unary");
        row("x86_inductor", false, "conv2d add", "conv2d_binary");
        row("x86_inductor", false, "conv2d add relu", "conv2d_binary_unary");
        row("x86_inductor", false, "linear add", "linear_binary_unary");
        row("x86_inductor", false, "linear add relu", "linear_binary_unary");
        row("x86_inductor", true, "conv2d bn", "qat_conv2d_bn");
        row("x86_inductor", true, "conv2d bn add", "qat_conv2d_bn_binary");
        row("x86_inductor", true, "conv2d bn add relu", "qat_conv2d_bn_binary_unary");
        row("x86_inductor", true, "conv2d relu", "conv2d_unary");
        row("arm_inductor", false, "conv2d add", "conv2d_binary");
        row("arm_inductor", false, "linear relu", "linear_unary");
        row("arm_inductor", true, "conv2d bn", "qat_conv2d_bn");
        row("arm_inductor", true, "conv2d bn add", "qat_conv2d_bn_binary");
        row("x86_inductor", false, "linear", "linear");
        row("x86_inductor", false, "conv2d", "conv2d");
    }

    void patterns()
    {
        QFETCH(QString, kind);
        QFETCH(bool, qat);
        QFETCH(QString, layers);
        QFETCH(QString, rule);
        QFETCH(bool, labelsTheEnd);
        Row m(layers);
        GB_VERIFY_OK(m.run(qat ? recipe(kind, {"is_qat"}) : recipe(kind)));
        std::string chain;
        for (std::size_t i = 1; i < m.nodes.size(); ++i)
            chain += (i == 1 ? "" : "+") + m.nodes[i]->name();
        QCOMPARE(m.matches(rule.toStdString()), chain);
        QCOMPARE(m.nodes[1]->annotation()->inputs.size(), std::size_t{2});
        const ir::AnnotationPtr end = m.nodes.back()->annotation();
        QCOMPARE(end->extra.front().second, ir::Argument(true));
        QCOMPARE(end->output != nullptr, labelsTheEnd);
        for (std::size_t i = 1; qat && i < m.nodes.size(); ++i)
            QVERIFY(m.nodes[i]->isAnnotated());
    }

    void notPatterns_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("layers");
        QTest::addColumn<QString>("only");
        QTest::newRow("sigmoid is no activation of conv") << "x86_inductor"
                                                          << "conv2d sigmoid"
                                                          << "conv2d";
        QTest::newRow("silu is none of linear") << "x86_inductor"
                                                << "linear silu"
                                                << "linear";
        QTest::newRow("arm has no conv and relu") << "arm_inductor"
                                                  << "conv2d relu"
                                                  << "conv2d";
        QTest::newRow("arm has no linear and add") << "arm_inductor"
                                                   << "linear add"
                                                   << "linear";
        QTest::newRow("ptq knows no batch norm") << "x86_inductor"
                                                 << "conv2d bn"
                                                 << "conv2d";
    }

    void notPatterns()
    {
        QFETCH(QString, kind);
        QFETCH(QString, layers);
        QFETCH(QString, only);
        Row m(layers);
        GB_VERIFY_OK(m.run(recipe(kind)));
        QCOMPARE(m.matches(only.toStdString()), m.nodes[1]->name());
        QVERIFY(!m.nodes[2]->annotation());
        QCOMPARE(m.nodes[1]->annotation()->extra.front().second, ir::Argument(true));
    }

    void aConvWithPaddingSameIsAValueErrorWhenAlone()
    {
        Row m("same");
        GB_COMPARE_ERROR(m.run(recipe("x86_inductor")), ValueError);
    }

    void refusedFusionOfAnotherConv()
    {
        Row m("same relu");
        GB_COMPARE_ERROR(m.run(recipe("x86_inductor")), ValueError); // conv2d, after its fusions
        GB_COMPARE_REFUSAL(m.attempt("conv2d_unary", m.nodes[1]), "target", "R2");
    }

    void anUnusedConvIsAnIndexError()
    {
        Row m("conv2d");
        m.graph().setArgs(m.graph().output(), {ir::Argument::tuple({})});
        GB_COMPARE_ERROR(m.run(recipe("x86_inductor")), IndexError);
    }

    void aNullConfigMarksThePattern_data()
    {
        QTest::addColumn<QString>("layers");
        QTest::newRow("conv, add, relu") << "conv2d add relu";
        QTest::newRow("conv, batch norm, relu") << "conv2d bn relu";
        QTest::newRow("conv, batch norm") << "conv2d bn";
    }

    void aNullConfigMarksThePattern()
    {
        QFETCH(QString, layers);
        Row m(layers);
        Recipe r;
        r.quantizer = "x86_inductor";
        r.moduleName = {{"", Config()}};
        for (ir::Node* node : m.nodes)
            if (node->op() == ir::Op::CallFunction) {
                auto meta = std::make_shared<ir::NodeMeta>(node->meta());
                meta->nnModuleStack.insert(meta->nnModuleStack.begin(), {"top", "", "models.Top"});
                m.graph().setMeta(node, meta);
            }
        GB_VERIFY_OK(m.run(r));
        for (std::size_t i = 1; i < m.nodes.size(); ++i) {
            QCOMPARE(m.label(m.nodes[i]), std::string("in out none marked"));
            QCOMPARE(m.nodes[i]->annotation()->extra.front().second, ir::Argument(false));
        }
    }

    void severalOpsOfTheFilterInOnePatternAreNotImplemented()
    {
        Row m("conv2d linear");
        const auto byType = inductor::operatorTypeFilter("aten.conv2d.default");
        QCOMPARE(byType.accepts({m.nodes[1], m.nodes[2]}).value(), true);
        QCOMPARE(byType.accepts({m.nodes[2]}).value(), false);
        GB_COMPARE_ERROR(byType.accepts({m.nodes[1], m.nodes[1]}), NotImplementedError);
        const auto global = inductor::globalConfigFilter(inductor::x86Backend());
        GB_COMPARE_ERROR(global.accepts({m.nodes[1], m.nodes[2]}), NotImplementedError);
        QCOMPARE(global.accepts({m.nodes[1]}).value(), true);
        QCOMPARE(inductor::moduleNameListFilter("m1").accepts({m.nodes[1], m.nodes[2]}).value(), false);
        QCOMPARE(inductor::moduleNameListFilter("m1").accepts({m.nodes[1]}).value(), true);
    }

    void anAnnotationOfAnotherQuantizerIsAnAssertionError()
    {
        Row m("relu");
        ir::Annotation foreign;
        foreign.annotated = true;
        m.graph().setAnnotation(m.nodes[1], std::make_shared<const ir::Annotation>(foreign));
        GB_COMPARE_ERROR(inductor::isQuantizedOp(*m.nodes[1]), AssertionError);
        QCOMPARE(inductor::isQuantizedOp(*m.nodes[0]).value(), false);
    }

    void namesComeBeforeOperatorTypesBeforeTheGlobalConfig()
    {
        Row m("linear linear linear");
        Recipe r = recipe("x86_inductor");
        r.functionType = {{"torch.nn.functional.linear", flags({})}};
        r.moduleName = {{"m2", Config()}};
        GB_VERIFY_OK(m.run(r));
        QCOMPARE(m.label(m.nodes[2]), std::string("in out none marked"));
        std::vector<std::string> settings;
        for (const trace::Event& event : m.events())
            if (event.kind == trace::EventKind::Rule && event.name == "matmul")
                settings.push_back(event.text("setting"));
        QCOMPARE(settings, (std::vector<std::string>{"module_name m2", "operator_type aten.linear.default", "global"}));
    }

    void skippedSettingsAreNoted()
    {
        Row m("linear");
        Recipe r = recipe("arm_inductor");
        r.functionType = {{"torch.mul", flags({})}};
        r.moduleName = {{"m1", flags({"is_qat"})}};
        GB_VERIFY_OK(m.run(r));
        const auto notes = std::ranges::count_if(m.events(), [](const trace::Event& event) {
            return event.kind == trace::EventKind::Note && event.name == "setting_skipped";
        });
        QCOMPARE(notes, 2);
    }
};

QTEST_GUILESS_MAIN(TestInductorPatterns)
#include "tst_inductor_patterns.moc"
