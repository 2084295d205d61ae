// Files: mapped for reading, replaced as a whole when written.
//
// Thread: any; a MappedFile is read-only and may be shared between threads.
#pragma once

#include "base/result.h"
#include "ir/tensor.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gb::io {

/// A run of bytes inside a storage: a mapped file, an entry of an archive, an unpacked entry.
struct Bytes {
    std::shared_ptr<ir::Storage> storage;
    std::size_t offset = 0;
    std::size_t size = 0;

    [[nodiscard]] const std::byte* data() const { return storage ? storage->bytes() + offset : nullptr; }
    [[nodiscard]] std::string_view text() const
    {
        return size ? std::string_view(reinterpret_cast<const char*>(data()), size) : std::string_view();
    }
};

/// Copies text into a storage of its own.
Bytes bytesOf(std::string_view text);

/// Maps a regular file read-only. The mapping lives as long as a tensor looks into it. Error (Io): the path and the
/// system's reason, or what the path is instead of a file. Never waits (a pipe is refused, not opened).
base::Result<Bytes> mapFile(const std::string& path);

/// A file that appears under its name only when it is complete: written beside the target and renamed by commit().
/// Without commit() nothing is left behind. A target that is no regular file (a terminal, a device) is written to
/// directly. Every error (Io) has the path and the system's reason.
class AtomicFile {
public:
    static base::Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    base::Status write(std::string_view data);
    /// Flushes to the disk and takes the name. To be called once, last.
    base::Status commit();

private:
    AtomicFile() = default;
    [[nodiscard]] base::Error failed(const char* doing) const;

    std::string m_path;      ///< as the caller wrote it, for messages
    std::string m_target;    ///< with links followed
    std::string m_temporary; ///< empty where written directly, or after commit
    int m_file = -1;
};

/// Writes a whole file through AtomicFile.
base::Status writeFile(const std::string& path, std::string_view data);

} // namespace gb::io
