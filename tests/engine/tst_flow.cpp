#include "engine/run.h"

#include "../passes/graph_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;
using ir::Tensor;
using trace::EventKind;

namespace {

/// relu(x * w), with a recipe that labels input and output of the relu.
std::shared_ptr<ir::GraphModule> reluModule(const char* op = "aten.relu.default")
{
    Model m;
    ir::Node* w = m.attribute("net.w", Tensor::fromVector(std::vector<float>{1.0F, -2.0F, 3.0F}));
    ir::Node* x = m.input("x");
    ir::Node* mul = m.call("aten.mul.Tensor", {ref(x), ref(w)});
    ir::Node* relu = m.call(op, {ref(mul)});
    m.output({relu});
    m.module->setListener(nullptr);
    return m.module;
}

quantizers::Rule ruleFor(const std::string& target, bool withSpec = true)
{
    quantizers::Rule rule;
    rule.name = "relu";
    rule.pattern = {{target}};
    if (withSpec) {
        rule.inputs.push_back({0, {0}, int8Spec(), "act"});
        rule.outputs.push_back({0, int8Spec(), "act"});
    }
    return rule;
}

quantizers::Recipe recipeFor(const std::string& target = "aten.relu.default")
{
    quantizers::Recipe recipe;
    recipe.quantizer = "rules";
    recipe.rules = {ruleFor(target)};
    recipe.json = R"({"quantizer":"rules"})";
    return recipe;
}

std::vector<engine::Batch> batches(int count = 2)
{
    std::vector<engine::Batch> out;
    for (int i = 1; i <= count; ++i) {
        const auto f = static_cast<float>(i);
        out.push_back({ops::Value(Tensor::fromVector(std::vector<float>{f, -f, 0.5F, 2 * f, 1.0F, -1.0F}, {2, 3}))});
    }
    return out;
}

engine::RunResult run(std::shared_ptr<const ir::GraphModule> module, const engine::RunOptions& options = {},
                      const quantizers::Recipe& recipe = recipeFor(), const base::Work& work = {},
                      std::vector<engine::Batch> inputs = batches())
{
    return engine::run({"model", std::move(module), "2.14.1"}, recipe, options, inputs, work);
}

QStringList stages(const engine::RunResult& result)
{
    QStringList out;
    for (const std::string& s : result.recording->stages())
        out << QString::fromStdString(s);
    return out;
}

int count(const engine::RunResult& result, EventKind kind)
{
    return static_cast<int>(std::ranges::count(result.recording->events, kind, &trace::Event::kind));
}

const Tensor* output(const engine::RunResult& result, const std::string& name)
{
    for (const auto& [key, tensor] : result.outputs)
        if (key == name)
            return &tensor;
    return nullptr;
}

} // namespace

class TestRun : public QObject {
    Q_OBJECT

private slots:
    void aWholeRunReachesEveryStage()
    {
        const auto result = run(reluModule());
        QVERIFY2(!result.error, result.error ? result.error->text().c_str() : "");
        QCOMPARE(stages(result),
                 QStringList({"exported", "folded", "annotated", "prepared", "calibrated", "converted"}));
        QVERIFY(output(result, "float.0") && output(result, "prepared.0") && output(result, "converted.0"));
    }

    void observersChangeNothing()
    {
        const auto result = run(reluModule());
        QCOMPARE(output(result, "prepared.0")->toDoubles(), output(result, "float.0")->toDoubles());
        bool told = false;
        for (const trace::Event& e : result.recording->events)
            if (e.kind == EventKind::Compare && e.text("what") == "float and prepared output") {
                told = true;
                QVERIFY(*e.field("equal")->as<bool>());
            }
        QVERIFY(told);
    }

    void everyBatchIsAScopeWithWhatItsObserversSaw()
    {
        const auto result = run(reluModule(), {}, recipeFor(), {}, batches(3));
        QCOMPARE(count(result, EventKind::Batch), 3);
        QCOMPARE(count(result, EventKind::Observe), 6);
        QCOMPARE(count(result, EventKind::QParams), 2);
        const auto& events = result.recording->events;
        for (const trace::Event& e : events)
            if (e.kind == EventKind::Observe) {
                QCOMPARE(events[static_cast<std::size_t>(e.parent)].kind, EventKind::Batch);
                QVERIFY(e.record && e.record->state.minVal);
            }
    }

