// Metadata of nodes and values: what stands in node.meta.
#include "base/message.h"
#include "io/pt2_raw.h"
#include "io/sym_expr.h"
#include "io/tensor_bytes.h"

#include <algorithm>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

namespace {

constexpr char kDelimiter = ';'; // ST_DELIMITER

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> out;
    std::size_t start = 0;
    for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, start)) {
        out.push_back(text.substr(start, at - start));
        start = at + 1;
    }
    out.push_back(text.substr(start));
    return out;
}

/// metadata_split: at commas outside of brackets.
std::vector<std::string> splitOutsideBrackets(const std::string& text)
{
    std::vector<std::string> out;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '[' || c == '(' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth == 0) {
            out.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    out.push_back(text.substr(start));
    return out;
}

Result<std::vector<ir::ModuleFrame>> moduleStack(const JsonCursor& value)
{
    GB_ASSIGN(const std::string text, value.text());
    std::vector<ir::ModuleFrame> out;
    for (const std::string& item : split(text, kDelimiter)) {
        std::vector<std::string> parts = splitOutsideBrackets(item);
        if (parts.size() != 3)
            return value.error(say("module of {0} parts, \"key,path,type\" expected", parts.size()));
        // a dict in torch: a key that comes again keeps its place and takes the new value
        const auto same = std::ranges::find(out, parts[0], &ir::ModuleFrame::key);
        if (same != out.end())
            *same = {parts[0], parts[1], parts[2]};
        else
            out.push_back({parts[0], parts[1], parts[2]});
    }
    return out;
}

Result<std::vector<ir::SourceFunction>> sourceFunctions(const JsonCursor& value)
{
    GB_ASSIGN(const std::string text, value.text());
    std::vector<ir::SourceFunction> out;
    for (const std::string& item : split(text, kDelimiter)) {
        const std::vector<std::string> parts = split(item, ',');
        if (parts.size() != 2)
            return value.error(say("function of {0} parts, \"name,function\" expected", parts.size()));
        out.push_back({parts[0], parts[1]});
    }
    return out;
}

Result<ir::Dim> readDim(const JsonCursor& value)
{
    GB_ASSIGN(const auto only, value.only());
    ir::Dim out;
    if (only.first == "as_int") {
        GB_ASSIGN(out.size, only.second.integer());
        if (out.size < 0)
            return only.second.unexpected("size of 0 or more");
        return out;
    }
    GB_ASSIGN(out.symbol, readSymbolic(value));
    if (!out.symbol.empty() && std::ranges::all_of(out.symbol, [](char c) { return c >= '0' && c <= '9'; })
        && out.symbol.size() < 18)
        return ir::Dim{std::stoll(out.symbol), {}}; // create_symintnode gives a plain int for an Integer
    return out;
}

Result<std::vector<ir::Dim>> readDims(const JsonCursor& list)
{
    GB_ASSIGN(const std::vector<JsonCursor> items, list.items());
    if (items.size() > kMostDims)
        return list.unexpected(say("list of at most {0}", kMostDims));
    std::vector<ir::Dim> out;
    for (const JsonCursor& item : items) {
        GB_ASSIGN(ir::Dim dim, readDim(item));
        out.push_back(std::move(dim));
    }
    return out;
}

} // namespace

Result<ir::DType> readDType(const JsonCursor& number)
{
    GB_ASSIGN(const std::int64_t value, number.integer(0, 1'000'000));
    const auto dtype = ir::dtypeFromExportNumber(static_cast<int>(value));
    if (!dtype)
        return number.error(
            say("found dtype number {0}, a dtype of torch 2.14 that this program knows expected", value),
            ErrorCode::Unsupported);
    return *dtype;
}

Result<std::string> readSymbolic(const JsonCursor& value)
{
    GB_ASSIGN(const auto only, value.only());
    const auto& [kind, inner] = only;
    if (kind == "as_int") {
        GB_ASSIGN(const std::int64_t number, inner.integer());
        return std::to_string(number);
    }
    if (kind == "as_bool") {
        GB_ASSIGN(const bool flag, inner.boolean());
        return std::string(flag ? "True" : "False");
    }
    if (kind == "as_float") {
        GB_ASSIGN(const double number, inner.number());
        return dumpJson(jsonNumber(number));
    }
    if (kind != "as_expr")
        return value.error(say("found {0}, as_int, as_float, as_bool or as_expr expected", kind));
    GB_ASSIGN(const std::string text, inner.text("expr_str"));
    const auto printed = printSymbolic(text);
    if (!printed)
        return inner.error(printed.error().sentence);
    return printed;
}

Result<ir::TensorMeta> readTensorMeta(const JsonCursor& meta)
{
    ir::TensorMeta out;
    GB_ASSIGN(const JsonCursor dtype, meta.get("dtype"));
    GB_ASSIGN(out.dtype, readDType(dtype));
    GB_ASSIGN(const JsonCursor sizes, meta.get("sizes"));
    GB_ASSIGN(out.shape, readDims(sizes));
    GB_ASSIGN(const JsonCursor strides, meta.get("strides"));
    GB_ASSIGN(out.strides, readDims(strides));
    if (out.strides.size() != out.shape.size())
        return strides.unexpected(say("list of {0}, one stride a size", out.shape.size()));
    ir::Shape numbers;
    for (const ir::Dim& dim : out.shape)
        numbers.push_back(dim.symbol.empty() ? dim.size : 1);
    if (const auto count = checkedShape(numbers); !count)
        return sizes.error(count.error().sentence, count.error().code);
    GB_ASSIGN(out.requiresGrad, meta.boolean("requires_grad"));
    return out;
}

Result<ir::NodeMeta> readMetadata(const JsonCursor& metadata)
{
    ir::NodeMeta out;
    GB_ASSIGN(const auto members, metadata.members());
    for (const auto& [key, value] : members) {
        if (value.isNull() || value.json() == "")
            continue; // torch tests each text for being there and not empty
        if (key == "stack_trace") {
            GB_ASSIGN(out.stackTrace, value.text());
        } else if (key == "nn_module_stack") {
            GB_ASSIGN(out.nnModuleStack, moduleStack(value));
        } else if (key == "source_fn_stack") {
            GB_ASSIGN(out.sourceFnStack, sourceFunctions(value));
        } else if (key == "torch_fn") {
            GB_ASSIGN(const std::string text, value.text());
            const std::vector<std::string> parts = split(text, kDelimiter);
            out.torchFn = ir::SourceFunction{parts[0], parts.size() > 1 ? parts[1] : std::string()};
        } else {
            GB_ASSIGN(const std::string text, value.text());
            out.other.emplace_back(key, text);
        }
    }
    return out;
}

} // namespace gb::io
