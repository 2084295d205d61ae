// The table as a whole: names, families, aliases.
#include "op_cases.h"

#include "ops/listing.h"

#include <QFile>

#include <QTest>

using namespace gb;

class TestKernelTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowHasAFamilyAndNames()
    {
        QVERIFY(ops_test::table()->entries().size() > 400);
        for (const auto& [key, entry] : ops_test::table()->entries()) {
            const std::string target(key);
            QVERIFY2(!entry.family.empty() && entry.row.run, target.c_str());
            QVERIFY2(!entry.row.arguments.empty(), target.c_str());
        }
    }

    void argumentNamesAreTorchs()
    {
        const auto schemas = ops_test::readSchemas();
        for (const auto& [key, entry] : ops_test::table()->entries()) {
            const std::string target(key);
            if (!target.starts_with("aten.") && !target.starts_with("quantized_decomposed.")
                && !target.starts_with("torchao."))
                continue;
            const auto schema = schemas.find(target);
            QVERIFY2(schema != schemas.end(), target.c_str());
            const std::string mine(entry.row.arguments);
            // trailing arguments that a kernel does not know (generators) may be left out
            QVERIFY2(schema->second == mine || schema->second.starts_with(mine + " "),
                     (target + ": " + mine + ", torch has " + schema->second).c_str());
        }
    }

    /// `greenbox ops > resources/docs/ops.md` writes it anew.
    void theDocumentationListsTheTable()
    {
        QFile file(QStringLiteral(GREENBOX_SOURCE_DIR) + QStringLiteral("/resources/docs/ops.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string text = file.readAll().toStdString();
        QVERIFY2(text == ops::kernelListing(), "resources/docs/ops.md is not what `greenbox ops` prints");
        for (const auto& [key, entry] : ops_test::table()->entries()) {
            const std::string target(key);
            QVERIFY2(text.find("`" + target + "`") != std::string::npos, target.c_str());
        }
    }

    void inPlaceOpsAreKnownAsSuch()
    {
        QCOMPARE(ops::mutatedArguments("aten.add_.Tensor"), 1U);
        QCOMPARE(ops::mutatedArguments("aten.__and__.Tensor"), 0U);
        QCOMPARE(ops::mutatedArguments("aten.add.Tensor"), 0U);
        QCOMPARE(ops::mutatedArguments("aten.batch_norm.default"), 0b11000U);
        for (const auto& [key, entry] : ops_test::table()->entries()) {
            const std::string target(key);
            if (entry.row.alias == ops::Alias::InPlace)
                QCOMPARE(ops::mutatedArguments(target), 1U);
        }
    }

    void everyWritingOpGivesItsArgument()
    {
        for (const auto& [key, entry] : ops_test::table()->entries()) {
            const std::string target(key);
            if ((ops::mutatedArguments(target) & 1U) != 0)
                QVERIFY2(entry.row.alias != ops::Alias::No, target.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestKernelTable)
#include "tst_kernel_table.moc"
