// The pickle reader: tensors come out, everything that could run something is refused by name.
#include "pt2_edit.h"

#include "io/pickle.h"

#include <QtTest>

#include <cstring>

using namespace gb;
using io::Leaf;

namespace {

/// An archive as torch.save writes it, with this program and these storages.
base::Result<io::PickleObject> read(const std::string& program, const std::vector<std::string>& storages = {},
                                    const std::string& order = "little")
{
    io::ZipWriter zip;
    (void)zip.add("m/data.pkl", program);
    (void)zip.add("m/byteorder", order);
    for (std::size_t i = 0; i < storages.size(); ++i)
        (void)zip.add("m/data/" + std::to_string(i), storages[i]);
    return io::readTorchPickle(io::bytesOf(*zip.finish()), "s.pt");
}

std::string text(const std::string& value)
{
    return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}

std::string number(int value)
{
    return std::string("K") + static_cast<char>(value);
}

/// ("storage", torch.CLASS, key, "cpu", count) as a persistent id
std::string storage(const std::string& className, const std::string& key, int count = 4)
{
    return "(" + text("storage") + "ctorch\n" + className + "\n" + text(key) + text("cpu") + number(count) + "tQ";
}

/// torch._utils._rebuild_tensor_v2(storage, offset, (sizes), (strides), False, OrderedDict())
std::string tensor(const std::string& storageProgram, int offset, const std::vector<int>& sizes,
                   const std::vector<int>& strides)
{
    std::string out = "ctorch._utils\n_rebuild_tensor_v2\n(" + storageProgram + number(offset);
    for (const auto& list : {sizes, strides}) {
        out += "(";
        for (const int value : list)
            out += number(value);
        out += "t";
    }
    return out + "\x89" + "ccollections\nOrderedDict\n)RtR";
}

std::string proto(const std::string& rest)
{
    return std::string("\x80\x02", 2) + rest + ".";
}

std::string bytes(std::initializer_list<float> values)
{
    std::string out;
    for (const float value : values)
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    return out;
}

std::string errorOf(const std::string& program, const std::vector<std::string>& storages = {})
{
    const auto object = read(program, storages);
    return object ? "no error" : object.error().text();
}

} // namespace

class TestPickle : public QObject {
    Q_OBJECT

private slots:
    void readsSampleInputsOfAProgram();
    void readsATensorOverItsStorage();
    void sharesAStorageThatIsUsedTwice();
    void readsNumbersTextsAndContainers();
    void makesBoolsZeroOrOne();
    void refusesGlobalByName();
    void refusesOpcodeByName_data();
    void refusesOpcodeByName();
    void refusesTensorOutsideItsStorage();
    void refusesMissingStorage();
    void refusesUnknownStorageClass();
    void refusesBrokenProgram_data();
    void refusesBrokenProgram();
    void refusesListThatContainsItself();
    void refusesDoublingLists();
    void refusesBigEndian();
    void refusesArchiveWithoutProgram();
};

void TestPickle::readsSampleInputsOfAProgram()
{
    auto zip = io::ZipReader::open(test::caseFile("conv_relu.xnnpack.pt2"));
    QVERIFY(zip.ok());
    const auto object = io::readTorchPickle(*(*zip)->read(test::kSamples), "samples");
    QVERIFY2(object.ok(), object ? "" : object.error().text().c_str());
    const auto leaves = object->leaves(object->root);
    QVERIFY(leaves.ok());
    QCOMPARE(leaves->size(), std::size_t{1});
    QCOMPARE(ir::describe(std::get<ir::Tensor>((*leaves)[0])), std::string("float32 [4, 3, 16, 16]"));
}

void TestPickle::readsATensorOverItsStorage()
{
    const auto object = read(proto(tensor(storage("FloatStorage", "0"), 1, {3}, {1})), {bytes({1, 2, 3, 4})});
    QVERIFY2(object.ok(), object ? "" : object.error().text().c_str());
    const auto& value = std::get<ir::Tensor>(object->at(object->root).leaf);
    QCOMPARE(value.toDoubles(), (std::vector<double>{2, 3, 4}));
    const auto transposed = read(proto(tensor(storage("FloatStorage", "0"), 0, {2, 2}, {1, 2})), {bytes({1, 2, 3, 4})});
    QCOMPARE(std::get<ir::Tensor>(transposed->at(transposed->root).leaf).toDoubles(),
             (std::vector<double>{1, 3, 2, 4}));
}

