// What a model stores before and after: each tensor, its bytes, who reads it, what it was folded from.
//
// From the recording alone: sizes come from shapes, so recordings from files have them too. Scales and zero points that
// stand as numbers in a node's arguments are no tensors and are not counted.
//
// Thread: pure functions.
#pragma once

#include "numbers/sheet.h"
#include "trace/replay.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gb::numbers {

struct StoredTensor {
    std::string name; ///< "conv.weight", "_frozen_param0"; a sub-graph's path before it
    ir::DType dtype = ir::DType::Float32;
    ir::Shape shape;
    std::int64_t bytes = 0;
    std::vector<std::string> users; ///< nodes that take its get_attr node, in graph order
    std::string foldedFrom;         ///< the attributes that a fold made it of; empty for what is as it was loaded
    ir::NodeId node = ir::kNoNode;  ///< its first get_attr node
};

struct Storage {
    std::vector<StoredTensor> before; ///< of the exported graph, what its nodes read
    std::vector<StoredTensor> after;  ///< of the newest stage; empty where there is only one
    std::string stage;                ///< the name of that stage
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
};

/// Error (Format): the recording's edits do not fit.
base::Result<Storage> storageOf(const trace::RecordingPtr& recording);
/// One row a tensor: those of after, then those of before that are gone.
Sheet storageSheet(const Storage& storage);

} // namespace gb::numbers
