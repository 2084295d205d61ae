#include "io/zip.h"

#include "base/message.h"

#include <algorithm>
#include <cstring>

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <zlib.h>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

constexpr int kStored = 0;
constexpr int kDeflated = 8;
/// Deflate cannot do better than 1032:1, so a larger claim is a lie.
constexpr std::uint64_t kMostDeflateGains = 1032;

std::string size(std::uint64_t bytes)
{
    return base::grouped(static_cast<long long>(bytes));
}

} // namespace

/// minizip's file callbacks over a block of memory that is only read.
struct ZipReader::Memory {
    const std::byte* data = nullptr;
    std::uint64_t size = 0;
    std::uint64_t at = 0;

    static Memory* self(void* p) { return static_cast<Memory*>(p); }
    static void* open(void* opaque, const void*, int) { return opaque; }
    static uLong read(void* opaque, void*, void* to, uLong count)
    {
        Memory* m = self(opaque);
        const std::uint64_t left = m->at < m->size ? m->size - m->at : 0;
        const std::uint64_t now = std::min<std::uint64_t>(count, left);
        if (now)
            std::memcpy(to, m->data + m->at, now);
        m->at += now;
        return static_cast<uLong>(now);
    }
    static uLong write(void*, void*, const void*, uLong) { return 0; }
    static ZPOS64_T tell(void* opaque, void*) { return self(opaque)->at; }
    static long seek(void* opaque, void*, ZPOS64_T offset, int origin)
    {
        Memory* m = self(opaque);
        const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                                   : origin == ZLIB_FILEFUNC_SEEK_CUR ? m->at
                                                                      : m->size;
        if (offset > m->size || from > m->size - offset)
            return -1;
        m->at = from + offset;
        return 0;
    }
    static int close(void*, void*) { return 0; }
    static int error(void*, void*) { return 0; }
};

ZipReader::ZipReader(Bytes bytes, std::string place)
    : m_bytes(std::move(bytes))
    , m_place(std::move(place))
    , m_memory(std::make_unique<Memory>())
{
}

ZipReader::~ZipReader()
{
    if (m_file)
        unzClose(m_file);
}

Result<std::unique_ptr<ZipReader>> ZipReader::open(const std::string& path)
{
    GB_ASSIGN(Bytes bytes, mapFile(path));
    return open(std::move(bytes), path);
}

Result<std::unique_ptr<ZipReader>> ZipReader::open(Bytes bytes, const std::string& place)
{
    std::unique_ptr<ZipReader> out(new ZipReader(std::move(bytes), place));
    *out->m_memory = {out->m_bytes.data(), out->m_bytes.size, 0};
    zlib_filefunc64_def functions = {Memory::open, Memory::read,  Memory::write, Memory::tell,
                                     Memory::seek, Memory::close, Memory::error, out->m_memory.get()};
    out->m_file = unzOpen2_64("", &functions);
    if (!out->m_file)
        return Error{ErrorCode::Format,
                     say("{0} bytes without a zip directory, a whole zip archive expected", size(out->m_bytes.size)),
                     place};
    GB_TRY(out->readDirectory());
    return out;
}

