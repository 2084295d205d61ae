// The trained classifier of samples/, and the same with one layer spoiled: the list finds the layer, and leaving it in
// float brings the accuracy back.
#include "case_run.h"
#include "numbers/what_if.h"

using namespace gb;
using numbers::Change;
using numbers::MaterialPtr;

namespace {

MaterialPtr digits(const std::string& name)
{
    const std::string folder = GREENBOX_SOURCE_DIR "/samples/";
    auto made = test::materialOf(folder + "models/" + name + ".pt2", folder + "recipes/xnnpack_per_tensor.json",
                                 folder + "inputs/digits.npz");
    const auto program = io::loadPt2(folder + "models/" + name + ".pt2");
    const auto check = program ? io::readBatches(folder + "inputs/digits_check.npz", *program)
                               : base::Result<std::vector<io::Batch>>(program.error());
    if (!made || !check)
        return nullptr;
    auto out = std::make_shared<numbers::Material>(*made);
    for (const auto& leaves : *check) {
        engine::Batch batch;
        for (const io::Leaf& leaf : leaves)
            batch.push_back(test::valueOf(leaf));
        out->check.push_back(std::move(batch));
    }
    return out;
}

std::string firstOf(const numbers::ErrorReport& report)
{
    return numbers::cellText(numbers::errorSheet(report).rows.front().cells[0]);
}

/// conv2 with the relu and the pool on its scale, and the conv that reads it.
std::vector<Change> layerInFloat()
{
    std::vector<Change> out;
    for (const char* op : {"conv2d_1", "relu_1", "max_pool2d", "conv2d_2"})
        out.push_back({Change::Kind::FloatOp, op});
    return out;
}

} // namespace

class TestDigits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSoundNetworkKeepsItsAnswers()
    {
        const auto material = digits("digits");
        QVERIFY(material);
        const auto report = numbers::opErrors(*material);
        QVERIFY(report.ok());
        QCOMPARE(report->rows, std::int64_t(360));
        QVERIFY(report->agreed >= 359);
        for (const auto& op : report->ops)
            QVERIFY2(!op.quantized || *op.local.typicalSqnr() > 35, op.name.c_str());
    }

    /// One output channel of conv2 is 100 times as loud: the others drown in its scale.
    void aScaledChannelIsFoundAndMended()
    {
        const auto material = digits("digits_scaled");
        QVERIFY(material);
        const auto report = numbers::opErrors(*material);
        QVERIFY(report.ok());
        QCOMPARE(firstOf(*report), std::string("relu_1")); // conv2's output is observed behind its relu
        QVERIFY(report->agreed < 350);
        const auto gain = numbers::tryOut(*material, *report, layerInFloat());
        QVERIFY2(gain.ok(), gain.ok() ? "" : gain.error().text().c_str());
        QVERIFY(gain->agreedAfter >= 359);
        QVERIFY(*gain->after.sqnr() > *gain->before.sqnr() + 20);
    }

    /// One range is cut to a tenth: the op whose output it is comes first, and float brings the answers back.
    void aClippedRangeIsFoundAndMended()
    {
        const auto sound = digits("digits");
        QVERIFY(sound);
        const ir::Node* relu = sound->calibrated->module->graph().find("relu_1");
        QVERIFY(relu && !relu->users().empty());
        const auto clipped =
            numbers::changed(*sound, {{Change::Kind::Range, relu->users().front()->target(), {}, 0, 0.3}});
        QVERIFY(clipped.ok());
        numbers::Material spoiled = *sound;
        spoiled.calibrated = *clipped;
        const auto report = numbers::opErrors(spoiled);
        QVERIFY(report.ok());
        const std::string first = firstOf(*report);
        QVERIFY2(first == "relu_1" || first == "max_pool2d", first.c_str()); // both are on this scale
        for (const auto& op : report->ops)
            if (op.name == "relu_1")
                QVERIFY(*op.clipping->sqnr() < *op.rounding->sqnr());
        QVERIFY(report->agreed < 340);
        const auto gain = numbers::tryOut(spoiled, *report, layerInFloat());
        QVERIFY(gain.ok());
        QVERIFY(gain->agreedAfter >= 359);
    }
};

QTEST_GUILESS_MAIN(TestDigits)
#include "tst_digits.moc"
