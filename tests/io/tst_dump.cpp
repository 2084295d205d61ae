// Stage dumps: keys and their presence as the reference dump has them, reading with checks, and the diff of two.
#include "io/dump.h"
#include "io/dump_diff.h"
#include "io/json.h"
#include "recording_sample.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace gb;
using io::Json;

namespace {

Json sampleDump()
{
    const auto text = io::dumpText(test::sampleRecording());
    if (!text)
        qWarning("%s", text.error().text().c_str());
    return text ? std::move(*io::parseJson(*text, "dump")) : Json::object();
}

std::string text(const Json& json)
{
    return io::dumpJson(json);
}

const Json& node(const Json& dump, const char* stage, const char* name)
{
    static const Json kNone;
    for (const Json& n : dump["stages"][stage]["nodes"])
        if (n["name"] == name)
            return n;
    return kNone;
}

std::string keys(const Json& object)
{
    std::string out;
    for (const auto& [key, value] : object.items())
        out += (out.empty() ? "" : " ") + key;
    return out;
}

io::Dump dumpOf(const Json& json)
{
    auto dump = io::parseDump(io::dumpJson(json), "d.json");
    if (!dump)
        qWarning("%s", dump.error().text().c_str());
    return *dump;
}

std::string firstDifference(const Json& a, const Json& b, double tolerance = 0.0)
{
    const auto stages = io::diffDumps(dumpOf(a), dumpOf(b), tolerance);
    return stages.empty() ? "the same" : stages[0].stage + ": " + stages[0].entries[0];
}

} // namespace

class TestDump : public QObject {
    Q_OBJECT

private slots:
    void hasTheContractsKeysInOrder()
    {
        const Json dump = sampleDump();
        QCOMPARE(keys(dump), std::string("format version producer model mode recipe stages options error"));
        QCOMPARE(keys(dump["stages"]), std::string("exported annotated prepared calibrated converted"));
        QCOMPARE(text(dump["producer"]), std::string(R"({"name":"greenbox","version":"0.1.0","torch":"2.14.1"})"));
        QCOMPARE(text(dump["options"]), std::string(R"({"calibrate":[0,2],"fold_quantize":false})"));
        QVERIFY(dump["error"].is_null());
        QCOMPARE(text(dump["recipe"]), std::string(R"({"quantizer":"xnnpack","global":{"act_qmin":-5}})"));
    }

    void writesValuesAsTheReferenceDoes()
    {
        const Json dump = sampleDump();
        const Json& conv = node(dump, "exported", "conv2d");
        QCOMPARE(keys(conv), std::string("name op target args kwargs shape dtype"));
        QCOMPARE(text(conv["args"]), std::string(R"([{"node":"x"},[1,"inf"],{"slice":[null,2,1.5]}])"));
        QCOMPARE(
            text(conv["kwargs"]),
            std::string(
                R"({"weight":{"node":"w"},"dtype":{"dtype":"bfloat16"},)"
                R"("memory_format":{"repr":"torch.contiguous_format"},"table":{"repr":"{'a': 'text', 'b': True}"}})"));
        QCOMPARE(text(conv["shape"]), std::string(R"(["s77",3])"));
        QCOMPARE(text(conv["dtype"]), std::string(R"("float32")"));
        QVERIFY(node(dump, "exported", "relu")["shape"].is_null());
    }

