// What prepare and convert changed besides observers and q/dq: the books of a run.
//
// Thread: pure functions.
#pragma once

#include "explain/explain.h"

namespace gb::explain {

enum class LedgerKind : unsigned char {
    BatchNormFolded,
    BatchNormKept,
    ScalarToTensor,
    DtypeChanged,
    Duplicated, ///< a dequantize for each user
    Folded,     ///< a sub-graph became a constant
    Compared,   ///< outputs of two stages
    Unread,     ///< a tensor that is stored and that no node reads
};
/// "batch norm folded"
const char* name(LedgerKind kind);

struct LedgerEntry {
    LedgerKind kind = LedgerKind::Folded;
    std::string graph;
    std::vector<ir::NodeId> nodes;
    base::Message sentence;
    std::vector<std::string> details; ///< "conv.weight: -0.31 to 0.29 before, -0.62 to 0.44 after"
    std::int64_t bytesBefore = 0;     ///< 0 where it does not concern bytes
    std::int64_t bytesAfter = 0;
    int event = -1;
    bool alarm = false; ///< more than it should be: an output that differs before anything was rounded
};

struct Ledger {
    std::vector<LedgerEntry> entries;
    std::int64_t storedBefore = 0; ///< bytes of all parameters, buffers and constants as exported
    std::int64_t storedAfter = 0;  ///< as converted; -1 where the run did not get there
    std::int64_t readAfter = 0;    ///< of these, what a node reads
};

struct RunView;
/// Adds findings: outputs that differ by more than rounding, tensors that no node reads.
Ledger ledgerOf(const RunView& run, Answer& answer);

} // namespace gb::explain