void TestPickle::sharesAStorageThatIsUsedTwice()
{
    const std::string one = tensor(storage("FloatStorage", "0"), 0, {2}, {1});
    const auto object = read(proto(one + one + "\x86"), {bytes({1, 2, 3, 4})});
    const auto leaves = object->leaves(object->root);
    QCOMPARE(leaves->size(), std::size_t{2});
    QVERIFY(std::get<ir::Tensor>((*leaves)[0]).sharesStorage(std::get<ir::Tensor>((*leaves)[1])));
}

void TestPickle::readsNumbersTextsAndContainers()
{
    // ([None, True, 7, -2, 2.5], {"k": "v", "n": 2**40}) with the memo used for "v"
    const std::string list =
        std::string("](N\x88") + number(7) + "J\xfe\xff\xff\xff" + "G\x40\x04" + std::string(6, '\0') + "e";
    const std::string dict =
        "}(" + text("k") + text("v") + "q\x01" + text("n") + "\x8a\x06" + std::string(5, '\0') + "\x01" + "u";
    const auto object = read(proto(list + dict + "\x86"));
    QVERIFY2(object.ok(), object ? "" : object.error().text().c_str());
    const auto leaves = object->leaves(object->root);
    QVERIFY(leaves.ok());
    QCOMPARE(leaves->size(), std::size_t{7});
    QVERIFY(std::holds_alternative<std::monostate>((*leaves)[0]));
    QCOMPARE(std::get<bool>((*leaves)[1]), true);
    QCOMPARE(std::get<std::int64_t>((*leaves)[2]), std::int64_t{7});
    QCOMPARE(std::get<std::int64_t>((*leaves)[3]), std::int64_t{-2});
    QCOMPARE(std::get<double>((*leaves)[4]), 2.5);
    QCOMPARE(std::get<std::string>((*leaves)[5]), std::string("v"));
    QCOMPARE(std::get<std::int64_t>((*leaves)[6]), std::int64_t{1} << 40);
}

void TestPickle::makesBoolsZeroOrOne()
{
    const auto object =
        read(proto(tensor(storage("BoolStorage", "0"), 0, {4}, {1})), {std::string("\x00\x01\x02\xff", 4)});
    const auto& value = std::get<ir::Tensor>(object->at(object->root).leaf);
    QCOMPARE(value.toDoubles(), (std::vector<double>{0, 1, 1, 1}));
}

void TestPickle::refusesGlobalByName()
{
    for (const std::string name :
         {"os\nsystem", "builtins\neval", "torch._utils\n_rebuild_qtensor", "torch.nn\nLinear"}) {
        std::string shown = name;
        shown[shown.find('\n')] = '.';
        const auto object = read(proto("c" + name + "\n" + text("x") + "\x85R"));
        QVERIFY(!object);
        QCOMPARE(object.error().code, base::ErrorCode::Unsupported);
        QCOMPARE(object.error().text(),
                 "s.pt: m/data.pkl: byte 2: global " + shown + ", only torch's tensors and storages are read");
    }
    QVERIFY(errorOf(proto(text("os") + text("system") + "\x93")).find("global os.system") != std::string::npos);
}

void TestPickle::refusesOpcodeByName_data()
{
    QTest::addColumn<QByteArray>("opcode");
    QTest::addColumn<QString>("name");
    const std::pair<const char*, const char*> rows[] = {{"b", "BUILD"},     {"i", "INST"},         {"o", "OBJ"},
                                                        {"\x81", "NEWOBJ"}, {"\x92", "NEWOBJ_EX"}, {"P", "PERSID"},
                                                        {"\x82", "EXT1"},   {"\x8f", "EMPTY_SET"}, {"I", "INT"},
                                                        {"\x07", "0x07"},   {"S", "STRING"},       {"2", "DUP"}};
    for (const auto& [opcode, name] : rows)
        QTest::newRow(name) << QByteArray(opcode) << QString(name);
}

void TestPickle::refusesOpcodeByName()
{
    QFETCH(QByteArray, opcode);
    QFETCH(QString, name);
    QCOMPARE(errorOf(proto(opcode.toStdString())), "s.pt: m/data.pkl: byte 2: opcode " + name.toStdString()
                                                       + ", only opcodes that build tensors and containers are run");
}

