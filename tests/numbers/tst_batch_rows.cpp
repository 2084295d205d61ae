// Batches as a list, and the choice among them.
#include "numbers/batch_rows.h"

#include <QtTest>

#include <algorithm>
#include <limits>

using namespace gb;
using ir::Tensor;

namespace {

engine::Batch batch(const std::vector<float>& values)
{
    return {ops::Value(Tensor::fromVector(values, {1, static_cast<std::int64_t>(values.size())})), ops::Value()};
}

bool says(const numbers::Sheet& sheet, const std::string& text)
{
    return std::ranges::any_of(sheet.notes, [&](const base::Message& note) { return note.text() == text; });
}

} // namespace

class TestBatchRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachTensorIsARow()
    {
        const numbers::Sheet sheet = numbers::batchSheet({{batch({1, 2, 6}), batch({-1, 0})}, {"x", "n"}, {}});
        QCOMPARE(sheet.rows.size(), std::size_t(2)); // None is no tensor
        QCOMPARE(numbers::csvText(sheet), std::string("batch,input,shape,dtype,min,max,mean,used\n"
                                                      "0,x,\"[1, 3]\",float32,1,6,3,1\n"
                                                      "1,x,\"[1, 2]\",float32,-1,0,-0.5,1\n"));
        QVERIFY(sheet.notes.empty());
    }

    void whatIsOddIsSaid()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const numbers::Sheet sheet =
            numbers::batchSheet({{batch({1, nan}), batch({3, 3}), batch({3, 3}), batch({})}, {"x"}, {{{1, 1}}}});
        QVERIFY(says(sheet, "batch 0, x: 1 values are NaN or infinite"));
        QVERIFY(says(sheet, "batch 1, x: every value is 3"));
        QVERIFY(says(sheet, "batches 1 and 2 are the same"));
        QVERIFY(says(sheet, "3 of 4 batches are not used"));
        QCOMPARE(std::get<std::int64_t>(sheet.rows[1].cells.back()), std::int64_t(2));
        QVERIFY(std::holds_alternative<std::monostate>(sheet.rows[3].cells[4])); // nothing is in it
    }

    void positionsAreRead()
    {
        QVERIFY(!numbers::positionsFrom("", 3)->has_value());
        QCOMPARE(**numbers::positionsFrom("none", 3), std::vector<std::int64_t>());
        QCOMPARE(**numbers::positionsFrom("0,2, 2", 3), (std::vector<std::int64_t>{0, 2, 2}));
    }

    void otherTextsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("word") << "all";
        QTest::newRow("negative") << "-1";
        QTest::newRow("hole") << "0,,1";
        QTest::newRow("end") << "0,";
        QTest::newRow("beyond") << "3";
    }

    void otherTextsAreRefused()
    {
        QFETCH(const QString, text);
        const auto read = numbers::positionsFrom(text.toStdString(), 3);
        QVERIFY(!read.ok());
        QCOMPARE(read.error().code, base::ErrorCode::Usage);
    }
};

QTEST_GUILESS_MAIN(TestBatchRows)
#include "tst_batch_rows.moc"
