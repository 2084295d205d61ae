// Where two runs part.
#include "numbers/parting.h"

#include "case_run.h"

#include <algorithm>

using namespace gb;

namespace {

quantizers::Recipe recipeOf(const char* name)
{
    auto recipe = io::readRecipe(std::string(GREENBOX_TEST_DATA "/cases/") + name + ".recipe.json");
    return recipe.ok() ? *recipe : quantizers::Recipe();
}

bool says(const numbers::Sheet& sheet, const std::string& part)
{
    return std::ranges::any_of(sheet.notes,
                               [&](const base::Message& note) { return note.text().find(part) != std::string::npos; });
}

} // namespace

class TestParting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_material = test::materialOfCase("tiny.xnnpack");
        QVERIFY(m_material);
    }

    void aRunDoesNotPartFromItself()
    {
        const auto again = numbers::runWith(*m_material, recipeOf("tiny.xnnpack"));
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
        const auto parting = numbers::partingOf(*m_material, **again);
        QVERIFY2(parting.ok(), parting.ok() ? "" : parting.error().text().c_str());
        QVERIFY(parting->firstDifferent.empty());
        QVERIFY(parting->onlyFirst.empty() && parting->onlySecond.empty());
        QVERIFY(parting->output.count > 0 && parting->output.equal());
        QVERIFY(says(numbers::partingSheet(*parting), "do not part"));
        const auto sheet = numbers::recordingsSheet(m_material->recording, (*again)->recording);
        QVERIFY(sheet.ok());
        QVERIFY(says(*sheet, "do not part"));
        for (const numbers::SheetRow& row : sheet->rows)
            QVERIFY(!std::get<bool>(row.cells.back()));
    }

    /// X86InductorQuantizer takes uint8 for activations where XNNPACK takes int8, so the input's scale is another.
    void anotherQuantizerPartsAtTheInput()
    {
        const auto other = numbers::runWith(*m_material, recipeOf("tiny.x86"));
        QVERIFY2(other.ok(), other.ok() ? "" : other.error().text().c_str());
        const auto parting = numbers::partingOf(*m_material, **other);
        QVERIFY(parting.ok());
        const auto input = parting->ops.front();
        QCOMPARE(input.name, std::string("x"));
        QVERIFY(input.first.starts_with("int8") && input.second.starts_with("uint8"));
        QVERIFY(!parting->firstDifferent.empty());
        const numbers::Sheet sheet = numbers::partingSheet(*parting);
        QCOMPARE(sheet.rows.size(), parting->ops.size());
        QVERIFY(says(sheet, "the first op at which the runs part: " + parting->firstDifferent));
    }

    /// Against the float model the first op that differs is the one that opErrors() names.
    void theFloatModelPartsWhereTheErrorsSay()
    {
        const auto floats = numbers::withoutObservers(*m_material->calibrated->module);
        const auto converted = numbers::convertedCopy(*m_material->calibrated);
        QVERIFY(converted.ok());
        const auto parting = numbers::partingOf(*floats, **converted, m_material->checkBatches(), 1);
        QVERIFY(parting.ok());
        QVERIFY(parting->ops.front().first.empty() && !parting->ops.front().second.empty());
        const numbers::Sheet sheet = numbers::partingSheet(*parting);
        QVERIFY(says(sheet, parting->firstDifferent));
        QCOMPARE(numbers::partingOf(*floats, **converted, {}).error().code, base::ErrorCode::Usage);
    }

    void recordingsAreHeldObserverByObserver()
    {
        const auto other = numbers::runWith(*m_material, recipeOf("tiny.x86"));
        QVERIFY(other.ok());
        const auto sheet = numbers::recordingsSheet(m_material->recording, (*other)->recording);
        QVERIFY(sheet.ok());
        QVERIFY(says(*sheet, "the first observer at which the runs part"));
        QVERIFY(std::ranges::any_of(sheet->rows, [](const auto& row) { return std::get<bool>(row.cells.back()); }));
    }

    /// The same observers on fewer batches: ranges part where the batches end.
    void fewerBatchesAreSeen()
    {
        auto fewer = *m_material;
        fewer.calibration.resize(1);
        QVERIFY(m_material->calibration.size() > 1);
        const auto other = numbers::runWith(fewer, recipeOf("tiny.xnnpack"));
        QVERIFY(other.ok());
        const auto sheet = numbers::recordingsSheet(m_material->recording, (*other)->recording);
        QVERIFY(sheet.ok());
        QVERIFY(says(*sheet, "from step 1 on"));
    }

private:
    numbers::MaterialPtr m_material;
};

QTEST_GUILESS_MAIN(TestParting)
#include "tst_parting.moc"
