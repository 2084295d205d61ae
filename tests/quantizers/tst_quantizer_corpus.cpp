// Every case of the corpus whose quantizer is here: the graph after `annotate` is torchao's, node by node.
#include "base/message.h"
#include "io/graph_json.h"
#include "io/json.h"
#include "io/pt2.h"
#include "io/recipe.h"
#include "passes/prepare.h"

#include <QtTest>

#include <fstream>
#include <sstream>

using namespace gb;

namespace {

std::string pathOf(const std::string& name, const char* ending)
{
    return std::string(GREENBOX_TEST_DATA) + "/cases/" + name + ending;
}

io::Json readJson(const std::string& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    auto json = io::parseJson(text.str(), path);
    return json ? *json : io::Json();
}

/// The first node that differs, or that one graph has and the other has not; sub-graphs after their graph.
std::string firstDifference(const io::Json& mine, const io::Json& theirs)
{
    const io::Json& a = mine.at("nodes");
    const io::Json& b = theirs.at("nodes");
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        // plain json: the order of keys does not matter
        if (nlohmann::json(a[i]) != nlohmann::json(b[i]))
            return "node " + std::to_string(i) + "\nhere    " + a[i].dump() + "\ntorchao " + b[i].dump();
    }
    if (a.size() != b.size())
        return std::to_string(a.size()) + " nodes, torchao has " + std::to_string(b.size());
    const io::Json inner = mine.value("subgraphs", io::Json::object());
    const io::Json theirInner = theirs.value("subgraphs", io::Json::object());
    for (const auto& [name, sub] : theirInner.items()) {
        if (!inner.contains(name))
            return "no sub-graph " + name;
        if (const std::string found = firstDifference(inner.at(name), sub); !found.empty())
            return name + ": " + found;
    }
    return inner.size() == theirInner.size()
               ? ""
               : std::to_string(inner.size()) + " sub-graphs, torchao has " + std::to_string(theirInner.size());
}

} // namespace

class TestQuantizerCorpus : public QObject {
    Q_OBJECT

private slots:
    void annotated_data();
    void annotated();
};

void TestQuantizerCorpus::annotated_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QString::fromUtf8(GREENBOX_TEST_DATA) + "/cases");
    const QStringList dumps = folder.entryList({"*.dump.json"}, QDir::Files, QDir::Name);
    QVERIFY2(!dumps.isEmpty(), "no cases found");
    for (const QString& dump : dumps) {
        const QString name = dump.chopped(10);
        QTest::newRow(qPrintable(name)) << name;
    }
}

void TestQuantizerCorpus::annotated()
{
    QFETCH(QString, name);
    const std::string caseName = name.toStdString();
    const io::Json dump = readJson(pathOf(caseName, ".dump.json"));
    QVERIFY(dump.is_object());
    const auto recipe = io::readRecipe(pathOf(caseName, ".recipe.json"));
    QVERIFY2(recipe.ok(), recipe.ok() ? "" : recipe.error().text().c_str());
    auto quantizer = quantizers::makeQuantizer(*recipe);
    const io::Json& stages = dump.at("stages");
    if (!quantizer) {
        QVERIFY(!stages.contains("annotated"));
        QCOMPARE(std::string(base::exceptionName(quantizer.error().code)),
                 dump.at("error").at("type").get<std::string>());
        return;
    }
    auto program = io::loadPt2(pathOf(caseName, ".pt2"));
    QVERIFY2(program.ok(), program.ok() ? "" : program.error().text().c_str());

    trace::Recorder recorder(trace::Header{});
    program->module->setListener(&recorder);
    const ops::KernelTable kernels = ops::KernelTable::all();
    passes::PassContext context{recorder, kernels, {}};
    passes::ScopeTable scopes;
    const base::Status done =
        passes::prepare(*program->module, **quantizer, {dump.at("mode") == "qat", "annotated"}, context, scopes);
    if (!stages.contains("annotated")) {
        QVERIFY(!done.ok());
        QCOMPARE(std::string(base::exceptionName(done.error().code)), dump.at("error").at("type").get<std::string>());
        return;
    }
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
    const std::string difference = firstDifference(io::graphToJson(*program->module), stages.at("annotated"));
    QVERIFY2(difference.empty(), difference.c_str());
}

QTEST_GUILESS_MAIN(TestQuantizerCorpus)
#include "tst_quantizer_corpus.moc"
