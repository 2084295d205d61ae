// What kernels keep from one run of a program to the next about tensors that no run writes to: its weights, in the
// form that they are read in.
//
// Thread: one at a time (the interpreter's).
#pragma once

#include "ir/tensor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace gb::ops {

/// What is kept of a tensor.
class Kept {
public:
    virtual ~Kept() = default;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

class Constants {
public:
    /// What distinguishes the forms of one tensor, the sizes of an op.
    using Key = std::vector<std::int64_t>;

    /// Keeps at most `room` bytes.
    explicit Constants(std::size_t room = std::size_t{256} << 20)
        : m_room(room)
    {
    }

    /// Nothing will write to x's elements as long as this lives. Holds x.
    void add(const ir::Tensor& x);
    /// x is one that was added, as it was added (not another view of it).
    [[nodiscard]] bool contains(const ir::Tensor& x) const;

    /// What is kept of x (contained) under the key: made by `make` (shared_ptr<const Form>) when it is asked for the
    /// second time, as most programs run once and a form costs more to keep than to use. Null the first time, for other
    /// tensors, and where the room is used up.
    template <class Form, class Make>
    std::shared_ptr<const Form> form(const ir::Tensor& x, const Key& key, const Make& make)
    {
        if (!contains(x))
            return nullptr;
        Entry& entry = m_forms[{x.rawData(), key}];
        if (!entry.kept && entry.wanted && m_used < m_room) {
            entry.kept = make();
            m_used += entry.kept->bytes();
        }
        entry.wanted = true;
        return std::static_pointer_cast<const Form>(entry.kept);
    }

private:
    struct Entry {
        bool wanted = false;
        std::shared_ptr<const Kept> kept;
    };
    std::map<const std::byte*, ir::Tensor> m_tensors; ///< by their first element
    std::map<std::pair<const std::byte*, Key>, Entry> m_forms;
    std::size_t m_room;
    std::size_t m_used = 0;
};

} // namespace gb::ops
