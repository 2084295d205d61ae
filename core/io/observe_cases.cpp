#include "io/observe_cases.h"

#include "io/file.h"
#include "io/recipe_keys.h"
#include "io/spec_json.h"

namespace gb::io {
namespace {

using base::Result;

Json answerJson(const quant::ObserveResult& result)
{
    Json out = Json::object();
    if (result.minVal)
        out["min_val"] = elementsJson(*result.minVal);
    if (result.maxVal)
        out["max_val"] = elementsJson(*result.maxVal);
    if (result.histogram)
        out["histogram"] = elementsJson(*result.histogram);
    if (result.qparams) {
        out["scale"] = elementsJson(result.qparams->scale);
        out["zero_point"] = elementsJson(result.qparams->zeroPoint);
    }
    if (!result.error.empty())
        out["error"] = result.error;
    return out;
}

} // namespace

Result<std::vector<ObserveCase>> parseObserveCases(std::string_view text, const std::string& place)
{
    GB_ASSIGN(const Json document, parseJson(text, place));
    GB_ASSIGN(const auto items, JsonCursor(document, place).items());
    std::vector<ObserveCase> out;
    for (const JsonCursor& at : items) {
        GB_TRY(allowKeys(at, {"observer", "args", "inputs"}));
        ObserveCase& one = out.emplace_back();
        GB_ASSIGN(one.observer, readObserver(at, "args"));
        GB_ASSIGN(const JsonCursor inputs, at.get("inputs"));
        GB_ASSIGN(const auto names, inputs.items());
        for (const JsonCursor& name : names) {
            GB_ASSIGN(std::string array, name.text());
            one.inputs.push_back(std::move(array));
        }
    }
    return out;
}

Result<std::vector<ObserveCase>> readObserveCases(const std::string& path)
{
    GB_ASSIGN(const Bytes file, mapFile(path));
    return parseObserveCases(file.text(), path);
}

std::string observeAnswers(const std::vector<quant::ObserveResult>& results)
{
    std::string out = "[";
    for (std::size_t i = 0; i < results.size(); ++i)
        out += (i == 0 ? "\n" : ",\n") + dumpJson(answerJson(results[i]));
    return out + "\n]\n";
}

} // namespace gb::io
