// A real run to look at: a case of tests/data through the engine, calibrated on the sample inputs in its .pt2.
#pragma once

#include "engine/run.h"
#include "io/pt2.h"
#include "io/recipe.h"
#include "session/explanation.h"
#include "trace/replay.h"

#include <QtTest>

namespace gb::test {

inline ops::Value valueOf(const io::Leaf& leaf)
{
    return std::visit(
        []<class T>(const T& v) {
            if constexpr (std::is_same_v<T, std::monostate>)
                return ops::Value();
            else
                return ops::Value(v);
        },
        leaf);
}

/// Null where the case cannot be read. `batches`: how often the sample inputs are given; 0 leaves the observers without
/// data.
inline trace::RecordingPtr recordCase(const std::string& name, int batches = 2, const std::string& stopAfter = {})
{
    const std::string path = std::string(GREENBOX_TEST_DATA "/cases/") + name;
    const auto program = io::loadPt2(path + ".pt2");
    const auto recipe = io::readRecipe(path + ".recipe.json");
    if (!program || !recipe) {
        qWarning("%s", (!program ? program.error() : recipe.error()).text().c_str());
        return nullptr;
    }
    engine::Batch batch;
    for (const io::Leaf& leaf : program->samples)
        batch.push_back(valueOf(leaf));
    engine::RunOptions options;
    options.stopAfter = stopAfter;
    options.threads = 1;
    if (batches == 0)
        options.calibrate.emplace();
    const std::vector<engine::Batch> all(static_cast<std::size_t>(std::max(1, batches)), batch);
    return engine::run({name, program->module, program->torchVersion}, *recipe, options, all).recording;
}

/// Returns when explain is done with the session's recording.
inline void waitFor(const views::Explanation& explanation)
{
    QTRY_VERIFY_WITH_TIMEOUT(!explanation.busy(), 20000);
}

/// The node of a name at a stage of the top graph; kNoNode where there is none.
inline ir::NodeId nodeAt(const trace::Moment& moment, std::string_view name)
{
    const ir::Node* node = moment.top().graph->find(name);
    return node ? node->id() : ir::kNoNode;
}

} // namespace gb::test
