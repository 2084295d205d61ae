#include "io/recording_edits.h"

#include "base/message.h"
#include "io/digest.h"

#include <algorithm>
#include <array>

namespace gb::io {
namespace {

using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using trace::Edit;

constexpr std::array kKinds = {"parameter", "buffer", "constant"};

Json head(const char* edit, const std::string& graph)
{
    Json out = Json::object();
    out["edit"] = edit;
    if (!graph.empty())
        out["graph"] = graph;
    return out;
}

class Writer {
public:
    explicit Writer(ValueWriter& values)
        : m_values(values)
    {
    }

    Json operator()(const trace::NodeAdded& e)
    {
        Json out = node("add", e.graph, e.row.id);
        out["name"] = e.row.name;
        out["op"] = ir::name(e.row.op);
        out["target"] = e.row.target;
        out["args"] = m_values.arguments(e.row.args);
        out["kwargs"] = m_values.named(e.row.kwargs);
        if (e.row.meta)
            out["meta"] = m_values.meta(e.row.meta);
        putBefore(out, e.before);
        return out;
    }
    Json operator()(const trace::NodeErased& e) { return node("erase", e.graph, e.id); }
    Json operator()(const trace::NodeMoved& e)
    {
        Json out = node("move", e.graph, e.id);
        putBefore(out, e.before);
        return out;
    }
    Json operator()(const trace::InputsChanged& e)
    {
        Json out = node("inputs", e.graph, e.id);
        out["args"] = m_values.arguments(e.args);
        out["kwargs"] = m_values.named(e.kwargs);
        return out;
    }
    Json operator()(const trace::TargetChanged& e)
    {
        Json out = node("target", e.graph, e.id);
        out["target"] = e.target;
        return out;
    }
    Json operator()(const trace::NameChanged& e)
    {
        Json out = node("rename", e.graph, e.id);
        out["name"] = e.name;
        return out;
    }
    Json operator()(const trace::MetaChanged& e)
    {
        Json out = node("meta", e.graph, e.id);
        if (e.meta)
            out["meta"] = m_values.meta(e.meta);
        return out;
    }
    Json operator()(const trace::AnnotationChanged& e)
    {
        Json out = node("annotation", e.graph, e.id);
        if (e.annotation)
            out["annotation"] = m_values.annotation(*e.annotation);
        return out;
    }
    Json operator()(const trace::AttributeChanged& e)
    {
        Json out = head("attribute", e.graph);
        out["name"] = e.name;
        if (!e.present) {
            out["present"] = false;
            return out;
        }
        out["kind"] = kKinds[static_cast<std::size_t>(e.kind)];
        out["dtype"] = ir::name(e.dtype);
        out["shape"] = e.shape;
        out["sha256"] = e.sha256.empty() && e.value ? sha256(*e.value) : e.sha256;
        return out;
    }
    Json operator()(const trace::ModuleChanged& e)
    {
        Json out = head("module", e.graph);
        out["target"] = e.target;
        if (e.info)
            out["observer"] = m_values.observer(*e.info);
        return out;
    }

private:
    static Json node(const char* edit, const std::string& graph, ir::NodeId id)
    {
        Json out = head(edit, graph);
        out["id"] = id;
        return out;
    }
    static void putBefore(Json& out, ir::NodeId before)
    {
        if (before != ir::kNoNode)
            out["before"] = before;
    }

