// `greenbox observe`: every figure of the observer cases to the last bit, and cases that are wrong.
#include "io/file.h"
#include "io/json.h"
#include "io/npz.h"
#include "io/observe_cases.h"
#include "shell.h"

#include <QtTest>

#include <cstring>

using namespace gb;
using io::Json;
using test::greenbox;

namespace {

const std::string kArrays = GREENBOX_TEST_DATA "/observers/observers.npz";

Json readJson(const std::string& path)
{
    const auto file = io::mapFile(path);
    auto json = file ? io::parseJson(file->text(), path) : base::Result<Json>(file.error());
    if (!json)
        qWarning("%s", json.error().text().c_str());
    return json ? std::move(*json) : Json();
}

std::string caseFile(const test::Folder& folder, const std::string& text)
{
    const std::string path = folder.file("c.json");
    return io::writeFile(path, text) ? path : std::string();
}

} // namespace

class TestObserve : public QObject {
    Q_OBJECT

private slots:
    void meetsEveryCaseToTheLastBit()
    {
        const test::Folder folder;
        const Json rows = readJson(GREENBOX_TEST_DATA "/observers/observers.json");
        Json cases = Json::array();
        for (const Json& row : rows)
            cases.push_back({{"observer", row["observer"]}, {"args", row["args"]}, {"inputs", row["inputs"]}});
        QVERIFY(cases.size() > 600);
        const std::string outputs = folder.file("o.npz");
        const auto ran =
            greenbox({"observe", kArrays, "--cases", caseFile(folder, io::dumpJson(cases)), "--outputs", outputs});
        QVERIFY2(ran.status == 0, ran.err.c_str());
        const auto answers = io::parseJson(ran.out, "answers");
        QVERIFY(answers.ok());
        QCOMPARE(answers->size(), rows.size());
        const auto arrays = io::readNpz(kArrays);
        const auto mine = io::readNpz(outputs);
        const std::map<std::string, ir::Tensor> theirTensors(arrays->begin(), arrays->end());
        const std::map<std::string, ir::Tensor> myTensors(mine->begin(), mine->end());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string where = base::Message{"case {0}", {std::to_string(i)}}.text();
            QVERIFY2(rows[i].contains("error") == (*answers)[i].contains("error"), where.c_str());
            for (const char* key : {"min_val", "max_val", "histogram", "scale", "zero_point"})
                if (rows[i].contains(key))
                    QVERIFY2((*answers)[i][key] == rows[i][key], (where + " " + key).c_str());
            if (!rows[i].contains("output"))
                continue;
            const std::string name = rows[i]["output"].get<std::string>();
            QVERIFY2(myTensors.contains(name), name.c_str());
            const ir::Tensor a = myTensors.at(name).contiguous();
            const ir::Tensor b = theirTensors.at(name).contiguous();
            QCOMPARE(a.byteCount(), b.byteCount());
            QVERIFY2(std::memcmp(a.rawData(), b.rawData(), a.byteCount()) == 0, name.c_str());
        }
    }

    void writesOneCaseALine()
    {
        const test::Folder folder;
        const auto ran = greenbox({"observe", kArrays, "--cases",
                                   caseFile(folder, R"([{"observer": "MinMaxObserver", "args": {"dtype": "int8"},
                                                        "inputs": ["scalar.0"]}, {"observer": "HistogramObserver",
                                                        "args": {"dtype": "int8"}, "inputs": ["with_nan.0"]}])")});
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.out.starts_with("[\n{\"min_val\":[2.5],\"max_val\":[2.5],\"scale\":["), ran.out.c_str());
        QVERIFY2(
            ran.out.ends_with(",\n{\"error\":\"RuntimeError: torch.histc: range of [-nan, -nan] is not finite\"}\n]\n")
                || ran.out.ends_with(
                    ",\n{\"error\":\"RuntimeError: torch.histc: range of [nan, nan] is not finite\"}\n]\n"),
            ran.out.c_str());
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("cases");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("no list") << QByteArray("{}") << "found object of 0, list expected";
        QTest::newRow("unknown key") << QByteArray(R"([{"observer": "MinMaxObserver", "input": []}])")
                                     << "[0].input: unknown key, observer, args or inputs expected";
        QTest::newRow("no inputs") << QByteArray(R"([{"observer": "MinMaxObserver"}])")
                                   << "[0]: no key \"inputs\" found, one expected";
        QTest::newRow("input is no name") << QByteArray(R"([{"observer": "MinMaxObserver", "inputs": [0]}])")
                                          << "[0].inputs[0]: found integer 0, text expected";
        QTest::newRow("no such array") << QByteArray(R"([{"observer": "MinMaxObserver", "inputs": ["x.9"]}])")
                                       << "[0].inputs: no array \"x.9\" in ";
        QTest::newRow("unknown observer") << QByteArray(R"([{"observer": "MaxObserver", "inputs": []}])")
                                          << "[0].observer: unknown observer \"MaxObserver\", FakeQuantize, ";
    }
    void refuses()
    {
        QFETCH(QByteArray, cases);
        QFETCH(QString, sentence);
        const test::Folder folder;
        const std::string path = caseFile(folder, cases.toStdString());
        const auto ran = greenbox({"observe", kArrays, "--cases", path});
        QCOMPARE(ran.status, 2);
        QVERIFY(ran.out.empty());
        QVERIFY2(ran.err.starts_with("greenbox: " + path + ": " + sentence.toStdString()), ran.err.c_str());
    }

    void whatTorchaoRaisesIsAnAnswer()
    {
        const test::Folder folder;
        const auto ran = greenbox(
            {"observe", kArrays, "--cases", caseFile(folder, R"([{"observer": "MinMaxObserver", "args": {"epps": 1},
                                                        "inputs": []}])")});
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.out.find("\"error\":\"TypeError: ") != std::string::npos, ran.out.c_str());
    }

    void unreadableAndUnwritableFilesAreStatusTwo()
    {
        const test::Folder folder;
        const std::string cases = caseFile(folder, "[]");
        QCOMPARE(greenbox({"observe", "/nowhere/i.npz", "--cases", cases}).err,
                 std::string("greenbox: /nowhere/i.npz: cannot read: No such file or directory\n"));
        QCOMPARE(greenbox({"observe", kArrays, "--cases", "/nowhere/c.json"}).status, 2);
        const auto full = greenbox({"observe", kArrays, "--cases",
                                    caseFile(folder, R"([{"observer": "FakeQuantize", "args": {"observer":
                                             "MinMaxObserver", "dtype": "int8", "quant_min": -128, "quant_max": 127},
                                             "inputs": ["one_batch.0"]}])"),
                                    "--outputs", "/dev/full"});
        QCOMPARE(full.status, 2);
        QCOMPARE(full.err, std::string("greenbox: /dev/full: cannot write: No space left on device\n"));
    }
};

QTEST_GUILESS_MAIN(TestObserve)
#include "tst_observe_verb.moc"
