// The dtypes that observers quantize to.
#include "quant/quant_dtype.h"

#include <QtTest>

using namespace gb;

class TestQuantDType : public QObject {
    Q_OBJECT

private slots:
    void knowsTorchsQuantizedDtypes();
    void observesWhatTorchaoAllows();
    void givesLimitsOfIntegers();
    void refusesLimitsOfFloats();
};

void TestQuantDType::knowsTorchsQuantizedDtypes()
{
    QCOMPARE(quant::quantDType(ir::Argument("torch.quint8")).name, std::string("quint8"));
    QVERIFY(quant::quantDType(ir::Argument("quint8")).storage == ir::DType::UInt8);
    QVERIFY(quant::quantDType(ir::Argument("qint32")).isSigned32());
    QVERIFY(quant::quantDType(ir::Argument("int8")) == quant::quantDType(ir::DType::Int8));
    QVERIFY(!quant::quantDType(ir::Argument("int9")).storage);
    QVERIFY(!quant::quantDType(ir::Argument()).storage);
}

void TestQuantDType::observesWhatTorchaoAllows()
{
    for (const char* name : {"int8", "uint8", "int16", "uint16", "int32", "qint8", "quint8", "quint4x2", "float8_e5m2"})
        QVERIFY2(quant::isObservable(quant::quantDType(ir::Argument(name))), name);
    for (const char* name : {"int64", "float32", "bool", "uint32", "nonsense"})
        QVERIFY2(!quant::isObservable(quant::quantDType(ir::Argument(name))), name);
}

void TestQuantDType::givesLimitsOfIntegers()
{
    const auto int8 = quant::integerInfo(quant::quantDType(ir::DType::Int8));
    QVERIFY(int8.ok());
    QCOMPARE(int8->first, std::int64_t{-128});
    QCOMPARE(int8->second, std::int64_t{127});
    QCOMPARE(quant::integerBits(quant::quantDType(ir::DType::UInt16)), 16);
}

void TestQuantDType::refusesLimitsOfFloats()
{
    const auto info = quant::integerInfo(quant::quantDType(ir::DType::Float32));
    QVERIFY(!info.ok());
    QVERIFY(info.error().code == base::ErrorCode::TypeError);
}

QTEST_APPLESS_MAIN(TestQuantDType)
#include "tst_quant_dtype.moc"
