// numpy's .npz: named arrays in a zip.
//
// Source: numpy/lib/format.py (the .npy header, versions 1 to 3), numpy's savez.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "io/file.h"
#include "ir/tensor.h"

#include <string>
#include <utility>
#include <vector>

namespace gb::io {

/// Arrays by name, in the archive's order. Names do not have ".npy".
using NamedTensors = std::vector<std::pair<std::string, ir::Tensor>>;

/// Reads an .npz. Each array keeps its dtype, shape and order in memory (Fortran order gives strides); a stored and
/// aligned one looks into the mapped file. Errors name file and array: big-endian, object, text and other dtypes that
/// torch has no tensor for (Unsupported), a broken header (Format), data shorter than the shape (Shape).
base::Result<NamedTensors> readNpz(const std::string& path);
/// One .npy; `place` is what messages call it.
base::Result<ir::Tensor> readNpy(const Bytes& bytes, const std::string& place);

/// The bytes of an .npz with stored entries: same arrays, same bytes. numpy has no bfloat16, so it is written as
/// float32, which holds it exactly. Error (Unsupported): another dtype that numpy has no name for.
base::Result<std::string> npzBytes(const NamedTensors& arrays);
/// npzBytes to a file, whole or not at all.
base::Status writeNpz(const std::string& path, const NamedTensors& arrays);

} // namespace gb::io
