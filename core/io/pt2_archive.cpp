#include "io/pt2_archive.h"

#include "base/message.h"
#include "io/pt2_raw.h"
#include "io/tensor_bytes.h"

#include <algorithm>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

Result<std::unique_ptr<Pt2Archive>> Pt2Archive::open(const std::string& path)
{
    GB_ASSIGN(std::unique_ptr<ZipReader> zip, ZipReader::open(path));
    std::unique_ptr<Pt2Archive> out(new Pt2Archive(std::move(zip)));
    GB_TRY(out->findModel());
    GB_TRY(out->expectText(out->m_root + "archive_format", "pt2"));
    GB_TRY(out->expectText(out->m_root + "byteorder", "little"));
    return out;
}

Status Pt2Archive::expectText(const std::string& entry, const char* expected)
{
    if (!m_zip->contains(entry))
        return {};
    GB_ASSIGN(const Bytes found, m_zip->read(entry));
    if (found.text() != expected)
        return Error{ErrorCode::Unsupported,
                     say("found \"{0}\", \"{1}\" expected", found.text().substr(0, 40), expected),
                     m_zip->placeOf(entry)};
    return {};
}

Status Pt2Archive::findModel()
{
    constexpr std::string_view kFolder = "models/";
    constexpr std::string_view kSuffix = ".json";
    for (const ZipEntry& entry : m_zip->entries()) {
        const std::string& name = entry.name;
        const std::size_t at = name.find(kFolder);
        if (at == std::string::npos || !name.ends_with(kSuffix) || (at > 0 && name[at - 1] != '/')
            || std::count(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(at), '/') > 1)
            continue;
        const std::size_t start = at + kFolder.size();
        if (name.size() < start + kSuffix.size())
            continue;
        const std::string model = name.substr(start, name.size() - start - kSuffix.size());
        if (!m_modelEntry.empty() && model != "model")
            continue; // torch.export.load takes "model" where there are several
        m_root = name.substr(0, at);
        m_modelName = model;
        m_modelEntry = name;
    }
    if (m_modelEntry.empty())
        return Error{
            ErrorCode::NotFound,
            say("no models/*.json among {0} entries, a file of torch.export.save expected", m_zip->entries().size()),
            m_zip->place()};
    return {};
}

Result<Json> Pt2Archive::model()
{
    GB_ASSIGN(const Bytes text, m_zip->read(m_modelEntry));
    return parseJson(text.text(), modelPlace());
}

Result<PickleObject> Pt2Archive::samples()
{
    GB_ASSIGN(const Bytes bytes, m_zip->read(sampleEntry()));
    return readTorchPickle(bytes, samplePlace());
}

Result<Payload> Pt2Archive::payload(const std::string& folder, const std::string& configSuffix)
{
    const std::string legacy = m_root + folder + m_modelName + ".pt";
    if (m_zip->contains(legacy))
        return legacyPayload(legacy);
    const std::string entry = m_root + folder + m_modelName + configSuffix;
    GB_ASSIGN(const Bytes text, m_zip->read(entry));
    GB_ASSIGN(const Json document, parseJson(text.text(), m_zip->placeOf(entry)));
    GB_ASSIGN(const JsonCursor config, JsonCursor(document, m_zip->placeOf(entry)).get("config"));
    GB_ASSIGN(const auto rows, config.members());
    Payload out;
    for (const auto& [name, row] : rows)
        GB_TRY(readRow(name, row, m_root + folder, out));
    return out;
}

Result<Payload> Pt2Archive::legacyPayload(const std::string& entry)
{
    // torch up to 2.8: the whole state dict as one pickle
    GB_ASSIGN(const Bytes bytes, m_zip->read(entry));
    Payload out;
    if (bytes.size == 0)
        return out;
    GB_ASSIGN(const PickleObject object, readTorchPickle(bytes, m_zip->placeOf(entry)));
    const PickleValue& dict = object.at(object.root);
    if (dict.kind != PickleValue::Kind::Dict)
        return Error{ErrorCode::Format, "no dict of tensors, one expected", m_zip->placeOf(entry)};
    for (std::size_t i = 0; i + 1 < dict.parts.size(); i += 2) {
        const auto* name = std::get_if<std::string>(&object.at(dict.parts[i]).leaf);
        const auto* tensor = std::get_if<ir::Tensor>(&object.at(dict.parts[i + 1]).leaf);
        if (name && tensor)
            out.tensors[*name] = *tensor;
    }
    return out;
}

Result<Bytes> Pt2Archive::block(const std::string& entry, ir::DType dtype)
{
    const std::pair key(entry, dtype == ir::DType::Bool);
    if (const auto found = m_blocks.find(key); found != m_blocks.end())
        return found->second;
    GB_ASSIGN(const Bytes bytes, m_zip->read(entry));
    return m_blocks[key] = readable(bytes, dtype);
}

Result<ir::Tensor> Pt2Archive::pickledTensor(const std::string& entry)
{
    GB_ASSIGN(const Bytes bytes, m_zip->read(entry));
    GB_ASSIGN(const PickleObject object, readTorchPickle(bytes, m_zip->placeOf(entry)));
    if (const auto* tensor = std::get_if<ir::Tensor>(&object.at(object.root).leaf))
        return *tensor;
    return Error{ErrorCode::Format, "a pickle of something else, a tensor expected", m_zip->placeOf(entry)};
}

Status Pt2Archive::readRow(const std::string& name, const JsonCursor& row, const std::string& folder, Payload& into)
{
    GB_ASSIGN(const std::string path, row.text("path_name"));
    GB_ASSIGN(const bool pickled, row.boolean("use_pickle"));
    const std::string entry = folder + path;
    if (path.starts_with("custom_obj_") || path.starts_with("opaque_obj_")) {
        into.notes.push_back(say("{0}: a custom object, not read", name));
        return {};
    }
    if (pickled) {
        GB_ASSIGN(into.tensors[name], pickledTensor(entry));
        return {};
    }
    GB_ASSIGN(const JsonCursor metaJson, row.get("tensor_meta"));
    GB_ASSIGN(const ir::TensorMeta meta, readTensorMeta(metaJson));
    GB_ASSIGN(const JsonCursor offsetJson, metaJson.get("storage_offset"));
    GB_ASSIGN(const auto offset, offsetJson.only());
    GB_ASSIGN(const std::int64_t offsetNumber, offset.second.integer());
    ir::Shape shape;
    ir::Shape strides;
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
        if (!meta.shape[i].symbol.empty() || !meta.strides[i].symbol.empty())
            return metaJson.error("a symbolic size, a number expected for stored elements");
        shape.push_back(meta.shape[i].size);
        strides.push_back(meta.strides[i].size);
    }
    GB_ASSIGN(const Bytes bytes, block(entry, meta.dtype));
    GB_ASSIGN(into.tensors[name],
              tensorOver(bytes, meta.dtype, shape, strides, offsetNumber, m_zip->placeOf(entry) + ": " + name));
    return {};
}

} // namespace gb::io
