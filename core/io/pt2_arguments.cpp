// Arguments of nodes: the schema's Argument union to ir::Argument (deserialize_inputs, deserialize_input).
#include "base/message.h"
#include "io/pt2_graph_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

namespace {

// ArgumentKind of the schema
constexpr std::int64_t kPositional = 1;
constexpr std::int64_t kKeyword = 2;

/// A schema argument of such a name cannot be a keyword in Python, so torch passes it by position.
bool isPythonKeyword(const std::string& name)
{
    constexpr std::array<std::string_view, 35> kKeywords = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
    };
    return std::ranges::find(kKeywords, name) != kKeywords.end();
}

/// str(complex) as Python prints it: "(1+2j)", "2j".
std::string complexText(double real, double imaginary)
{
    const auto digits = [](double v) {
        if (v == std::floor(v) && std::abs(v) < 1e16)
            return say("{0}{1}", std::signbit(v) ? "-" : "", base::shortNumber(std::abs(v)));
        return std::isfinite(v) ? dumpJson(v) : base::shortNumber(v);
    };
    const std::string im = digits(imaginary) + "j";
    if (real == 0 && !std::signbit(real))
        return im;
    return "(" + digits(real) + (im.starts_with('-') ? "" : "+") + im + ")";
}

std::string deviceText(const JsonCursor& value, const std::string& type)
{
    if (const auto index = value.find("index"))
        if (const auto number = index->integer())
            return type + ":" + std::to_string(*number);
    return type;
}

} // namespace

Result<GraphReader::Inputs> GraphReader::deserializeInputs(const JsonCursor& inputs, Calling calling)
{
    Inputs out;
    GB_ASSIGN(const std::vector<JsonCursor> items, inputs.items());
    for (const JsonCursor& item : items) {
        GB_ASSIGN(const std::string name, item.text("name"));
        GB_ASSIGN(const JsonCursor value, item.get("arg"));
        GB_ASSIGN(ir::Argument argument, deserializeInput(value));
        std::int64_t kind = 0;
        if (const auto given = item.find("kind")) {
            GB_ASSIGN(kind, given->integer());
        }
        if (calling == Calling::Symbolic || kind == kPositional || (calling == Calling::Plain && name.empty())) {
            out.args.push_back(std::move(argument));
        } else if (calling == Calling::Plain || (kind == kKeyword && !isPythonKeyword(name))) {
            out.kwargs.emplace_back(name, std::move(argument));
        } else if (kind == kKeyword) {
            out.kwargs.clear(); // torch drops them here; no schema of aten has a keyword argument before such a name
            out.args.push_back(std::move(argument));
        } else {
            return item.error(say("argument \"{0}\" without a kind, as torch before 2.8 wrote it; positional (1) or "
                                  "keyword (2) expected",
                                  name),
                              ErrorCode::Unsupported);
        }
    }
    return out;
}

Result<ir::Argument> GraphReader::reference(const JsonCursor& namedThing)
{
    GB_ASSIGN(const std::string name, namedThing.text("name"));
    GB_ASSIGN(const ir::NodeId node, nodeNamed(name, namedThing));
    return ir::Argument::node(node);
}

Result<ir::Argument> GraphReader::deserializeInput(const JsonCursor& argument)
{
    GB_ASSIGN(const auto only, argument.only());
    return deserializeValue(only.first, only.second);
}

Result<ir::Argument> GraphReader::deserializeValue(const std::string& type, const JsonCursor& value)
{
    if (type == "as_none")
        return ir::Argument();
    if (type == "as_tensor")
        return reference(value);
    if (type == "as_int") {
        GB_ASSIGN(const std::int64_t number, value.integer());
        return ir::Argument(number);
    }
    if (type == "as_float") {
        GB_ASSIGN(const double number, value.number());
        return ir::Argument(number);
    }
    if (type == "as_bool") {
        GB_ASSIGN(const bool flag, value.boolean());
        return ir::Argument(flag);
    }
    if (type == "as_string") {
        GB_ASSIGN(std::string text, value.text());
        return ir::Argument(std::move(text));
    }
    if (type == "as_sym_int" || type == "as_sym_float" || type == "as_sym_bool")
        return deserializeSymbolic(value);
    if (type == "as_optional_tensor")
        return deserializeListItem("as_optional_tensors", value);
    if (type == "as_graph")
        return deserializeGraph(value);
    if (value.json().is_array())
        return deserializeList(type, value);
    return deserializeEnum(type, value);
}

