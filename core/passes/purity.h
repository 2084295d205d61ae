// Purity, lint and dead code elimination by the passes' own names: they live in ir, since quantizers need them too.
#pragma once

#include "ir/purity.h"

namespace gb::passes {

using ir::eliminateDeadCode;
using ir::eraseUnused;
using ir::isImpure;
using ir::lint;
using ir::writesFirstArgument;

} // namespace gb::passes
