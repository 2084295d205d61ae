// Seeded mutations of whole files, of JSON texts and of pickles: whatever comes, the reader answers and comes back.
#include "pt2_edit.h"

#include "io/graph_json.h"
#include "io/npz.h"
#include "io/pt2.h"

#include <QtTest>

#include <random>

using namespace gb;

class TestPt2Fuzz : public QObject {
    Q_OBJECT

private slots:
    void survivesChangedBytes_data() { samples(); }
    void survivesChangedBytes();
    void survivesChangedJson_data() { samples(); }
    void survivesChangedJson();
    void survivesChangedPickles_data() { samples(); }
    void survivesChangedPickles();
    void survivesChangedArrays();

private:
    static void samples()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"conv_relu.xnnpack", "gru.xnnpack", "conv_bn.xnnpack_qat"})
            QTest::newRow(name) << QString(name);
    }
    /// Loads, and where that worked touches every node and every element.
    void open(const std::string& bytes)
    {
        const auto program = io::loadPt2(test::written(m_folder, "m.pt2", bytes));
        if (!program) {
            QVERIFY(!program.error().sentence.empty());
            return;
        }
        (void)io::dumpJson(io::graphToJson(*program->module));
        for (const auto& [name, attribute] : program->module->attributes())
            (void)attribute.value.toDoubles();
        for (const io::Leaf& leaf : program->samples)
            if (const auto* tensor = std::get_if<ir::Tensor>(&leaf))
                (void)tensor->toDoubles();
    }

    QTemporaryDir m_folder;
};

namespace {

std::size_t below(std::mt19937& random, std::size_t limit)
{
    return limit ? random() % limit : 0;
}

/// One change: a bit, a byte, a piece taken out, doubled or cut off.
void mutate(std::string& text, std::mt19937& random)
{
    if (text.empty())
        return;
    const std::size_t at = below(random, text.size());
    switch (below(random, 5)) {
    case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8))); break;
    case 1: text[at] = static_cast<char>(random()); break;
    case 2: text.erase(at, 1 + below(random, 16)); break;
    case 3: text.insert(at, text.substr(below(random, text.size()), 1 + below(random, 16))); break;
    default: text.resize(at); break;
    }
}

} // namespace

void TestPt2Fuzz::survivesChangedBytes()
{
    QFETCH(QString, name);
    const auto file = io::mapFile(test::caseFile(name.toStdString() + ".pt2"));
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        std::string bytes(file->text());
        mutate(bytes, random);
        open(bytes);
    }
}

void TestPt2Fuzz::survivesChangedJson()
{
    // the archive is written anew, so that the checksums fit and the change gets through
    QFETCH(QString, name);
    const test::Entries original = test::Entries::of(test::caseFile(name.toStdString() + ".pt2"));
    std::map<std::string, io::Json> documents;
    std::map<std::string, std::vector<std::pair<std::string, io::Json>>> leaves;
    for (const char* entry : {test::kModel, test::kWeights}) {
        documents[entry] = *io::parseJson(test::Entries(original).at(entry), entry);
        const io::Json flat = documents[entry].flatten();
        for (const auto& [pointer, value] : flat.items())
            leaves[entry].emplace_back(pointer, value);
    }
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
        test::Entries entries = original;
        const char* entry = i % 3 ? test::kModel : test::kWeights;
        if (i % 2) {
            mutate(entries.at(entry), random);
        } else { // a value of the JSON, exchanged for another of the same document
            const auto& all = leaves[entry];
            io::Json changed = documents[entry];
            changed[io::Json::json_pointer(all[below(random, all.size())].first)] =
                all[below(random, all.size())].second;
            entries.at(entry) = io::dumpJson(changed);
        }
        open(entries.zipped());
    }
}

void TestPt2Fuzz::survivesChangedPickles()
{
    QFETCH(QString, name);
    const test::Entries original = test::Entries::of(test::caseFile(name.toStdString() + ".pt2"));
    const auto inner = io::ZipReader::open(io::bytesOf(test::Entries(original).at(test::kSamples)), "samples");
    test::Entries samples;
    for (const io::ZipEntry& entry : (*inner)->entries())
        samples.all.emplace_back(entry.name, std::string((*inner)->read(entry.name)->text()));
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i) {
        test::Entries changed = samples;
        mutate(changed.at("archive/data.pkl"), random);
        test::Entries entries = original;
        entries.at(test::kSamples) = changed.zipped();
        open(entries.zipped());
    }
}

void TestPt2Fuzz::survivesChangedArrays()
{
    const auto file = io::mapFile(test::caseFile("linear.xnnpack.inputs.npz"));
    const std::string path = test::written(m_folder, "a.npz", std::string(file->text()));
    const test::Entries original = test::Entries::of(path);
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i) {
        test::Entries entries = original;
        std::string& array = entries.all[below(random, entries.all.size())].second;
        array.resize(std::min<std::size_t>(array.size(), 400)); // the header is what is worth changing
        mutate(array, random);
        const auto arrays = io::readNpz(test::written(m_folder, "a.npz", entries.zipped()));
        if (arrays)
            for (const auto& [name, tensor] : *arrays)
                (void)tensor.toDoubles();
    }
}

QTEST_GUILESS_MAIN(TestPt2Fuzz)
#include "tst_pt2_fuzz.moc"
