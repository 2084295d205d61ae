// The part that the tests of all families share: every recorded call as a row of its own.
#pragma once

#include "op_cases.h"

#include <QTest>

namespace gb::ops_test {

inline void addCaseRows(const std::vector<OpCase>& cases)
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < cases.size(); ++i)
        QTest::addRow("%d %s%s", static_cast<int>(i), cases[i].target.c_str(), cases[i].error.empty() ? "" : " refused")
            << static_cast<int>(i);
}

} // namespace gb::ops_test

/// Declares the slots that run a family's recorded calls.
#define GB_FAMILY_SLOTS(family)                                                                                        \
    void recorded_data()                                                                                               \
    {                                                                                                                  \
        gb::ops_test::addCaseRows(m_cases);                                                                            \
    }                                                                                                                  \
    void recorded()                                                                                                    \
    {                                                                                                                  \
        QFETCH(int, index);                                                                                            \
        const std::string difference = gb::ops_test::check(m_cases[static_cast<std::size_t>(index)]);                  \
        QVERIFY2(difference.empty(), difference.c_str());                                                              \
    }                                                                                                                  \
                                                                                                                       \
private:                                                                                                               \
    const std::vector<gb::ops_test::OpCase> m_cases = gb::ops_test::readCases(family);                                 \
                                                                                                                       \
private Q_SLOTS:

/// Fails unless evaluating gives this error code; the sentence must hold the text.
#define GB_REFUSED(result, errorCode, part)                                                                            \
    do {                                                                                                               \
        const auto gbRefused = (result);                                                                               \
        QVERIFY(!gbRefused.ok());                                                                                      \
        QCOMPARE(gbRefused.error().code, gb::base::ErrorCode::errorCode);                                              \
        QVERIFY2(gbRefused.error().text().find(part) != std::string::npos, gbRefused.error().text().c_str());          \
    } while (false)
