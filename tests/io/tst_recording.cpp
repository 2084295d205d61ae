// Recordings: what is read back is what was written; a broken file is an error with line and key.
#include "io/dump.h"
#include "io/recording.h"
#include "recording_sample.h"
#include "trace/replay.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace gb;

namespace {

const char* const kHeader =
    R"({"format":"greenbox-recording","version":1,"producer":{"name":"g","version":"1","torch":"2"},)"
    R"("model":"m","mode":"ptq","recipe":null})"
    "\n";
const char* const kAddX =
    R"({"event":"load","edits":[{"edit":"add","id":0,"name":"x","op":"placeholder","target":"x","args":[],"kwargs":{}}]})"
    "\n";

std::string errorOf(const std::string& text)
{
    const auto read = io::parseRecording(text, "r.gbx");
    return read ? std::string("no error") : read.error().text();
}

} // namespace

class TestRecording : public QObject {
    Q_OBJECT

private slots:
    void readingGivesTheSameBytesAgain()
    {
        const auto recording = test::sampleRecording();
        const auto text = io::recordingText(*recording);
        QVERIFY(text.ok());
        const auto read = io::parseRecording(*text, "r.gbx");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QVERIFY(read->notes.empty());
        QCOMPARE(*io::recordingText(*read->recording), *text);
    }

    void readingGivesTheSameEvents()
    {
        const auto recording = test::sampleRecording();
        const auto read = io::parseRecording(*io::recordingText(*recording), "r.gbx");
        const auto& mine = recording->events;
        const auto& theirs = read->recording->events;
        QCOMPARE(theirs.size(), mine.size());
        for (std::size_t i = 0; i < mine.size(); ++i) {
            QCOMPARE(theirs[i].kind, mine[i].kind);
            QCOMPARE(theirs[i].parent, mine[i].parent);
            QCOMPARE(theirs[i].last, mine[i].last);
            QCOMPARE(theirs[i].sentence, mine[i].sentence);
            QVERIFY(theirs[i].fields == mine[i].fields);
            QCOMPARE(theirs[i].nodes, mine[i].nodes);
            QCOMPARE(theirs[i].source.line, mine[i].source.line);
            QCOMPARE(theirs[i].edits.size(), mine[i].edits.size());
            for (std::size_t k = 0; k < mine[i].edits.size(); ++k)
                QCOMPARE(theirs[i].edits[k].index(), mine[i].edits[k].index());
        }
        const trace::Header& header = read->recording->header;
        QCOMPARE(header.torchVersion, std::string("2.14.1"));
        QCOMPARE(header.calibrate, (std::vector<std::int64_t>{0, 2}));
        QVERIFY(header.calibrateGiven && !header.foldQuantize);
        QCOMPARE(header.recipe, recording->header.recipe);
    }

    void aSpecThatTwoLabelsHoldIsOneObjectAgain()
    {
        const auto read = io::parseRecording(*io::recordingText(*test::sampleRecording()), "r.gbx");
        trace::Replay replay(read->recording);
        const auto moment = replay.at(read->recording->stageEvent("annotated"));
        const ir::Graph& graph = *(*moment)->top().graph;
        const auto first = graph.find("conv2d")->annotation()->inputs[0].second;
        QVERIFY(first);
        QCOMPARE(graph.find("w")->annotation()->output.get(), first.get());
        QCOMPARE(graph.find("w")->metaPtr().get(), graph.find("x")->metaPtr().get());
        QCOMPARE(ir::as<ir::DerivedQuantizationSpec>(graph.find("conv2d")->annotation()->inputs[1].second)->derive,
                 std::string("bias"));
    }

    void dumpOfAReadRecordingIsTheLiveOne()
    {
        const auto recording = test::sampleRecording();
        const auto read = io::parseRecording(*io::recordingText(*recording), "r.gbx");
        const auto live = io::dumpText(recording);
        QVERIFY2(live.ok(), live ? "" : live.error().text().c_str());
        QCOMPARE(*io::dumpText(read->recording), *live);
    }

