// .npz: what numpy writes is read, what numpy would not understand is not written.
#include "pt2_edit.h"

#include "io/npz.h"

#include <QtTest>

using namespace gb;
using ir::DType;
using ir::Tensor;

namespace {

/// An .npy with this header text and data.
std::string npy(const std::string& header, const std::string& data, int major = 1)
{
    std::string text = header + "\n";
    std::string out = std::string("\x93NUMPY") + static_cast<char>(major) + '\0';
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
        out += static_cast<char>(text.size() >> (8 * i));
    return out + text + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False")
{
    return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

std::string errorOf(const std::string& bytes)
{
    const auto tensor = io::readNpy(io::bytesOf(bytes), "i.npz: 000.0");
    return tensor ? "no error" : tensor.error().text();
}

template <class T>
std::string raw(const std::vector<T>& values)
{
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

private slots:
    void readsWhatNumpyWrote();
    void readsHeaderVersions_data();
    void readsHeaderVersions();
    void readsFortranOrder();
    void readsEmptyAndScalarArrays();
    void writesAndReadsEveryDtype();
    void writesBfloat16AsFloat32();
    void writesStridedTensorsRowMajor();
    void writesTheSameBytesAgain();
    void refusesBigEndian();
    void refusesObjects();
    void refusesUnknownDtype_data();
    void refusesUnknownDtype();
    void refusesDataShorterThanTheShape();
    void refusesAbsurdSizes_data();
    void refusesAbsurdSizes();
    void refusesBrokenHeader_data();
    void refusesBrokenHeader();
    void refusesEntryThatIsNoArray();
    void refusesDtypeThatNumpyHasNot();
    void saysThatTheDiskIsFull();
};

void TestNpz::readsWhatNumpyWrote()
{
    const auto arrays = io::readNpz(test::caseFile("conv_relu.xnnpack.inputs.npz"));
    QVERIFY2(arrays.ok(), arrays ? "" : arrays.error().text().c_str());
    QCOMPARE(arrays->size(), std::size_t{4});
    QCOMPARE((*arrays)[0].first, std::string("000.0"));
    QCOMPARE(ir::describe((*arrays)[0].second), std::string("float32 [4, 3, 16, 16]"));
}

void TestNpz::readsHeaderVersions_data()
{
    QTest::addColumn<int>("major");
    for (const int major : {1, 2, 3})
        QTest::addRow("%d", major) << major;
}

void TestNpz::readsHeaderVersions()
{
    QFETCH(int, major);
    const auto tensor =
        io::readNpy(io::bytesOf(npy(header("<i4", "(2, 3)"), raw<std::int32_t>({1, 2, 3, 4, 5, -6}), major)), "a");
    QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().text().c_str());
    QCOMPARE(ir::describe(*tensor), std::string("int32 [2, 3]"));
    QCOMPARE(tensor->toDoubles(), (std::vector<double>{1, 2, 3, 4, 5, -6}));
}

void TestNpz::readsFortranOrder()
{
    const auto tensor =
        io::readNpy(io::bytesOf(npy(header("<f4", "(2, 3)", "True"), raw<float>({1, 4, 2, 5, 3, 6}))), "a");
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->strides(), (ir::Shape{1, 2}));
    QCOMPARE(tensor->toDoubles(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

void TestNpz::readsEmptyAndScalarArrays()
{
    const auto scalar = io::readNpy(io::bytesOf(npy(header("<f8", "()"), raw<double>({2.5}))), "a");
    QVERIFY(scalar.ok());
    QCOMPARE(scalar->dim(), std::int64_t{0});
    QCOMPARE(scalar->at(0), 2.5);
    const auto empty = io::readNpy(io::bytesOf(npy(header("<f8", "(0, 3)"), "")), "a");
    QVERIFY(empty.ok());
    QCOMPARE(empty->shape(), (ir::Shape{0, 3}));
}

void TestNpz::writesAndReadsEveryDtype()
{
    QTemporaryDir folder;
    io::NamedTensors arrays;
    const auto source = Tensor::fromVector(std::vector<float>{0, 1, 2, 100}, {2, 2});
    for (const DType dtype : {DType::UInt8, DType::Int8, DType::Int16, DType::UInt16, DType::Int32, DType::UInt32,
                              DType::Int64, DType::UInt64, DType::Float16, DType::Float32, DType::Float64, DType::Bool})
        arrays.emplace_back(ir::name(dtype), source.to(dtype));
    const std::string path = folder.filePath("a.npz").toStdString();
    QVERIFY(io::writeNpz(path, arrays).ok());
    const auto back = io::readNpz(path);
    QVERIFY2(back.ok(), back ? "" : back.error().text().c_str());
    QCOMPARE(back->size(), arrays.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        QCOMPARE((*back)[i].first, arrays[i].first);
        QCOMPARE(ir::describe((*back)[i].second), ir::describe(arrays[i].second));
        QCOMPARE((*back)[i].second.toDoubles(), arrays[i].second.toDoubles());
    }
}

void TestNpz::writesBfloat16AsFloat32()
{
    const auto source = Tensor::fromVector(std::vector<float>{1.5F, -2.0F}).to(DType::BFloat16);
    const auto bytes = io::npzBytes({{"x", source}});
    const auto zip = io::ZipReader::open(io::bytesOf(*bytes), "a");
    const auto tensor = io::readNpy(*(*zip)->read("x.npy"), "x");
    QCOMPARE(ir::describe(*tensor), std::string("float32 [2]"));
    QCOMPARE(tensor->toDoubles(), (std::vector<double>{1.5, -2}));
}

void TestNpz::writesStridedTensorsRowMajor()
{
    const auto source = Tensor::fromVector(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3}).asStrided({3, 2}, {1, 3});
    const auto bytes = io::npzBytes({{"x", source}});
    const auto zip = io::ZipReader::open(io::bytesOf(*bytes), "a");
    const auto tensor = io::readNpy(*(*zip)->read("x.npy"), "x");
    QVERIFY(tensor->isContiguous());
    QCOMPARE(tensor->toDoubles(), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

void TestNpz::writesTheSameBytesAgain()
{
    const auto arrays = io::readNpz(test::caseFile("conv_relu.xnnpack.inputs.npz"));
    QVERIFY(*io::npzBytes(*arrays) == *io::npzBytes(*arrays));
}

void TestNpz::refusesBigEndian()
{
    QCOMPARE(errorOf(npy(header(">f4", "(1,)"), "abcd")),
             std::string("i.npz: 000.0: big-endian dtype >f4, little-endian expected"));
}

void TestNpz::refusesObjects()
{
    QCOMPARE(errorOf(npy(header("|O", "(1,)"), "abcdefgh")),
             std::string("i.npz: 000.0: dtype |O (Python objects), integers, floats, bool or complex expected"));
}

void TestNpz::refusesUnknownDtype_data()
{
    QTest::addColumn<QString>("descr");
    for (const char* descr : {"<U5", "|S3", "<M8[ns]", "<f16", "|V8", "", "<"})
        QTest::newRow(*descr ? descr : "empty") << QString(descr);
}

void TestNpz::refusesUnknownDtype()
{
    QFETCH(QString, descr);
    const std::string error = errorOf(npy(header(descr.toStdString(), "(1,)"), std::string(64, 'x')));
    QCOMPARE(error, "i.npz: 000.0: dtype " + descr.toStdString() + ", integers, floats, bool or complex expected");
}

void TestNpz::refusesDataShorterThanTheShape()
{
    QCOMPARE(errorOf(npy(header("<f4", "(2, 3)"), std::string(20, 'x'))),
             std::string("i.npz: 000.0: 20 bytes in the archive, 24 expected for float32 [2, 3]"));
}

void TestNpz::refusesAbsurdSizes_data()
{
    QTest::addColumn<QString>("shape");
    for (const char* shape : {"(-1,)", "(9223372036854775807,)", "(4294967296, 4294967296, 4294967296)",
                              "(0, 4294967296, 4294967296)", "(99999999999999999999999,)", "(1000000000000,)"})
        QTest::newRow(shape) << QString(shape);
    QTest::newRow("65 dimensions") << "(" + QString("1, ").repeated(65) + ")";
}

void TestNpz::refusesAbsurdSizes()
{
    QFETCH(QString, shape);
    const std::string error = errorOf(npy(header("<f4", shape.toStdString()), std::string(64, 'x')));
    QVERIFY2(error.starts_with("i.npz: 000.0: ") && error != "no error", error.c_str());
}

void TestNpz::refusesBrokenHeader_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    row("empty", "");
    row("another file", "PK\x03\x04 something else entirely");
    row("version 9", npy(header("<f4", "(1,)"), "abcd", 9));
    row("header longer than the file", std::string("\x93NUMPY\x01\x00\xff\xff{}", 12));
    row("no dict", npy("[1, 2]", ""));
    row("no shape", npy("{'descr': '<f4', 'fortran_order': False}", ""));
    row("key twice", npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", "abcd"));
    row("code for a shape", npy("{'descr': '<f4', 'fortran_order': False, 'shape': exit()}", "abcd"));
    row("fields", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd"));
    row("cut off", npy("{'descr': '<f4", ""));
}

void TestNpz::refusesBrokenHeader()
{
    QFETCH(QByteArray, bytes);
    const std::string error = errorOf(bytes.toStdString());
    QVERIFY2(error.starts_with("i.npz: 000.0: ") && error.ends_with("expected"), error.c_str());
}

void TestNpz::refusesEntryThatIsNoArray()
{
    QTemporaryDir folder;
    io::ZipWriter zip;
    QVERIFY(zip.add("readme.txt", "x").ok());
    const std::string path = test::written(folder, "a.npz", *zip.finish());
    QCOMPARE(io::readNpz(path).error().text(),
             path + ": readme.txt: found an entry that is no array, NAME.npy expected");
}

void TestNpz::refusesDtypeThatNumpyHasNot()
{
    const auto bytes = io::npzBytes({{"w", Tensor::zeros(DType::Float8E4M3FN, {2})}});
    QVERIFY(!bytes);
    QCOMPARE(bytes.error().text(), std::string("w: found dtype float8_e4m3fn, one that numpy has expected"));
}

void TestNpz::saysThatTheDiskIsFull()
{
    const auto done = io::writeNpz("/dev/full", {{"x", Tensor::zeros(DType::Float32, {10'000})}});
    QCOMPARE(done.error().text(), std::string("/dev/full: cannot write: No space left on device"));
}

QTEST_GUILESS_MAIN(TestNpz)
#include "tst_npz.moc"
