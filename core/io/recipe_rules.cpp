// Reads `specs` and `rules` of a rules recipe. The reference implementation is RulesQuantizer in the oracle's recipes.
#include "base/message.h"
#include "io/recipe_keys.h"

#include <algorithm>
#include <array>
#include <map>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using ir::Argument;
using quantizers::ArgumentPath;
using quantizers::Rule;
using quantizers::RulePosition;
using quantizers::RuleSpec;

constexpr std::array<std::string_view, 4> kKinds = {"quantization", "shared", "derived", "fixed"};

// -- values ---------------------------------------------------------------------------------------

Result<ir::DType> readDType(const JsonCursor& spec)
{
    GB_ASSIGN(const JsonCursor at, spec.get("dtype"));
    GB_ASSIGN(const std::string text, at.text());
    if (const auto dtype = ir::dtypeFromName(text))
        return *dtype;
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(ir::DType::UInt64); ++i)
        names.emplace_back(ir::name(static_cast<ir::DType>(i)));
    return unknownName(at, "dtype", text, names);
}

Result<std::optional<ir::QScheme>> readQScheme(const JsonCursor& spec)
{
    const auto at = spec.find("qscheme");
    if (!at)
        return std::optional<ir::QScheme>();
    GB_ASSIGN(const std::string text, at->text());
    if (const auto scheme = ir::qschemeFromName(text))
        return scheme;
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(ir::QScheme::PerChannelAffineFloatQParams); ++i)
        names.emplace_back(ir::name(static_cast<ir::QScheme>(i)));
    return unknownName(*at, "qscheme", text, names);
}

Result<std::optional<std::int64_t>> readNumber(const JsonCursor& spec, const char* key)
{
    const auto at = spec.find(key);
    if (!at)
        return std::optional<std::int64_t>();
    GB_ASSIGN(const std::int64_t value, at->integer());
    return std::optional(value);
}

Result<bool> readFlag(const JsonCursor& object, const char* key, bool fallback)
{
    const auto at = member(object, key);
    return at ? at->boolean() : Result<bool>(fallback);
}

// -- positions ------------------------------------------------------------------------------------

Result<ArgumentPath> readPath(const JsonCursor& at)
{
    ArgumentPath out;
    if (at.json().is_number_integer()) {
        GB_ASSIGN(const std::int64_t index, at.integer());
        out.push_back(index);
        return out;
    }
    if (!at.json().is_array() || at.json().empty())
        return at.unexpected("index or list of indices");
    GB_ASSIGN(const auto items, at.items());
    for (const JsonCursor& item : items) {
        GB_ASSIGN(const std::int64_t index, item.integer());
        out.push_back(index);
    }
    return out;
}

Result<RulePosition> readPosition(const JsonCursor& at)
{
    GB_TRY(allowKeys(at, {"edge", "output", "node"}));
    GB_ASSIGN(const auto one, at.only());
    const auto& [key, value] = one;
    if (key == "node") {
        GB_ASSIGN(std::string name, value.text());
        return RulePosition(quantizers::RuleNode{std::move(name)});
    }
    if (key == "output") {
        GB_TRY(allowKeys(value, {"of"}));
        GB_ASSIGN(const std::int64_t of, value.integer("of"));
        return RulePosition(quantizers::RuleOutput{of});
    }
    GB_TRY(allowKeys(value, {"of", "arg"}));
    GB_ASSIGN(const std::int64_t of, value.integer("of"));
    GB_ASSIGN(const JsonCursor arg, value.get("arg"));
    GB_ASSIGN(ArgumentPath path, readPath(arg));
    return RulePosition(quantizers::RuleEdge{of, std::move(path)});
}

// -- specs ----------------------------------------------------------------------------------------

Result<RuleSpec> readQuantization(const JsonCursor& at)
{
    GB_TRY(allowKeys(at, {"kind", "dtype", "quant_min", "quant_max", "qscheme", "ch_axis", "is_dynamic", "observer",
                          "observer_args"}));
    ir::QuantizationSpec out;
    GB_ASSIGN(out.dtype, readDType(at));
    GB_ASSIGN(out.quantMin, readNumber(at, "quant_min"));
    GB_ASSIGN(out.quantMax, readNumber(at, "quant_max"));
    GB_ASSIGN(out.qscheme, readQScheme(at));
    GB_ASSIGN(out.chAxis, readNumber(at, "ch_axis"));
    GB_ASSIGN(out.isDynamic, readFlag(at, "is_dynamic", false));
    GB_ASSIGN(out.observer, readObserver(at, "observer_args"));
    return RuleSpec(std::move(out));
}