    void writesEveryKindOfSpec()
    {
        const Json dump = sampleDump();
        QCOMPARE(text(node(dump, "annotated", "conv2d")["annotation"]),
                 std::string(R"({"inputs":[{"from":"x","spec":{"kind":"quantization","dtype":"int8","quant_min":-128,)"
                             R"("quant_max":127,"qscheme":"per_tensor_affine","ch_axis":null,"is_dynamic":false,)"
                             R"("observer":"HistogramObserver","observer_args":{"eps":0.25,"reduce_range":false}}},)"
                             R"({"from":"w","spec":{"kind":"derived","from":[{"edge":["x","conv2d"]},{"node":"w"}],)"
                             R"("dtype":"int32","quant_min":null,"quant_max":null,"qscheme":null,"ch_axis":null}}],)"
                             R"("output":{"kind":"shared","with":{"edge":["x","conv2d"]}},"annotated":false,)"
                             R"("allow_implicit_sharing":true,"extra":{"_is_output_of_quantized_pattern":true}})"));
        QCOMPARE(text(node(dump, "annotated", "x")["annotation"]["output"]),
                 std::string(R"({"kind":"fixed","dtype":"uint8","scale":0.00390625,"zero_point":0,"quant_min":null,)"
                             R"("quant_max":null,"qscheme":null})"));
        QVERIFY(node(dump, "annotated", "w")["annotation"]["inputs"][0]["spec"].is_null());
        QVERIFY(!node(dump, "exported", "conv2d").contains("annotation"));
    }

    void writesObserversAndTheirStates()
    {
        const Json dump = sampleDump();
        const Json& row = dump["stages"]["prepared"]["observers"]["activation_post_process_0"];
        QCOMPARE(text(row),
                 std::string(R"({"module":"activation_post_process_0","type":"HistogramObserver","observes":"x",)"
                             R"("users":["conv2d"],"dtype":"int8","qscheme":"per_tensor_affine",)"
                             R"("quant_min":-128,"quant_max":127,"is_dynamic":false,"bins":4,)"
                             R"("eps":0.000244140625})"));
        const Json& calibrated = dump["stages"]["calibrated"];
        QCOMPARE(keys(calibrated), std::string("observers subgraphs"));
        const Json& state = calibrated["observers"]["activation_post_process_0"];
        QCOMPARE(text(state["min_val"]), std::string("[-0.10000000149011612]"));
        QCOMPARE(text(state["max_val"]), std::string(R"(["inf"])"));
        QCOMPARE(text(state["histogram"]), std::string("[1.0,0.0,2.5,7.0]"));
        QCOMPARE(text(state["scale"]), std::string("[0.10000000149011612]"));
        QCOMPARE(text(state["zero_point"]), std::string("[-3]"));
    }

    void writesTensorsWithTheirDigest()
    {
        const Json tensors = sampleDump()["stages"]["converted"]["tensors"];
        // sha256 of the bytes 01 ff
        QCOMPARE(text(tensors), std::string(R"({"_frozen_param0":{"dtype":"int8","shape":[2],"sha256":)"
                                            R"("4b3a43f592f577fcfcb5b0e1f42bec5182c9edc414e1f667528f56e7cf0be11d"}})"));
    }

    void writesSubgraphsAtEveryStage()
    {
        const Json dump = sampleDump();
        for (const char* stage : {"exported", "annotated", "prepared", "converted"})
            QCOMPARE(text(dump["stages"][stage]["subgraphs"]["body"]["nodes"][0]["name"]), std::string(R"("arg0")"));
        QVERIFY(dump["stages"]["prepared"]["subgraphs"]["body"].contains("observers"));
    }

    void aLaterStageOfASubgraphTakesItsPlace()
    {
        auto ids = std::make_shared<ir::NodeIds>();
        ir::GraphModule m(ids, "");
        auto body = std::make_shared<ir::GraphModule>(ids, "body");
        m.setSubgraph("body", body);
        ir::Node* inner = body->graph().append({ir::Op::Placeholder, "a", {}, {}, "a"});
        m.graph().append({ir::Op::GetAttr, "body", {}, {}, "body_1"});
        trace::Recorder recorder(test::sampleHeader());
        recorder.say(test::sampleEvent(trace::EventKind::Load, "m", base::message("loads")));
        recorder.snapshot(m);
        m.setListener(&recorder);
        recorder.stage("annotated", base::message("top"));
        recorder.say(test::sampleEvent(trace::EventKind::Annotate, "a", base::message("labels a")));
        body->graph().setAnnotation(inner, std::make_shared<const ir::Annotation>());
        recorder.stage("annotated", base::message("body"), "body");
        m.setListener(nullptr);
        const Json dump = *io::parseJson(*io::dumpText(recorder.publish()), "dump");
        QCOMPARE(keys(dump["stages"]), std::string("annotated"));
        QVERIFY(dump["stages"]["annotated"]["subgraphs"]["body"]["nodes"][0].contains("annotation"));
    }

