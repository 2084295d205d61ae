// Files: mapping, and writing whole or not at all.
#include "io/file.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gb;

class TestFile : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void mapsAFile();
    void mapsAnEmptyFile();
    void refusesMissingFile();
    void refusesFolder();
    void refusesPipeWithoutWaiting();
    void refusesUnreadableFile();
    void writesAndReplacesAFile();
    void followsLinks();
    void leavesNothingWithoutCommit();
    void saysThatTheDiskIsFull();
    void keepsTheOldFileWhenWritingFails();
    void refusesToWriteWhereThereIsNoFolder();
    void refusesToWriteAFolder();

private:
    [[nodiscard]] std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }
    [[nodiscard]] static std::string contents(const std::string& path)
    {
        const auto bytes = io::mapFile(path);
        return bytes ? std::string(bytes->text()) : "?";
    }
    [[nodiscard]] QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden, QDir::Name);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestFile::mapsAFile()
{
    QVERIFY(io::writeFile(path("a"), "hello").ok());
    const auto bytes = io::mapFile(path("a"));
    QVERIFY(bytes.ok());
    QCOMPARE(std::string(bytes->text()), std::string("hello"));
    QVERIFY(bytes->storage->writable() == nullptr);
    // the mapping outlives the name
    QVERIFY(QFile::remove(m_folder->filePath("a")));
    QCOMPARE(std::string(bytes->text()), std::string("hello"));
}

void TestFile::mapsAnEmptyFile()
{
    QVERIFY(io::writeFile(path("empty"), "").ok());
    const auto bytes = io::mapFile(path("empty"));
    QVERIFY(bytes.ok());
    QCOMPARE(bytes->size, std::size_t{0});
    QVERIFY(bytes->text().empty());
}

void TestFile::refusesMissingFile()
{
    const auto bytes = io::mapFile(path("none"));
    QVERIFY(!bytes);
    QCOMPARE(bytes.error().code, base::ErrorCode::Io);
    QCOMPARE(bytes.error().text(), path("none") + ": cannot read: No such file or directory");
}

void TestFile::refusesFolder()
{
    QCOMPARE(io::mapFile(m_folder->path().toStdString()).error().sentence,
             std::string("found a folder, a file expected"));
}

void TestFile::refusesPipeWithoutWaiting()
{
    QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
    QCOMPARE(io::mapFile(path("pipe")).error().sentence, std::string("found a pipe, a file expected"));
    QCOMPARE(io::mapFile("/dev/zero").error().sentence, std::string("found a device, a file expected"));
}

void TestFile::refusesUnreadableFile()
{
    QVERIFY(io::writeFile(path("secret"), "x").ok());
    QCOMPARE(::chmod(path("secret").c_str(), 0), 0);
    if (::geteuid() == 0)
        QSKIP("root reads everything");
    QCOMPARE(io::mapFile(path("secret")).error().text(), path("secret") + ": cannot read: Permission denied");
}

void TestFile::writesAndReplacesAFile()
{
    QVERIFY(io::writeFile(path("b"), "one").ok());
    QCOMPARE(::chmod(path("b").c_str(), 0640), 0);
    QVERIFY(io::writeFile(path("b"), "two").ok());
    QCOMPARE(contents(path("b")), std::string("two"));
    QCOMPARE(names(), QStringList{"b"});
    struct stat info = {};
    QCOMPARE(::stat(path("b").c_str(), &info), 0);
    QCOMPARE(info.st_mode & 0777u, 0640u);
}

void TestFile::followsLinks()
{
    QVERIFY(io::writeFile(path("real"), "one").ok());
    QVERIFY(QFile::link(m_folder->filePath("real"), m_folder->filePath("link")));
    QVERIFY(io::writeFile(path("link"), "two").ok());
    QCOMPARE(contents(path("real")), std::string("two"));
    QVERIFY(QFileInfo(m_folder->filePath("link")).isSymLink());
}

void TestFile::leavesNothingWithoutCommit()
{
    {
        auto file = io::AtomicFile::create(path("c"));
        QVERIFY(file.ok());
        QVERIFY((*file)->write("half").ok());
        QCOMPARE(names().size(), 1); // the temporary one
    }
    QVERIFY(names().isEmpty());
}

void TestFile::saysThatTheDiskIsFull()
{
    const auto done = io::writeFile("/dev/full", std::string(100'000, 'x'));
    QVERIFY(!done);
    QCOMPARE(done.error().code, base::ErrorCode::Io);
    QCOMPARE(done.error().text(), std::string("/dev/full: cannot write: No space left on device"));
    struct stat info = {};
    QCOMPARE(::stat("/dev/full", &info), 0);
    QVERIFY(S_ISCHR(info.st_mode)); // the device is still one
}

void TestFile::keepsTheOldFileWhenWritingFails()
{
    QVERIFY(io::writeFile(path("d"), "old").ok());
    rlimit before = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small = {4096, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto done = io::writeFile(path("d"), std::string(100'000, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!done);
    QCOMPARE(done.error().text(), path("d") + ": cannot write: File too large");
    QCOMPARE(contents(path("d")), std::string("old"));
    QCOMPARE(names(), QStringList{"d"});
}

void TestFile::refusesToWriteWhereThereIsNoFolder()
{
    const auto done = io::writeFile(path("no/such/file"), "x");
    QVERIFY(!done);
    QCOMPARE(done.error().text(), path("no/such/file") + ": cannot write: No such file or directory");
}

void TestFile::refusesToWriteAFolder()
{
    QCOMPARE(io::writeFile(m_folder->path().toStdString(), "x").error().sentence,
             std::string("found a folder, a file to write expected"));
}

QTEST_GUILESS_MAIN(TestFile)
#include "tst_file.moc"
