#include "op_cases.h"

#include "base/message.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace gb::ops_test {
namespace {

using base::say;
using ir::Tensor;
using nlohmann::json;

std::string readFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(path + ": cannot be read");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ir::DType dtypeOf(const json& text)
{
    const auto dtype = ir::dtypeFromName(text.get<std::string>());
    if (!dtype)
        throw std::runtime_error("unknown dtype " + text.get<std::string>());
    return *dtype;
}

/// The same elements with the last two dimensions swapped in memory.
Tensor transposedInMemory(const Tensor& plain)
{
    const auto swapLast = [](const Tensor& t) {
        ir::Shape shape = t.shape();
        ir::Shape strides = t.strides();
        std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
        std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
        return t.asStrided(shape, strides);
    };
    return swapLast(swapLast(plain).clone());
}

class Reader {
public:
    explicit Reader(std::string raw)
        : m_raw(std::move(raw))
    {
    }

    [[nodiscard]] ops::Value value(const json& j) const
    {
        if (j.is_null())
            return {};
        if (j.is_boolean())
            return j.get<bool>();
        if (j.is_number_integer())
            return j.get<std::int64_t>();
        if (j.is_number_float())
            return j.get<double>();
        if (j.is_string())
            return j.get<std::string>();
        if (j.is_array())
            return list(j);
        if (j.contains("tensor"))
            return tensor(j["tensor"]);
        if (j.contains("dtype"))
            return dtypeOf(j["dtype"]);
        if (j.contains("opaque"))
            return ir::Opaque{j["opaque"].get<std::string>()};
        const double infinity = std::numeric_limits<double>::infinity();
        const auto text = j.at("float").get<std::string>();
        return text == "inf" ? infinity : text == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
    }

    [[nodiscard]] ops::ValueList list(const json& j) const
    {
        ops::ValueList out;
        for (const json& item : j)
            out.push_back(value(item));
        return out;
    }

private:
    [[nodiscard]] Tensor tensor(const json& j) const
    {
        Tensor out = Tensor::empty(dtypeOf(j["dtype"]), j["shape"].get<ir::Shape>());
        const auto at = j["at"].get<std::size_t>();
        if (at + out.byteCount() > m_raw.size())
            throw std::runtime_error("tensor beyond the end of the data");
        if (out.byteCount() > 0)
            std::memcpy(out.mutableRawData(), m_raw.data() + at, out.byteCount());
        return j.contains("transposed") ? transposedInMemory(out) : out;
    }

    std::string m_raw;
};

void flatten(const ops::Value& value, ops::ValueList& out)
{
    if (const ops::ValueList* items = value.list())
        out.insert(out.end(), items->begin(), items->end());
    else
        out.push_back(value);
}

std::string compareTensors(const Tensor& mine, const Tensor& theirs, double tolerance)
{
    if (mine.dtype() != theirs.dtype() || mine.shape() != theirs.shape())
        return say("{0}, torch has {1}", ir::describe(mine), ir::describe(theirs));
    const std::vector<double> a = mine.toDoubles();
    const std::vector<double> b = theirs.toDoubles();
    double largest = 0.0;
    for (const double v : b)
        if (std::isfinite(v))
            largest = std::max(largest, std::fabs(v));
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
        const bool close = std::isfinite(a[i]) && std::isfinite(b[i]) && std::fabs(a[i] - b[i]) <= tolerance * largest;
        if (!same && !close)
            return say("element {0}: {1}, torch has {2} (off by {3})", i, std::to_string(a[i]), std::to_string(b[i]),
                       a[i] - b[i]);
    }
    return {};
}

std::string compareValues(const ops::Value& mine, const ops::Value& theirs, double tolerance)
{
    if (mine.tensor() && theirs.tensor())
        return compareTensors(*mine.tensor(), *theirs.tensor(), tolerance);
    return ops::describe(mine) == ops::describe(theirs)
               ? std::string()
               : say("{0}, torch has {1}", ops::describe(mine), ops::describe(theirs));
}

std::string compareErrors(const base::Result<ops::Value>& result, const std::string& theirs)
{
    if (result.ok())
        return say("no error, torch raises {0}", theirs);
    const std::string mine = base::exceptionName(result.error().code);
    return mine == theirs ? std::string() : say("{0} ({1}), torch raises {2}", mine, result.error().text(), theirs);
}

bool isInPlace(const std::string& target)
{
    return (ops::mutatedArguments(target) & 1U) != 0;
}

} // namespace

std::vector<OpCase> readCases(const std::string& family)
{
    const std::string stem = std::string(GREENBOX_TEST_DATA) + "/ops/" + family;
    const Reader reader(readFile(stem + ".bin"));
    std::vector<OpCase> out;
    for (const json& j : json::parse(readFile(stem + ".json"))) {
        OpCase recorded;
        recorded.target = j.at("target").get<std::string>();
        recorded.args = reader.list(j.at("args"));
        for (const auto& [name, value] : j.at("kwargs").items())
            recorded.kwargs.emplace_back(name, reader.value(value));
        recorded.error = j.value("error", "");
        recorded.tolerance = j.value("tolerance", 0.0);
        if (recorded.error.empty())
            recorded.outputs = reader.list(j.at("outputs"));
        out.push_back(std::move(recorded));
    }
    return out;
}

std::map<std::string, std::string> readSchemas()
{
    return json::parse(readFile(std::string(GREENBOX_TEST_DATA) + "/ops/schemas.json"))
        .get<std::map<std::string, std::string>>();
}

const std::shared_ptr<const ops::KernelTable>& table()
{
    static const auto all = std::make_shared<const ops::KernelTable>(ops::KernelTable::all());
    return all;
}

Tensor ones(const ir::Shape& shape)
{
    Tensor out = Tensor::empty(ir::DType::Float32, shape);
    std::fill_n(out.mutableData<float>(), out.elementCount(), 1.0F);
    return out;
}

Tensor ramp(const ir::Shape& shape)
{
    Tensor out = Tensor::empty(ir::DType::Float32, shape);
    for (std::int64_t i = 0; i < out.elementCount(); ++i)
        out.mutableData<float>()[i] = static_cast<float>(i);
    return out;
}

base::Result<ops::Value> evaluate(const std::string& target, ops::ValueList args, ops::NamedValues kwargs)
{
    const ops::Context context;
    return table()->evaluate(context, target, std::move(args), std::move(kwargs));
}

std::string check(const OpCase& recorded)
{
    const base::Result<ops::Value> result = evaluate(recorded.target, recorded.args, recorded.kwargs);
    if (!recorded.error.empty())
        return compareErrors(result, recorded.error);
    if (!result.ok())
        return result.error().text();
    ops::ValueList mine;
    flatten(*result, mine);
    if (isInPlace(recorded.target))
        mine.push_back(recorded.args[0]);
    if (mine.size() != recorded.outputs.size())
        return say("{0} outputs, torch has {1}", mine.size(), recorded.outputs.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const std::string difference = compareValues(mine[i], recorded.outputs[i], recorded.tolerance);
        if (!difference.empty())
            return say("output {0}: {1}", i, difference);
    }
    return {};
}

} // namespace gb::ops_test