    void keepsAFailure()
    {
        trace::Recorder recorder({});
        recorder.fail({base::ErrorCode::ValueError, "no such thing", "node x"});
        const auto read = io::parseRecording(*io::recordingText(*recorder.publish()), "r.gbx");
        QVERIFY(read.ok());
        QCOMPARE(read->recording->failure->type, std::string("ValueError"));
        QCOMPARE(read->recording->failure->message, std::string("node x: no such thing"));
    }

    void leavesOutUnknownKindsAndSaysSo()
    {
        const std::string text = std::string(kHeader) + kAddX
                                 + R"({"event":"teleport","last":4})"
                                   "\n"
                                 + R"({"event":"rule","parent":1,"last":3,"name":"r"})"
                                   "\n"
                                 + R"({"event":"attempt","parent":2,"name":"a"})"
                                   "\n"
                                 + R"({"event":"teleport","parent":1,"edits":[{"edit":"target","id":0,"target":"y"}]})"
                                   "\n"
                                 + R"({"end":{"events":5,"failure":null}})"
                                   "\n";
        const auto read = io::parseRecording(text, "r.gbx");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        const auto& events = read->recording->events;
        QCOMPARE(events.size(), std::size_t{4});
        QCOMPARE(events[1].parent, -1);
        QCOMPARE(events[1].last, 2);
        QCOMPARE(events[2].parent, 1);
        QCOMPARE(events[3].kind, trace::EventKind::Note);
        QCOMPARE(read->notes, std::vector<std::string>{
                                  "event kind \"teleport\" is not known to this version: 2 left out, the first in "
                                  "line 3"});
        trace::Replay replay(read->recording);
        QCOMPARE((*replay.at(3))->top().graph->find("x")->target(), std::string("y"));
    }

    void saysThatTheEndIsMissing()
    {
        const auto read = io::parseRecording(std::string(kHeader) + kAddX, "r.gbx");
        QVERIFY(read.ok());
        QCOMPARE(read->notes, std::vector<std::string>{"the recording has no end line: it was cut off after line 2"});
    }

    void everyCutIsAnErrorOrANote()
    {
        const std::string text = *io::recordingText(*test::sampleRecording());
        for (std::size_t size = 0; size < text.size(); size += 37) {
            const auto read = io::parseRecording(std::string_view(text).substr(0, size), "r.gbx");
            QVERIFY(!read || !read->notes.empty());
        }
    }

