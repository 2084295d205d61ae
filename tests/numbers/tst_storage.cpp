#include "numbers/storage.h"

#include "case_run.h"
#include "numbers/qparams_rows.h"

#include <algorithm>

using namespace gb;
using numbers::StoredTensor;

class TestStorage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
    }

    void aFoldedWeightSaysWhatItWas()
    {
        const auto storage = numbers::storageOf(m_material->recording);
        QVERIFY(storage.ok());
        QCOMPARE(storage->stage, std::string("converted"));
        const auto folded = std::ranges::find(storage->after, "_frozen_param0", &StoredTensor::name);
        QVERIFY(folded != storage->after.end());
        QCOMPARE(folded->foldedFrom, std::string("conv.weight"));
        QCOMPARE(folded->dtype, ir::DType::Int8);
        QCOMPARE(folded->bytes, std::int64_t(8 * 3 * 3 * 3));
        QCOMPARE(folded->users, std::vector<std::string>{"dequantize_per_channel_default"});
        const auto was = std::ranges::find(storage->before, "conv.weight", &StoredTensor::name);
        QVERIFY(was != storage->before.end());
        QCOMPARE(was->bytes, 4 * folded->bytes);
    }

    /// Totals count what nodes read; bytes are those of the attributes themselves.
    void totalsAreThoseOfTheGraph()
    {
        const auto storage = numbers::storageOf(m_material->recording);
        std::int64_t before = 0;
        for (const ir::Node* node = m_material->program->graph().first(); node; node = node->next())
            if (node->op() == ir::Op::GetAttr)
                before += static_cast<std::int64_t>(m_material->program->attribute(node->target())->value.byteCount());
        QCOMPARE(storage->bytesBefore, before);
        QVERIFY(storage->bytesAfter < storage->bytesBefore);
        const auto sheet = numbers::storageSheet(*storage);
        QVERIFY(sheet.rows.size() >= storage->after.size());
        QVERIFY(!sheet.notes.empty());
    }

    void aRowGoesFromLabelToBackend()
    {
        const auto rows = numbers::qparamsRows(m_material->recording);
        QVERIFY(rows.ok());
        QCOMPARE(rows->size(), std::size_t(3));
        const auto& x = (*rows)[0];
        QCOMPARE(x.label, std::string("x -> conv2d"));
        QCOMPARE(x.type, std::string("HistogramObserver"));
        QCOMPARE(x.quantize, std::string("quantize_per_tensor_default"));
        QCOMPARE(x.backend, "quantize_per_tensor(x, " + x.scale + ", " + x.zeroPoint
                                + ", -128, 127, int8) -> dequantize_per_tensor(quantize_per_tensor_default, " + x.scale
                                + ", " + x.zeroPoint + ", -128, 127, int8)");
        const auto& weight = (*rows)[1];
        QVERIFY(weight.backend.starts_with("constant _frozen_param0 int8 [8, 3, 3, 3] -> dequantize_per_channel("));
        QCOMPARE(weight.dequantize, std::string("dequantize_per_channel_default"));
        QCOMPARE((*rows)[2].label, std::string("relu"));
        QCOMPARE(numbers::qparamsSheet(*rows).rows.size(), std::size_t(3));
    }

    /// Shared observers say who else takes them.
    void whatIsReusedIsNamed()
    {
        const auto material = test::materialOfCase("residual.xnnpack");
        QVERIFY(material);
        const auto rows = numbers::qparamsRows(material->recording);
        QVERIFY(rows.ok());
        QVERIFY(std::ranges::any_of(*rows, [](const auto& row) { return !row.reusedBy.empty(); }));
    }

    void aRunThatStoppedEarlyHasNoRows()
    {
        const auto rows = numbers::qparamsRows(std::make_shared<const trace::Recording>());
        QVERIFY(rows.ok());
        QVERIFY(rows->empty());
        const auto storage = numbers::storageOf(std::make_shared<const trace::Recording>());
        QVERIFY(storage.ok() && storage->before.empty());
    }

private:
    numbers::MaterialPtr m_material;
};

QTEST_GUILESS_MAIN(TestStorage)
#include "tst_storage.moc"
