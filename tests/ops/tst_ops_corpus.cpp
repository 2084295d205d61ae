// Every program of tests/data/cases, run as it was exported, against the outputs that torch gave.
#include "io/npz.h"
#include "io/pt2.h"
#include "op_cases.h"
#include "ops/interpreter.h"

#include <QDir>
#include <QTest>

#include <cmath>
#include <map>

using namespace gb;
using ir::Tensor;

namespace {

/// Far below what a range, and so a scale, may differ by (2e-5).
constexpr double kLimit = 3e-6;

std::string path(const QString& name, const char* ending)
{
    return std::string(GREENBOX_TEST_DATA) + "/cases/" + name.toStdString() + ending;
}

std::map<std::string, Tensor> arraysOf(const std::string& file)
{
    std::map<std::string, Tensor> out;
    const auto arrays = io::readNpz(file);
    if (arrays.ok())
        for (const auto& [name, tensor] : *arrays)
            out.emplace(name, tensor);
    return out;
}

/// The first batch, by position or by name.
ops::ValueList firstBatch(const io::Program& program, const std::map<std::string, Tensor>& arrays)
{
    ops::ValueList out;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        for (const std::string& key : {std::to_string(i), program.inputs[i].name, program.inputs[i].target})
            if (const auto found = arrays.find("000." + key); found != arrays.end()) {
                out.emplace_back(found->second);
                break;
            }
    }
    return out;
}

/// The largest difference, relative to the largest element of theirs; infinite where shapes or NaN differ.
double difference(const Tensor& mine, const Tensor& theirs)
{
    const double infinite = std::numeric_limits<double>::infinity();
    if (mine.shape() != theirs.shape())
        return infinite;
    const std::vector<double> a = mine.toDoubles();
    const std::vector<double> b = theirs.toDoubles();
    double largest = 0;
    double apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) != std::isnan(b[i]))
            return infinite;
        if (std::isnan(a[i]) || a[i] == b[i])
            continue;
        apart = std::max(apart, std::fabs(a[i] - b[i]));
    }
    for (const double value : b)
        largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : largest;
    return apart == 0 ? 0 : apart / largest;
}

} // namespace

class TestOpsCorpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void floatOutputsAreTorchs_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList files =
            QDir(QString(GREENBOX_TEST_DATA) + "/cases").entryList({"*.pt2"}, QDir::Files, QDir::Name);
        QVERIFY(!files.isEmpty());
        for (const QString& file : files)
            QTest::addRow("%s", qPrintable(file.chopped(4))) << file.chopped(4);
    }

    void floatOutputsAreTorchs()
    {
        QFETCH(QString, name);
        const auto program = io::loadPt2(path(name, ".pt2"));
        QVERIFY2(program.ok(), program.ok() ? "" : program.error().text().c_str());
        const auto expected = arraysOf(path(name, ".outputs.npz"));
        QVERIFY(expected.contains("float.0"));
        const ops::ValueList inputs = firstBatch(*program, arraysOf(path(name, ".inputs.npz")));
        QCOMPARE(inputs.size(), program->inputs.size());
        QVERIFY(ops::checkCovered(*program->module, *ops_test::table()).empty());
        ops::Interpreter interpreter(program->module, ops_test::table());
        const auto outputs = interpreter.run(inputs);
        QVERIFY2(outputs.ok(), outputs.ok() ? "" : outputs.error().text().c_str());
        std::size_t compared = 0;
        for (std::size_t i = 0; i < outputs->size(); ++i) {
            const auto found = expected.find("float." + std::to_string(i));
            if (found == expected.end() || !(*outputs)[i].tensor())
                continue;
            const double off = difference(*(*outputs)[i].tensor(), found->second);
            QVERIFY2(off <= kLimit,
                     ("output " + std::to_string(i) + " is off by " + std::to_string(off * 1e6) + "e-6").c_str());
            ++compared;
        }
        QVERIFY(compared > 0);
    }
};

QTEST_GUILESS_MAIN(TestOpsCorpus)
#include "tst_ops_corpus.moc"
