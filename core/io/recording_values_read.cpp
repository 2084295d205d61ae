#include "io/recording_values.h"

#include "base/message.h"

#include <array>
#include <limits>

namespace gb::io {
namespace {

using base::Result;
using base::say;
using base::Status;

/// A list of exactly N texts.
template <std::size_t N>
Result<std::array<std::string, N>> texts(const JsonCursor& at)
{
    GB_ASSIGN(const auto items, at.items());
    if (items.size() != N)
        return at.unexpected(say("list of {0} texts", N));
    std::array<std::string, N> out;
    for (std::size_t i = 0; i < N; ++i) {
        GB_ASSIGN(out[i], items[i].text());
    }
    return out;
}

Result<std::vector<ir::Dim>> dims(const JsonCursor& at)
{
    GB_ASSIGN(const auto items, at.items());
    std::vector<ir::Dim> out;
    for (const JsonCursor& item : items) {
        ir::Dim& dim = out.emplace_back();
        if (item.json().is_string()) {
            dim.symbol = item.json().get<std::string>();
        } else {
            GB_ASSIGN(dim.size, item.integer());
        }
    }
    return out;
}

Result<ir::ValueMeta> readVal(const JsonCursor& at)
{
    ir::ValueMeta out;
    if (at.isNull())
        return out;
    GB_ASSIGN(const auto one, at.only());
    const auto& [key, value] = one;
    if (key == "scalar") {
        out.kind = ir::ValueMeta::Kind::Scalar;
        GB_ASSIGN(out.scalar, value.text());
    } else if (key == "several") {
        out.kind = ir::ValueMeta::Kind::Several;
        GB_ASSIGN(const auto items, value.items());
        for (const JsonCursor& item : items) {
            GB_ASSIGN(ir::ValueMeta part, readVal(item));
            out.parts.push_back(std::move(part));
        }
    } else if (key == "tensor") {
        out.kind = ir::ValueMeta::Kind::Tensor;
        GB_ASSIGN(out.tensor.dtype, ValueReader::dtype(value));
        GB_ASSIGN(const JsonCursor shape, value.get("shape"));
        GB_ASSIGN(out.tensor.shape, dims(shape));
        if (const auto strides = value.find("strides")) {
            GB_ASSIGN(out.tensor.strides, dims(*strides));
        }
        if (value.find("requires_grad")) {
            GB_ASSIGN(out.tensor.requiresGrad, value.boolean("requires_grad"));
        }
    } else {
        return value.error("unknown key, tensor, scalar or several expected");
    }
    return out;
}

Status readStacks(const JsonCursor& at, ir::NodeMeta& out)
{
    if (const auto stack = at.find("nn_module_stack")) {
        GB_ASSIGN(const auto items, stack->items());
        for (const JsonCursor& item : items) {
            GB_ASSIGN(const auto t, texts<3>(item));
            out.nnModuleStack.push_back({t[0], t[1], t[2]});
        }
    }
    if (const auto stack = at.find("source_fn_stack")) {
        GB_ASSIGN(const auto items, stack->items());
        for (const JsonCursor& item : items) {
            GB_ASSIGN(const auto t, texts<2>(item));
            out.sourceFnStack.push_back({t[0], t[1]});
        }
    }
    if (const auto torchFn = at.find("torch_fn")) {
        GB_ASSIGN(const auto t, texts<2>(*torchFn));
        out.torchFn = {t[0], t[1]};
    }
    return {};
}

Result<ir::NodeMeta> readMeta(const JsonCursor& at)
{
    ir::NodeMeta out;
    GB_TRY(at.members());
    if (const auto val = at.find("val")) {
        GB_ASSIGN(out.val, readVal(*val));
    }
    GB_TRY(readStacks(at, out));
    if (const auto trace = at.find("stack_trace")) {
        GB_ASSIGN(out.stackTrace, trace->text());
    }
    if (const auto from = at.find("from_node")) {
        GB_ASSIGN(const auto items, from->items());
        for (const JsonCursor& item : items) {
            GB_ASSIGN(const ir::NodeId id, ValueReader::node(item));
            out.fromNodes.push_back(id);
        }
    }
    if (const auto other = at.find("other")) {
        GB_ASSIGN(const auto items, other->items());
        for (const JsonCursor& item : items) {
            GB_ASSIGN(const auto t, texts<2>(item));
            out.other.emplace_back(t[0], t[1]);
        }
    }
    return out;
}

} // namespace

Result<std::optional<std::int64_t>> ValueReader::integerOrNull(const JsonCursor& object, const char* key)
{
    const auto at = object.find(key);
    if (!at)
        return std::optional<std::int64_t>();
    GB_ASSIGN(const std::int64_t value, at->integer());
    return std::optional(value);
}

Result<std::optional<ir::QScheme>> ValueReader::qscheme(const JsonCursor& object)
{
    const auto at = object.find("qscheme");
    if (!at)
        return std::optional<ir::QScheme>();
    GB_ASSIGN(const std::string text, at->text());
    const auto known = ir::qschemeFromName(text);
    return known ? Result(known) : Result<std::optional<ir::QScheme>>(at->unexpected("qscheme of torch"));
}

Result<ir::NodeId> ValueReader::node(const JsonCursor& at)
{
    GB_ASSIGN(const std::int64_t id, at.integer(0, std::int64_t{ir::kNoNode} - 1));
    return static_cast<ir::NodeId>(id);
}

Result<ir::DType> ValueReader::dtype(const JsonCursor& object)
{
    GB_ASSIGN(const JsonCursor at, object.get("dtype"));
    GB_ASSIGN(const std::string text, at.text());
    const auto known = ir::dtypeFromName(text);
    return known ? Result(*known) : Result<ir::DType>(at.unexpected("dtype of torch"));
}

Result<ir::Shape> ValueReader::shape(const JsonCursor& object)
{
    GB_ASSIGN(const JsonCursor at, object.get("shape"));
    GB_ASSIGN(const auto items, at.items());
    ir::Shape out;
    for (const JsonCursor& item : items) {
        GB_ASSIGN(const std::int64_t size, item.integer(0, std::numeric_limits<std::int64_t>::max()));
        out.push_back(size);
    }
    return out;
}

Result<ir::Argument> ValueReader::argument(const JsonCursor& at) const
{
    const Json& value = at.json();
    if (value.is_null())
        return ir::Argument();
    if (value.is_boolean())
        return ir::Argument(value.get<bool>());
    if (value.is_number_integer()) {
        GB_ASSIGN(const std::int64_t number, at.integer());
        return ir::Argument(number);
    }
    if (value.is_number_float())
        return ir::Argument(value.get<double>());
    if (value.is_string())
        return ir::Argument(value.get<std::string>());
    if (value.is_array()) {
        GB_ASSIGN(auto items, arguments(at));
        return ir::Argument::list(std::move(items));
    }
    GB_ASSIGN(const auto only, at.only());
    const auto& [key, inner] = only;
    if (key == "node") {
        GB_ASSIGN(const ir::NodeId id, node(inner));
        return ir::Argument::node(id);
    }
    if (key == "dtype") {
        GB_ASSIGN(const ir::DType type, dtype(at));
        return ir::Argument(type);
    }
    if (key == "float") {
        GB_ASSIGN(const double number, inner.number());
        return ir::Argument(number);
    }
    if (key == "opaque") {
        GB_ASSIGN(std::string text, inner.text());
        return ir::Argument(ir::Argument::Value(ir::Opaque{std::move(text)}));
    }
    if (key == "dict") {
        GB_ASSIGN(auto items, named(inner));
        return ir::Argument(ir::Argument::Value(ir::Mapping{std::move(items)}));
    }
    if (key != "tuple" && key != "slice")
        return inner.error("unknown key, node, dtype, tuple, slice, dict, float or opaque expected");
    GB_ASSIGN(auto items, arguments(inner));
    if (key == "tuple")
        return ir::Argument::tuple(std::move(items));
    return ir::Argument(ir::Argument::Value(ir::SliceArgument{std::move(items)}));
}

Result<std::vector<ir::Argument>> ValueReader::arguments(const JsonCursor& at) const
{
    GB_ASSIGN(const auto items, at.items());
    std::vector<ir::Argument> out;
    out.reserve(items.size());
    for (const JsonCursor& item : items) {
        GB_ASSIGN(ir::Argument one, argument(item));
        out.push_back(std::move(one));
    }
    return out;
}

Result<std::vector<std::pair<std::string, ir::Argument>>> ValueReader::named(const JsonCursor& at) const
{
    GB_ASSIGN(const auto members, at.members());
    std::vector<std::pair<std::string, ir::Argument>> out;
    for (const auto& [key, value] : members) {
        GB_ASSIGN(ir::Argument one, argument(value));
        out.emplace_back(key, std::move(one));
    }
    return out;
}

Result<ir::NodeMetaPtr> ValueReader::meta(const JsonCursor& at)
{
    if (at.json().is_object() && at.json().contains("same")) {
        GB_ASSIGN(const JsonCursor same, at.get("same"));
        GB_ASSIGN(const std::int64_t n, same.integer());
        if (n < 0 || n >= static_cast<std::int64_t>(m_metas.size()))
            return same.error(say("refers to meta {0}, but there are {1} so far", n, m_metas.size()));
        return m_metas[static_cast<std::size_t>(n)];
    }
    GB_ASSIGN(ir::NodeMeta made, readMeta(at));
    m_metas.push_back(std::make_shared<const ir::NodeMeta>(std::move(made)));
    return m_metas.back();
}

} // namespace gb::io
