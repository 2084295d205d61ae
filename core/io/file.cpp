#include "io/file.h"

#include "base/message.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

class MappedFile final : public ir::Storage {
public:
    MappedFile(void* memory, std::size_t size)
        : m_memory(memory)
        , m_size(size)
    {
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile() override
    {
        if (m_size)
            ::munmap(m_memory, m_size);
    }

    [[nodiscard]] const std::byte* bytes() const override { return static_cast<const std::byte*>(m_memory); }
    [[nodiscard]] std::size_t size() const override { return m_size; }

private:
    void* m_memory;
    std::size_t m_size;
};

struct Descriptor {
    int number = -1;
    explicit Descriptor(int n)
        : number(n)
    {
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (number >= 0)
            ::close(number);
    }
};

Error systemError(const std::string& doing, const std::string& path)
{
    return {ErrorCode::Io, say("cannot {0}: {1}", doing, std::string(std::strerror(errno))), path};
}

const char* kindOf(mode_t mode)
{
    if (S_ISDIR(mode))
        return "folder";
    if (S_ISFIFO(mode))
        return "pipe";
    if (S_ISSOCK(mode))
        return "socket";
    return "device";
}

/// The path with links followed, or itself where it does not exist yet.
std::string resolved(const std::string& path)
{
    char* real = ::realpath(path.c_str(), nullptr);
    if (!real)
        return path;
    std::string out = real;
    std::free(real);
    return out;
}

} // namespace

Bytes bytesOf(std::string_view text)
{
    Bytes out{ir::allocate(text.size()), 0, text.size()};
    if (!text.empty())
        std::memcpy(out.storage->writable(), text.data(), text.size());
    return out;
}

Result<Bytes> mapFile(const std::string& path)
{
    // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0)
        return systemError("read", path);
    struct stat info = {};
    if (::fstat(file.number, &info) != 0)
        return systemError("read", path);
    if (!S_ISREG(info.st_mode))
        return Error{ErrorCode::Io, say("found a {0}, a file expected", kindOf(info.st_mode)), path};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0)
        return Bytes{std::make_shared<MappedFile>(nullptr, 0), 0, 0};
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (memory == MAP_FAILED)
        return systemError("map", path);
    return Bytes{std::make_shared<MappedFile>(memory, size), 0, size};
}

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path)
{
    std::unique_ptr<AtomicFile> out(new AtomicFile);
    out->m_path = path;
    out->m_target = resolved(path);
    struct stat info = {};
    const bool exists = ::stat(out->m_target.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return Error{ErrorCode::Io, "found a folder, a file to write expected", path};
    if (exists && !S_ISREG(info.st_mode)) {
        // renaming over /dev/full or a terminal would replace the device
        out->m_file = ::open(out->m_target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        return out->m_file < 0 ? Result<std::unique_ptr<AtomicFile>>(systemError("write", path)) : std::move(out);
    }
    if (exists && ::access(out->m_target.c_str(), W_OK) != 0)
        return systemError("write", path);
    std::string name = out->m_target + ".XXXXXX";
    out->m_file = ::mkostemp(name.data(), O_CLOEXEC);
    if (out->m_file < 0)
        return systemError("write", path);
    out->m_temporary = name;
    // mkostemp gives 0600; a new file gets what open(..., 0666) would have given it
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(out->m_file, exists ? info.st_mode & 07777 : 0666 & ~mask);
    return out;
}

AtomicFile::~AtomicFile()
{
    if (m_file >= 0)
        ::close(m_file);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Error AtomicFile::failed(const char* doing) const
{
    return systemError(doing, m_path);
}

Status AtomicFile::write(std::string_view data)
{
    while (!data.empty()) {
        const ssize_t done = ::write(m_file, data.data(), data.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return failed("write");
        data.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
}

Status AtomicFile::commit()
{
    if (!m_temporary.empty() && ::fsync(m_file) != 0)
        return failed("write");
    const int closed = ::close(std::exchange(m_file, -1));
    if (closed != 0)
        return failed("write");
    if (m_temporary.empty())
        return {};
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        return failed("write");
    m_temporary.clear();
    return {};
}

Status writeFile(const std::string& path, std::string_view data)
{
    GB_ASSIGN(const std::unique_ptr<AtomicFile> file, AtomicFile::create(path));
    GB_TRY(file->write(data));
    return file->commit();
}

} // namespace gb::io
