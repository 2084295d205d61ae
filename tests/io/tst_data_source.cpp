// Batches from every kind of source, and each way in which one can miss the model.
#include "io/data_source.h"
#include "io/file.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <set>

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

io::Program modelOf(std::vector<ir::Dim> shape, DType dtype = DType::Float32)
{
    io::Program out;
    out.inputs = {input("x", dtype, shape)};
    return out;
}

/// numpy's format: float32, C order, counting up from 0.
std::string npyFile(const QTemporaryDir& folder, const ir::Shape& shape)
{
    std::string dims;
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        dims += std::to_string(size) + ",";
        count *= size;
    }
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
    header += std::string(63 - (10 + header.size()) % 64, ' ') + '\n';
    std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>(i);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    const std::string path = folder.filePath(QStringLiteral("a.npy")).toStdString();
    return io::writeFile(path, bytes) ? path : std::string();
}

/// Gives the colours 0.5, 0.25 and 1 everywhere; counts what it was asked for.
struct Painter {
    std::vector<std::string> asked;
    io::ImageReader reader()
    {
        return [this](const std::string& path, std::int64_t height, std::int64_t width) -> base::Result<Tensor> {
            asked.push_back(path.substr(path.rfind('/') + 1));
            std::vector<float> values;
            for (const float colour : {0.5F, 0.25F, 1.0F})
                values.insert(values.end(), static_cast<std::size_t>(height * width), colour);
            return Tensor::fromVector(values, {3, height, width});
        };
    }
};

void touch(const QTemporaryDir& folder, const QStringList& names)
{
    for (const QString& name : names)
        QVERIFY(io::writeFile(folder.filePath(name).toStdString(), "x").ok());
}

std::string errorOf(const io::DataSource& source, const io::Program& program)
{
    const auto read = io::readData(source, program);
    return read ? "no error" : read.error().text();
}

const Tensor& tensorOf(const io::DataBatches& data, std::size_t batch)
{
    return std::get<Tensor>(data.batches[batch][0]);
}

} // namespace

class TestDataSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anArrayIsOneBatchOrMany_data()
    {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<int>("batches");
        QTest::newRow("one") << QList<int>{2, 3} << 1;
        QTest::newRow("one more dimension") << QList<int>{5, 2, 3} << 5;
        QTest::newRow("longer") << QList<int>{7, 3} << 3;
    }

    void anArrayIsOneBatchOrMany()
    {
        QFETCH(const QList<int>, shape);
        QFETCH(const int, batches);
        const QTemporaryDir folder;
        const std::string path = npyFile(folder, ir::Shape(shape.begin(), shape.end()));
        const auto data = io::readData({path, {}, {}}, modelOf({{2, ""}, {3, ""}}));
        QVERIFY2(data.ok(), data.ok() ? "" : data.error().text().c_str());
        QCOMPARE(static_cast<int>(data->batches.size()), batches);
        QCOMPARE(data->notes.size(), std::size_t(shape[0] == 7 ? 1 : 0)); // the seventh row fills no batch
        const Tensor& last = tensorOf(*data, data->batches.size() - 1);
        QCOMPARE(last.shape(), (ir::Shape{2, 3}));
        QCOMPARE(last.at(0), 6.0 * (batches - 1));
    }

    void anArrayThatDoesNotFitIsNamed()
    {
        const QTemporaryDir folder;
        const std::string path = npyFile(folder, {2, 4});
        QVERIFY(errorOf({path, {}, {}}, modelOf({{2, ""}, {3, ""}})).find("float32 [2, 4]") != std::string::npos);
        io::Program two = modelOf({{2, ""}});
        two.inputs.push_back(two.inputs[0]);
        QVERIFY(errorOf({path, {}, {}}, two).find("2 tensor inputs, one expected") != std::string::npos);
    }

    void aSeedGivesTheSameValues()
    {
        const io::Program program = modelOf({{100, ""}, {10, ""}});
        const auto a = io::readData({"random:7:2", {}, {}}, program);
        const auto b = io::readData({"random:7:2", {}, {}}, program);
        const auto other = io::readData({"random:8", {}, {}}, program);
        QVERIFY(a.ok() && b.ok() && other.ok());
        QCOMPARE(a->batches.size(), std::size_t(2));
        QCOMPARE(tensorOf(*a, 1).toDoubles(), tensorOf(*b, 1).toDoubles());
        QVERIFY(tensorOf(*a, 0).toDoubles() != tensorOf(*other, 0).toDoubles());
        double sum = 0;
        double squares = 0;
        for (const double value : tensorOf(*a, 0).toDoubles()) {
            sum += value;
            squares += value * value;
        }
        QVERIFY(std::fabs(sum / 1000) < 0.15);
        QVERIFY(std::fabs(squares / 1000 - 1) < 0.2);
    }

    void randomIntegersStayInTheSamplesRange()
    {
        io::Program program = modelOf({{-1, "s0"}}, DType::Int64);
        program.samples = {Tensor::fromVector(std::vector<std::int64_t>{3, 9, 4})};
        const auto data = io::readData({"random:1:20", {}, {}}, program);
        QVERIFY(data.ok());
        std::set<double> seen;
        for (std::size_t b = 0; b < 20; ++b) {
            QCOMPARE(tensorOf(*data, b).shape(), ir::Shape{3});
            for (const double value : tensorOf(*data, b).toDoubles()) {
                QVERIFY(value >= 3 && value <= 9);
                seen.insert(value);
            }
        }
        QVERIFY(seen.contains(3) && seen.contains(9));
    }

    void aSeedThatIsNoneIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"random:", "random:x", "random:1:", "random:1:0", "random:1:2:3", "random:-1"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }

    void aSeedThatIsNoneIsRefused()
    {
        QFETCH(const QString, text);
        const auto data = io::readData({text.toStdString(), {}, {}}, modelOf({{2, ""}}));
        QVERIFY(!data.ok());
        QCOMPARE(data.error().code, base::ErrorCode::Usage);
    }

    void imagesAreNormalisedInTheOrderOfTheirNames()
    {
        const QTemporaryDir folder;
        touch(folder,
              {QStringLiteral("b.png"), QStringLiteral("a.JPG"), QStringLiteral("notes.txt"), QStringLiteral("c.bmp")});
        Painter painter;
        const io::DataSource source{folder.path().toStdString(), {0, 0, {0.5, 0.25, 0.0}, {0.5}}, painter.reader()};
        const auto data = io::readData(source, modelOf({{2, ""}, {3, ""}, {4, ""}, {5, ""}}));
        QVERIFY2(data.ok(), data.ok() ? "" : data.error().text().c_str());
        QCOMPARE(painter.asked, (std::vector<std::string>{"a.JPG", "b.png"}));
        QCOMPARE(data->batches.size(), std::size_t(1));
        QCOMPARE(data->notes.size(), std::size_t(1)); // c.bmp fills no batch
        const Tensor& batch = tensorOf(*data, 0);
        QCOMPARE(batch.shape(), (ir::Shape{2, 3, 4, 5}));
        QCOMPARE(batch.at(0), 0.0);
        QCOMPARE(batch.at(20), 0.0);
        QCOMPARE(batch.at(40), 2.0);
    }

    void oneChannelIsTheLuminance()
    {
        const QTemporaryDir folder;
        touch(folder, {QStringLiteral("a.png")});
        Painter painter;
        const auto data = io::readData({folder.path().toStdString(), {6, 7, {}, {}}, painter.reader()},
                                       modelOf({{-1, "s0"}, {1, ""}, {-1, "s1"}, {-1, "s2"}}));
        QVERIFY2(data.ok(), data.ok() ? "" : data.error().text().c_str());
        QCOMPARE(tensorOf(*data, 0).shape(), (ir::Shape{1, 1, 6, 7}));
        QVERIFY(std::fabs(tensorOf(*data, 0).at(3) - (0.299 * 0.5 + 0.587 * 0.25 + 0.114)) < 1e-6);
    }

    void whatDoesNotFitIsSaid()
    {
        const QTemporaryDir folder;
        Painter painter;
        const io::Program program = modelOf({{2, ""}, {3, ""}, {4, ""}, {5, ""}});
        const std::string path = folder.path().toStdString();
        QVERIFY(errorOf({path, {}, painter.reader()}, program).find("found no images") != std::string::npos);
        touch(folder, {QStringLiteral("a.png")});
        QVERIFY(errorOf({path, {}, painter.reader()}, program).find("found 1 images, at least 2") != std::string::npos);
        touch(folder, {QStringLiteral("b.png")});
        QVERIFY(errorOf({path, {8, 8, {}, {}}, painter.reader()}, program).find("8 found, 4 expected")
                != std::string::npos);
        QVERIFY(errorOf({path, {0, 0, {1, 2}, {}}, painter.reader()}, program).find("image mean") != std::string::npos);
        QVERIFY(errorOf({path, {0, 0, {}, {0}}, painter.reader()}, program).find("image deviation")
                != std::string::npos);
        QVERIFY(errorOf({path, {}, painter.reader()}, modelOf({{2, ""}, {3, ""}})).find("float32 [N, 1 or 3")
                != std::string::npos);
        QVERIFY(errorOf({path, {}, {}}, program).find("reads no images") != std::string::npos);
        QVERIFY(errorOf({path, {}, painter.reader()}, modelOf({{-1, "s"}, {3, ""}, {-1, "h"}, {-1, "w"}}))
                    .find("no size given")
                != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestDataSource)
#include "tst_data_source.moc"