    void anErrorHasTypeAndMessage()
    {
        trace::Recorder recorder(test::sampleHeader());
        recorder.fail({base::ErrorCode::ValueError, "not this way", "node x"});
        const Json dump = *io::parseJson(*io::dumpText(recorder.publish()), "dump");
        QCOMPARE(text(dump["error"]), std::string(R"({"type":"ValueError","message":"node x: not this way"})"));
        QVERIFY(dump["stages"].empty());
    }

    void theSameRecordingGivesTheSameBytes()
    {
        QCOMPARE(*io::dumpText(test::sampleRecording()), *io::dumpText(test::sampleRecording()));
    }

    // -- reading --------------------------------------------------------------------------------------

    void readsEveryDumpOfTheCasesAndFindsItLikeItself()
    {
        const QDir cases(GREENBOX_TEST_DATA "/cases");
        const QStringList files = cases.entryList({"*.dump.json"});
        QVERIFY(files.size() >= 40);
        for (const QString& file : files) {
            const auto dump = io::readDump(cases.filePath(file).toStdString());
            QVERIFY2(dump.ok(), dump ? "" : dump.error().text().c_str());
            QVERIFY(io::diffDumps(*dump, *dump, 0.0).empty());
        }
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("another format") << QByteArray(R"({"format":"x"})")
                                        << "d.json: format: found \"x\", \"greenbox-dump\" expected";
        QTest::newRow("another version") << QByteArray(R"({"format":"greenbox-dump","version":9})")
                                         << "d.json: version: found version 9, 1 expected";
        QTest::newRow("no stages") << QByteArray(R"({"format":"greenbox-dump","version":1})")
                                   << "d.json: no key \"stages\" found, one expected";
        QTest::newRow("stage") << QByteArray(R"({"format":"greenbox-dump","version":1,"stages":{"exported":[]}})")
                               << "d.json: stages.exported: found list of 0, object expected";
        QTest::newRow("node without name")
            << QByteArray(R"({"format":"greenbox-dump","version":1,"stages":{"exported":{"nodes":[{"name":7}]}}})")
            << "d.json: stages.exported.nodes[0].name: found integer 7, text expected";
        QTest::newRow("observers") << QByteArray(
            R"({"format":"greenbox-dump","version":1,"stages":{"a":{"subgraphs":{"b":{"observers":[]}}}}})")
                                   << "d.json: stages.a.subgraphs.b.observers: found list of 0, object expected";
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        const auto dump = io::parseDump(text.toStdString(), "d.json");
        QVERIFY(!dump);
        QCOMPARE(QString::fromStdString(dump.error().text()), sentence);
    }

    void aFullDiskIsAnError()
    {
        QCOMPARE(io::writeDump(test::sampleRecording(), "/dev/full").error().text(),
                 std::string("/dev/full: cannot write: No space left on device"));
    }

