// The few names that a pickle of tensors may mention, and what stands for calling them.
//
// Source: torch/_utils.py (_rebuild_tensor_v2, _rebuild_tensor_v3, _rebuild_parameter), torch/serialization.py
// (persistent_load), torch/storage.py (_dtype_to_storage_type_map).
#include "base/message.h"
#include "io/pickle_machine.h"
#include "io/tensor_bytes.h"

#include <algorithm>
#include <array>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using Kind = PickleValue::Kind;

namespace {

struct StorageClass {
    const char* name;
    ir::DType dtype;
};

constexpr std::array kStorageClasses = {
    StorageClass{"FloatStorage", ir::DType::Float32},
    StorageClass{"DoubleStorage", ir::DType::Float64},
    StorageClass{"HalfStorage", ir::DType::Float16},
    StorageClass{"BFloat16Storage", ir::DType::BFloat16},
    StorageClass{"LongStorage", ir::DType::Int64},
    StorageClass{"IntStorage", ir::DType::Int32},
    StorageClass{"ShortStorage", ir::DType::Int16},
    StorageClass{"CharStorage", ir::DType::Int8},
    StorageClass{"ByteStorage", ir::DType::UInt8},
    StorageClass{"BoolStorage", ir::DType::Bool},
    StorageClass{"ComplexFloatStorage", ir::DType::Complex64},
    StorageClass{"ComplexDoubleStorage", ir::DType::Complex128},
};

constexpr const char* kUntyped = "torch.storage.UntypedStorage";

constexpr std::array<std::string_view, 8> kFunctions = {
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "collections.OrderedDict",
    "torch.Size",
    "torch.device",
    "torch.serialization._get_layout",
    kUntyped,
};

const StorageClass* storageClass(std::string_view global)
{
    constexpr std::string_view kPrefix = "torch.";
    for (const StorageClass& row : kStorageClasses)
        if (global.starts_with(kPrefix) && global.substr(kPrefix.size()) == row.name)
            return &row;
    return nullptr;
}

/// "torch.float32" -> float32
std::optional<ir::DType> dtypeGlobal(std::string_view global)
{
    constexpr std::string_view kPrefix = "torch.";
    if (!global.starts_with(kPrefix))
        return std::nullopt;
    return ir::dtypeFromName(global.substr(kPrefix.size()));
}

PickleValue global(std::string text)
{
    PickleValue out;
    out.kind = Kind::Global;
    out.text = std::move(text);
    return out;
}

} // namespace

Status PickleMachine::pushGlobal(const std::string& module, const std::string& name)
{
    const std::string full = module + "." + name;
    if (std::ranges::find(kFunctions, full) == kFunctions.end() && !storageClass(full) && !dtypeGlobal(full))
        return broken(say("global {0}, only torch's tensors and storages are read", full.substr(0, 120)),
                      ErrorCode::Unsupported);
    push(global(full));
    return {};
}

Result<PickleValue> PickleMachine::reduce(const std::string& function, const std::vector<std::size_t>& arguments)
{
    if (function == "torch._utils._rebuild_tensor_v2")
        return rebuildTensor(arguments, false);
    if (function == "torch._utils._rebuild_tensor_v3")
        return rebuildTensor(arguments, true);
    if (function == "torch._utils._rebuild_parameter" && !arguments.empty())
        return PickleValue(m_object.at(arguments[0]));
    if (function == "collections.OrderedDict") {
        PickleValue out;
        out.kind = Kind::Dict;
        if (!arguments.empty()) // a list of pairs
            for (const std::size_t pair : m_object.at(arguments[0]).parts) {
                if (m_object.at(pair).parts.size() != 2)
                    return broken("an entry of an OrderedDict that is no pair, pairs expected");
                out.parts.insert(out.parts.end(), m_object.at(pair).parts.begin(), m_object.at(pair).parts.end());
            }
        return out;
    }
    if (function == "torch.Size" && arguments.size() == 1)
        return PickleValue(m_object.at(arguments[0]));
    if ((function == "torch.device" || function == "torch.serialization._get_layout") && !arguments.empty())
        if (const auto* text = std::get_if<std::string>(&m_object.at(arguments[0]).leaf))
            return global(*text);
    return broken(say("a call of {0} with {1} arguments, only tensors are rebuilt", function, arguments.size()),
                  ErrorCode::Unsupported);
}

