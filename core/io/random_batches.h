// Batches of seeded random values (data_source.h).
//
// The generator is std::mt19937_64, whose numbers the standard fixes; normal values come by Box and Muller's formula.
//
// Thread: pure functions.
#pragma once

#include "io/batches.h"

#include <cstdint>

namespace gb::io {

/// The same seed, the same batches. A symbolic size is the sample input's, or 2. Inputs that are no tensors take the
/// sample's value. Error (Unsupported): a complex or 8-bit float input.
base::Result<std::vector<Batch>> randomBatches(const Program& program, std::uint64_t seed, std::int64_t count);

} // namespace gb::io
