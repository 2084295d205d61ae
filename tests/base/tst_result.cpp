#include "base/result.h"

#include <QTest>

using namespace gb::base;

namespace {

Result<int> half(int number)
{
    if (number % 2)
        return Error{ErrorCode::ValueError, "odd", "number"};
    return number / 2;
}

Result<int> quarter(int number)
{
    GB_ASSIGN(const int first, half(number));
    GB_ASSIGN(const int second, half(first));
    return second;
}

Status isEven(int number)
{
    GB_TRY(half(number));
    return {};
}

} // namespace

class ResultTest : public QObject {
    Q_OBJECT

private slots:
    void holdsAValueOrAnError()
    {
        QVERIFY(half(4).ok());
        QCOMPARE(*half(4), 2);
        const Result<int> bad = half(3);
        QVERIFY(!bad);
        QCOMPARE(bad.error().code, ErrorCode::ValueError);
    }

    void assignHandsTheFirstErrorOn()
    {
        QCOMPARE(*quarter(12), 3);
        QCOMPARE(quarter(6).error().sentence, std::string("odd"));
        QVERIFY(!quarter(7).ok());
    }

    void tryHandsAnErrorOnAndElseContinues()
    {
        QVERIFY(isEven(2).ok());
        QCOMPARE(isEven(1).error().text(), std::string("number: odd"));
    }

    void placesNest()
    {
        const Error inner{ErrorCode::Format, "broken", "entry a"};
        QCOMPARE(inner.in("m.pt2").text(), std::string("m.pt2: entry a: broken"));
        QCOMPARE((Error{ErrorCode::Io, "gone", {}}).in("m.pt2").text(), std::string("m.pt2: gone"));
        QCOMPARE((Error{ErrorCode::Io, "gone", {}}).text(), std::string("gone"));
    }

    void torchErrorsHaveTheirPythonName_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("torch");
        const auto row = [](ErrorCode code, const char* name, bool torch) {
            QTest::newRow(name) << static_cast<int>(code) << name << torch;
        };
        row(ErrorCode::TypeError, "TypeError", true);
        row(ErrorCode::ValueError, "ValueError", true);
        row(ErrorCode::AssertionError, "AssertionError", true);
        row(ErrorCode::KeyError, "KeyError", true);
        row(ErrorCode::IndexError, "IndexError", true);
        row(ErrorCode::AttributeError, "AttributeError", true);
        row(ErrorCode::NotImplementedError, "NotImplementedError", true);
        row(ErrorCode::RecursionError, "RecursionError", true);
        row(ErrorCode::Exception, "Exception", true);
        QTest::newRow("no kernel") << static_cast<int>(ErrorCode::NoKernel) << "RuntimeError" << false;
    }
    void torchErrorsHaveTheirPythonName()
    {
        QFETCH(int, code);
        QFETCH(QString, name);
        QFETCH(bool, torch);
        QCOMPARE(QString(exceptionName(static_cast<ErrorCode>(code))), name);
        QCOMPARE(isTorchError(static_cast<ErrorCode>(code)), torch);
    }
};

QTEST_GUILESS_MAIN(ResultTest)
#include "tst_result.moc"
