#include "io/pickle.h"

#include "base/message.h"
#include "io/pickle_machine.h"
#include "io/zip.h"

#include <algorithm>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

namespace {

constexpr std::size_t kMostLeaves = 1'000'000;
constexpr int kDeepest = 100;

base::Status collect(const PickleObject& object, std::size_t index, int depth, std::size_t& visits,
                     std::vector<Leaf>& out)
{
    if (depth > kDeepest || ++visits > kMostLeaves)
        return Error{ErrorCode::Format,
                     say("nested deeper than {0} levels or more than {1} values, fewer expected", kDeepest,
                         base::grouped(kMostLeaves)),
                     {}};
    const PickleValue& value = object.at(index);
    switch (value.kind) {
    case PickleValue::Kind::Value: out.push_back(value.leaf); return {};
    case PickleValue::Kind::List:
    case PickleValue::Kind::Tuple:
        for (const std::size_t part : value.parts)
            GB_TRY(collect(object, part, depth + 1, visits, out));
        return {};
    case PickleValue::Kind::Dict:
        for (std::size_t i = 1; i < value.parts.size(); i += 2)
            GB_TRY(collect(object, value.parts[i], depth + 1, visits, out));
        return {};
    case PickleValue::Kind::Global: // a dtype or device as an input stands for its text
        out.emplace_back(value.text);
        return {};
    case PickleValue::Kind::Storage: break;
    }
    return Error{ErrorCode::Format, "found a bare storage, a tensor expected", {}};
}

/// The entry that ends with "/data.pkl" (or is data.pkl), and the folder before it.
Result<std::string> folderOf(const ZipReader& zip)
{
    constexpr std::string_view kName = "data.pkl";
    for (const ZipEntry& entry : zip.entries()) {
        const std::string& name = entry.name;
        const std::size_t folder = name.size() - std::min(name.size(), kName.size());
        if (name.ends_with(kName) && (folder == 0 || name[folder - 1] == '/')
            && std::count(name.begin(), name.end(), '/') <= 1)
            return name.substr(0, folder);
    }
    return Error{ErrorCode::NotFound, say("no data.pkl among {0} entries, one expected", zip.entries().size()),
                 zip.place()};
}

} // namespace

Result<std::vector<Leaf>> PickleObject::leaves(std::size_t value) const
{
    std::vector<Leaf> out;
    std::size_t visits = 0;
    GB_TRY(collect(*this, value, 0, visits, out));
    return out;
}

Result<PickleObject> readTorchPickle(const Bytes& archive, const std::string& place)
{
    GB_ASSIGN(const std::unique_ptr<ZipReader> zip, ZipReader::open(archive, place));
    GB_ASSIGN(const std::string folder, folderOf(*zip));
    if (zip->contains(folder + "byteorder")) {
        GB_ASSIGN(const Bytes order, zip->read(folder + "byteorder"));
        if (order.text() != "little")
            return Error{ErrorCode::Unsupported, say("byte order {0}, little expected", order.text().substr(0, 20)),
                         zip->placeOf(folder + "byteorder")};
    }
    GB_ASSIGN(const Bytes program, zip->read(folder + "data.pkl"));
    return PickleMachine(program.text(), *zip, folder).run();
}

} // namespace gb::io
