// Calibration inputs: arrays by name into batches, and each way in which they can miss the model.
#include "pt2_edit.h"

#include "io/batches.h"

#include <QtTest>

using namespace gb;
using ir::DType;
using ir::Tensor;

namespace {

io::ModelInput input(const std::string& name, DType dtype, const std::vector<ir::Dim>& shape)
{
    io::ModelInput out{name, name, {}};
    out.meta.kind = ir::ValueMeta::Kind::Tensor;
    out.meta.tensor.dtype = dtype;
    out.meta.tensor.shape = shape;
    return out;
}

/// x: float32 [s0, 3], mask: bool [s0], n: a number that the program was exported with
io::Program program()
{
    io::Program out;
    out.inputs = {input("x", DType::Float32, {{-1, "s0"}, {3, ""}}), input("mask_1", DType::Bool, {{-1, "s0"}})};
    out.inputs[1].target = "mask";
    io::ModelInput number{"n", "n", {}};
    number.meta.kind = ir::ValueMeta::Kind::Scalar;
    out.inputs.push_back(number);
    out.samples = {Tensor::zeros(DType::Float32, {2, 3}), Tensor::zeros(DType::Bool, {2}), std::int64_t{7}};
    return out;
}

Tensor floats(ir::Shape shape)
{
    return Tensor::zeros(DType::Float32, std::move(shape));
}

Tensor bools(std::int64_t count)
{
    return Tensor::zeros(DType::Bool, {count});
}

std::string errorOf(const io::NamedTensors& arrays)
{
    const auto batches = io::batchesFrom(arrays, program(), "i.npz");
    return batches ? "no error" : batches.error().text();
}

} // namespace

class TestBatches : public QObject {
    Q_OBJECT

private slots:
    void sortsByPositionAndName();
    void readsTheCasesOfTheCorpus();
    void leavesSymbolicSizesFree();
    void takesFloat32ForBfloat16();
    void refusesWrongShape();
    void refusesSymbolOfTwoSizes();
    void refusesWrongDtype();
    void refusesMissingInput();
    void refusesHoleInTheNumbering();
    void refusesUnknownInput();
    void refusesInputGivenTwice();
    void refusesNameWithoutBatch();
    void refusesNoArraysAtAll();
    void saysWhyThereAreNoSamples();
};

void TestBatches::sortsByPositionAndName()
{
    // batch 1 comes first, by name, and numbers need no leading zeros
    const auto batches = io::batchesFrom(
        {{"1.mask", bools(4)}, {"001.x", floats({4, 3})}, {"000.mask_1", bools(2)}, {"000.0", floats({2, 3})}},
        program(), "i.npz");
    QVERIFY2(batches.ok(), batches ? "" : batches.error().text().c_str());
    QCOMPARE(batches->size(), std::size_t{2});
    QCOMPARE(ir::describe(std::get<Tensor>((*batches)[0][0])), std::string("float32 [2, 3]"));
    QCOMPARE(ir::describe(std::get<Tensor>((*batches)[1][1])), std::string("bool [4]"));
    QCOMPARE(std::get<std::int64_t>((*batches)[1][2]), std::int64_t{7}); // from the sample
}

void TestBatches::readsTheCasesOfTheCorpus()
{
    const auto loaded = io::loadPt2(test::caseFile("conv_relu.xnnpack.pt2"));
    QVERIFY(loaded.ok());
    const auto batches = io::readBatches(test::caseFile("conv_relu.xnnpack.inputs.npz"), *loaded);
    QVERIFY2(batches.ok(), batches ? "" : batches.error().text().c_str());
    QCOMPARE(batches->size(), std::size_t{4});
    const auto samples = io::sampleBatches(*loaded);
    QVERIFY(samples.ok());
    QCOMPARE(samples->size(), std::size_t{1});
    const auto wrong = io::readBatches(test::caseFile("linear.xnnpack.inputs.npz"), *loaded);
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().text().find(".npz: 000.0: found float32 [") != std::string::npos,
             wrong.error().text().c_str());
}

