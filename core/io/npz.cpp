#include "io/npz.h"

#include "base/message.h"
#include "io/tensor_bytes.h"
#include "io/zip.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

struct DescrRow {
    std::string_view descr; ///< without the byte order
    ir::DType dtype;
};

constexpr std::array kDescrs = {
    DescrRow{"f4", ir::DType::Float32},   DescrRow{"f8", ir::DType::Float64},     DescrRow{"f2", ir::DType::Float16},
    DescrRow{"i1", ir::DType::Int8},      DescrRow{"i2", ir::DType::Int16},       DescrRow{"i4", ir::DType::Int32},
    DescrRow{"i8", ir::DType::Int64},     DescrRow{"u1", ir::DType::UInt8},       DescrRow{"u2", ir::DType::UInt16},
    DescrRow{"u4", ir::DType::UInt32},    DescrRow{"u8", ir::DType::UInt64},      DescrRow{"b1", ir::DType::Bool},
    DescrRow{"c8", ir::DType::Complex64}, DescrRow{"c16", ir::DType::Complex128},
};

struct Header {
    std::string descr;
    bool fortran = false;
    ir::Shape shape;
};

/// Reads the header's Python dict: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderParser {
public:
    HeaderParser(std::string_view text, const std::string& place)
        : m_text(text)
        , m_place(place)
    {
    }

    Result<Header> run()
    {
        Header out;
        bool haveDescr = false;
        bool haveOrder = false;
        bool haveShape = false;
        if (!eat('{'))
            return broken("no dict, one");
        while (!eat('}')) {
            GB_ASSIGN(const std::string key, quoted());
            if (!eat(':'))
                return broken("no colon, one");
            if (key == "descr" && !haveDescr) {
                GB_ASSIGN(out.descr, descr());
                haveDescr = true;
            } else if (key == "fortran_order" && !haveOrder) {
                GB_ASSIGN(out.fortran, boolean());
                haveOrder = true;
            } else if (key == "shape" && !haveShape) {
                GB_ASSIGN(out.shape, tuple());
                haveShape = true;
            } else {
                return broken(say("key \"{0}\", descr, fortran_order and shape, each once,", key));
            }
            if (!eat(',') && !peek('}'))
                return broken("neither a comma nor the dict's end, one");
        }
        if (!haveDescr || !haveOrder || !haveShape)
            return broken("a key missing, descr, fortran_order and shape");
        return out;
    }

private:
    [[nodiscard]] Error broken(const std::string& what) const
    {
        return {ErrorCode::Format, say("array header at character {0}: found {1} expected", m_at, what), m_place};
    }
    void skip()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n'))
            ++m_at;
    }
    bool peek(char c)
    {
        skip();
        return m_at < m_text.size() && m_text[m_at] == c;
    }
    bool eat(char c)
    {
        const bool there = peek(c);
        m_at += there;
        return there;
    }
    Result<std::string> quoted()
    {
        skip();
        const char quote = m_at < m_text.size() ? m_text[m_at] : ' ';
        const std::size_t end = quote == '\'' || quote == '"' ? m_text.find(quote, m_at + 1) : std::string_view::npos;
        if (end == std::string_view::npos)
            return broken("no text, one");
        std::string out(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return out;
    }
    Result<std::string> descr()
    {
        if (peek('[')) // a structured dtype is a list of fields
            return Error{ErrorCode::Unsupported, "found a structured dtype, one number an element expected", m_place};
        return quoted();
    }
    Result<bool> boolean()
    {
        skip();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (m_text.substr(m_at, word.size()) == word) {
                m_at += word.size();
                return value;
            }
        }
        return broken("neither True nor False, one");
    }
    Result<ir::Shape> tuple()
    {
        ir::Shape out;
        if (!eat('('))
            return broken("no tuple, one");
        while (!eat(')')) {
            skip();
            std::int64_t number = 0;
            const char* from = m_text.data() + m_at;
            const auto [end, problem] = std::from_chars(from, m_text.data() + m_text.size(), number);
            if (problem != std::errc())
                return broken("no size, an integer of 64 bits");
            m_at += static_cast<std::size_t>(end - from);
            eat('L'); // Python 2 wrote long integers so
            if (number < 0)
                return Error{ErrorCode::Shape, say("size {0}, 0 or more expected", number), m_place};
            out.push_back(number);
            if (!eat(',') && !peek(')'))
                return broken("neither a comma nor the tuple's end, one");
        }
        return out;
    }

    std::string_view m_text;
    std::string m_place;
    std::size_t m_at = 0;
};