Result<ir::Argument> GraphReader::deserializeEnum(const std::string& type, const JsonCursor& value)
{
    static const std::map<std::string, std::vector<const char*>, std::less<>> kNames = {
        {"as_memory_format",
         {"", "torch.contiguous_format", "torch.channels_last", "torch.channels_last_3d", "torch.preserve_format"}},
        {"as_layout",
         {"", "torch.sparse_coo", "torch.sparse_csr", "torch.sparse_csc", "torch.sparse_bsr", "torch.sparse_bsc",
          "torch._mkldnn", "torch.strided"}},
    };
    if (type == "as_scalar_type") {
        GB_ASSIGN(const ir::DType dtype, readDType(value));
        return ir::Argument(dtype);
    }
    if (const auto names = kNames.find(type); names != kNames.end()) {
        GB_ASSIGN(const std::int64_t number, value.integer(1, static_cast<std::int64_t>(names->second.size()) - 1));
        return ir::Argument(ir::Opaque{names->second[static_cast<std::size_t>(number)]});
    }
    if (type == "as_device") {
        GB_ASSIGN(const std::string device, value.text("type"));
        return ir::Argument(ir::Opaque{deviceText(value, device)});
    }
    if (type == "as_complex") {
        GB_ASSIGN(const JsonCursor real, value.get("real"));
        GB_ASSIGN(const JsonCursor imaginary, value.get("imag"));
        GB_ASSIGN(const double re, real.number());
        GB_ASSIGN(const double im, imaginary.number());
        return ir::Argument(ir::Opaque{complexText(re, im)});
    }
    if (type == "as_operator") {
        GB_ASSIGN(const std::string serialized, value.text());
        return ir::Argument(ir::Opaque{operatorText(serialized).value_or(serialized)});
    }
    if (type == "as_custom_obj") {
        GB_ASSIGN(const std::string name, value.text("name"));
        const auto found = m_nodeByName.find(name);
        return found != m_nodeByName.end() ? ir::Argument::node(found->second) : ir::Argument(ir::Opaque{name});
    }
    if (type == "as_string_to_argument") {
        GB_ASSIGN(const auto members, value.members());
        ir::Mapping out;
        for (const auto& [key, inner] : members) {
            GB_ASSIGN(ir::Argument argument, deserializeInput(inner));
            out.items.emplace_back(key, std::move(argument));
        }
        return ir::Argument(std::move(out));
    }
    return value.error(say("found an argument \"{0}\", a kind of argument of schema 8 expected", type),
                       ErrorCode::Unsupported);
}

Result<ir::Argument> GraphReader::deserializeList(const std::string& type, const JsonCursor& value)
{
    GB_ASSIGN(const std::vector<JsonCursor> items, value.items());
    ir::Sequence out;
    for (const JsonCursor& item : items) {
        GB_ASSIGN(ir::Argument argument, deserializeListItem(type, item));
        out.items.push_back(std::move(argument));
    }
    return ir::Argument(std::move(out));
}

Result<ir::Argument> GraphReader::deserializeListItem(const std::string& type, const JsonCursor& item)
{
    static const std::map<std::string, std::string, std::less<>> kItemTypes = {
        {"as_tensors", "as_tensor"},         {"as_ints", "as_int"},
        {"as_floats", "as_float"},           {"as_bools", "as_bool"},
        {"as_strings", "as_string"},         {"as_sym_ints", "as_sym_int"},
        {"as_sym_bools", "as_sym_bool"},     {"as_sym_floats", "as_sym_float"},
        {"as_nested_tensors", "as_tensors"}, {"as_float_lists", "as_floats"},
        {"as_int_lists", "as_ints"},
    };
    if (type == "as_optional_tensors") {
        GB_ASSIGN(const auto only, item.only());
        if (only.first == "as_none")
            return ir::Argument();
        if (only.first == "as_tensor")
            return reference(only.second);
        return item.error(say("found {0}, as_none or as_tensor expected", only.first));
    }
    const auto found = kItemTypes.find(type);
    if (found == kItemTypes.end())
        return item.error(say("found a list \"{0}\", a kind of list of schema 8 expected", type),
                          ErrorCode::Unsupported);
    GB_ASSIGN(ir::Argument out, deserializeValue(found->second, item));
    if (type == "as_int_lists")
        std::get<ir::Sequence>(out.value).tuple = true;
    return out;
}

Result<ir::Argument> GraphReader::deserializeSymbolic(const JsonCursor& value)
{
    GB_ASSIGN(const auto only, value.only());
    const auto& [kind, inner] = only;
    if (kind == "as_name") {
        GB_ASSIGN(const std::string name, inner.text());
        GB_ASSIGN(const ir::NodeId node, nodeNamed(name, inner));
        return ir::Argument::node(node);
    }
    if (kind == "as_int" || kind == "as_float" || kind == "as_bool")
        return deserializeValue(kind, inner);
    return value.error(say("found {0}, a name or a number expected", kind));
}

Result<ir::Argument> GraphReader::deserializeGraph(const JsonCursor& value)
{
    GB_ASSIGN(const std::string name, value.text("name"));
    GB_ASSIGN(const JsonCursor graph, value.get("graph"));
    GB_ASSIGN(RawGraph inner, GraphReader(graph, m_signature).read());
    m_graph.subgraphs[name] = std::make_shared<RawGraph>(std::move(inner));
    return ir::Argument::node(createNode(ir::Op::GetAttr, name, name));
}

} // namespace gb::io
