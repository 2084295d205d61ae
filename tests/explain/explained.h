// A run and what explain says of it: of a graph built by hand, or of a case of tests/data.
#pragma once

#include "../passes/graph_builder.h"
#include "engine/run.h"
#include "explain/explain.h"
#include "io/pt2.h"
#include "io/recipe.h"

#include <QtTest>

namespace gb::test {

struct Explained {
    trace::RecordingPtr recording;
    quantizers::Recipe recipe;
    explain::Answer answer;

    [[nodiscard]] const explain::NodeReason* reason(const std::string& node) const
    {
        for (const auto* list : {&answer.nodes, &answer.others})
            for (const explain::NodeReason& n : *list)
                if (n.node == node)
                    return &n;
        return nullptr;
    }
    /// The R code of a node, "labelled" where it has none.
    [[nodiscard]] std::string codeOf(const std::string& node) const
    {
        for (const auto* list : {&answer.nodes, &answer.others})
            for (const explain::NodeReason& n : *list)
                if (n.node == node && n.code.starts_with('R'))
                    return n.code;
        return "labelled";
    }
    /// Every O and C code, in order.
    [[nodiscard]] std::string droppedCodes() const
    {
        std::string out;
        for (const explain::NodeReason& n : answer.nodes)
            if (!n.code.starts_with('R'))
                out += (out.empty() ? "" : " ") + n.code;
        return out;
    }
    [[nodiscard]] bool hasFinding(const std::string& code) const
    {
        return std::ranges::any_of(answer.findings, [&](const explain::Finding& f) { return f.code == code; });
    }
};

inline Explained explained(const std::shared_ptr<ir::GraphModule>& module, const std::string& recipeJson,
                           engine::RunOptions options = {}, const std::vector<engine::Batch>& batches = {})
{
    Explained out;
    auto recipe = io::parseRecipe(recipeJson, "recipe");
    if (!recipe) {
        qWarning("%s", recipe.error().text().c_str());
        return out;
    }
    module->setListener(nullptr);
    options.threads = 1;
    out.recipe = *recipe;
    out.recording = engine::run({"model", module, "2.14.1"}, *recipe, options, batches).recording;
    auto answer = explain::explain(out.recording, *recipe);
    if (answer)
        out.answer = std::move(*answer);
    else
        qWarning("%s", answer.error().text().c_str());
    return out;
}

/// A case of a folder of tests/data, on the sample inputs in its .pt2.
inline Explained explainedCase(const std::string& folder, const std::string& name, const std::string& mode = "ptq")
{
    const std::string path = std::string(GREENBOX_TEST_DATA "/") + folder + "/" + name;
    const auto program = io::loadPt2(path + ".pt2");
    const auto recipe = io::readRecipe(path + ".recipe.json");
    if (!program || !recipe) {
        qWarning("%s", (!program ? program.error() : recipe.error()).text().c_str());
        return {};
    }
    engine::Batch batch;
    for (const io::Leaf& leaf : program->samples)
        batch.push_back(std::visit(
            []<class T>(const T& v) {
                if constexpr (std::is_same_v<T, std::monostate>)
                    return ops::Value();
                else
                    return ops::Value(v);
            },
            leaf));
    engine::RunOptions options;
    options.isQat = mode == "qat";
    return explained(program->module, recipe->json, options, {batch});
}

} // namespace gb::test