    void everyBatchKeepsTheStateOfItsTime()
    {
        quantizers::Recipe recipe = recipeFor();
        recipe.rules[0].inputs = {{0, {0}, int8Spec("HistogramObserver"), "act"}};
        recipe.rules[0].outputs = {{0, int8Spec("HistogramObserver"), "act"}};
        const auto result = run(reluModule(), {}, recipe, {}, batches(3));
        QVERIFY(!result.error);
        std::map<std::string, std::vector<const quant::ObserverState*>> states;
        for (const trace::Event& e : result.recording->events)
            if (e.kind == EventKind::Observe) {
                QVERIFY(e.record && e.record->state.qparams && e.record->state.histogram);
                states[e.record->target].push_back(&e.record->state);
            }
        QCOMPARE(states.size(), std::size_t{2});
        for (const auto& [target, of] : states) {
            QCOMPARE(of.size(), std::size_t{3});
            for (std::size_t batch = 0; batch < 3; ++batch) {
                QCOMPARE(of[batch]->batches, static_cast<std::int64_t>(batch + 1));
                QVERIFY(batch == 0 || of[batch]->qparams->scale.at(0) > of[batch - 1]->qparams->scale.at(0));
            }
        }
    }

    void theProgramGivenIsNotChanged()
    {
        const auto module = reluModule();
        const std::size_t before = module->graph().size();
        const auto result = run(module);
        QVERIFY(!result.error);
        QCOMPARE(module->graph().size(), before);
        QVERIFY(module->modules().empty());
        QVERIFY(!module->graph().find("relu")->annotation());
    }

    void aRunCanEndAfterAStage_data()
    {
        QTest::addColumn<QString>("stage");
        for (const char* stage : {"exported", "folded", "annotated", "prepared", "calibrated", "converted"})
            QTest::newRow(stage) << QString::fromLatin1(stage);
    }
    void aRunCanEndAfterAStage()
    {
        QFETCH(QString, stage);
        engine::RunOptions options;
        options.stopAfter = stage.toStdString();
        const auto result = run(reluModule(), options);
        QVERIFY(!result.error);
        QCOMPARE(stages(result).last(), stage);
    }

    void anUnknownStageIsAUsageError()
    {
        engine::RunOptions options;
        options.stopAfter = "quantized";
        const auto result = run(reluModule(), options);
        QCOMPARE(result.error->code, ErrorCode::Usage);
    }

    void aBatchThatIsNotThereIsAUsageError()
    {
        engine::RunOptions options;
        options.calibrate = std::vector<std::int64_t>{0, 2};
        const auto result = run(reluModule(), options);
        QCOMPARE(result.error->code, ErrorCode::Usage);
        QVERIFY(QString::fromStdString(result.error->text()).contains("2"));
    }

    void calibratingOnChosenBatchesSeesTheseAlone()
    {
        engine::RunOptions options;
        options.calibrate = std::vector<std::int64_t>{1};
        const auto result = run(reluModule(), options);
        QVERIFY(!result.error);
        QCOMPARE(count(result, EventKind::Batch), 1);
        QVERIFY(!output(result, "prepared.0"));
        QVERIFY(result.recording->header.calibrateGiven);
    }

    void calibratingOnNothingConverts()
    {
        engine::RunOptions options;
        options.calibrate = std::vector<std::int64_t>{};
        const auto result = run(reluModule(), options);
        QVERIFY(!result.error);
        QCOMPARE(stages(result).last(), QString("converted"));
    }

    void noBatchesAtAllStillPrepare()
    {
        const auto result = run(reluModule(), {}, recipeFor(), {}, {});
        QVERIFY(!result.error);
        QVERIFY(result.outputs.empty());
        QVERIFY(stages(result).contains("prepared"));
    }