Result<RuleSpec> readDerived(const JsonCursor& at)
{
    GB_TRY(allowKeys(at, {"kind", "from", "derive", "dtype", "quant_min", "quant_max", "qscheme", "ch_axis"}));
    quantizers::RuleDerived out;
    GB_ASSIGN(const JsonCursor from, at.get("from"));
    GB_ASSIGN(const auto positions, from.items());
    if (positions.size() < 2)
        return from.unexpected("list of 2 positions (activation, weight) or more");
    for (const JsonCursor& p : positions) {
        GB_ASSIGN(RulePosition position, readPosition(p));
        out.from.push_back(std::move(position));
    }
    GB_ASSIGN(const JsonCursor derive, at.get("derive"));
    GB_ASSIGN(out.spec.derive, derive.text());
    constexpr std::array<std::string_view, 1> kFunctions = {"bias"};
    if (out.spec.derive != kFunctions[0])
        return unknownName(derive, "function", out.spec.derive, kFunctions);
    GB_ASSIGN(out.spec.dtype, readDType(at));
    GB_ASSIGN(out.spec.quantMin, readNumber(at, "quant_min"));
    GB_ASSIGN(out.spec.quantMax, readNumber(at, "quant_max"));
    GB_ASSIGN(out.spec.qscheme, readQScheme(at));
    GB_ASSIGN(out.spec.chAxis, readNumber(at, "ch_axis"));
    return RuleSpec(std::move(out));
}

Result<RuleSpec> readFixed(const JsonCursor& at)
{
    GB_TRY(allowKeys(at, {"kind", "dtype", "scale", "zero_point", "quant_min", "quant_max", "qscheme"}));
    ir::FixedQParamsQuantizationSpec out;
    GB_ASSIGN(out.dtype, readDType(at));
    GB_ASSIGN(const JsonCursor scale, at.get("scale"));
    if (!scale.json().is_number())
        return scale.unexpected("number");
    GB_ASSIGN(out.scale, scale.number());
    GB_ASSIGN(out.zeroPoint, at.integer("zero_point"));
    GB_ASSIGN(out.quantMin, readNumber(at, "quant_min"));
    GB_ASSIGN(out.quantMax, readNumber(at, "quant_max"));
    GB_ASSIGN(out.qscheme, readQScheme(at));
    return RuleSpec(std::move(out));
}

/// An inline spec object, or null.
Result<RuleSpec> readSpec(const JsonCursor& at)
{
    if (at.isNull())
        return RuleSpec();
    if (!at.json().is_object())
        return at.unexpected("spec object or null");
    GB_ASSIGN(const JsonCursor kind, at.get("kind"));
    GB_ASSIGN(const std::string text, kind.text());
    if (text == "quantization")
        return readQuantization(at);
    if (text == "derived")
        return readDerived(at);
    if (text == "fixed")
        return readFixed(at);
    if (text != "shared")
        return unknownName(kind, "kind of spec", text, kKinds);
    GB_TRY(allowKeys(at, {"kind", "with"}));
    GB_ASSIGN(const JsonCursor with, at.get("with"));
    GB_ASSIGN(RulePosition position, readPosition(with));
    return RuleSpec(quantizers::RuleShared{std::move(position)});
}

// -- rules ----------------------------------------------------------------------------------------

using NamedSpecs = std::map<std::string, RuleSpec>;

/// Python's index into the chain: negative ones count from the end. Error when it lies outside.
Status placeInChain(const JsonCursor& at, std::int64_t& of, std::size_t length)
{
    const auto n = static_cast<std::int64_t>(length);
    if (of < -n || of >= n)
        return at.error(say("chain index {0}, a number from 0 to {1} expected", of, n - 1), ErrorCode::Usage);
    of = of < 0 ? of + n : of;
    return {};
}

Status placeInChain(const JsonCursor& at, RulePosition& position, std::size_t length)
{
    if (auto* edge = std::get_if<quantizers::RuleEdge>(&position))
        return placeInChain(at, edge->of, length);
    if (auto* output = std::get_if<quantizers::RuleOutput>(&position))
        return placeInChain(at, output->of, length);
    return {};
}

/// The `spec` of a row: by name, inline or null, with its positions inside the rule's chain.
Status readRowSpec(const JsonCursor& row, const NamedSpecs& specs, std::size_t length, RuleSpec& spec,
                   std::string& name)
{
    GB_ASSIGN(const JsonCursor at, row.get("spec"));
    if (at.json().is_string()) {
        name = at.json().get<std::string>();
        const auto found = specs.find(name);
        if (found == specs.end()) {
            std::vector<std::string_view> names;
            for (const auto& [known, unused] : specs)
                names.emplace_back(known);
            return names.empty() ? Status(
                       at.error(say("refers to spec \"{0}\", but \"specs\" has none", name), ErrorCode::NotFound))
                                 : Status(unknownName(at, "spec", name, names));
        }
        spec = found->second;
    } else {
        GB_ASSIGN(spec, readSpec(at));
    }
    if (auto* shared = std::get_if<quantizers::RuleShared>(&spec))
        return placeInChain(at, shared->with, length);
    if (auto* derived = std::get_if<quantizers::RuleDerived>(&spec))
        for (RulePosition& position : derived->from)
            GB_TRY(placeInChain(at, position, length));
    return {};
}

