// Tensors and floats as Python prints them. The wanted texts are torch 2.14.1's own.
#include "quant/tensor_text.h"
#include "values.h"

#include <QtTest>

using namespace gb;

class TestTensorText : public QObject {
    Q_OBJECT

private slots:
    void printsScalarsAsPythonFloats();
    void printsVectors_data();
    void printsVectors();
    void breaksLongLines();
    void summarizesManyElements();
};

void TestTensorText::printsScalarsAsPythonFloats()
{
    const auto text = [](float value) { return quant::tensorText(ir::Tensor::scalar(value)); };
    QCOMPARE(text(2.5F), std::string("2.5"));
    QCOMPARE(text(5504.0F), std::string("5504.0"));
    QCOMPARE(text(1e-5F), std::string("9.999999747378752e-06"));
    QCOMPARE(text(3e16F), std::string("3.000000081769267e+16"));
    QCOMPARE(text(-std::numeric_limits<float>::infinity()), std::string("-inf"));
    QCOMPARE(quant::pythonFloat(0.01), std::string("0.01"));
    QCOMPARE(quant::pythonFloat(-0.0), std::string("-0.0"));
}

void TestTensorText::printsVectors_data()
{
    QTest::addColumn<QList<float>>("values");
    QTest::addColumn<QString>("wanted");
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float inf = std::numeric_limits<float>::infinity();
    QTest::newRow("integers") << QList<float>{1, 2, 3} << QStringLiteral("tensor([1., 2., 3.])");
    QTest::newRow("nan is padded") << QList<float>{0.5F, nan} << QStringLiteral("tensor([0.5000,    nan])");
    QTest::newRow("small") << QList<float>{1e-6F, 2.5F} << QStringLiteral("tensor([1.0000e-06, 2.5000e+00])");
    QTest::newRow("wide") << QList<float>{1, 5000} << QStringLiteral("tensor([1.0000e+00, 5.0000e+03])");
    QTest::newRow("no finite value but 0") << QList<float>{0, 0, inf} << QStringLiteral("tensor([0., 0., inf])");
}

void TestTensorText::printsVectors()
{
    QFETCH(const QList<float>, values);
    QFETCH(const QString, wanted);
    const ir::Tensor tensor = test::floats({values.begin(), values.end()});
    QCOMPARE(QString::fromStdString(quant::tensorText(tensor)), wanted);
}

void TestTensorText::breaksLongLines()
{
    std::vector<float> values = test::sequence(13);
    for (float& value : values)
        value *= 3;
    QCOMPARE(quant::tensorText(test::floats(values)),
             std::string("tensor([ 1.4187,  2.2156, -2.9745, -1.7707,  0.3033,  2.2171, -1.3514, -2.6629,\n"
                         "         0.0990, -2.1645,  1.5027,  2.5343, -2.4559])"));
}

void TestTensorText::summarizesManyElements()
{
    std::vector<float> values;
    for (int i = 0; i < 1200; ++i)
        values.push_back(static_cast<float>(i));
    QCOMPARE(quant::tensorText(test::floats(values)),
             std::string("tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.1970e+03, 1.1980e+03,\n"
                         "        1.1990e+03])"));
}

QTEST_APPLESS_MAIN(TestTensorText)
#include "tst_tensor_text.moc"