    void writesAsAWholeOrNotAtAll()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("d.json");
        QVERIFY(io::writeDump(test::sampleRecording(), path.toStdString()).ok());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"d.json"});
        QVERIFY(io::readDump(path.toStdString()).ok());
        QVERIFY(!io::writeDump(test::sampleRecording(), folder.filePath("none/d.json").toStdString()));
    }

    // -- differences ----------------------------------------------------------------------------------

    void saysWhatDiffers()
    {
        const Json a = sampleDump();
        Json b = a;
        b["stages"]["exported"]["nodes"][3]["args"][1][0] = 2;
        QCOMPARE(firstDifference(a, b), std::string("exported: node conv2d.args[1][0]: 1 here, 2 there"));
        b = a;
        b["stages"]["exported"]["nodes"].erase(4);
        QCOMPARE(firstDifference(a, b), std::string("exported: node relu: only here"));
        b = a;
        std::swap(b["stages"]["exported"]["nodes"][0], b["stages"]["exported"]["nodes"][1]);
        QCOMPARE(firstDifference(a, b),
                 std::string("exported: the same nodes in another order: w here where x stands there"));
        b = a;
        b["stages"].erase("converted");
        QCOMPARE(firstDifference(a, b), std::string("converted: only here"));
        b = a;
        b["stages"]["exported"]["subgraphs"]["body"]["nodes"][0]["target"] = "z";
        QCOMPARE(firstDifference(a, b),
                 std::string("exported: sub-graph body: node arg0.target: \"arg0\" here, \"z\" there"));
        b = a;
        b["stages"]["converted"]["tensors"]["_frozen_param0"]["sha256"] = "00";
        QVERIFY(firstDifference(a, b).starts_with("converted: tensor _frozen_param0.sha256: "));
        b = a;
        b["error"] = {{"type", "ValueError"}, {"message", "m"}};
        QCOMPARE(firstDifference(a, b), std::string("run: error: null here, \"ValueError\" there"));
        b = a;
        b["mode"] = "qat";
        QCOMPARE(firstDifference(a, b), std::string("run: mode: \"ptq\" here, \"qat\" there"));
    }

    void toleranceHoldsForFiguresOfCalibratedAndConvertedOnly()
    {
        const Json a = sampleDump();
        Json b = a;
        b["stages"]["calibrated"]["observers"]["activation_post_process_0"]["scale"][0] = 0.1000001;
        QCOMPARE(firstDifference(a, b, 1e-5), std::string("the same"));
        QVERIFY(firstDifference(a, b).starts_with("calibrated: observer activation_post_process_0.scale[0]: "));
        b = a;
        b["stages"]["prepared"]["observers"]["activation_post_process_0"]["eps"] = 0.0002441406;
        QVERIFY(firstDifference(a, b, 1e-5).starts_with("prepared: "));
    }

    void withAToleranceTheSumOfAHistogramCounts()
    {
        const Json a = sampleDump();
        Json b = a;
        Json& histogram = b["stages"]["calibrated"]["observers"]["activation_post_process_0"]["histogram"];
        histogram = {1.0, 0.5, 2.0, 7.0};
        QCOMPARE(firstDifference(a, b, 1e-5), std::string("the same"));
        QVERIFY(firstDifference(a, b) != "the same");
        histogram = {1.0, 0.5, 2.0, 7.5};
        QCOMPARE(firstDifference(a, b, 1e-5),
                 std::string("calibrated: observer activation_post_process_0.histogram sum: 10.5 here, 11.0 there"));
    }

    void producerAndModelDoNotCount()
    {
        const Json a = sampleDump();
        Json b = a;
        b["producer"]["name"] = "torchao";
        b["model"] = "another";
        QCOMPARE(firstDifference(a, b), std::string("the same"));
    }

    void ofALongListTheFirstThreeAreShown()
    {
        const Json a = sampleDump();
        Json b = a;
        b["stages"]["calibrated"]["observers"]["activation_post_process_0"]["histogram"] = {2, 3, 4, 5};
        const auto stages = io::diffDumps(dumpOf(a), dumpOf(b), 0.0);
        QCOMPARE(stages[0].entries.size(), std::size_t{4});
        QCOMPARE(stages[0].entries[3],
                 std::string("observer activation_post_process_0.histogram: 1 more entries differ"));
    }
};

QTEST_GUILESS_MAIN(TestDump)
#include "tst_dump.moc"
