#include "numbers/what_if.h"

#include "case_run.h"

using namespace gb;
using numbers::Change;

namespace {

int quantizeNodes(const ir::GraphModule& model)
{
    int out = 0;
    for (const ir::Node* node = model.graph().first(); node; node = node->next())
        out += node->target().find("quantized_decomposed.quantize") == 0 ? 1 : 0;
    return out;
}

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_material = test::materialOfCase("tiny.xnnpack");
        QVERIFY(m_material);
        auto before = numbers::opErrors(*m_material);
        QVERIFY(before.ok());
        m_before = std::move(*before);
    }

    void noChangeIsTheSameModel()
    {
        const auto gain = numbers::tryOut(*m_material, m_before, {});
        QVERIFY(gain.ok());
        QCOMPARE(gain->after.noise, gain->before.noise);
        QCOMPARE(gain->after.largest, gain->before.largest);
    }

    /// Every op in float: nothing is quantized, and the output is the float model's, bit for bit.
    void allInFloatIsTheFloatModel()
    {
        std::vector<Change> changes;
        for (const auto& op : m_before.ops)
            if (op.target != op.name) // model inputs are no ops
                changes.push_back({Change::Kind::FloatOp, op.name});
        const auto model = numbers::changed(*m_material, changes);
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
        const auto converted = numbers::convertedCopy(**model);
        QVERIFY(converted.ok());
        QCOMPARE(quantizeNodes(**converted), 0);
        const auto gain = numbers::tryOut(*m_material, m_before, changes);
        QVERIFY(gain.ok());
        QVERIFY(gain->after.equal());
    }

    void anOpInFloatHasNoErrorOfItsOwn()
    {
        const auto gain = numbers::tryOut(*m_material, m_before, {{Change::Kind::FloatOp, "conv2d_1"}});
        QVERIFY(gain.ok());
        for (const auto& op : gain->report.ops)
            if (op.name == "conv2d_1")
                QVERIFY(!op.quantized);
        QVERIFY(gain->after.noise != gain->before.noise);
    }

    /// The same class and settings over the same values are the same model again.
    void theSameObserverIsTheSameModel()
    {
        const auto& modules = m_material->calibrated->module->modules();
        QVERIFY(!modules.empty());
        std::vector<Change> changes;
        for (const auto& [target, module] : modules) {
            const auto observer = std::dynamic_pointer_cast<quant::Observer>(module);
            changes.push_back({Change::Kind::Observer, target, numbers::constructorOf(*observer)});
        }
        const auto gain = numbers::tryOut(*m_material, m_before, changes);
        QVERIFY2(gain.ok(), gain.ok() ? "" : gain.error().text().c_str());
        QCOMPARE(gain->after.noise, gain->before.noise);
    }

    /// The run's own observers are not touched.
    void theRunStaysAsItWas()
    {
        const auto& [target, module] = *m_material->calibrated->module->modules().begin();
        const auto observer = std::dynamic_pointer_cast<quant::Observer>(module);
        const auto batches = observer->state().batches;
        const auto other = numbers::constructorOf(*observer);
        QVERIFY(numbers::tryOut(*m_material, m_before, {{Change::Kind::Observer, target, other}}).ok());
        QCOMPARE(observer->state().batches, batches);
        QVERIFY(m_material->calibrated->module->module(target) == module);
    }

    void aNarrowRangeClips()
    {
        std::string target;
        for (const auto& [name, module] : m_material->calibrated->module->modules())
            if (const auto o = std::dynamic_pointer_cast<quant::Observer>(module);
                o->settings().qscheme && !ir::isPerChannel(*o->settings().qscheme))
                target = name;
        QVERIFY(!target.empty());
        const auto gain = numbers::tryOut(*m_material, m_before, {{Change::Kind::Range, target, {}, -1e-3, 1e-3}});
        QVERIFY(gain.ok());
        QVERIFY(gain->after.noise > 10 * gain->before.noise);
    }

    void unknownSitesAreNamed_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("op") << static_cast<int>(Change::Kind::FloatOp);
        QTest::newRow("observer") << static_cast<int>(Change::Kind::FloatObserver);
        QTest::newRow("range") << static_cast<int>(Change::Kind::Range);
    }

    void unknownSitesAreNamed()
    {
        QFETCH(const int, kind);
        const auto result = numbers::changed(*m_material, {{static_cast<Change::Kind>(kind), "nowhere"}});
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, base::ErrorCode::NotFound);
        QVERIFY(result.error().sentence.find("\"nowhere\"") != std::string::npos);
    }

    void aRangeUpsideDownIsRefused()
    {
        const std::string target = m_material->calibrated->module->modules().begin()->first;
        const auto result = numbers::changed(*m_material, {{Change::Kind::Range, target, {}, 2, 1}});
        QCOMPARE(result.error().code, base::ErrorCode::Usage);
    }

    void gainsAreSorted()
    {
        const auto sheet = numbers::gainSheet(*m_material);
        QVERIFY(sheet.ok());
        double last = 1e9;
        for (const auto& row : sheet->rows) {
            const double gain = std::get<double>(row.cells[4]);
            QVERIFY(gain <= last);
            last = gain;
        }
        QVERIFY(sheet->rows.size() > 5);
    }

private:
    numbers::MaterialPtr m_material;
    numbers::ErrorReport m_before;
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