Result<ir::DType> dtypeOf(const std::string& descr, const std::string& place)
{
    const char order = descr.empty() ? ' ' : descr[0];
    const std::string rest = descr.empty() ? std::string() : descr.substr(1);
    for (const DescrRow& row : kDescrs) {
        if (rest != row.descr)
            continue;
        if (order == '>' && ir::itemSize(row.dtype) > 1)
            return Error{ErrorCode::Unsupported, say("big-endian dtype {0}, little-endian expected", descr), place};
        return row.dtype;
    }
    return Error{ErrorCode::Unsupported,
                 say("dtype {0}{1}, integers, floats, bool or complex expected", descr.substr(0, 40),
                     rest.starts_with("O") || order == 'O' ? " (Python objects)" : ""),
                 place};
}

ir::Shape fortranStrides(const ir::Shape& shape)
{
    ir::Shape out(shape.size(), 1);
    for (std::size_t i = 1; i < shape.size(); ++i)
        out[i] = out[i - 1] * std::max<std::int64_t>(shape[i - 1], 1);
    return out;
}

/// numpy's name of a dtype that it has.
std::string_view descrOf(ir::DType dtype)
{
    const auto row = std::ranges::find(kDescrs, dtype, &DescrRow::dtype);
    return row == kDescrs.end() ? std::string_view() : row->descr;
}

std::string npyBytes(const ir::Tensor& tensor)
{
    std::string shape;
    for (const std::int64_t size : tensor.shape())
        shape += std::to_string(size) + ", ";
    if (tensor.dim() > 1)
        shape.resize(shape.size() - 2);
    else if (tensor.dim() == 1)
        shape.pop_back();
    const std::string descr = (ir::itemSize(tensor.dtype()) == 1 ? "|" : "<") + std::string(descrOf(tensor.dtype()));
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t kPrefix = 10;
    constexpr std::size_t kAlign = 64; // numpy pads so that the data starts aligned
    header.append((kAlign - (kPrefix + header.size() + 1) % kAlign) % kAlign, ' ');
    header += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xFF);
    out += static_cast<char>(header.size() >> 8);
    out += header;
    const ir::Tensor data = tensor.contiguous();
    out.append(reinterpret_cast<const char*>(data.rawData()), data.byteCount());
    return out;
}

} // namespace

Result<ir::Tensor> readNpy(const Bytes& bytes, const std::string& place)
{
    const std::string_view text = bytes.text();
    constexpr std::size_t kMagic = 8;
    if (text.size() < kMagic + 4 || !text.starts_with("\x93NUMPY"))
        return Error{ErrorCode::Format, "no .npy header found, one expected", place};
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
    const std::size_t major = byte(6);
    if (major < 1 || major > 3)
        return Error{ErrorCode::Unsupported, say("version {0} of the .npy format, 1 to 3 expected", major), place};
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    std::size_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = length << 8 | byte(kMagic + i);
    const std::size_t start = kMagic + lengthBytes;
    if (length > text.size() - start)
        return Error{ErrorCode::Format,
                     say("{0} bytes left for the array header, {1} expected", text.size() - start, length), place};
    GB_ASSIGN(const Header header, HeaderParser(text.substr(start, length), place).run());
    GB_ASSIGN(const ir::DType dtype, dtypeOf(header.descr, place));
    if (const auto count = checkedShape(header.shape); !count)
        return count.error().in(place);
    const Bytes data{bytes.storage, bytes.offset + start + length, bytes.size - start - length};
    const ir::Shape strides = header.fortran ? fortranStrides(header.shape) : ir::contiguousStrides(header.shape);
    return tensorOver(readable(data, dtype), dtype, header.shape, strides, 0, place);
}

Result<NamedTensors> readNpz(const std::string& path)
{
    GB_ASSIGN(const std::unique_ptr<ZipReader> zip, ZipReader::open(path));
    NamedTensors out;
    constexpr std::string_view kSuffix = ".npy";
    for (const ZipEntry& entry : zip->entries()) {
        std::string name = entry.name;
        if (!name.ends_with(kSuffix))
            return Error{ErrorCode::Format, "found an entry that is no array, NAME.npy expected", zip->placeOf(name)};
        name.resize(name.size() - kSuffix.size());
        GB_ASSIGN(const Bytes bytes, zip->read(entry.name));
        GB_ASSIGN(ir::Tensor tensor, readNpy(bytes, zip->placeOf(name)));
        out.emplace_back(std::move(name), std::move(tensor));
    }
    return out;
}

Result<std::string> npzBytes(const NamedTensors& arrays)
{
    ZipWriter zip;
    for (const auto& [name, tensor] : arrays) {
        const bool brain = tensor.dtype() == ir::DType::BFloat16;
        if (!brain && descrOf(tensor.dtype()).empty())
            return Error{ErrorCode::Unsupported,
                         say("found dtype {0}, one that numpy has expected", ir::name(tensor.dtype())), name};
        GB_TRY(zip.add(name + ".npy", npyBytes(brain ? tensor.to(ir::DType::Float32) : tensor)));
    }
    return zip.finish();
}

base::Status writeNpz(const std::string& path, const NamedTensors& arrays)
{
    GB_ASSIGN(const std::string bytes, npzBytes(arrays));
    return writeFile(path, bytes);
}

} // namespace gb::io
