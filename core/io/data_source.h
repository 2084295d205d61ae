// Where batches come from, by one text: a file, a folder of images, or a seed.
//
//   FILE.npz          arrays named BATCH.INPUT (formats.md, section 5; batches.h)
//   FILE.npy          one array for the model's only tensor input: of the input's shape (one batch), with one more
//                     dimension in front (a batch each), or longer in the first dimension (cut into batches)
//   random:SEED       one batch of seeded values; random:SEED:COUNT several. Floats are normal (mean 0, deviation 1),
//                     integers and bools lie between the sample input's smallest and largest value, or are 0 and 1
//   FOLDER            images, in the order of their names, for a model with one float input [N, 1 or 3, H, W]
//   (empty)           the sample inputs stored in the .pt2
//
// Thread: pure functions.
#pragma once

#include "base/message.h"
#include "io/batches.h"

#include <functional>
#include <string>
#include <vector>

namespace gb::io {

/// How an image becomes an input: scaled to height x width, (value - mean) / deviation for each channel.
struct ImageSettings {
    std::int64_t height = 0; ///< 0: what the model takes
    std::int64_t width = 0;
    std::vector<double> mean;      ///< none: 0; one for all channels, or one a channel
    std::vector<double> deviation; ///< none: 1; may not be 0
};

/// Gives float32 [3, height, width], red, green and blue from 0 to 1. The core reads no pictures itself.
using ImageReader =
    std::function<base::Result<ir::Tensor>(const std::string& path, std::int64_t height, std::int64_t width)>;

struct DataSource {
    std::string text;
    ImageSettings images;
    ImageReader readImage; ///< null: folders are refused
};

struct DataBatches {
    std::vector<Batch> batches;
    base::Message sentence;           ///< "4 from inputs.npz"
    std::vector<base::Message> notes; ///< what was left out
};

/// Errors: those of batches.h and npz.h; Io for a folder that cannot be read, NotFound for one without images, Shape
/// for a model or an array that does not fit, Usage for settings that do not fit. They name file, image and setting.
base::Result<DataBatches> readData(const DataSource& source, const Program& program);

/// The endings that count as images: png, jpg, jpeg, bmp, ppm, pgm, gif, webp.
bool isImageName(const std::string& path);

} // namespace gb::io
