// The flow as the verbs run it: files and options in, a recording out.
//
// Thread: the main thread.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "engine/run.h"
#include "io/data_source.h"
#include "numbers/material.h"
#include "quantizers/recipe.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gb::cli {

/// What run, explain and export take alike.
struct FlowOptions {
    std::string model;
    std::string recipe;
    std::string inputs;    ///< as io/data_source.h; empty: the sample inputs stored in the .pt2
    std::string check;     ///< the same, of a second set to measure errors on; empty: none
    std::string imageSize; ///< "HEIGHTxWIDTH"; empty: what the model takes
    std::vector<double> imageMean;
    std::vector<double> imageDeviation;
    io::ImageReader readImage = {}; ///< null: folders of images are refused
    std::string mode = "ptq";
    std::string calibrate; ///< "0,2,..." or "none"; empty: all batches
    bool noFoldQuantize = false;
    std::string stopAfter;
    bool keepsMaterial = false; ///< whether FlowRun::material is wanted
    bool keepsTimes = false;    ///< whether the result's times are wanted
};

/// MODEL, --recipe, --inputs, --image-size, --image-mean, --image-std, --mode, --calibrate, --no-fold-quantize.
void declareFlow(CLI::App& app, FlowOptions& options);
/// The stages by name, in order.
const std::vector<std::string>& stageNames();

/// One set of batches, as the model takes them.
struct DataSet {
    std::vector<engine::Batch> batches;
    std::string sentence; ///< "4 from inputs.npz"; why there are none
};
/// `text` as io/data_source.h, with the image settings of the options. An empty text of a model without samples gives
/// an empty set. Errors: those of io::readData, Usage for a size of another form.
base::Result<DataSet> readDataSet(const std::string& text, const FlowOptions& options, const io::Program& program);

struct FlowRun {
    quantizers::Recipe recipe;
    engine::RunResult result;      ///< its error is the flow's: what could be recorded is there
    std::string calibratedOn;      ///< one sentence: which batches there were
    numbers::MaterialPtr material; ///< null when not asked for or the run did not get there
};

/// Reads the files and runs. Errors: what cannot be read or is bad usage, and Cancelled; what the flow itself refuses
/// is in the result.
base::Result<FlowRun> runFlow(const FlowOptions& options, const base::Work& work);

} // namespace gb::cli
