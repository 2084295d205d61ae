// The expected names were given by torch.fx 2.14 for the same calls in the same order.
#include "ir/namespace.h"

#include <QTest>

using namespace gb::ir;

class NamespaceTest : public QObject {
    Q_OBJECT

private slots:
    void namesAreGivenAsTorchFxDoes()
    {
        Namespace names;
        const auto give = [&](const char* candidate) { return QString::fromStdString(names.create(candidate)); };
        QCOMPARE(give("x"), "x");
        QCOMPARE(give("add"), "add");
        QCOMPARE(give("conv2d_1"), "conv2d_1");
        QCOMPARE(give("conv2d_1"), "conv2d_2");
        QCOMPARE(give("conv2d"), "conv2d");
        QCOMPARE(give("conv2d"), "conv2d_3");
        QCOMPARE(give("w_0"), "w_0");
        QCOMPARE(give("w_0"), "w_1");
        QCOMPARE(give("0bad.name-x"), "_0bad_name_x");
        QCOMPARE(give("add"), "add_1");
        QCOMPARE(give("_scale_0"), "_scale_0");
        QCOMPARE(give("float"), "float_1");
        QCOMPARE(give("None"), "None_1");
    }

    void illegalCharactersBecomeOneUnderscore()
    {
        Namespace names;
        QCOMPARE(names.create("a..b--c"), std::string("a_b_c"));
        QCOMPARE(names.create(""), std::string("_unnamed"));
        QCOMPARE(names.create("\xC3\xA4"), std::string("_"));
    }

    void endlessNumbersAreText()
    {
        Namespace names;
        const std::string longName = "n_" + std::string(40, '9');
        QCOMPARE(names.create(longName), longName);
        QCOMPARE(names.create(longName), longName + "_1");
    }

    void reservedNamesAreTaken()
    {
        Namespace names;
        names.reserve("relu");
        QVERIFY(names.used("relu"));
        QCOMPARE(names.create("relu"), std::string("relu_1"));
    }

    void candidatesComeFromTheTarget()
    {
        QCOMPARE(candidateFromTarget("call_function", "aten.conv2d.default"), std::string("conv2d.default"));
        QCOMPARE(candidateFromTarget("call_function", "<built-in function getitem>"), std::string("getitem"));
        QCOMPARE(candidateFromTarget("call_function", "while_loop"), std::string("while_loop"));
        QCOMPARE(candidateFromTarget("get_attr", "Conv.BigName_0"), std::string("conv.big_name_0"));
        QCOMPARE(candidateFromTarget("call_method", "__add__"), std::string("add"));
    }
};

QTEST_GUILESS_MAIN(NamespaceTest)
#include "tst_namespace.moc"
