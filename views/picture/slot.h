// How the helpers of a slot stand in it: scales and zero points in a column at the left, observers or quantizes in a
// row, dequantizes in a row below.
//
// Thread: pure functions.
#pragma once

#include "layout/union_graph.h"

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace gb::views {

struct SlotMember {
    const ir::Node* node = nullptr;
    QSizeF size;
    QRectF rect; ///< filled in, relative to the slot's top left corner
};

/// Places the members and returns the size that they need. Given a larger `room`, they stand in its middle.
QSizeF arrangeSlot(std::vector<SlotMember>& members, QSizeF room = {});

} // namespace gb::views
