// Walking several tensors of one (broadcast) shape together.
//
// Source: aten/src/ATen/TensorIterator.cpp: dimensions are merged where every operand allows it, so that contiguous
// tensors are one long row.
//
// Thread: pure functions; rows are shared among the threads of the context's pool.
#pragma once

#include "ops/call.h"
#include "ops/checks.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gb::ops {

/// The shape that all operands broadcast to. RuntimeError when two sizes differ and none is 1.
base::Result<ir::Shape> broadcastShapes(const ir::Shape& a, const ir::Shape& b);
/// A tensor seen with a shape that it broadcasts to (stride 0 along repeated dimensions). RuntimeError when it does
/// not.
base::Result<ir::Tensor> broadcastTo(const ir::Tensor& tensor, const ir::Shape& shape);

/// A shape and the strides of N operands over it, dimensions merged; at least one dimension.
template <std::size_t N>
struct StridedLoop {
    ir::Shape shape;
    std::array<ir::Shape, N> strides;

    /// Precondition: all operands have the same shape.
    explicit StridedLoop(const std::array<const ir::Tensor*, N>& operands)
    {
        const ir::Shape& full = operands[0]->shape();
        for (std::size_t axis = 0; axis < full.size(); ++axis) {
            if (full[axis] == 1)
                continue;
            if (mergesWithLast(operands, axis)) {
                shape.back() *= full[axis];
                for (std::size_t n = 0; n < N; ++n)
                    strides[n].back() = operands[n]->strides()[axis];
            } else {
                shape.push_back(full[axis]);
                for (std::size_t n = 0; n < N; ++n)
                    strides[n].push_back(operands[n]->strides()[axis]);
            }
        }
        if (shape.empty()) {
            shape.push_back(1);
            for (auto& list : strides)
                list.push_back(0);
        }
    }

    [[nodiscard]] std::int64_t rowCount() const
    {
        std::int64_t rows = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
            rows *= shape[axis];
        return rows;
    }
    [[nodiscard]] std::int64_t rowLength() const { return shape.back(); }
    [[nodiscard]] std::array<std::int64_t, N> steps() const
    {
        std::array<std::int64_t, N> out{};
        for (std::size_t n = 0; n < N; ++n)
            out[n] = strides[n].back();
        return out;
    }
    [[nodiscard]] std::array<std::int64_t, N> offsetsOf(std::int64_t row) const
    {
        std::array<std::int64_t, N> out{};
        for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
            const std::int64_t index = row % shape[axis];
            row /= shape[axis];
            for (std::size_t n = 0; n < N; ++n)
                out[n] += index * strides[n][axis];
        }
        return out;
    }

private:
    [[nodiscard]] bool mergesWithLast(const std::array<const ir::Tensor*, N>& operands, std::size_t axis) const
    {
        if (shape.empty())
            return false;
        for (std::size_t n = 0; n < N; ++n)
            if (strides[n].back() != operands[n]->strides()[axis] * operands[n]->shape()[axis])
                return false;
        return true;
    }
};

/// Elements that one chunk of an elementwise loop has.
constexpr std::int64_t kElementGrain = 1 << 15;

/// Calls row(offsets, count, steps) so that every element of the operands' common shape is met once. Offsets and steps
/// count elements of each operand.
template <std::size_t N, class F>
void forEachRow(const Context& context, const std::array<const ir::Tensor*, N>& operands, F&& row)
{
    if (operands[0]->elementCount() == 0)
        return;
    const StridedLoop<N> loop(operands);
    const std::int64_t length = loop.rowLength();
    const std::array<std::int64_t, N> steps = loop.steps();
    if (loop.shape.size() == 1) {
        context.forEachChunk(length, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
            std::array<std::int64_t, N> offsets{};
            for (std::size_t n = 0; n < N; ++n)
                offsets[n] = begin * steps[n];
            row(offsets, end - begin, steps);
        });
        return;
    }
    const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / length);
    context.forEachChunk(loop.rowCount(), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at)
            row(loop.offsetsOf(at), length, steps);
    });
}

/// Writes source into target, converted to target's dtype (copy_). RuntimeError when source does not broadcast to
/// target, when a target is read-only memory, or for a dtype that is not converted.
base::Status copyInto(const Context& context, ir::Tensor target, const ir::Tensor& source);

} // namespace gb::ops
