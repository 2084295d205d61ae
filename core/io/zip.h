// Zip archives: reading stored and deflated entries of zip and zip64 files, and writing stored ones.
//
// Built on minizip over mapped memory. A stored entry is handed out as a view of the archive, without a copy; a
// deflated one is unpacked. Nothing that an archive claims is believed: sizes are held against the file and against
// limits, names must be unique, checksums must hold. Every error has the archive's name and the entry's.
//
// Thread: one reader is used by one thread at a time; the Bytes it hands out are free of it.
#pragma once

#include "base/result.h"
#include "io/file.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gb::io {

struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;       ///< unpacked
    std::uint64_t packedSize = 0; ///< in the archive
    int method = 0;               ///< 0 stored, 8 deflated
    bool encrypted = false;
    std::uint32_t crc = 0;
    std::uint64_t directoryOffset = 0; ///< where minizip finds it again
    std::uint64_t number = 0;
};

class ZipReader {
public:
    /// Unpacked bytes that one archive may cost in memory; stored entries cost nothing.
    static constexpr std::uint64_t kMaxInflated = std::uint64_t{1} << 30;

    static base::Result<std::unique_ptr<ZipReader>> open(const std::string& path);
    /// An archive inside other bytes (the sample inputs of a .pt2); `place` is what messages call it.
    static base::Result<std::unique_ptr<ZipReader>> open(Bytes bytes, const std::string& place);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    /// In the order of the archive's directory.
    [[nodiscard]] const std::vector<ZipEntry>& entries() const { return m_entries; }
    [[nodiscard]] bool contains(const std::string& name) const { return m_byName.contains(name); }
    /// The entry's bytes, checked against its checksum. Errors: no such entry (NotFound), encrypted or another method
    /// (Unsupported), truncated, wrong size or checksum, too large (Format).
    [[nodiscard]] base::Result<Bytes> read(const std::string& name);

    [[nodiscard]] const std::string& place() const { return m_place; }
    /// "archive.pt2: entry"
    [[nodiscard]] std::string placeOf(const std::string& name) const { return m_place + ": " + name; }

private:
    struct Memory;

    ZipReader(Bytes bytes, std::string place);
    base::Status readDirectory();
    base::Result<Bytes> readStored(const ZipEntry& entry, std::uint64_t dataOffset);
    base::Result<Bytes> inflate(const ZipEntry& entry);

    Bytes m_bytes;
    std::string m_place;
    std::unique_ptr<Memory> m_memory;
    void* m_file = nullptr;
    std::vector<ZipEntry> m_entries;
    std::map<std::string, std::size_t> m_byName;
    std::uint64_t m_inflated = 0;
};

/// Builds an archive of stored entries in memory. Times are fixed (1980-01-01): the same entries give the same bytes.
class ZipWriter {
public:
    ZipWriter();
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    base::Status add(const std::string& name, std::string_view data);
    /// The archive. To be called once, last.
    base::Result<std::string> finish();

private:
    struct Memory;
    std::unique_ptr<Memory> m_memory;
    void* m_file = nullptr;
};

} // namespace gb::io
