#include "passes/prepare.h"

#include "graph_builder.h"
#include "passes/convert.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using base::Status;
using trace::EventKind;

namespace {

/// Labels the output of every relu that it is given, and counts its calls.
class ReluQuantizer final : public quantizers::Quantizer {
public:
    [[nodiscard]] const char* kind() const override { return "test"; }
    [[nodiscard]] const char* className() const override { return "TestQuantizer"; }
    Status annotate(ir::GraphModule& model, trace::Recorder& /*recorder*/) override
    {
        graphs << QString::fromStdString(model.graph().path());
        for (ir::Node* n : model.graph().nodes()) {
            if (!n->calls("aten.relu.default"))
                continue;
            ir::Annotation a;
            a.output = int8();
            a.annotated = true;
            model.graph().setAnnotation(n, std::make_shared<const ir::Annotation>(std::move(a)));
        }
        return {};
    }
    Status validate(ir::GraphModule& /*model*/, trace::Recorder& /*recorder*/) override
    {
        return refuse ? Status(base::Error{ErrorCode::ValueError, "refused", {}}) : Status();
    }
    QStringList graphs;
    bool refuse = false;
};

/// A graph that hands a body with one relu to an op, at a place among its arguments.
struct WithBody {
    Model m;
    Model body;

    WithBody(const std::string& op, std::size_t place)
        : body("body")
    {
        ir::Node* a = body.input("a");
        body.output({body.call("aten.relu.default", {ref(a)})});
        m.module->setSubgraph("body", body.module);
        ir::Node* x = m.input("x");
        ir::Node* get = m.graph().append({.op = ir::Op::GetAttr, .target = "body"});
        std::vector<ir::Argument> args(place, ref(x));
        args.push_back(ref(get));
        ir::Node* call = m.graph().append({.target = op, .args = args, .nameHint = op});
        m.output({call});
        m.module->setListener(&m.recorder);
    }
};

Status prepareWith(Model& m, quantizers::Quantizer& quantizer, const passes::PrepareOptions& options = {})
{
    passes::PassContext context = m.context();
    passes::ScopeTable scopes;
    return passes::prepare(*m.module, quantizer, options, context, scopes);
}

} // namespace

class TestPrepare : public QObject {
    Q_OBJECT

private slots:
    void theQuantizerIsCalledBetweenItsStages()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.output({m.call("aten.relu.default", {ref(x)})});
        ReluQuantizer quantizer;
        QVERIFY(prepareWith(m, quantizer).ok());
        QStringList order;
        for (const trace::Event& e : m.recorder.recording().events)
            if (e.kind == EventKind::Stage || e.kind == EventKind::Pass)
                order << QString::fromStdString(e.name);
        QCOMPARE(order,
                 QStringList({"folded", "transform_for_annotation", "annotate", "annotated", "validate", "prepare"}));
        QVERIFY(m.graph().find("activation_post_process_0"));
    }

    void anErrorInValidateLeavesTheStageAnnotated()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.output({m.call("aten.relu.default", {ref(x)})});
        ReluQuantizer quantizer;
        quantizer.refuse = true;
        QCOMPARE(prepareWith(m, quantizer).error().code, ErrorCode::ValueError);
        QCOMPARE(m.recorder.recording().stages().back(), std::string("annotated"));
        QVERIFY(!m.graph().find("activation_post_process_0"));
    }

    void loopBodiesAreEnteredAndOthersAreNot_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("place");
        QTest::addColumn<bool>("entered");
        QTest::newRow("scan") << "scan" << 0 << true;
        QTest::newRow("while_loop") << "while_loop" << 1 << true;
        QTest::newRow("cond") << "cond" << 1 << false;
        QTest::newRow("no_grad") << "wrap_with_set_grad_enabled" << 1 << false;
    }
    void loopBodiesAreEnteredAndOthersAreNot()
    {
        QFETCH(QString, op);
        QFETCH(int, place);
        QFETCH(bool, entered);
        WithBody t(op.toStdString(), static_cast<std::size_t>(place));
        ReluQuantizer quantizer;
        QVERIFY(prepareWith(t.m, quantizer).ok());
        QCOMPARE(quantizer.graphs, entered ? QStringList({"", "body"}) : QStringList({""}));
        QCOMPARE(t.body.graph().find("activation_post_process_0") != nullptr, entered);
    }

    void qatDoesNotEnterLoopBodies()
    {
        WithBody t("while_loop", 1);
        ReluQuantizer quantizer;
        QVERIFY(prepareWith(t.m, quantizer, {true, {}}).ok());
        QCOMPARE(quantizer.graphs, QStringList({""}));
    }

    void aLoopWithoutABodyIsAnAssertionError()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.output({m.call("scan", {ref(x)})});
        ReluQuantizer quantizer;
        QCOMPARE(prepareWith(m, quantizer).error().code, ErrorCode::AssertionError);
    }

    void aBodysStagesNameItsGraph()
    {
        WithBody t("scan", 0);
        ReluQuantizer quantizer;
        QVERIFY(prepareWith(t.m, quantizer).ok());
        QStringList graphs;
        for (const trace::Event& e : t.m.recorder.recording().events)
            if (e.kind == EventKind::Stage && e.name == "annotated")
                graphs << QString::fromStdString(e.graph);
        QCOMPARE(graphs, QStringList({"", "body"}));
        QCOMPARE(t.m.recorder.recording().stages(), std::vector<std::string>({"folded", "annotated"}));
    }

    void aStopIsHeard()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.output({m.call("aten.relu.default", {ref(x)})});
        std::stop_source source;
        source.request_stop();
        passes::PassContext context{m.recorder, m.kernels, {source.get_token(), {}}};
        passes::ScopeTable scopes;
        ReluQuantizer quantizer;
        QCOMPARE(passes::prepare(*m.module, quantizer, {}, context, scopes).error().code, ErrorCode::Cancelled);
    }

    void aNodesScopeIsTheLastPartOfItsModulesPath()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* relu = m.call("aten.relu.default", {ref(x)});
        auto meta = std::make_shared<ir::NodeMeta>(relu->meta());
        meta->nnModuleStack = {{"root", "", "Net"}, {"block", "L['self'].block.conv1", "torch.nn.Conv2d"}};
        m.graph().setMeta(relu, std::move(meta));
        const auto scopes = passes::nodeScopes(m.graph());
        QCOMPARE(scopes.at("relu"), std::string("conv1"));
        QCOMPARE(scopes.at("x"), std::string());
    }

    void convertEntersTheSameBodiesFirst()
    {
        WithBody t("scan", 0);
        ReluQuantizer quantizer;
        passes::PassContext context = t.m.context();
        passes::ScopeTable scopes;
        QVERIFY(passes::prepare(*t.m.module, quantizer, {}, context, scopes).ok());
        QVERIFY(passes::convert(*t.m.module, true, context, scopes).ok());
        QVERIFY(t.body.graph().find("quantize_per_tensor_default"));
        QStringList converted;
        for (const trace::Event& e : t.m.recorder.recording().events)
            if (e.kind == EventKind::Pass && e.name == "convert")
                converted << QString::fromStdString(e.graph);
        QCOMPARE(converted, QStringList({"body", ""}));
    }
};

QTEST_GUILESS_MAIN(TestPrepare)
#include "tst_prepare.moc"