Result<PickleValue> PickleMachine::rebuildTensor(const std::vector<std::size_t>& arguments, bool dtypeGiven)
{
    // v2: storage, offset, size, stride, requires_grad, hooks[, metadata]; v3 has the dtype after the hooks
    const std::size_t least = dtypeGiven ? 7 : 6;
    if (arguments.size() < least || m_object.at(arguments[0]).kind != Kind::Storage)
        return broken(say("a tensor from {0} values, a storage and {1} more expected", arguments.size(), least - 1));
    const StorageInfo& from = m_storages[m_object.at(arguments[0]).storage];
    ir::DType dtype = from.dtype;
    if (dtypeGiven) {
        const auto given = dtypeGlobal(m_object.at(arguments[6]).text);
        if (!given)
            return broken(say("dtype {0}, a dtype of torch expected", m_object.at(arguments[6]).text),
                          ErrorCode::Unsupported);
        dtype = *given;
    } else if (!from.typed) {
        return broken("a tensor without a dtype over an untyped storage, a dtype expected");
    }
    GB_ASSIGN(const std::int64_t offset, integer(arguments[1], "storage offset"));
    GB_ASSIGN(const ir::Shape size, shape(arguments[2], "size"));
    GB_ASSIGN(const ir::Shape stride, shape(arguments[3], "stride"));
    const Bytes block = dtype == from.dtype ? from.block : readable(from.block, dtype);
    GB_ASSIGN(ir::Tensor tensor, tensorOver(block, dtype, size, stride, offset, m_place));
    PickleValue out;
    out.leaf = std::move(tensor);
    return out;
}

Status PickleMachine::pushStorage()
{
    // ("storage", class, key, location, element count)
    GB_ASSIGN(const std::size_t id, pop());
    const std::vector<std::size_t> parts = m_object.at(id).parts;
    if (m_object.at(id).kind != Kind::Tuple || parts.size() != 5)
        return broken("a persistent id that is no storage, a storage of five parts expected");
    const auto* word = std::get_if<std::string>(&m_object.at(parts[0]).leaf);
    const auto* key = std::get_if<std::string>(&m_object.at(parts[2]).leaf);
    if (!word || *word != "storage" || !key || m_object.at(parts[1]).kind != Kind::Global)
        return broken("a persistent id that is no storage, a storage of five parts expected");
    GB_ASSIGN(const std::size_t number, storage(m_object.at(parts[1]).text, *key));
    PickleValue out;
    out.kind = Kind::Storage;
    out.storage = number;
    push(std::move(out));
    return {};
}

Result<std::size_t> PickleMachine::storage(const std::string& className, const std::string& key)
{
    if (const auto found = m_storageByKey.find(key); found != m_storageByKey.end())
        return found->second;
    const StorageClass* known = storageClass(className);
    if (!known && className != kUntyped)
        return broken(say("{0} as a storage, a storage class expected", className), ErrorCode::Unsupported);
    GB_ASSIGN(const Bytes bytes, m_archive.read(m_folder + "data/" + key));
    const ir::DType dtype = known ? known->dtype : ir::DType::UInt8;
    m_storages.push_back({readable(bytes, dtype), dtype, known != nullptr});
    return m_storageByKey[key] = m_storages.size() - 1;
}

Result<std::int64_t> PickleMachine::integer(std::size_t value, const char* what) const
{
    if (const auto* number = std::get_if<std::int64_t>(&m_object.at(value).leaf);
        number && m_object.at(value).kind == Kind::Value)
        return *number;
    return broken(say("a {0} that is no integer, an integer expected", what));
}

Result<ir::Shape> PickleMachine::shape(std::size_t value, const char* what) const
{
    const PickleValue& tuple = m_object.at(value);
    if (tuple.kind != Kind::Tuple && tuple.kind != Kind::List)
        return broken(say("a {0} that is no tuple, a tuple of integers expected", what));
    if (tuple.parts.size() > kMostDims)
        return broken(say("a {0} of {1} numbers, at most {2} expected", what, tuple.parts.size(), kMostDims));
    ir::Shape out;
    for (const std::size_t part : tuple.parts) {
        GB_ASSIGN(const std::int64_t number, integer(part, what));
        out.push_back(number);
    }
    return out;
}

} // namespace gb::io
