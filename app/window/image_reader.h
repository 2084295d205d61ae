// Images for calibration, read with Qt's plug-ins: what the core, which sees no GUI, asks for (io/data_source.h).
//
// Thread: any.
#pragma once

#include "base/result.h"
#include "ir/tensor.h"

#include <cstdint>
#include <string>

namespace gb::app {

/// float32 [3, height, width], red, green and blue from 0 to 1; the picture is scaled smoothly to the size, whatever
/// its own proportions. Transparent parts are black. Errors (Io, Format): Qt's own reason.
base::Result<ir::Tensor> readImage(const std::string& path, std::int64_t height, std::int64_t width);

} // namespace gb::app