    /// Every byte changed to another: never a crash, and what is accepted can be replayed and dumped.
    void survivesChangedBytes()
    {
        const std::string text = *io::recordingText(*test::sampleRecording());
        int accepted = 0;
        for (std::size_t i = 0; i < text.size(); i += 11)
            for (const char byte : {'0', '"', '{', '9'}) {
                std::string changed = text;
                changed[i] = byte;
                const auto read = io::parseRecording(changed, "r.gbx");
                if (!read)
                    continue;
                ++accepted;
                (void)io::dumpText(read->recording).ok();
            }
        QVERIFY(accepted > 0);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const std::string& text, const char* sentence) {
            QTest::newRow(name) << QString::fromStdString(text) << QString("r.gbx: ") + sentence;
        };
        const std::string h = kHeader;
        const std::string x = h + kAddX;
        row("nothing", "", "found an empty file, a recording expected");
        row("another format", R"({"format":"greenbox-dump","version":1})",
            "line 1: format: found \"greenbox-dump\", \"greenbox-recording\" expected");
        row("another version", R"({"format":"greenbox-recording","version":2})",
            "line 1: version: found version 2, 1 expected");
        row("no version", R"({"format":"greenbox-recording"})", "line 1: no key \"version\" found, one expected");
        row("mode",
            R"({"format":"greenbox-recording","version":1,"producer":{"name":"g","version":"1","torch":"2"},)"
            R"("model":"m","mode":"post","recipe":null})",
            "line 1: mode: found text \"post\", ptq or qat expected");
        row("no event", h + "{}\n", "line 2: no key \"event\" found, one expected");
        row("parent behind", h + R"({"event":"note","parent":0})",
            "line 2: parent: event 0, an event before this one (0) expected");
        row("last outside",
            h
                + R"({"event":"note","last":7})"
                  "\n"
                  R"({"end":{"events":1,"failure":null}})",
            "line 2: last: event 7, at most 0 expected");
        row("node number", h + R"({"event":"note","nodes":[-1]})",
            "line 2: nodes[0]: found integer -1, integer from 0 to 4294967294 expected");
        row("unknown edit", x + R"({"event":"note","edits":[{"edit":"swap","id":0}]})",
            "line 3: edits[0].edit: unknown edit \"swap\", a known one expected");
        row("no such node", x + R"({"event":"note","edits":[{"edit":"erase","id":9}]})",
            "event 1: refers to node number 9, which is not there");
        row("node twice", x + kAddX, "event 1: node x: node number 0 is there twice");
        row("name twice",
            x
                + R"({"event":"note","edits":[{"edit":"add","id":1,"name":"x","op":"placeholder","target":"x",)"
                  R"("args":[],"kwargs":{}}]})",
            "event 1: node x: two nodes of this name");
        row("op", h + R"({"event":"note","edits":[{"edit":"add","id":1,"name":"x","op":"jump","target":"x"}]})",
            "line 2: edits[0].op: found text \"jump\", op of torch.fx expected");
        row("value", x + R"({"event":"note","fields":{"a":[{"nod":1}]}})",
            "line 3: fields.a[0].nod: unknown key, node, dtype, tuple, slice, dict, float or opaque expected");
        row("meta that is not there yet", x + R"({"event":"note","edits":[{"edit":"meta","id":0,"meta":{"same":0}}]})",
            "line 3: edits[0].meta.same: refers to meta 0, but there are 0 so far");
        row("dtype", h + R"({"event":"note","edits":[{"edit":"attribute","name":"w","kind":"buffer","dtype":"int7"}]})",
            "line 2: edits[0].dtype: found text \"int7\", dtype of torch expected");
        row("too few values",
            h
                + R"({"event":"observe","record":{"target":"a","state":{"batches":1,"min_val":{"dtype":"float32",)"
                  R"("shape":[1000000,1000000],"values":[1]}}}})",
            "line 2: record.state.min_val.values: 1 values, 1000000000000 expected for shape [1000000, 1000000]");
        row("value out of range",
            h
                + R"({"event":"observe","record":{"target":"a","state":{"batches":1,"min_val":{"dtype":"int8",)"
                  R"("shape":[1],"values":[300]}}}})",
            "line 2: record.state.min_val.values[0]: found integer 300, integer from -128 to 127 expected");
        row("count", x + R"({"end":{"events":3,"failure":null}})", "line 3: end.events: 3 events, but the file has 1");
        row("after the end",
            x
                + R"({"end":{"events":1,"failure":null}})"
                  "\n"
                  R"({"event":"note"})",
            "line 4: found a line after the end, none expected");
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        QCOMPARE(QString::fromStdString(errorOf(text.toStdString())), sentence);
    }

    void anotherVersionIsUnsupported()
    {
        QCOMPARE(io::parseRecording(R"({"format":"greenbox-recording","version":2})", "r").error().code,
                 base::ErrorCode::Unsupported);
    }

    void brokenJsonNamesTheLine()
    {
        const std::string text = errorOf(std::string(kHeader) + "{\"event\": \n");
        QVERIFY2(text.starts_with("r.gbx: line 2: broken JSON at byte "), text.c_str());
    }

    void writesAndReadsAFile()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("r.gbx").toStdString();
        const auto recording = test::sampleRecording();
        QVERIFY(io::writeRecording(*recording, path).ok());
        const auto read = io::readRecording(path);
        QVERIFY(read.ok());
        QCOMPARE(*io::recordingText(*read->recording), *io::recordingText(*recording));
    }

    void aFullDiskIsAnError()
    {
        const auto written = io::writeRecording(*test::sampleRecording(), "/dev/full");
        QVERIFY(!written);
        QCOMPARE(written.error().text(), std::string("/dev/full: cannot write: No space left on device"));
    }

    void anUnreadableFileIsAnError()
    {
        QCOMPARE(io::readRecording("/nowhere/r.gbx").error().text(),
                 std::string("/nowhere/r.gbx: cannot read: No such file or directory"));
    }
};

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