    ValueWriter& m_values;
};

// -- reading --------------------------------------------------------------------------------------

Result<std::string> graphOf(const JsonCursor& at)
{
    const auto graph = at.find("graph");
    return graph ? graph->text() : Result<std::string>(std::string());
}

/// An edit of one node: its graph and number.
template <class E>
Result<E> ofNode(const JsonCursor& at)
{
    E out;
    GB_ASSIGN(out.graph, graphOf(at));
    GB_ASSIGN(const JsonCursor id, at.get("id"));
    GB_ASSIGN(out.id, ValueReader::node(id));
    return out;
}

Result<ir::NodeId> beforeOf(const JsonCursor& at)
{
    const auto before = at.find("before");
    return before ? ValueReader::node(*before) : Result<ir::NodeId>(ir::kNoNode);
}

/// args and kwargs, which `to` calls so too.
template <class T>
Status readInputs(const JsonCursor& at, const ValueReader& values, T& to)
{
    GB_ASSIGN(const JsonCursor args, at.get("args"));
    GB_ASSIGN(to.args, values.arguments(args));
    GB_ASSIGN(const JsonCursor kwargs, at.get("kwargs"));
    GB_ASSIGN(to.kwargs, values.named(kwargs));
    return {};
}

Result<Edit> readAdd(const JsonCursor& at, ValueReader& values)
{
    trace::NodeAdded out;
    GB_ASSIGN(out.graph, graphOf(at));
    GB_ASSIGN(const JsonCursor id, at.get("id"));
    GB_ASSIGN(out.row.id, ValueReader::node(id));
    GB_ASSIGN(out.row.name, at.text("name"));
    GB_ASSIGN(const JsonCursor op, at.get("op"));
    GB_ASSIGN(const std::string opName, op.text());
    const auto known = ir::opFromName(opName);
    if (!known)
        return op.unexpected("op of torch.fx");
    out.row.op = *known;
    GB_ASSIGN(out.row.target, at.text("target"));
    GB_TRY(readInputs(at, values, out.row));
    if (const auto meta = at.find("meta")) {
        GB_ASSIGN(out.row.meta, values.meta(*meta));
    }
    GB_ASSIGN(out.before, beforeOf(at));
    return Edit(std::move(out));
}

Result<Edit> readErase(const JsonCursor& at, ValueReader&)
{
    GB_ASSIGN(auto out, ofNode<trace::NodeErased>(at));
    return Edit(std::move(out));
}

Result<Edit> readMove(const JsonCursor& at, ValueReader&)
{
    GB_ASSIGN(auto out, ofNode<trace::NodeMoved>(at));
    GB_ASSIGN(out.before, beforeOf(at));
    return Edit(std::move(out));
}

Result<Edit> readInputsChanged(const JsonCursor& at, ValueReader& values)
{
    GB_ASSIGN(auto out, ofNode<trace::InputsChanged>(at));
    GB_TRY(readInputs(at, values, out));
    return Edit(std::move(out));
}

Result<Edit> readTarget(const JsonCursor& at, ValueReader&)
{
    GB_ASSIGN(auto out, ofNode<trace::TargetChanged>(at));
    GB_ASSIGN(out.target, at.text("target"));
    return Edit(std::move(out));
}

Result<Edit> readRename(const JsonCursor& at, ValueReader&)
{
    GB_ASSIGN(auto out, ofNode<trace::NameChanged>(at));
    GB_ASSIGN(out.name, at.text("name"));
    return Edit(std::move(out));
}

Result<Edit> readMetaChanged(const JsonCursor& at, ValueReader& values)
{
    GB_ASSIGN(auto out, ofNode<trace::MetaChanged>(at));
    GB_ASSIGN(const JsonCursor meta, at.get("meta"));
    GB_ASSIGN(out.meta, values.meta(meta));
    return Edit(std::move(out));
}

Result<Edit> readAnnotation(const JsonCursor& at, ValueReader& values)
{
    GB_ASSIGN(auto out, ofNode<trace::AnnotationChanged>(at));
    if (const auto annotation = at.find("annotation")) {
        GB_ASSIGN(out.annotation, values.annotation(*annotation));
    }
    return Edit(std::move(out));
}

Result<Edit> readAttribute(const JsonCursor& at, ValueReader&)
{
    trace::AttributeChanged out;
    GB_ASSIGN(out.graph, graphOf(at));
    GB_ASSIGN(out.name, at.text("name"));
    if (const auto present = at.find("present")) {
        GB_ASSIGN(out.present, present->boolean());
    }
    if (!out.present)
        return Edit(std::move(out));
    GB_ASSIGN(const JsonCursor kind, at.get("kind"));
    GB_ASSIGN(const std::string kindName, kind.text());
    const auto found = std::ranges::find(kKinds, std::string_view(kindName));
    if (found == kKinds.end())
        return kind.unexpected("parameter, buffer or constant");
    out.kind = static_cast<ir::AttributeKind>(found - kKinds.begin());
    GB_ASSIGN(out.dtype, ValueReader::dtype(at));
    GB_ASSIGN(out.shape, ValueReader::shape(at));
    GB_ASSIGN(out.sha256, at.text("sha256"));
    return Edit(std::move(out));
}

Result<Edit> readModule(const JsonCursor& at, ValueReader& values)
{
    trace::ModuleChanged out;
    GB_ASSIGN(out.graph, graphOf(at));
    GB_ASSIGN(out.target, at.text("target"));
    if (const auto observer = at.find("observer")) {
        GB_ASSIGN(out.info, values.observer(*observer));
    }
    return Edit(std::move(out));
}

struct Reader {
    std::string_view name;
    Result<Edit> (*read)(const JsonCursor&, ValueReader&);
};
constexpr std::array kReaders = {
    Reader{"add", readAdd},
    Reader{"erase", readErase},
    Reader{"move", readMove},
    Reader{"inputs", readInputsChanged},
    Reader{"target", readTarget},
    Reader{"rename", readRename},
    Reader{"meta", readMetaChanged},
    Reader{"annotation", readAnnotation},
    Reader{"attribute", readAttribute},
    Reader{"module", readModule},
};

} // namespace

Json editJson(const Edit& edit, ValueWriter& values)
{
    return std::visit(Writer(values), edit);
}

Result<Edit> readEdit(const JsonCursor& at, ValueReader& values)
{
    GB_ASSIGN(const JsonCursor kind, at.get("edit"));
    GB_ASSIGN(const std::string name, kind.text());
    for (const Reader& reader : kReaders)
        if (reader.name == name)
            return reader.read(at, values);
    return kind.error(say("unknown edit \"{0}\", a known one expected", name), ErrorCode::Unsupported);
}

} // namespace gb::io
