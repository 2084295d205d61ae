#include "io/recipe.h"

#include "base/message.h"
#include "io/file.h"
#include "io/recipe_keys.h"

#include <algorithm>
#include <array>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using quantizers::Config;
using quantizers::ConfigArguments;
using quantizers::Recipe;
using quantizers::Settings;

constexpr std::size_t kLargest = std::size_t{16} << 20;

constexpr std::array<std::string_view, 6> kQuantizers = {"xnnpack",   "x86_inductor", "arm_inductor",
                                                         "embedding", "composable",   "rules"};

enum class KeywordType { Flag, Number };

struct Keyword {
    std::string_view name;
    KeywordType type;
};

// get_symmetric_quantization_config (torchao/testing/pt2e/_xnnpack_quantizer.py)
constexpr std::array kXnnpackKeywords = {
    Keyword{"is_per_channel", KeywordType::Flag}, Keyword{"is_qat", KeywordType::Flag},
    Keyword{"is_dynamic", KeywordType::Flag},     Keyword{"act_qmin", KeywordType::Number},
    Keyword{"act_qmax", KeywordType::Number},     Keyword{"weight_qmin", KeywordType::Number},
    Keyword{"weight_qmax", KeywordType::Number},
};
// get_default_x86_inductor_quantization_config (x86_inductor_quantizer.py)
constexpr std::array kX86Keywords = {
    Keyword{"is_qat", KeywordType::Flag},
    Keyword{"is_dynamic", KeywordType::Flag},
    Keyword{"reduce_range", KeywordType::Flag},
};
// get_default_arm_inductor_quantization_config (arm_inductor_quantizer.py)
constexpr std::array kArmKeywords = {
    Keyword{"is_qat", KeywordType::Flag},
    Keyword{"is_dynamic", KeywordType::Flag},
};

std::span<const Keyword> keywordsOf(std::string_view quantizer)
{
    if (quantizer == "xnnpack")
        return kXnnpackKeywords;
    return quantizer == "x86_inductor" ? std::span<const Keyword>(kX86Keywords) : kArmKeywords;
}

Result<Config> readConfig(const JsonCursor& at, std::span<const Keyword> keywords)
{
    if (at.isNull())
        return Config();
    GB_ASSIGN(const auto members, at.members());
    ConfigArguments out;
    for (const auto& [key, value] : members) {
        const auto known = std::ranges::find(keywords, std::string_view(key), &Keyword::name);
        if (known == keywords.end()) {
            std::vector<std::string_view> names;
            for (const Keyword& k : keywords)
                names.push_back(k.name);
            return value.error(say("unknown key, {0} expected", oneOf(names)), ErrorCode::Usage);
        }
        if (known->type == KeywordType::Flag) {
            GB_ASSIGN(const bool flag, value.boolean());
            out.items.emplace_back(key, ir::Argument(flag));
        } else {
            GB_ASSIGN(const std::int64_t number, value.integer());
            out.items.emplace_back(key, ir::Argument(number));
        }
    }
    return Config(std::move(out));
}

Result<Settings> readSettings(const JsonCursor& recipe, const char* key, std::span<const Keyword> keywords)
{
    Settings out;
    const auto at = member(recipe, key);
    if (!at)
        return out;
    GB_ASSIGN(const auto members, at->members());
    for (const auto& [name, value] : members) {
        GB_ASSIGN(Config config, readConfig(value, keywords));
        out.emplace_back(name, std::move(config));
    }
    return out;
}

/// The settings of the three quantizers that are configured by calls.
Status readCalls(const JsonCursor& at, Recipe& out)
{
    const bool xnnpack = out.quantizer == "xnnpack";
    GB_TRY(allowKeys(
        at, {"quantizer", "global", xnnpack ? "operator_type" : "function_type", "module_type", "module_name"}));
    const auto keywords = keywordsOf(out.quantizer);
    if (const auto global = member(at, "global")) {
        GB_ASSIGN(out.global, readConfig(*global, keywords));
    }
    GB_ASSIGN(out.operatorType, readSettings(at, "operator_type", keywords));
    GB_ASSIGN(out.functionType, readSettings(at, "function_type", keywords));
    GB_ASSIGN(out.moduleType, readSettings(at, "module_type", keywords));
    GB_ASSIGN(out.moduleName, readSettings(at, "module_name", keywords));
    return {};
}

Result<Recipe> readOne(const JsonCursor& at)
{
    Recipe out;
    GB_ASSIGN(const JsonCursor kind, at.get("quantizer"));
    GB_ASSIGN(out.quantizer, kind.text());
    if (std::ranges::find(kQuantizers, out.quantizer) == kQuantizers.end())
        return unknownName(kind, "quantizer", out.quantizer, kQuantizers);
    out.json = dumpJson(at.json());
    if (out.quantizer == "embedding") {
        GB_TRY(allowKeys(at, {"quantizer"}));
    } else if (out.quantizer == "composable") {
        GB_TRY(allowKeys(at, {"quantizer", "quantizers"}));
        GB_ASSIGN(const JsonCursor list, at.get("quantizers"));
        GB_ASSIGN(const auto members, list.items());
        for (const JsonCursor& m : members) {
            GB_ASSIGN(Recipe one, readOne(m));
            out.quantizers.push_back(std::move(one));
        }
    } else if (out.quantizer == "rules") {
        GB_TRY(allowKeys(at, {"quantizer", "specs", "rules"}));
        GB_ASSIGN(out.rules, readRules(at));
    } else {
        GB_TRY(readCalls(at, out));
    }
    return out;
}

} // namespace

std::string oneOf(std::span<const std::string_view> names)
{
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            out += i + 1 == names.size() ? " or " : ", ";
        out += names[i];
    }
    return out;
}

Status allowKeys(const JsonCursor& object, std::initializer_list<std::string_view> keys)
{
    GB_ASSIGN(const auto members, object.members());
    for (const auto& [key, value] : members)
        if (std::ranges::find(keys, std::string_view(key)) == keys.end())
            return value.error(say("unknown key, {0} expected", oneOf({keys.begin(), keys.size()})), ErrorCode::Usage);
    return {};
}

Error unknownName(const JsonCursor& at, const std::string& what, const std::string& found,
                  std::span<const std::string_view> allowed)
{
    return at.error(say("unknown {0} \"{1}\", {2} expected", what, found, oneOf(allowed)), ErrorCode::Usage);
}

std::optional<JsonCursor> member(const JsonCursor& object, const char* key)
{
    if (!object.json().is_object() || !object.json().contains(key))
        return std::nullopt;
    auto found = object.get(key);
    return found ? std::optional<JsonCursor>(*found) : std::nullopt;
}

Result<Recipe> parseRecipe(std::string_view text, const std::string& place)
{
    GB_ASSIGN(const Json document, parseJson(text, place));
    return readOne(JsonCursor(document, place));
}

Result<Recipe> readRecipe(const std::string& path)
{
    GB_ASSIGN(const Bytes file, mapFile(path));
    if (file.size > kLargest)
        return Error{ErrorCode::Format,
                     say("{0} bytes, at most {1} expected for a recipe",
                         base::grouped(static_cast<long long>(file.size)), base::grouped(kLargest)),
                     path};
    return parseRecipe(file.text(), path);
}

} // namespace gb::io
