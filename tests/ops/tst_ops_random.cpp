// Ops that draw random numbers are refused by name, whatever their arguments.
#include "family_test.h"

using namespace gb;
using ops_test::evaluate;

class TestOpsRandom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areRefusedByName()
    {
        int found = 0;
        for (const auto& [key, entry] : ops_test::table()->entries()) {
            const std::string target(key);
            if (entry.family != "random")
                continue;
            ++found;
            const auto out = evaluate(target, {});
            QVERIFY2(!out.ok(), target.c_str());
            QCOMPARE(out.error().code, base::ErrorCode::NoKernel);
            QVERIFY2(out.error().sentence.find(target) != std::string::npos, out.error().sentence.c_str());
        }
        QVERIFY(found > 15);
    }
};

QTEST_GUILESS_MAIN(TestOpsRandom)
#include "tst_ops_random.moc"
