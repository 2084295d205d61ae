#include "numbers/hand_mode.h"

#include "case_run.h"
#include "numbers/what_if.h"
#include "quant/observer.h"

using namespace gb;
using numbers::HandBench;

namespace {

/// The constructor of the observer that the API put behind a node.
ir::ObserverConstructor apiObserver(const numbers::Material& material, const std::string& producer)
{
    const ir::GraphModule& model = *material.calibrated->module;
    const ir::Node* node = model.graph().find(producer);
    for (const ir::Node* user : node ? node->users() : std::vector<ir::Node*>())
        if (const auto observer = std::dynamic_pointer_cast<quant::Observer>(model.module(user->target())))
            return numbers::constructorOf(*observer);
    return {};
}

ir::ObserverConstructor fakeQuantize()
{
    return {"FakeQuantize",
            {{"observer", "MinMaxObserver"}, {"dtype", ir::DType::Int8}, {"quant_min", -128}, {"quant_max", 127}}};
}

} // namespace

class TestHandMode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
    }

    /// conv and relu by hand, as the second lesson does it: observers on x, on the weight and behind relu, the batches,
    /// q/dq in the place of each, the weight folded. It is the API's model to the last bit.
    void theHandMadeConvReluIsTheApis()
    {
        HandBench bench(*m_material);
        std::vector<std::string> observers;
        for (const auto& [producer, consumer] : {std::pair{"conv_weight", "conv2d"}, {"x", "conv2d"}, {"relu", ""}}) {
            const auto made = bench.insert(apiObserver(*m_material, producer), producer, consumer);
            QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
            observers.push_back(*made);
        }
        QVERIFY(bench.calibrate().ok());
        for (const std::string& observer : observers) {
            const auto done = bench.replaceByQdq(observer);
            QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
        }
        const auto unfolded = bench.compareWithApi();
        QVERIFY(unfolded.ok());
        QVERIFY(unfolded->sameScales);
        QVERIFY(!unfolded->sameOps);
        QCOMPARE(unfolded->largestDifference, 0.0);
        const auto folded = bench.fold("quantize_per_channel_default");
        QVERIFY2(folded.ok(), folded.ok() ? "" : folded.error().text().c_str());
        const auto verdict = bench.compareWithApi();
        QVERIFY(verdict.ok());
        QVERIFY(verdict->sameScales);
        QVERIFY2(verdict->sameOps, verdict->notes.empty() ? "" : verdict->notes.front().c_str());
        QCOMPARE(verdict->largestDifference, 0.0);
        QVERIFY(verdict->notes.empty());
    }

    /// convert by hand on what prepare made: every observer replaced, every weight folded.
    void convertByHandOnPreparesObservers_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"conv_relu.xnnpack", "tiny.xnnpack"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void convertByHandOnPreparesObservers()
    {
        QFETCH(const QString, name);
        const auto material = test::materialOfCase(name.toStdString());
        QVERIFY(material);
        HandBench bench(*material);
        bench.takePrepared();
        const auto gap = bench.outputGap();
        QVERIFY(gap.ok() && gap->equal()); // observers change nothing
        const auto namesOf = [&bench](auto wanted) {
            std::vector<std::string> out;
            for (const ir::Node* node = bench.model().graph().first(); node; node = node->next())
                if (wanted(*node))
                    out.push_back(node->name());
            return out;
        };
        for (const std::string& observer : namesOf([](const ir::Node& n) { return n.op() == ir::Op::CallModule; })) {
            const auto done = bench.replaceByQdq(observer);
            QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
        }
        for (const std::string& quantize : namesOf([](const ir::Node& n) {
                 return n.target().starts_with("quantized_decomposed.quantize")
                        && n.graph().find(n.arg(0).nodeId())->op() == ir::Op::GetAttr;
             })) {
            const auto done = bench.fold(quantize);
            QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
        }
        const auto verdict = bench.compareWithApi();
        QVERIFY2(verdict.ok(), verdict.ok() ? "" : verdict.error().text().c_str());
        QVERIFY2(verdict->sameScales && verdict->sameOps, verdict->notes.empty() ? "" : verdict->notes[0].c_str());
        QCOMPARE(verdict->largestDifference, 0.0);
    }

    /// A tensor with two users has two dequantizes in the API's model, by a pass after the observers are replaced:
    /// other ops, the same values.
    void duplicatedDequantizesAreNamed()
    {
        const auto material = test::materialOfCase("residual.xnnpack");
        QVERIFY(material);
        HandBench bench(*material);
        bench.takePrepared();
        std::vector<std::string> observers;
        for (const ir::Node* node = bench.model().graph().first(); node; node = node->next())
            if (node->op() == ir::Op::CallModule)
                observers.push_back(node->name());
        for (const std::string& observer : observers)
            QVERIFY(bench.replaceByQdq(observer).ok());
        const auto verdict = bench.compareWithApi();
        QVERIFY(verdict.ok());
        QVERIFY(!verdict->sameOps);
        QCOMPARE(verdict->largestDifference, 0.0);
        QVERIFY(std::ranges::any_of(verdict->notes, [](const std::string& note) {
            return note.find("each user of a tensor a dequantize of its own") != std::string::npos;
        }));
    }

    /// The fake quantizes of a QAT run: with the roundings off the output is the float model's.
    void switchesOfAQatRun()
    {
        const auto read = io::loadPt2(GREENBOX_TEST_DATA "/cases/conv_relu.xnnpack.pt2");
        const auto recipe = io::readRecipe(GREENBOX_TEST_DATA "/cases/conv_bn.xnnpack_qat.recipe.json");
        QVERIFY(read.ok() && recipe.ok());
        engine::RunOptions options;
        options.isQat = true;
        options.keepCalibrated = true;
        options.threads = 1;
        const auto run =
            engine::run({"qat", read->module, read->torchVersion}, *recipe, options, m_material->calibration);
        QVERIFY2(run.calibrated, run.error ? run.error->text().c_str() : "");
        auto material = *m_material;
        material.calibrated = run.calibrated;
        HandBench bench(material);
        bench.takePrepared();
        const auto rounded = bench.outputGap();
        QVERIFY(rounded.ok() && !rounded->equal());
        QVERIFY(bench.setSwitches({}, true, false).ok());
        const auto exact = bench.outputGap();
        QVERIFY(exact.ok() && exact->equal());
    }

    void anotherObserverIsNotTheApis()
    {
        HandBench bench(*m_material);
        auto other = apiObserver(*m_material, "x");
        other.name = "MinMaxObserver";
        std::erase_if(other.arguments, [](const auto& argument) { return argument.first == "bins"; });
        const auto observer = bench.insert(other, "x", "conv2d");
        QVERIFY2(observer.ok(), observer.ok() ? "" : observer.error().text().c_str());
        QVERIFY(bench.calibrate().ok());
        QVERIFY(bench.replaceByQdq(*observer).ok());
        const auto verdict = bench.compareWithApi();
        QVERIFY(verdict.ok());
        QVERIFY(!verdict->sameScales);
        QVERIFY(!verdict->sameOps);
        QVERIFY(verdict->largestDifference > 0);
    }

    void undoGoesBack()
    {
        HandBench bench(*m_material);
        const std::size_t nodes = bench.model().graph().size();
        QVERIFY(!bench.canUndo());
        const auto observer = bench.insert(apiObserver(*m_material, "x"), "x", "conv2d");
        QVERIFY(observer.ok());
        QVERIFY(bench.calibrate().ok());
        const auto seen = std::dynamic_pointer_cast<quant::Observer>(bench.model().module(*observer));
        QCOMPARE(seen->state().batches, static_cast<std::int64_t>(m_material->calibration.size()));
        bench.undo();
        const auto before = std::dynamic_pointer_cast<quant::Observer>(bench.model().module(*observer));
        QCOMPARE(before->state().batches, std::int64_t(0));
        bench.undo();
        QCOMPARE(bench.model().graph().size(), nodes);
        QVERIFY(!bench.canUndo());
        QCOMPARE(bench.history().size(), std::size_t(1));
    }

    /// Both switches of a fake quantize: off, the model is the float one; on, it rounds.
    void theSwitchesOfAFakeQuantize()
    {
        HandBench bench(*m_material);
        const auto observer = bench.insert(fakeQuantize(), "x", "conv2d");
        QVERIFY2(observer.ok(), observer.ok() ? "" : observer.error().text().c_str());
        QVERIFY(bench.calibrate().ok());
        QVERIFY(bench.setSwitches(*observer, false, true).ok());
        const auto on = bench.outputGap();
        QVERIFY(on.ok() && !on->equal());
        QVERIFY(bench.setSwitches({}, false, false).ok());
        const auto off = bench.outputGap();
        QVERIFY(off.ok() && off->equal());
        const auto frozen = std::dynamic_pointer_cast<quant::Observer>(bench.model().module(*observer));
        QVERIFY(!frozen->observerEnabled() && !frozen->fakeQuantEnabled());
        QCOMPARE(bench.setSwitches("nowhere", true, true).error().code, base::ErrorCode::NotFound);
    }

    void whatIsNotThereIsNamed()
    {
        HandBench bench(*m_material);
        QCOMPARE(bench.insert(fakeQuantize(), "nowhere").error().code, base::ErrorCode::NotFound);
        QCOMPARE(bench.insert(fakeQuantize(), "x", "relu").error().code, base::ErrorCode::Usage);
        QCOMPARE(bench.replaceByQdq("x").error().code, base::ErrorCode::NotFound);
        QCOMPARE(bench.fold("relu").error().code, base::ErrorCode::Usage);
        QVERIFY(!bench.canUndo());
    }

private:
    numbers::MaterialPtr m_material;
};

QTEST_GUILESS_MAIN(TestHandMode)
#include "tst_hand_mode.moc"
