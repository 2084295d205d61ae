#include "io/pt2.h"

#include "base/message.h"
#include "io/pt2_archive.h"
#include "io/pt2_module.h"
#include "io/pt2_raw.h"

#include <algorithm>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

constexpr std::int64_t kSchemaMajor = 8;

Status readVersion(const JsonCursor& model, Program& into)
{
    GB_ASSIGN(const JsonCursor version, model.get("schema_version"));
    GB_ASSIGN(into.schemaMajor, version.integer("major"));
    GB_ASSIGN(into.schemaMinor, version.integer("minor"));
    into.torchVersion = model.text("torch_version") ? *model.text("torch_version") : std::string("<=2.4");
    if (into.schemaMajor != kSchemaMajor)
        return version.error(say("found schema {0}.{1} of torch {2}, schema {3} (torch 2.14) expected",
                                 into.schemaMajor, into.schemaMinor, into.torchVersion, kSchemaMajor),
                             ErrorCode::Unsupported);
    return {};
}

std::optional<std::int64_t> bound(const JsonCursor& range, const char* key)
{
    const auto value = range.find(key);
    const auto number = value ? value->integer() : Result<std::int64_t>(Error{});
    return number ? std::optional(*number) : std::nullopt;
}

Status readExtras(const JsonCursor& model, Program& into)
{
    if (const auto ranges = model.find("range_constraints")) {
        GB_ASSIGN(const auto rows, ranges->members());
        for (const auto& [symbol, range] : rows)
            into.symbols.push_back({symbol, bound(range, "min_val"), bound(range, "max_val")});
    }
    if (const auto guards = model.find("guards_code")) {
        GB_ASSIGN(const std::vector<JsonCursor> rows, guards->items());
        for (const JsonCursor& row : rows) {
            GB_ASSIGN(std::string text, row.text());
            into.guards.push_back(std::move(text));
        }
    }
    GB_ASSIGN(const JsonCursor module, model.get("graph_module"));
    GB_ASSIGN(const JsonCursor calls, module.get("module_call_graph"));
    GB_ASSIGN(const std::vector<JsonCursor> entries, calls.items());
    if (!entries.empty())
        if (const auto signature = entries[0].find("signature")) {
            GB_ASSIGN(into.inSpec, signature->text("in_spec"));
            GB_ASSIGN(into.outSpec, signature->text("out_spec"));
        }
    return {};
}

/// The verifier decides whether module() looks for effect tokens and dead code.
Result<bool> isTraining(const JsonCursor& model)
{
    const auto verifiers = model.find("verifiers");
    if (!verifiers)
        return false;
    GB_ASSIGN(const std::vector<JsonCursor> names, verifiers->items());
    if (names.empty())
        return false;
    GB_ASSIGN(const std::string first, names[0].text());
    return first == "TRAINING";
}

/// Keyword names in the signature's order: in_spec is (args tuple, kwargs dict) with the names as the dict's context.
std::vector<std::string> keywordOrder(const std::string& inSpec)
{
    std::vector<std::string> out;
    const auto document = parseJson(inSpec, {});
    if (!document)
        return out;
    const auto parts = JsonCursor(*document, {}).items();
    if (!parts || parts->size() != 2)
        return out;
    const auto children = (*parts)[1].get("children_spec");
    const auto both = children ? children->items() : Result<std::vector<JsonCursor>>(children.error());
    if (!both || both->size() != 2)
        return out;
    const auto context = (*both)[1].text("context");
    const auto names = context ? parseJson(*context, {}) : Result<Json>(context.error());
    if (names && names->is_array())
        for (const Json& name : *names)
            if (name.is_string())
                out.push_back(name.get<std::string>());
    return out;
}

/// Flattens ((args...), {kwargs}); kwargs in the order in which the signature has them (reorder_kwargs).
Result<std::vector<Leaf>> flattenSamples(const PickleObject& object, const std::vector<std::string>& order)
{
    const PickleValue& root = object.at(object.root);
    if (root.kind != PickleValue::Kind::Tuple || root.parts.size() != 2
        || object.at(root.parts[1]).kind != PickleValue::Kind::Dict)
        return Error{ErrorCode::Format, "found no pair of arguments and keyword arguments, one expected", {}};
    GB_ASSIGN(std::vector<Leaf> out, object.leaves(root.parts[0]));
    struct Keyword {
        std::size_t rank;
        std::size_t value;
    };
    std::vector<Keyword> keywords;
    const PickleValue& dict = object.at(root.parts[1]);
    for (std::size_t i = 0; i + 1 < dict.parts.size(); i += 2) {
        const auto* name = std::get_if<std::string>(&object.at(dict.parts[i]).leaf);
        const auto at = name ? std::ranges::find(order, *name) : order.end();
        keywords.push_back({static_cast<std::size_t>(at - order.begin()), dict.parts[i + 1]});
    }
    std::ranges::stable_sort(keywords, {}, &Keyword::rank);
    for (const Keyword& keyword : keywords) {
        GB_ASSIGN(std::vector<Leaf> leaves, object.leaves(keyword.value));
        std::ranges::move(leaves, std::back_inserter(out));
    }
    return out;
}

/// The sample inputs are an extra: what is wrong with them is kept, and the model opens without.
void readSamples(Pt2Archive& archive, Program& into)
{
    if (!archive.hasSamples())
        return;
    const auto object = archive.samples();
    if (!object) {
        into.samplesProblem = object.error();
        return;
    }
    const PickleValue& root = object->at(object->root);
    if (root.kind == PickleValue::Kind::Value)
        return; // None: exported without example inputs
    auto leaves = flattenSamples(*object, keywordOrder(into.inSpec));
    if (!leaves)
        into.samplesProblem = leaves.error().in(archive.samplePlace());
    else if (leaves->size() != into.inputs.size())
        into.samplesProblem =
            Error{ErrorCode::Format, say("{0} sample inputs, {1} expected", leaves->size(), into.inputs.size()),
                  archive.samplePlace()};
    else
        into.samples = *std::move(leaves);
}

} // namespace

Result<Program> loadPt2(const std::string& path)
{
    GB_ASSIGN(const std::unique_ptr<Pt2Archive> archive, Pt2Archive::open(path));
    GB_ASSIGN(const Json document, archive->model());
    const std::string place = archive->modelPlace();
    const JsonCursor model(document, place);
    Program out;
    out.path = path;
    GB_TRY(readVersion(model, out));
    GB_TRY(readExtras(model, out));
    GB_ASSIGN(const bool training, isTraining(model));
    GB_ASSIGN(const JsonCursor module, model.get("graph_module"));
    GB_ASSIGN(const JsonCursor signatureJson, module.get("signature"));
    GB_ASSIGN(const Signature signature, readSignature(signatureJson));
    GB_ASSIGN(const JsonCursor graphJson, module.get("graph"));
    GB_ASSIGN(RawGraph raw, readGraph(graphJson, signature));
    mergeGetitems(raw);
    GB_ASSIGN(const Payload weights, archive->weights());
    GB_ASSIGN(const Payload constants, archive->constants());
    GB_ASSIGN(out.module, makeModule(raw, signature, weights, constants, training, place));
    out.notes = weights.notes;
    out.notes.insert(out.notes.end(), constants.notes.begin(), constants.notes.end());
    for (const ir::Node* n = out.module->graph().first(); n; n = n->next())
        if (n->op() == ir::Op::Placeholder)
            out.inputs.push_back({n->name(), n->target(), n->meta().val});
    readSamples(*archive, out);
    return out;
}

} // namespace gb::io
