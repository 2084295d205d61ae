// Which labels share one observer, why, and what that costs each of them.
//
// The groups are worked out from the labels alone, with prepare's own code, so that they are there before prepare ran
// and where it refuses; what the observers saw is added where the run came so far.
//
// Thread: pure functions.
#pragma once

#include "explain/explain.h"

namespace gb::explain {

/// What of a tensor was seen over all batches, by the observer that stands for it.
struct SeenRange {
    double low = 0.0;
    double high = 0.0;
    std::int64_t nonFinite = 0; ///< NaN and infinite values
};

struct SharingMember {
    ir::Position position;
    std::string text;               ///< "relu -> conv2d"
    std::string spec;               ///< in few words: "int8 (HistogramObserver)", "shared with relu"
    std::string rule;               ///< the rule that wrote this label; empty where the recording does not say
    bool decides = false;           ///< its spec makes the group's observer
    bool nonNegative = false;       ///< known from the op: relu, sigmoid, softmax, hardtanh from 0
    std::optional<SeenRange> own;   ///< absent before calibration, and for fake quantizes
    std::optional<double> bitsLost; ///< log2 of the group's span over its own
};

/// One of the eight attributes that torchao compares before it lets an edge share without being told to.
struct ComparedAttribute {
    std::string name; ///< dtype, is_dynamic, quant_min, quant_max, qscheme, ch_axis, scale, zero_point
    std::string a;
    std::string b; ///< "—" where a spec has no such attribute
    [[nodiscard]] bool equal() const { return a == b; }
};

struct SharingJoin {
    ir::Position a;
    ir::Position b;
    std::string how;                         ///< "explicit", "same_tensor", "other_user"
    std::vector<ComparedAttribute> compared; ///< empty for an explicit one: nothing is compared there
    base::Message sentence;
};

struct SharingGroup {
    std::string graph;
    int number = 0; ///< as in the recording's group events
    std::vector<SharingMember> members;
    std::vector<SharingJoin> joins;
    std::optional<SeenRange> joint; ///< of all members
    std::string observer;           ///< the observer's class, empty where none is made
};

struct Sharing {
    std::vector<SharingGroup> groups; ///< those of one member too; by graph, then number
};

struct RunView;
/// Adds findings: a dangling, forward or circular reference (with its chain and a way out), a tensor that is never
/// negative in a signed group, a member that loses much of its range to the others.
Sharing sharingOf(const RunView& run, Answer& answer);

} // namespace gb::explain
