#include "explain/query_tokens.h"

#include <QtTest>

using namespace gb;
using explain::QueryToken;
using Kind = explain::QueryToken::Kind;

namespace {

QString describe(const std::string& text)
{
    const auto tokens = explain::queryTokens(text);
    if (!tokens)
        return QStringLiteral("! ") + QString::fromStdString(tokens.error().text());
    QStringList out;
    for (const QueryToken& t : *tokens) {
        const QString what = QString::fromStdString(t.text);
        const QString field = QString::fromStdString(t.field);
        switch (t.kind) {
        case Kind::Word: out << QStringLiteral("word<%1>").arg(what); break;
        case Kind::Field: out << QStringLiteral("%1:<%2>").arg(field, what); break;
        case Kind::Number:
            out << QStringLiteral("%1 %2 %3").arg(field, QString::fromStdString(t.comparison)).arg(t.number);
            break;
        case Kind::Open:
        case Kind::Close: out << what; break;
        case Kind::End: out << QStringLiteral("end"); break;
        }
        out.back() += QStringLiteral("@%1").arg(t.column);
    }
    return out.join(QLatin1Char(' '));
}

} // namespace

class QueryTokensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingEndsAtOnce()
    {
        QCOMPARE(describe(""), QStringLiteral("end@1"));
        QCOMPARE(describe(" \t\n"), QStringLiteral("end@4"));
    }

    void wordsFieldsAndParenthesesHaveTheirColumns()
    {
        QCOMPARE(describe("relu (op:conv* or not)"),
                 QStringLiteral("word<relu>@1 (@6 op:<conv*>@7 word<or>@16 word<not>@19 )@22 end@23"));
    }

    void quotesHoldSpacesTogether()
    {
        QCOMPARE(describe("\"a (b\" name:\"x y\""), QStringLiteral("word<a (b>@1 name:<x y>@8 end@18"));
        QCOMPARE(describe("ab\"c"), QStringLiteral("word<ab\"c>@1 end@5")); // inside a word it stands for itself
    }

    void everyComparisonIsRead()
    {
        QCOMPARE(describe("scale>0.1 min>=-2 max<=3e2 zp=0 batches<4"),
                 QStringLiteral("scale > 0.1@1 min >= -2@11 max <= 300@19 zp = 0@28 batches < 4@33 end@42"));
    }

    void whatIsWrongIsSaidWithItsColumn_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* text, const char* said) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(said);
        };
        row("relu \"open", "! column 6: an opening quote found, a closing one expected");
        row("colour:red",
            "! column 1: no field \"colour\", op, name, module, dtype, obs, reason, label or kind expected");
        row("scale:1", "! column 1: \"scale:\" found, scale followed by >, <, >=, <= or = expected");
        row("op>1", "! column 1: \"op>\" found, op: expected");
        row("size>1", "! column 1: no number \"size\", scale, zp, min, max or batches expected");
        row("op:", "! column 4: nothing found behind op:, a text expected");
        row("scale>big", "! column 7: \"big\" found behind scale>, a number expected");
        row("scale>", "! column 7: \"\" found behind scale>, a number expected");
    }
    void whatIsWrongIsSaidWithItsColumn()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        QCOMPARE(describe(text.toStdString()), said);
    }
};

QTEST_GUILESS_MAIN(QueryTokensTest)
#include "tst_query_tokens.moc"
