#include "ops/call.h"

#include "base/message.h"

#include <algorithm>
#include <iterator>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

std::size_t countNames(std::string_view names)
{
    return names.empty() ? 0 : static_cast<std::size_t>(std::count(names.begin(), names.end(), ' ')) + 1;
}

std::string_view nameAt(std::string_view names, std::size_t index)
{
    while (index-- > 0) {
        const std::size_t space = names.find(' ');
        if (space == std::string_view::npos)
            return {};
        names.remove_prefix(space + 1);
    }
    return names.substr(0, names.find(' '));
}

std::optional<Scalar> scalarIn(const Value& value)
{
    if (const auto* flag = value.as<bool>())
        return Scalar{ir::DType::Bool, *flag ? 1 : 0, 0.0};
    if (const auto* integer = value.as<std::int64_t>())
        return Scalar{ir::DType::Int64, *integer, 0.0};
    if (const auto* real = value.as<double>())
        return Scalar{ir::DType::Float64, 0, *real};
    const ir::Tensor* tensor = value.tensor();
    if (!tensor || tensor->elementCount() != 1)
        return std::nullopt;
    if (tensor->dtype() == ir::DType::Int64)
        return Scalar{ir::DType::Int64, *tensor->data<std::int64_t>(), 0.0};
    if (tensor->dtype() == ir::DType::Bool)
        return Scalar{ir::DType::Bool, tensor->at(0) != 0.0 ? 1 : 0, 0.0};
    if (ir::isInteger(tensor->dtype()))
        return Scalar{ir::DType::Int64, static_cast<std::int64_t>(tensor->at(0)), 0.0};
    if (ir::isFloatingPoint(tensor->dtype()))
        return Scalar{ir::DType::Float64, 0, tensor->at(0)};
    return std::nullopt;
}

std::optional<std::int64_t> integerIn(const Value& value)
{
    const std::optional<Scalar> scalar = scalarIn(value);
    if (!scalar || scalar->isFloat())
        return std::nullopt;
    return scalar->integer;
}

const Value kNone;

/// Makes the arguments from `first` on one list.
void gatherRest(ValueList& args, std::size_t first)
{
    if (args.size() < first)
        return;
    const auto begin = args.begin() + static_cast<std::ptrdiff_t>(first);
    ValueList rest(std::make_move_iterator(begin), std::make_move_iterator(args.end()));
    args.resize(first);
    args.emplace_back(std::move(rest));
}

} // namespace

void Context::forEachChunk(std::int64_t count, std::int64_t grain,
                           const std::function<void(std::int64_t, std::int64_t)>& body) const
{
    base::forEachChunk(pool, work, count, grain, body);
}

Result<Call> Call::bind(const Context& context, std::string_view target, std::string_view names, ValueList args,
                        NamedValues kwargs)
{
    const std::size_t count = countNames(names);
    if (names.ends_with("*args"))
        gatherRest(args, count - 1);
    if (args.size() > count)
        return Error{ErrorCode::TypeError, say("{0} arguments, at most {1} expected", args.size(), count), {}};
    Call call;
    call.m_context = &context;
    call.m_target = target;
    call.m_names = names;
    const std::size_t positional = args.size();
    call.m_values = std::move(args);
    call.m_values.resize(count);
    for (auto& [name, value] : kwargs) {
        std::size_t index = 0;
        while (index < count && nameAt(names, index) != name)
            ++index;
        if (index == count)
            return Error{ErrorCode::TypeError,
                         say("unknown argument '{0}', one of '{1}' expected", name, std::string(names)),
                         {}};
        if (index < positional)
            return Error{ErrorCode::TypeError, say("argument '{0}' is given twice", name), {}};
        call.m_values[index] = std::move(value);
    }
    return call;
}

const Value& Call::value(std::size_t index) const
{
    return index < m_values.size() ? m_values[index] : kNone;
}

std::string_view Call::nameOf(std::size_t index) const
{
    return nameAt(m_names, index);
}

Error Call::wrongType(std::size_t index, std::string_view expected) const
{
    return {ErrorCode::TypeError,
            say("argument '{0}': {1}, {2} expected", std::string(nameOf(index)), describe(value(index)),
                std::string(expected)),
            {}};
}

Result<ir::Tensor> Call::tensor(std::size_t index) const
{
    const ir::Tensor* tensor = value(index).tensor();
    if (tensor)
        return *tensor;
    Error error = wrongType(index, "tensor");
    if (value(index).isNone()) // the schema takes None for an undefined tensor, which the op then refuses
        error.code = ErrorCode::RuntimeError;
    return error;
}