void TestPickle::refusesTensorOutsideItsStorage()
{
    QCOMPARE(errorOf(proto(tensor(storage("FloatStorage", "0"), 2, {3}, {1})), {bytes({1, 2, 3, 4})}),
             std::string("s.pt: m/data.pkl: 16 bytes in the archive, 20 expected for float32 [3]"));
    QVERIFY(errorOf(proto(tensor(storage("FloatStorage", "0"), 0, {100, 100}, {100, 1})), {bytes({1, 2, 3, 4})})
                .find("16 bytes in the archive, 40,000 expected")
            != std::string::npos);
    QVERIFY(
        errorOf(proto(tensor(storage("FloatStorage", "0"), 0, {2, 2}, {1})), {bytes({1})}).find("1 strides, 2 expected")
        != std::string::npos);
}

void TestPickle::refusesMissingStorage()
{
    QCOMPARE(errorOf(proto(tensor(storage("FloatStorage", "9"), 0, {1}, {1}))),
             std::string("s.pt: m/data/9: no such entry among 2, one expected"));
}

void TestPickle::refusesUnknownStorageClass()
{
    QVERIFY(errorOf(proto(storage("QInt8Storage", "0"))).find("global torch.QInt8Storage") != std::string::npos);
}

void TestPickle::refusesBrokenProgram_data()
{
    QTest::addColumn<QByteArray>("program");
    const std::pair<const char*, QByteArray> rows[] = {
        {"empty", ""},
        {"no stop", "N"},
        {"nothing on the stack", "."},
        {"pop from nothing", "\x85."},
        {"no mark", "t."},
        {"append to no list", "NN\x61."},
        {"key without a value", "}(Nu."},
        {"text longer than the file", QByteArray("X\xff\xff\xff\x7f", 5) + "abc."},
        {"text without an end", "cos"},
        {"unknown memo", "h\x05."},
        {"call of a number", "K\x01)R."},
        {"id that is no storage", "NQ."},
        {"long of 200 bytes", QByteArray("\x8a\xc8") + QByteArray(200, 'x') + "."},
        {"take beyond a mark", "N(\x85."},
        {"tensor of nothing", "ctorch._utils\n_rebuild_tensor_v2\n)R."},
    };
    for (const auto& [name, program] : rows)
        QTest::newRow(name) << program;
}

void TestPickle::refusesBrokenProgram()
{
    QFETCH(QByteArray, program);
    const std::string error = errorOf(program.toStdString());
    QVERIFY2(error.starts_with("s.pt: m/data.pkl: byte "), error.c_str());
    QVERIFY2(error.find("expected") != std::string::npos || error.find("only") != std::string::npos, error.c_str());
}

void TestPickle::refusesListThatContainsItself()
{
    const auto object = read(proto("]q\x01h\x01\x61"));
    QVERIFY(object.ok());
    const auto leaves = object->leaves(object->root);
    QVERIFY(!leaves);
    QVERIFY(leaves.error().sentence.starts_with("nested deeper than 100 levels"));
}

void TestPickle::refusesDoublingLists()
{
    // 60 lists, each twice the one before: 2^60 leaves in 500 bytes
    std::string program = "]N\x61q\x01";
    for (int i = 0; i < 60; ++i)
        program += "](h\x01h\x01\x65q\x01";
    const auto object = read(proto(program));
    QVERIFY(object.ok());
    const auto leaves = object->leaves(object->root);
    QVERIFY(!leaves);
    QVERIFY(leaves.error().sentence.find("1,000,000 values") != std::string::npos);
}

void TestPickle::refusesBigEndian()
{
    const auto object = read(proto("N"), {}, "big");
    QCOMPARE(object.error().text(), std::string("s.pt: m/byteorder: byte order big, little expected"));
}

void TestPickle::refusesArchiveWithoutProgram()
{
    io::ZipWriter zip;
    QVERIFY(zip.add("m/other", "x").ok());
    const auto object = io::readTorchPickle(io::bytesOf(*zip.finish()), "s.pt");
    QCOMPARE(object.error().text(), std::string("s.pt: no data.pkl among 1 entries, one expected"));
}

QTEST_GUILESS_MAIN(TestPickle)
#include "tst_pickle.moc"
