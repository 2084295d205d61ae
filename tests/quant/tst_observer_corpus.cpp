// Every recorded observer case is met to the last bit, sentences of refusals included: the conformance corpus, the
// project's own cases, and those at the edges of settings and inputs.
#include "observer_cases.h"

#include <QtTest>

using namespace gb;

class TestObserverCorpus : public QObject {
    Q_OBJECT

private slots:
    void meetsTheConformanceCorpus() { meets("observers", 702); }
    void meetsTheOwnCases() { meets("observers_own", 291); }
    void meetsTheEdges() { meets("observers_edges", 671); }

private:
    void meets(const std::string& folder, std::size_t atLeast);
};

namespace {

std::string errorDifference(const test::Json& wanted, const std::string& got)
{
    const std::string want = wanted.value("error", std::string());
    return want == got ? std::string() : "'" + got + "', wanted '" + want + "'";
}

/// Bytes of the output, except that any NaN is as good as another.
std::string outputDifference(const std::optional<ir::Tensor>& got, const ir::Tensor& wanted)
{
    if (!got || got->shape() != wanted.shape() || got->dtype() != wanted.dtype())
        return "missing, or of another shape or dtype";
    const std::vector<double> values = got->toDoubles();
    const std::vector<double> want = wanted.toDoubles();
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != want[i] && !(std::isnan(values[i]) && std::isnan(want[i])))
            return "at " + std::to_string(i);
    return {};
}

} // namespace

void TestObserverCorpus::meets(const std::string& folder, std::size_t atLeast)
{
    const std::string path = std::string(GREENBOX_TEST_DATA) + "/" + folder;
    const test::Json cases = test::readJson(path + "/observers.json");
    const auto arrays = test::readNpz(path + "/observers.npz");
    QVERIFY(cases.is_array());
    QVERIFY(cases.size() >= atLeast);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const test::Json& row = cases[i];
        const std::string name = row["observer"].get<std::string>() + " " + row["args"].dump() + row["inputs"].dump();
        std::vector<ir::Tensor> inputs;
        for (const auto& input : row["inputs"])
            inputs.push_back(arrays.at(input.get<std::string>()));
        const auto result = quant::observeCase(test::constructorOf(row["observer"], row["args"]), inputs);
        QVERIFY2(result.ok(), name.c_str());
        const auto expect = [&](const char* key, const std::string& differs) {
            const std::string message = name + ": " + key + " " + differs;
            if (!differs.empty())
                QFAIL(message.c_str());
        };
        expect("error", errorDifference(row, result->error));
        const std::pair<const char*, std::optional<ir::Tensor>> held[] = {
            {"min_val", result->minVal},
            {"max_val", result->maxVal},
            {"histogram", result->histogram},
            {"scale", result->qparams ? std::optional(result->qparams->scale) : std::nullopt},
            {"zero_point", result->qparams ? std::optional(result->qparams->zeroPoint) : std::nullopt}};
        for (const auto& [key, tensor] : held) {
            QCOMPARE(tensor.has_value(), row.contains(key));
            if (row.contains(key))
                expect(key, test::difference(tensor, row[key]));
        }
        if (row.contains("output"))
            expect("output", outputDifference(result->output, arrays.at(row["output"].get<std::string>())));
    }
}

QTEST_APPLESS_MAIN(TestObserverCorpus)
#include "tst_observer_corpus.moc"
