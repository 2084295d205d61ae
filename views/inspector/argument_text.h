// A node's arguments as Python writes them: "(x, 0.5, [1, 2], dtype=torch.int8)".
//
// Thread: pure functions.
#pragma once

#include "ir/node.h"

#include <QString>

#include <functional>

namespace gb::views {

/// The name of a node.
using NodeNamer = std::function<QString(ir::NodeId)>;

/// One argument. Lists longer than `most` items are cut: "[1, 2, … 14 more]".
QString argumentText(const ir::Argument& argument, const NodeNamer& nameOf, int most = 64);
/// "[1, 3, s77, 8]"
QString shapeText(const std::vector<ir::Dim>& shape);
/// "float32 [1, 8, 32, 32]", a scalar's expression, "(float32 [2], int64 [2])" for several; "—" where nothing is known.
QString valueText(const ir::ValueMeta& value);

} // namespace gb::views
