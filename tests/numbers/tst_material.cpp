#include "numbers/material.h"

#include "case_run.h"
#include "engine/outputs.h"
#include "numbers/site_values.h"
#include "ops/interpreter.h"
#include "trace/replay.h"

#include <map>

using namespace gb;

namespace {

engine::NamedTensors outputsOf(const std::shared_ptr<const ir::GraphModule>& model, const engine::Batch& batch,
                               const char* prefix)
{
    ops::Interpreter interpreter(model, std::make_shared<const ops::KernelTable>(ops::KernelTable::all()), 1);
    const auto out = interpreter.run(batch);
    return out ? engine::namedOutputs(prefix, *out) : engine::NamedTensors();
}

int observersIn(const ir::GraphModule& model)
{
    int out = 0;
    for (const ir::Node* node = model.graph().first(); node; node = node->next())
        out += node->op() == ir::Op::CallModule ? 1 : 0;
    for (const auto& [target, sub] : model.subgraphs())
        out += observersIn(*sub);
    return out;
}

std::map<std::string, int> targetsOf(const ir::Graph& graph)
{
    std::map<std::string, int> out;
    for (const ir::Node* node = graph.first(); node; node = node->next())
        ++out[node->target()];
    return out;
}

void cases()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"conv_relu.xnnpack", "residual.xnnpack", "tiny.xnnpack", "inplace.xnnpack",
                             "linear.xnnpack_dynamic", "gru.xnnpack", "vit_block.xnnpack"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

} // namespace

class TestMaterial : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Without its observers the prepared model gives what it gives with them, and nodes keep their numbers.
    void withoutObserversNothingChanges_data() { cases(); }
    void withoutObserversNothingChanges()
    {
        QFETCH(const QString, name);
        const auto material = test::materialOfCase(name.toStdString());
        QVERIFY(material);
        const ir::GraphModule& prepared = *material->calibrated->module;
        QVERIFY(observersIn(prepared) > 0);
        const auto floats = numbers::withoutObservers(prepared);
        QCOMPARE(observersIn(*floats), 0);
        for (const ir::Node* node = floats->graph().first(); node; node = node->next()) {
            const ir::Node* same = prepared.graph().find(node->id());
            QVERIFY(same);
            QCOMPARE(same->name(), node->name());
        }
        const auto with = outputsOf(prepared.clone(), material->calibration[0], "x");
        const auto without = outputsOf(floats, material->calibration[0], "x");
        QVERIFY(!with.empty());
        QVERIFY(engine::difference(with, without).equal);
    }

    /// convert on the copy is the run's own convert.
    void theConvertedCopyIsTheRuns_data() { cases(); }
    void theConvertedCopyIsTheRuns()
    {
        QFETCH(const QString, name);
        const auto material = test::materialOfCase(name.toStdString());
        QVERIFY(material);
        const auto before = targetsOf(material->calibrated->module->graph());
        const auto copy = numbers::convertedCopy(*material->calibrated);
        QVERIFY2(copy.ok(), copy.ok() ? "" : copy.error().text().c_str());
        QCOMPARE(targetsOf(material->calibrated->module->graph()), before);
        trace::Replay replay(material->recording);
        const auto moment = replay.at(material->recording->stageEvent("converted"));
        QVERIFY(moment.ok());
        QCOMPARE(targetsOf((*copy)->graph()), targetsOf(*(*moment)->top().graph));
    }

    void valuesAreThoseOfTheBatches()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(material);
        const auto floats = numbers::withoutObservers(*material->calibrated->module);
        const auto x = numbers::valuesOf(*material, *floats, floats->graph().find("x")->id(), material->calibration);
        QVERIFY(x.ok());
        QCOMPARE(x->size(), material->calibration.size());
        for (std::size_t b = 0; b < x->size(); ++b)
            QCOMPARE((*x)[b].toDoubles(), material->calibration[b][0].tensor()->toDoubles());
        const auto relu =
            numbers::valuesOf(*material, *floats, floats->graph().find("relu")->id(), material->calibration);
        QVERIFY(relu.ok());
        const auto output = outputsOf(floats, material->calibration[2], "x");
        QCOMPARE((*relu)[2].toDoubles(), output[0].second.toDoubles());
    }

    void aWeightIsTheSameInEachBatch()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        const auto floats = numbers::withoutObservers(*material->calibrated->module);
        const ir::Node* weight = floats->graph().find("conv_weight");
        const auto values = numbers::valuesOf(*material, *floats, weight->id(), material->calibration);
        QVERIFY(values.ok());
        QCOMPARE(values->size(), material->calibration.size());
        QVERIFY((*values)[0].sharesStorage(floats->attribute(weight->target())->value));
    }

    void aNodeThatIsNotThereIsNamed()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        const auto floats = numbers::withoutObservers(*material->calibrated->module);
        const auto values = numbers::valuesOf(*material, *floats, 123456, material->calibration);
        QVERIFY(!values.ok());
        QCOMPARE(values.error().code, base::ErrorCode::NotFound);
    }

    void aStopIsHeard()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        const auto floats = numbers::withoutObservers(*material->calibrated->module);
        std::stop_source stop;
        stop.request_stop();
        const auto values = numbers::valuesOf(*material, *floats, floats->graph().find("relu")->id(),
                                              material->calibration, {stop.get_token()});
        QCOMPARE(values.error().code, base::ErrorCode::Cancelled);
    }

    void theCheckSetIsTheCalibrationWhereNoneIsGiven()
    {
        numbers::Material material;
        material.calibration.resize(3);
        QCOMPARE(material.checkBatches().size(), std::size_t(3));
        material.check.resize(1);
        QCOMPARE(material.checkBatches().size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestMaterial)
#include "tst_material.moc"