Status ZipReader::readDirectory()
{
    unz_global_info64 global = {};
    if (unzGetGlobalInfo64(m_file, &global) != UNZ_OK)
        return Error{ErrorCode::Format, "no zip directory found, one expected", m_place};
    constexpr std::uint64_t kSmallestEntry = 46; // bytes of a directory row without a name
    if (global.number_entry > m_bytes.size / kSmallestEntry)
        return Error{ErrorCode::Format,
                     say("{0} entries announced, at most {1} expected in {2} bytes", size(global.number_entry),
                         size(m_bytes.size / kSmallestEntry), size(m_bytes.size)),
                     m_place};
    for (std::uint64_t i = 0; i < global.number_entry; ++i) {
        const int moved = i == 0 ? unzGoToFirstFile(m_file) : unzGoToNextFile(m_file);
        unz_file_info64 info = {};
        if (moved != UNZ_OK || unzGetCurrentFileInfo64(m_file, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
            return Error{ErrorCode::Format,
                         say("directory ends at entry {0}, {1} entries expected", i, size(global.number_entry)),
                         m_place};
        std::string name(info.size_filename + 1, '\0');
        unzGetCurrentFileInfo64(m_file, &info, name.data(), name.size(), nullptr, 0, nullptr, 0);
        name.resize(info.size_filename);
        if (name.find('\0') != std::string::npos)
            return Error{ErrorCode::Format, say("entry {0} has a zero byte in its name, text expected", i), m_place};
        unz64_file_pos position = {};
        unzGetFilePos64(m_file, &position);
        if (!m_byName.emplace(name, m_entries.size()).second)
            return Error{ErrorCode::Format, "two entries of this name, one expected", placeOf(name)};
        m_entries.push_back({name, info.uncompressed_size, info.compressed_size,
                             static_cast<int>(info.compression_method), (info.flag & 1) != 0,
                             static_cast<std::uint32_t>(info.crc), position.pos_in_zip_directory,
                             position.num_of_file});
    }
    return {};
}

Result<Bytes> ZipReader::read(const std::string& name)
{
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
        return Error{ErrorCode::NotFound, say("no such entry among {0}, one expected", m_entries.size()),
                     placeOf(name)};
    const ZipEntry& entry = m_entries[found->second];
    const std::string place = placeOf(name);
    if (entry.encrypted)
        return Error{ErrorCode::Unsupported, "encrypted, a plain entry expected", place};
    if (entry.method != kStored && entry.method != kDeflated)
        return Error{ErrorCode::Unsupported,
                     say("packed with method {0}, stored (0) or deflated (8) expected", entry.method), place};
    if (entry.packedSize > m_bytes.size)
        return Error{
            ErrorCode::Format,
            say("{0} bytes announced, at most the archive's {1} expected", size(entry.packedSize), size(m_bytes.size)),
            place};
    const unz64_file_pos position{entry.directoryOffset, entry.number};
    if (unzGoToFilePos64(m_file, &position) != UNZ_OK || unzOpenCurrentFile(m_file) != UNZ_OK)
        return Error{ErrorCode::Format, "directory and entry do not agree, a whole entry expected", place};
    auto out = entry.method == kStored ? readStored(entry, unzGetCurrentFileZStreamPos64(m_file)) : inflate(entry);
    unzCloseCurrentFile(m_file); // the checksum was looked at in both ways of reading
    return out;
}

Result<Bytes> ZipReader::readStored(const ZipEntry& entry, std::uint64_t dataOffset)
{
    const std::string place = placeOf(entry.name);
    if (entry.size != entry.packedSize)
        return Error{ErrorCode::Format,
                     say("stored in {0} bytes, {1} expected", size(entry.packedSize), size(entry.size)), place};
    if (dataOffset > m_bytes.size || entry.size > m_bytes.size - dataOffset)
        return Error{ErrorCode::Format,
                     say("truncated: {0} bytes left in the archive, {1} expected",
                         size(m_bytes.size - std::min<std::uint64_t>(dataOffset, m_bytes.size)), size(entry.size)),
                     place};
    Bytes out{m_bytes.storage, m_bytes.offset + dataOffset, entry.size};
    const uLong crc =
        entry.size ? crc32_z(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<z_size_t>(out.size)) : 0;
    if (crc != entry.crc)
        return Error{ErrorCode::Format, say("checksum {0}, {1} expected", crc, entry.crc), place};
    return out;
}

Result<Bytes> ZipReader::inflate(const ZipEntry& entry)
{
    const std::string place = placeOf(entry.name);
    if (entry.size / kMostDeflateGains > entry.packedSize)
        return Error{
            ErrorCode::Format,
            say("{0} bytes announced from {1}, more than deflate can hold", size(entry.size), size(entry.packedSize)),
            place};
    if (entry.size > kMaxInflated - m_inflated)
        return Error{ErrorCode::Format,
                     say("{0} bytes unpacked, at most {1} expected", size(entry.size), size(kMaxInflated - m_inflated)),
                     place};
    std::string data;
    std::string chunk(std::min<std::uint64_t>(entry.size + 1, 1 << 20), '\0');
    while (true) {
        const int now = unzReadCurrentFile(m_file, chunk.data(), static_cast<unsigned>(chunk.size()));
        if (now < 0)
            return Error{ErrorCode::Format,
                         say("broken after {0} bytes, {1} expected", size(data.size()), size(entry.size)), place};
        if (now == 0)
            break;
        data.append(chunk, 0, static_cast<std::size_t>(now));
    }
    if (data.size() != entry.size)
        return Error{ErrorCode::Format, say("{0} bytes unpacked, {1} expected", size(data.size()), size(entry.size)),
                     place};
    const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size());
    if (crc != entry.crc)
        return Error{ErrorCode::Format, say("checksum {0}, {1} expected", crc, entry.crc), place};
    m_inflated += data.size();
    return bytesOf(data);
}

/// minizip's file callbacks over a growing text.
struct ZipWriter::Memory {
    std::string data;
    std::uint64_t at = 0;

    static Memory* self(void* p) { return static_cast<Memory*>(p); }
    static void* open(void* opaque, const void*, int) { return opaque; }
    static uLong read(void* opaque, void*, void* to, uLong count)
    {
        Memory* m = self(opaque);
        const std::size_t now = m->at < m->data.size() ? std::min<std::size_t>(count, m->data.size() - m->at) : 0;
        if (now)
            std::memcpy(to, m->data.data() + m->at, now);
        m->at += now;
        return static_cast<uLong>(now);
    }
    static uLong write(void* opaque, void*, const void* from, uLong count)
    {
        Memory* m = self(opaque);
        if (m->data.size() < m->at + count)
            m->data.resize(m->at + count);
        std::memcpy(m->data.data() + m->at, from, count);
        m->at += count;
        return count;
    }
    static ZPOS64_T tell(void* opaque, void*) { return self(opaque)->at; }
    static long seek(void* opaque, void*, ZPOS64_T offset, int origin)
    {
        Memory* m = self(opaque);
        m->at = offset
                + (origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                   : origin == ZLIB_FILEFUNC_SEEK_CUR ? m->at
                                                      : m->data.size());
        return 0;
    }
    static int close(void*, void*) { return 0; }
    static int error(void*, void*) { return 0; }
};

ZipWriter::ZipWriter()
    : m_memory(std::make_unique<Memory>())
{
    zlib_filefunc64_def functions = {Memory::open, Memory::read,  Memory::write, Memory::tell,
                                     Memory::seek, Memory::close, Memory::error, m_memory.get()};
    m_file = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
}

ZipWriter::~ZipWriter()
{
    if (m_file)
        zipClose(m_file, nullptr);
}

Status ZipWriter::add(const std::string& name, std::string_view data)
{
    if (name.size() > 0xFFFF)
        return Error{ErrorCode::Format, say("entry name of {0} bytes, at most 65,535 expected", name.size()), name};
    zip_fileinfo info = {};
    info.dosDate = (1u << 21) | (1u << 16); // 1980-01-01 00:00
    const int zip64 = data.size() >= 0xFFFFFFFFu ? 1 : 0;
    bool ok =
        zipOpenNewFileInZip64(m_file, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, zip64) == ZIP_OK;
    constexpr std::size_t kPiece = std::size_t{1} << 30;
    for (; ok && !data.empty(); data.remove_prefix(std::min(kPiece, data.size())))
        ok = zipWriteInFileInZip(m_file, data.data(), static_cast<unsigned>(std::min(kPiece, data.size()))) == ZIP_OK;
    if (!ok || zipCloseFileInZip(m_file) != ZIP_OK)
        return Error{ErrorCode::Io, "cannot add the entry to the archive", name};
    return {};
}

Result<std::string> ZipWriter::finish()
{
    const int closed = zipClose(m_file, nullptr);
    m_file = nullptr;
    if (closed != ZIP_OK)
        return Error{ErrorCode::Io, "cannot finish the archive", {}};
    return std::move(m_memory->data);
}

} // namespace gb::io
