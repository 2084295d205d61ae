// A run and what explain says of it: of a graph built by hand, or of a case of tests/data.
#pragma once

#include "../passes/graph_builder.h"
#include "engine/run.h"
#include "explain/report.h"
#include "io/pt2.h"
#include "io/recipe.h"

#include <QtTest>

namespace gb::test {

struct Explained {
    trace::RecordingPtr recording;
    quantizers::Recipe recipe;
    explain::ReportPtr report;
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
    /// The sentence of the first finding of a kind, "" where there is none.
    [[nodiscard]] std::string problem(const std::string& kind) const
    {
        for (const explain::Finding& f : answer.findings)
            if (f.kind == kind)
                return f.sentence.text();
        return {};
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
    auto report = explain::report(out.recording, *recipe);
    if (report) {
        out.report = *report;
        out.answer = out.report->answer;
    } else {
        qWarning("%s", report.error().text().c_str());
    }
    return out;
}

/// One batch of a float32 [2, 3] for each input.
inline std::vector<engine::Batch> oneBatch(int inputs = 1)
{
    engine::Batch out;
    for (int i = 0; i < inputs; ++i)
        out.emplace_back(ir::Tensor::fromVector(std::vector<float>{1, -2, 3, 4, -5, 6}, {2, 3}));
    return {out};
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
