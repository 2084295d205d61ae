// Batches from a folder of images (data_source.h).
//
// Thread: pure functions.
#pragma once

#include "io/data_source.h"

namespace gb::io {

/// `input` is the model's only tensor input. A model with one channel takes the luminance, 0.299 red + 0.587 green +
/// 0.114 blue. Errors as readData's.
base::Result<DataBatches> imageBatches(const DataSource& source, const Program& program, std::size_t input);

} // namespace gb::io