Result<std::optional<ir::Tensor>> Call::maybeTensor(std::size_t index) const
{
    if (!has(index))
        return std::optional<ir::Tensor>();
    GB_ASSIGN(ir::Tensor given, tensor(index));
    return std::optional<ir::Tensor>(std::move(given));
}

Result<std::vector<ir::Tensor>> Call::tensors(std::size_t index) const
{
    const ValueList* items = value(index).list();
    if (!items)
        return wrongType(index, "list of tensors");
    std::vector<ir::Tensor> out;
    for (const Value& item : *items) {
        if (!item.tensor())
            return wrongType(index, "list of tensors");
        out.push_back(*item.tensor());
    }
    return out;
}

Result<std::int64_t> Call::integer(std::size_t index) const
{
    const std::optional<std::int64_t> number = integerIn(value(index));
    if (!number)
        return wrongType(index, "int");
    return *number;
}

Result<std::int64_t> Call::integer(std::size_t index, std::int64_t otherwise) const
{
    if (!has(index))
        return otherwise;
    return integer(index);
}

Result<double> Call::real(std::size_t index) const
{
    const std::optional<Scalar> number = scalarIn(value(index));
    if (!number)
        return wrongType(index, "float");
    return number->toDouble();
}

Result<double> Call::real(std::size_t index, double otherwise) const
{
    if (!has(index))
        return otherwise;
    return real(index);
}

Result<Scalar> Call::scalar(std::size_t index) const
{
    const std::optional<Scalar> number = scalarIn(value(index));
    if (!number)
        return wrongType(index, "number");
    return *number;
}

Result<std::optional<Scalar>> Call::maybeScalar(std::size_t index) const
{
    if (!has(index))
        return std::optional<Scalar>();
    GB_ASSIGN(const Scalar given, scalar(index));
    return std::optional<Scalar>(given);
}

Result<bool> Call::boolean(std::size_t index, bool otherwise) const
{
    if (!has(index))
        return otherwise;
    const std::optional<std::int64_t> number = integerIn(value(index));
    if (!number)
        return wrongType(index, "bool");
    return *number != 0;
}

Result<std::string_view> Call::text(std::size_t index, std::string_view otherwise) const
{
    if (!has(index))
        return otherwise;
    const auto* text = value(index).as<std::string>();
    if (!text)
        return wrongType(index, "text");
    return std::string_view(*text);
}

Result<std::optional<ir::DType>> Call::dtype(std::size_t index) const
{
    if (!has(index))
        return std::optional<ir::DType>();
    const auto* dtype = value(index).as<ir::DType>();
    if (!dtype)
        return wrongType(index, "dtype");
    return std::optional<ir::DType>(*dtype);
}

Result<ir::Shape> Call::ints(std::size_t index) const
{
    const ValueList* items = value(index).list();
    if (!items) {
        GB_ASSIGN(const std::int64_t single, integer(index));
        return ir::Shape{single};
    }
    ir::Shape out;
    for (const Value& item : *items) {
        const std::optional<std::int64_t> number = integerIn(item);
        if (!number)
            return wrongType(index, "list of ints");
        out.push_back(*number);
    }
    return out;
}

Result<ir::Shape> Call::intsOf(std::size_t index, std::size_t count, std::int64_t otherwise) const
{
    if (!has(index))
        return ir::Shape(count, otherwise);
    GB_ASSIGN(ir::Shape given, ints(index));
    if (given.empty())
        return ir::Shape(count, otherwise);
    if (given.size() == 1)
        return ir::Shape(count, given[0]);
    if (given.size() != count)
        return Error{ErrorCode::RuntimeError,
                     say("argument '{0}': {1} numbers, {2} expected", std::string(nameOf(index)), given.size(), count),
                     {}};
    return given;
}

Result<std::vector<double>> Call::reals(std::size_t index) const
{
    std::vector<double> out;
    if (!has(index))
        return out;
    const ValueList* items = value(index).list();
    if (!items)
        return wrongType(index, "list of floats");
    for (const Value& item : *items) {
        const std::optional<Scalar> number = scalarIn(item);
        if (!number)
            return wrongType(index, "list of floats");
        out.push_back(number->toDouble());
    }
    return out;
}

Result<SubgraphPtr> Call::subgraph(std::size_t index) const
{
    const auto* subgraph = value(index).as<SubgraphPtr>();
    if (!subgraph || !*subgraph)
        return wrongType(index, "sub-graph");
    return *subgraph;
}

Result<ValueList> Call::list(std::size_t index) const
{
    const ValueList* items = value(index).list();
    if (!items)
        return wrongType(index, "list");
    return *items;
}

} // namespace gb::ops