Status readPattern(const JsonCursor& rule, Rule& out)
{
    GB_ASSIGN(const JsonCursor at, rule.get("pattern"));
    GB_ASSIGN(const auto places, at.items());
    if (places.empty())
        return at.unexpected("list of at least one target");
    for (const JsonCursor& place : places) {
        std::vector<std::string>& targets = out.pattern.emplace_back();
        if (place.json().is_string()) {
            targets.push_back(place.json().get<std::string>());
            continue;
        }
        if (!place.json().is_array() || place.json().empty())
            return place.unexpected("target or list of targets");
        GB_ASSIGN(const auto alternatives, place.items());
        for (const JsonCursor& one : alternatives) {
            GB_ASSIGN(std::string target, one.text());
            targets.push_back(std::move(target));
        }
    }
    return {};
}

Status readWhere(const JsonCursor& rule, Rule& out)
{
    const auto at = member(rule, "where");
    if (!at)
        return {};
    GB_TRY(allowKeys(*at, {"name", "module", "module_type"}));
    GB_ASSIGN(const auto members, at->members());
    for (const auto& [key, value] : members) {
        GB_ASSIGN(std::string text, value.text());
        (key == "name" ? out.whereName : key == "module" ? out.whereModule : out.whereModuleType) = std::move(text);
    }
    return {};
}

Status readRows(const JsonCursor& rule, const NamedSpecs& specs, Rule& out)
{
    const std::size_t length = out.pattern.size();
    if (const auto inputs = member(rule, "inputs")) {
        GB_ASSIGN(const auto rows, inputs->items());
        for (const JsonCursor& row : rows) {
            GB_TRY(allowKeys(row, {"of", "arg", "spec"}));
            quantizers::RuleInput& input = out.inputs.emplace_back();
            GB_ASSIGN(input.of, row.integer("of"));
            GB_TRY(placeInChain(row, input.of, length));
            GB_ASSIGN(const JsonCursor arg, row.get("arg"));
            GB_ASSIGN(input.arg, readPath(arg));
            GB_TRY(readRowSpec(row, specs, length, input.spec, input.specName));
        }
    }
    if (const auto outputs = member(rule, "outputs")) {
        GB_ASSIGN(const auto rows, outputs->items());
        for (const JsonCursor& row : rows) {
            GB_TRY(allowKeys(row, {"of", "spec"}));
            quantizers::RuleOutputRow& output = out.outputs.emplace_back();
            GB_ASSIGN(output.of, row.integer("of"));
            GB_TRY(placeInChain(row, output.of, length));
            GB_TRY(readRowSpec(row, specs, length, output.spec, output.specName));
        }
    }
    return {};
}

Result<Rule> readRule(const JsonCursor& at, const NamedSpecs& specs, std::size_t number)
{
    GB_TRY(allowKeys(at, {"name", "pattern", "where", "inputs", "outputs", "mark", "skip_marked",
                          "allow_implicit_sharing", "replace"}));
    Rule out;
    out.name = say("rule {0}", number);
    if (const auto name = member(at, "name")) {
        GB_ASSIGN(out.name, name->text());
    }
    GB_TRY(readPattern(at, out));
    GB_TRY(readWhere(at, out));
    GB_TRY(readRows(at, specs, out));
    GB_ASSIGN(out.mark, readFlag(at, "mark", true));
    GB_ASSIGN(out.skipMarked, readFlag(at, "skip_marked", true));
    GB_ASSIGN(out.replace, readFlag(at, "replace", false));
    if (member(at, "allow_implicit_sharing")) {
        GB_ASSIGN(out.allowImplicitSharing, readFlag(at, "allow_implicit_sharing", true));
    }
    return out;
}

} // namespace

Result<std::vector<Rule>> readRules(const JsonCursor& recipe)
{
    NamedSpecs specs;
    if (const auto at = member(recipe, "specs")) {
        GB_ASSIGN(const auto members, at->members());
        for (const auto& [name, value] : members) {
            GB_ASSIGN(specs[name], readSpec(value));
        }
    }
    std::vector<Rule> out;
    GB_ASSIGN(const JsonCursor list, recipe.get("rules"));
    GB_ASSIGN(const auto rules, list.items());
    for (const JsonCursor& at : rules) {
        GB_ASSIGN(Rule rule, readRule(at, specs, out.size() + 1));
        out.push_back(std::move(rule));
    }
    return out;
}

} // namespace gb::io
