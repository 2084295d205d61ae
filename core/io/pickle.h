// The tensors, numbers and texts in an archive that torch.save wrote, read without running anything.
//
// A pickle is a program. This reader knows the opcodes that build tuples, lists, dicts, numbers and texts, and the few
// functions that stand for "a tensor over these bytes"; every other opcode or global is refused by name and nothing is
// ever imported or called. What the rebuild functions do is taken from torch/_utils.py and
// torch/_weights_only_unpickler.py.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "io/file.h"
#include "ir/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gb::io {

/// A leaf of the sample inputs: monostate is None.
using Leaf = std::variant<std::monostate, bool, std::int64_t, double, std::string, ir::Tensor>;

/// What a pickle holds. Containers refer to their parts by number in `PickleObject::values`, so that a value that is
/// used twice (or a list that contains itself) costs nothing.
struct PickleValue {
    enum class Kind : std::uint8_t {
        Value, ///< in `leaf`
        List,
        Tuple,
        Dict,    ///< parts are key, value, key, value, ...
        Global,  ///< an allowed name, e.g. "torch.FloatStorage"; in `text`
        Storage, ///< internal: the tensors that look into it share it
    };
    Kind kind = Kind::Value;
    Leaf leaf;
    std::string text;
    std::vector<std::size_t> parts;
    std::size_t storage = 0; ///< Kind::Storage: number of the storage
};

struct PickleObject {
    std::vector<PickleValue> values;
    std::size_t root = 0;

    [[nodiscard]] const PickleValue& at(std::size_t i) const { return values[i]; }
    /// The leaves under a value in torch.utils._pytree's order (dicts in their own order). Error (Format) when the
    /// value contains itself or has more than a million leaves, or on a leftover global.
    [[nodiscard]] base::Result<std::vector<Leaf>> leaves(std::size_t value) const;
};

/// Reads what torch.save wrote: a zip with data.pkl and data/N. Storages are copied into aligned memory where the
/// archive holds them unaligned, and bools are made 0 or 1. `place` is what messages call the file.
/// Errors: an opcode or global that is not for tensors (Unsupported, named), a broken pickle (Format), a tensor
/// outside its storage (Shape).
base::Result<PickleObject> readTorchPickle(const Bytes& archive, const std::string& place);

} // namespace gb::io
