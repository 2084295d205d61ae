// A case of tests/data through the engine, as material for figures.
#pragma once

#include "io/batches.h"
#include "io/pt2.h"
#include "io/recipe.h"
#include "numbers/material.h"

#include <QtTest>

namespace gb::test {

inline ops::Value valueOf(const io::Leaf& leaf)
{
    const auto* tensor = std::get_if<ir::Tensor>(&leaf);
    return tensor ? ops::Value(*tensor) : ops::Value();
}

/// Calibrated on the case's own batches; null where it cannot be read or run. `checkFirst`: errors are measured on the
/// first batch alone.
inline numbers::MaterialPtr materialOf(const std::string& path, const std::string& recipePath,
                                       const std::string& inputs, bool checkFirst = false)
{
    const auto program = io::loadPt2(path);
    const auto recipe = io::readRecipe(recipePath);
    if (!program || !recipe) {
        qWarning("%s", (!program ? program.error() : recipe.error()).text().c_str());
        return nullptr;
    }
    const auto read = io::readBatches(inputs, *program);
    if (!read) {
        qWarning("%s", read.error().text().c_str());
        return nullptr;
    }
    auto out = std::make_shared<numbers::Material>();
    for (const auto& leaves : *read) {
        engine::Batch batch;
        for (const io::Leaf& leaf : leaves)
            batch.push_back(valueOf(leaf));
        out->calibration.push_back(std::move(batch));
    }
    engine::RunOptions options;
    options.threads = 1;
    options.keepCalibrated = true;
    const auto run = engine::run({"case", program->module, program->torchVersion}, *recipe, options, out->calibration);
    if (run.error)
        qWarning("%s", run.error->text().c_str());
    out->program = program->module;
    out->calibrated = run.calibrated;
    out->recording = run.recording;
    out->threads = 1;
    if (checkFirst)
        out->check = {out->calibration.front()};
    return run.calibrated ? out : nullptr;
}

inline numbers::MaterialPtr materialOfCase(const std::string& name, bool checkFirst = false)
{
    const std::string path = std::string(GREENBOX_TEST_DATA "/cases/") + name;
    return materialOf(path + ".pt2", path + ".recipe.json", path + ".inputs.npz", checkFirst);
}

} // namespace gb::test
