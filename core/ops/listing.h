// The kernel table as a document: which ops a run can go through, family by family.
//
// Thread: pure functions.
#pragma once

#include <string>

namespace gb::ops {

/// Markdown; the same table gives the same text.
std::string kernelListing();

} // namespace gb::ops
