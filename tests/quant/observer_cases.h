// Reads a folder of observer cases (observers.json, observers.npz; formats.md, section 7) for the tests.
#pragma once

#include "io/file.h"
#include "io/zip.h"
#include "quant/observe_case.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>

namespace gb::test {

using Json = nlohmann::ordered_json;

/// A .npy entry: version 1, C order, one of the types that the cases have.
inline std::optional<ir::Tensor> readNpy(const io::Bytes& bytes)
{
    const std::string_view text = bytes.text();
    if (text.size() < 10 || text.substr(1, 5) != "NUMPY")
        return std::nullopt;
    const std::size_t length = static_cast<unsigned char>(text[8]) + 256U * static_cast<unsigned char>(text[9]);
    const std::string header(text.substr(10, length));
    const std::map<std::string, ir::DType> types = {{"<f4", ir::DType::Float32},
                                                    {"<f8", ir::DType::Float64},
                                                    {"<f2", ir::DType::Float16},
                                                    {"<i8", ir::DType::Int64}};
    const std::size_t descr = header.find("'descr': '") + 10;
    const auto type = types.find(header.substr(descr, 3));
    if (type == types.end())
        return std::nullopt;
    ir::Shape shape;
    std::string sizes = header.substr(header.find('(') + 1);
    sizes.resize(sizes.find(')'));
    for (std::size_t at = 0; at < sizes.size() && sizes.find_first_of("0123456789", at) != std::string::npos;) {
        at = sizes.find_first_of("0123456789", at);
        shape.push_back(std::stoll(sizes.substr(at)));
        at = sizes.find_first_not_of("0123456789", at);
    }
    ir::Tensor out = ir::Tensor::empty(type->second, shape);
    if (text.size() - 10 - length != out.byteCount())
        return std::nullopt;
    if (out.byteCount() > 0)
        std::memcpy(out.mutableRawData(), text.data() + 10 + length, out.byteCount());
    return out;
}

inline std::map<std::string, ir::Tensor> readNpz(const std::string& path)
{
    std::map<std::string, ir::Tensor> out;
    auto archive = io::ZipReader::open(path);
    if (!archive)
        return out;
    for (const io::ZipEntry& entry : (*archive)->entries()) {
        const auto bytes = (*archive)->read(entry.name);
        const auto tensor = bytes ? readNpy(*bytes) : std::nullopt;
        if (tensor)
            out[entry.name.substr(0, entry.name.rfind(".npy"))] = *tensor;
    }
    return out;
}

inline Json readJson(const std::string& path)
{
    const auto bytes = io::mapFile(path);
    return bytes ? Json::parse(bytes->text(), nullptr, false) : Json();
}

inline ir::Argument argument(const Json& value)
{
    if (value.is_boolean())
        return ir::Argument(value.get<bool>());
    if (value.is_number_integer())
        return ir::Argument(value.get<std::int64_t>());
    if (value.is_number())
        return ir::Argument(value.get<double>());
    if (value.is_string())
        return ir::Argument(value.get<std::string>());
    if (!value.is_object())
        return {};
    ir::Mapping mapping;
    for (const auto& [key, part] : value.items())
        mapping.items.emplace_back(key, argument(part));
    return ir::Argument(ir::Argument::Value(std::move(mapping)));
}

inline ir::ObserverConstructor constructorOf(const Json& name, const Json& args)
{
    ir::ObserverConstructor out{name.get<std::string>(), {}};
    for (const auto& [key, value] : args.items())
        out.arguments.emplace_back(key, argument(value));
    return out;
}

/// A value of a case: a number, or the text of what JSON has no number for.
inline double number(const Json& value)
{
    if (!value.is_string())
        return value.get<double>();
    return value == "nan" ? std::nan("") : value == "inf" ? HUGE_VAL : -HUGE_VAL;
}

/// Empty where a tensor holds exactly these values, else what differs.
inline std::string difference(const std::optional<ir::Tensor>& got, const Json& wanted)
{
    if (!got)
        return "missing";
    const std::vector<double> values = got->toDoubles();
    if (values.size() != wanted.size())
        return std::to_string(values.size()) + " values, " + std::to_string(wanted.size()) + " wanted";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double want = number(wanted[i]);
        const bool same = values[i] == want || (std::isnan(values[i]) && std::isnan(want));
        if (!same)
            return "at " + std::to_string(i) + ": " + std::to_string(values[i]) + ", wanted " + std::to_string(want);
    }
    return {};
}

} // namespace gb::test