    /// Labels and the prepared graph are there; calibration is where it ends, with op and node.
    void anOpWithoutKernelStopsCalibrationAndNothingBefore()
    {
        const auto result = run(reluModule("aten.unheard_of.default"), {}, recipeFor("aten.unheard_of.default"));
        QVERIFY(result.error.has_value());
        QCOMPARE(result.error->code, ErrorCode::NoKernel);
        QVERIFY(QString::fromStdString(result.error->text()).contains("aten.unheard_of.default"));
        QVERIFY(QString::fromStdString(result.error->text()).contains("unheard_of"));
        QCOMPARE(stages(result).last(), QString("prepared"));
        QVERIFY(result.recording->failure.has_value());
        QCOMPARE(count(result, EventKind::Insert), 2);
    }

    void anErrorOfTheQuantizerIsInTheRecording()
    {
        quantizers::Recipe recipe = recipeFor();
        recipe.rules[0].outputs[0].spec = quantizers::RuleShared{quantizers::RuleOutput{0}};
        const auto result = run(reluModule(), {}, recipe);
        QVERIFY(result.error.has_value());
        QCOMPARE(stages(result).last(), QString("annotated"));
        QCOMPARE(count(result, EventKind::Error), 1);
    }

    void aStopBeforeTheStartEndsAtOnce()
    {
        std::stop_source source;
        source.request_stop();
        const auto result = run(reluModule(), {}, recipeFor(), {source.get_token(), {}});
        QCOMPARE(result.error->code, ErrorCode::Cancelled);
        QVERIFY(result.recording);
    }

    void aStopDuringCalibrationEndsWithin100Milliseconds()
    {
        std::stop_source source;
        QElapsedTimer timer;
        base::Work work{source.get_token(), [&](int, const std::string& stage) {
                            if (stage.starts_with("calibrate") && !source.stop_requested()) {
                                source.request_stop();
                                timer.start();
                            }
                        }};
        const auto result = run(reluModule(), {}, recipeFor(), work, batches(2000));
        QCOMPARE(result.error->code, ErrorCode::Cancelled);
        QVERIFY(timer.isValid());
        QVERIFY2(timer.elapsed() < 100, qPrintable(QString::number(timer.elapsed())));
    }

    void progressGoesUpToItsEnd()
    {
        std::vector<int> seen;
        base::Work work{{}, [&](int thousandths, const std::string&) { seen.push_back(thousandths); }};
        QVERIFY(!run(reluModule(), {}, recipeFor(), work).error);
        QVERIFY(std::ranges::is_sorted(seen));
        QCOMPARE(seen.back(), 1000);
    }

    void aWrongInputIsTorchsErrorAfterPrepare()
    {
        std::vector<engine::Batch> wrong{{ops::Value(Tensor::zeros(ir::DType::Float32, {2, 4}))}};
        const auto result = run(reluModule(), {}, recipeFor(), {}, wrong);
        QCOMPARE(result.error->code, ErrorCode::RuntimeError);
        QCOMPARE(stages(result).last(), QString("prepared"));
    }

    void theHeaderSaysHowItWasRun()
    {
        engine::RunOptions options;
        options.isQat = true;
        options.foldQuantize = false;
        options.producerVersion = "1.2.3";
        const auto result = run(reluModule(), options);
        const trace::Header& header = result.recording->header;
        QCOMPARE(header.mode, std::string("qat"));
        QCOMPARE(header.producerVersion, std::string("1.2.3"));
        QCOMPARE(header.torchVersion, std::string("2.14.1"));
        QVERIFY(!header.foldQuantize);
        QVERIFY(!header.calibrateGiven);
    }

    /// The oracle takes QAT's prepared output in one more run, after all batches.
    void qatRunsTheFirstBatchOnceMore()
    {
        engine::RunOptions options;
        options.isQat = true;
        const auto result = run(reluModule(), options);
        QCOMPARE(count(result, EventKind::Batch), 3);
        QVERIFY(output(result, "prepared.0"));
    }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_flow.moc"
