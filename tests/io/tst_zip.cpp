// Zip archives: what is read, and what is refused because an archive lies.
#include "pt2_edit.h"

#include "base/message.h"

#include <QtTest>

#include <cstring>

#include <minizip/zip.h>

using namespace gb;
using io::ZipReader;

class TestZip : public QObject {
    Q_OBJECT

private slots:
    void viewsStoredEntriesWithoutCopying();
    void unpacksDeflatedEntries();
    void readsZip64();
    void readsAnArchiveInsideAnother();
    void writesTheSameBytesForTheSameEntries();
    void refusesWhatIsNoZip_data();
    void refusesWhatIsNoZip();
    void refusesMissingEntry();
    void refusesTwoEntriesOfOneName();
    void refusesWrongChecksum();
    void refusesTruncatedArchive();
    void refusesEncryptedEntry();
    void refusesUnknownMethod();
    void refusesStoredSizesThatDiffer();
    void refusesZipBomb();
    void refusesDeflatedEntryOfAnotherSize();
    void refusesEntryBeyondTheArchive();

private:
    static base::Result<std::unique_ptr<ZipReader>> opened(const std::string& bytes)
    {
        return ZipReader::open(io::bytesOf(bytes), "a.zip");
    }
    static std::string readError(const std::string& bytes, const std::string& name)
    {
        const auto zip = opened(bytes);
        if (!zip)
            return zip.error().text();
        const auto entry = (*zip)->read(name);
        return entry ? "no error" : entry.error().text();
    }
};

namespace {

std::string stored(const std::string& name, const std::string& data)
{
    io::ZipWriter zip;
    (void)zip.add(name, data);
    return *zip.finish();
}

/// An archive of one entry made by minizip itself, deflated or with zip64 fields.
std::string packed(const std::string& data, bool deflate, bool zip64)
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("p.zip").toStdString();
    zipFile file = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
    zip_fileinfo info = {};
    zipOpenNewFileInZip64(file, "e", &info, nullptr, 0, nullptr, 0, nullptr, deflate ? Z_DEFLATED : 0,
                          Z_BEST_COMPRESSION, zip64);
    zipWriteInFileInZip(file, data.data(), static_cast<unsigned>(data.size()));
    zipCloseFileInZip(file);
    zipClose(file, nullptr);
    return std::string(io::mapFile(path)->text());
}

std::size_t directory(const std::string& zip)
{
    return zip.rfind("PK\x01\x02");
}

/// Writes a little-endian number of `bytes` bytes at a place of the directory row and at the same field of the header.
void patch(std::string& zip, std::size_t inDirectory, std::size_t inHeader, std::uint64_t value, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) {
        zip[directory(zip) + inDirectory + i] = static_cast<char>(value >> (8 * i));
        zip[inHeader + i] = static_cast<char>(value >> (8 * i));
    }
}

// fields of a directory row and of an entry's header
constexpr std::size_t kFlag = 8, kFlagH = 6, kMethod = 10, kMethodH = 8, kCrc = 16, kCrcH = 14, kPacked = 20,
                      kPackedH = 18, kSize = 24, kSizeH = 22;

} // namespace

void TestZip::viewsStoredEntriesWithoutCopying()
{
    QTemporaryDir folder;
    const std::string path = test::written(folder, "a.zip", stored("folder/a", "hello"));
    const auto zip = ZipReader::open(path);
    QVERIFY(zip.ok());
    QCOMPARE((*zip)->entries().size(), std::size_t{1});
    QCOMPARE((*zip)->entries()[0].name, std::string("folder/a"));
    const auto first = (*zip)->read("folder/a");
    const auto second = (*zip)->read("folder/a");
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(std::string(first->text()), std::string("hello"));
    QVERIFY(first->data() == second->data());
    QVERIFY(first->storage->writable() == nullptr); // the file's own mapping
}

void TestZip::unpacksDeflatedEntries()
{
    std::string data;
    for (int i = 0; i < 300'000; ++i)
        data += static_cast<char>((static_cast<unsigned>(i) * static_cast<unsigned>(i)) >> 7);
    const auto zip = opened(packed(data, true, false));
    QVERIFY(zip.ok());
    const auto entry = (*zip)->read("e");
    QVERIFY(entry.ok());
    QVERIFY(entry->text() == data);
}

void TestZip::readsZip64()
{
    for (const bool deflate : {false, true}) {
        const auto zip = opened(packed("zip64 data", deflate, true));
        QVERIFY(zip.ok());
        const auto entry = (*zip)->read("e");
        QVERIFY2(entry.ok(), entry ? "" : entry.error().text().c_str());
        QCOMPARE(std::string(entry->text()), std::string("zip64 data"));
    }
}

void TestZip::readsAnArchiveInsideAnother()
{
    const auto outer = opened(stored("inner.zip", stored("x", "deep")));
    const auto bytes = (*outer)->read("inner.zip");
    QVERIFY(bytes.ok());
    const auto inner = ZipReader::open(*bytes, (*outer)->placeOf("inner.zip"));
    QVERIFY(inner.ok());
    QCOMPARE(std::string((*inner)->read("x")->text()), std::string("deep"));
    QCOMPARE((*inner)->read("y").error().text(),
             std::string("a.zip: inner.zip: y: no such entry among 1, one expected"));
}

void TestZip::writesTheSameBytesForTheSameEntries()
{
    const std::string first = stored("a", "hello");
    QTest::qWait(1100); // a time of day would differ by now
    QVERIFY(stored("a", "hello") == first);
}

void TestZip::refusesWhatIsNoZip_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("this is no zip archive at all");
    QTest::newRow("only a magic") << QByteArray("PK\x03\x04");
    QTest::newRow("zeros") << QByteArray(1000, '\0');
}

