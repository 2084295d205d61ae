#include "numbers/sheet.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <limits>

using namespace gb;
using base::message;
using numbers::Cell;
using numbers::Sheet;

namespace {

Sheet sample()
{
    Sheet sheet;
    sheet.what = "sample";
    sheet.columns = {{"name", message("name")}, {"value", message("value")}};
    sheet.rows = {{{std::string("a, \"b\"\nc"), 0.1}},
                  {{Cell(), std::numeric_limits<double>::infinity()}},
                  {{true, std::int64_t(-3)}}};
    sheet.notes = {message("total {0}", 3)};
    return sheet;
}

} // namespace

class TestSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void csvQuotesWhatMustBe()
    {
        QCOMPARE(numbers::csvText(sample()), std::string("name,value\n\"a, \"\"b\"\"\nc\",0.1\n,inf\ntrue,-3\n"));
    }

    void jsonReadsBack()
    {
        const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(numbers::jsonText(sample()))).object();
        QCOMPARE(object[QStringLiteral("format")].toString(), QStringLiteral("greenbox-numbers"));
        const QJsonArray rows = object[QStringLiteral("rows")].toArray();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0].toObject()[QStringLiteral("name")].toString(), QStringLiteral("a, \"b\"\nc"));
        QCOMPARE(rows[0].toObject()[QStringLiteral("value")].toDouble(), 0.1);
        QVERIFY(rows[1].toObject()[QStringLiteral("name")].isNull());
        QCOMPARE(rows[1].toObject()[QStringLiteral("value")].toString(), QStringLiteral("inf"));
        QCOMPARE(rows[2].toObject()[QStringLiteral("name")].toBool(), true);
        QCOMPARE(object[QStringLiteral("notes")].toArray()[0].toString(), QStringLiteral("total 3"));
    }

    void theEndingDecides()
    {
        const QTemporaryDir folder;
        const QString csv = folder.filePath(QStringLiteral("a.csv"));
        const QString json = folder.filePath(QStringLiteral("a.json"));
        QVERIFY(numbers::writeSheet(sample(), csv.toStdString()).ok());
        QVERIFY(numbers::writeSheet(sample(), json.toStdString()).ok());
        QFile a(csv);
        QFile b(json);
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QVERIFY(a.readAll().startsWith("name,value"));
        QVERIFY(b.readAll().startsWith("{\"format\""));
    }

    void aFolderThatIsNotThereIsAnError()
    {
        QCOMPARE(numbers::writeSheet(sample(), "/no/such/folder/a.csv").error().code, base::ErrorCode::Io);
    }

    void numbersKeepEveryDigit() { QCOMPARE(numbers::cellText(0.1 + 0.2), std::string("0.30000000000000004")); }
};

QTEST_GUILESS_MAIN(TestSheet)
#include "tst_sheet.moc"