void TestBatches::leavesSymbolicSizesFree()
{
    for (const std::int64_t size : {0, 1, 50})
        QCOMPARE(errorOf({{"0.0", floats({size, 3})}, {"0.1", bools(size)}}), std::string("no error"));
}

void TestBatches::takesFloat32ForBfloat16()
{
    io::Program brain;
    brain.inputs = {input("x", DType::BFloat16, {{2, ""}})};
    const auto batches = io::batchesFrom({{"0.x", floats({2})}}, brain, "i.npz");
    QVERIFY(batches.ok());
    QCOMPARE(ir::describe(std::get<Tensor>((*batches)[0][0])), std::string("bfloat16 [2]"));
}

void TestBatches::refusesWrongShape()
{
    QCOMPARE(errorOf({{"000.0", floats({2, 4})}, {"000.1", bools(2)}}),
             std::string("i.npz: 000.0: found float32 [2, 4], float32 [s0, 3] expected for input x"));
    QCOMPARE(errorOf({{"000.0", floats({2, 3, 1})}, {"000.1", bools(2)}}),
             std::string("i.npz: 000.0: found float32 [2, 3, 1], float32 [s0, 3] expected for input x"));
}

void TestBatches::refusesSymbolOfTwoSizes()
{
    QCOMPARE(errorOf({{"000.0", floats({2, 3})}, {"000.1", bools(5)}}),
             std::string("i.npz: 000.1: found bool [5], bool [s0] expected for input mask_1"));
}

void TestBatches::refusesWrongDtype()
{
    QCOMPARE(errorOf({{"000.0", Tensor::zeros(DType::Float64, {2, 3})}, {"000.1", bools(2)}}),
             std::string("i.npz: 000.0: found float64 [2, 3], float32 [s0, 3] expected for input x"));
}

void TestBatches::refusesMissingInput()
{
    QCOMPARE(errorOf({{"000.0", floats({2, 3})}, {"000.1", bools(2)}, {"001.x", floats({2, 3})}}),
             std::string("i.npz: 001.1: found no array for input mask_1, bool [s0] expected"));
}

void TestBatches::refusesHoleInTheNumbering()
{
    QCOMPARE(errorOf({{"000.0", floats({2, 3})}, {"000.1", bools(2)}, {"002.0", floats({2, 3})}, {"002.1", bools(2)}}),
             std::string("i.npz: 002.0: found batch 2 after 1 batches, batch 1 expected"));
}

void TestBatches::refusesUnknownInput()
{
    QCOMPARE(
        errorOf({{"000.y", floats({2, 3})}}),
        std::string("i.npz: 000.y: found no input of this name or position among 3, one of x, mask_1, n expected"));
    QVERIFY(errorOf({{"000.3", floats({2, 3})}}).starts_with("i.npz: 000.3: found no input"));
}

void TestBatches::refusesInputGivenTwice()
{
    QCOMPARE(errorOf({{"000.0", floats({2, 3})}, {"000.x", floats({2, 3})}}),
             std::string("i.npz: 000.x: found the input twice, also as 000.0; once expected"));
}

void TestBatches::refusesNameWithoutBatch()
{
    for (const char* name : {"x", "first.x", ".x", "-1.x", "99999999999999999999999.x"})
        QCOMPARE(errorOf({{name, floats({2, 3})}}),
                 std::string("i.npz: ") + name + ": found a name without a batch, BATCH.INPUT expected (000.0)");
}

void TestBatches::refusesNoArraysAtAll()
{
    QCOMPARE(errorOf({}), std::string("i.npz: found no arrays, at least batch 000 expected"));
}

void TestBatches::saysWhyThereAreNoSamples()
{
    io::Program none = program();
    none.path = "m.pt2";
    none.samples.clear();
    QCOMPARE(io::sampleBatches(none).error().text(),
             std::string("m.pt2: no sample inputs in the file, some expected (or an .npz)"));
    none.samplesProblem = base::Error{base::ErrorCode::Unsupported, "global os.system", "m.pt2: samples"};
    QCOMPARE(io::sampleBatches(none).error().text(), std::string("m.pt2: samples: global os.system"));
}

QTEST_GUILESS_MAIN(TestBatches)
#include "tst_batches.moc"