void TestZip::refusesWhatIsNoZip()
{
    QFETCH(QByteArray, bytes);
    const auto zip = opened(bytes.toStdString());
    QVERIFY(!zip);
    QCOMPARE(zip.error().text(),
             "a.zip: " + base::grouped(bytes.size()) + " bytes without a zip directory, a whole zip archive expected");
}

void TestZip::refusesMissingEntry()
{
    const auto zip = opened(stored("a", "hello"));
    const auto entry = (*zip)->read("b");
    QCOMPARE(entry.error().code, base::ErrorCode::NotFound);
    QCOMPARE(entry.error().text(), std::string("a.zip: b: no such entry among 1, one expected"));
}

void TestZip::refusesTwoEntriesOfOneName()
{
    io::ZipWriter zip;
    QVERIFY(zip.add("a", "1").ok());
    QVERIFY(zip.add("a", "2").ok());
    const auto reader = opened(*zip.finish());
    QVERIFY(!reader);
    QCOMPARE(reader.error().text(), std::string("a.zip: a: two entries of this name, one expected"));
}

void TestZip::refusesWrongChecksum()
{
    std::string zip = stored("a", "hello");
    zip[zip.find("hello")] = 'j';
    QVERIFY(readError(zip, "a").starts_with("a.zip: a: checksum "));
    std::string deflated = packed("hello hello hello hello", true, false);
    patch(deflated, kCrc, kCrcH, 12345, 4);
    QVERIFY2(readError(deflated, "e").ends_with(", 12345 expected"), readError(deflated, "e").c_str());
}

void TestZip::refusesTruncatedArchive()
{
    const std::string zip = stored("a", std::string(1000, 'x'));
    constexpr std::size_t kEmptyTail = 3; // zeros of the last field, which minizip does not miss
    for (std::size_t keep = 0; keep < zip.size() - kEmptyTail; ++keep)
        QVERIFY(readError(zip.substr(0, keep), "a") != "no error");
}

void TestZip::refusesEncryptedEntry()
{
    std::string zip = stored("a", "hello");
    patch(zip, kFlag, kFlagH, 1, 2);
    QCOMPARE(readError(zip, "a"), std::string("a.zip: a: encrypted, a plain entry expected"));
}

void TestZip::refusesUnknownMethod()
{
    std::string zip = stored("a", "hello");
    patch(zip, kMethod, kMethodH, 93, 2);
    QCOMPARE(readError(zip, "a"), std::string("a.zip: a: packed with method 93, stored (0) or deflated (8) expected"));
}

void TestZip::refusesStoredSizesThatDiffer()
{
    std::string zip = stored("a", "hello");
    patch(zip, kSize, kSizeH, 4'000'000, 4);
    QCOMPARE(readError(zip, "a"), std::string("a.zip: a: stored in 5 bytes, 4,000,000 expected"));
}

void TestZip::refusesZipBomb()
{
    std::string zip = packed(std::string(10'000, 'x'), true, false);
    patch(zip, kSize, kSizeH, 4'000'000'000, 4);
    const std::string error = readError(zip, "e");
    QVERIFY2(error.starts_with("a.zip: e: 4,000,000,000 bytes announced from "), error.c_str());
}

void TestZip::refusesDeflatedEntryOfAnotherSize()
{
    std::string zip = packed(std::string(10'000, 'x'), true, false);
    patch(zip, kSize, kSizeH, 5'000, 4);
    QVERIFY(readError(zip, "e") != "no error");
    patch(zip, kSize, kSizeH, 12'000, 4);
    QVERIFY(readError(zip, "e") != "no error");
}

void TestZip::refusesEntryBeyondTheArchive()
{
    std::string zip = stored("a", "hello");
    patch(zip, kSize, kSizeH, 3'000'000'000, 4);
    patch(zip, kPacked, kPackedH, 3'000'000'000, 4);
    const std::string error = readError(zip, "a");
    QVERIFY2(error.starts_with("a.zip: a: 3,000,000,000 bytes announced, at most the archive's"), error.c_str());
}

QTEST_GUILESS_MAIN(TestZip)
#include "tst_zip.moc"
