#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;

class TestMakeQuantizer : public QObject {
    Q_OBJECT

private slots:
    void makesWhatTheRecipeNames_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("className");
        QTest::newRow("xnnpack") << "xnnpack"
                                 << "XNNPACKQuantizer";
        QTest::newRow("x86_inductor") << "x86_inductor"
                                      << "X86InductorQuantizer";
        QTest::newRow("arm_inductor") << "arm_inductor"
                                      << "ArmInductorQuantizer";
        QTest::newRow("embedding") << "embedding"
                                   << "EmbeddingQuantizer";
        QTest::newRow("composable") << "composable"
                                    << "ComposableQuantizer";
        QTest::newRow("rules") << "rules"
                               << "RulesQuantizer";
    }

    void makesWhatTheRecipeNames()
    {
        QFETCH(QString, kind);
        QFETCH(QString, className);
        Recipe recipe;
        recipe.quantizer = kind.toStdString();
        const auto made = makeQuantizer(recipe);
        GB_VERIFY_OK(made);
        QCOMPARE(std::string((*made)->kind()), kind.toStdString());
        QCOMPARE(std::string((*made)->className()), className.toStdString());
        QCOMPARE((*made)->place(), std::string());
    }

    void anUnknownQuantizerNamesWhatThereIs()
    {
        Recipe recipe;
        recipe.quantizer = "qnnpack";
        const auto made = makeQuantizer(recipe);
        GB_COMPARE_ERROR(made, NotImplementedError);
        QVERIFY(made.error().sentence.find("qnnpack") != std::string::npos);
        QVERIFY(made.error().sentence.find("xnnpack") != std::string::npos);
    }

    void anErrorInAMemberIsTheComposablesError()
    {
        Recipe member;
        member.quantizer = "xnnpack";
        member.moduleName = {{"a", Config()}};
        Recipe recipe;
        recipe.quantizer = "composable";
        recipe.quantizers = {member};
        GB_COMPARE_ERROR(makeQuantizer(recipe), AssertionError);
    }
};

QTEST_GUILESS_MAIN(TestMakeQuantizer)
#include "tst_make_quantizer.moc"
