// A plain decoder of any size as a recording: layers of attention and a feed-forward block with residual additions,
// exported, annotated and, where asked for, prepared. For tests and benchmarks of large graphs.
#pragma once

#include "trace/recorder.h"

namespace gb::test {

struct TransformerOptions {
    int nodes = 1000;      ///< about so many in the exported graph
    bool prepared = false; ///< with an observer on every matmul's inputs
    bool modules = true;   ///< nodes say which module they are in; false: one flat graph
    int oddLayer = -1;     ///< this layer has one op more than the others
    bool stepwise = false; ///< an event for each label and observer, as a real run has, and a convert stage after it
};

trace::RecordingPtr makeTransformer(const TransformerOptions& options);

} // namespace gb::test
