// Reads a .pt2 file, as torch.export.save of torch 2.14 writes it (schema 8), without Python and without torch.
//
// The graph is the one that `torch.export.load(path).module()` has in torch 2.14: its nodes, names, order, arguments,
// users and attribute names, except the guard node that export adds (`_guards_fn`). Source:
// torch/_export/serde/serialize.py (GraphModuleDeserializer), torch/export/pt2_archive/_package.py (the archive),
// torch/export/_unlift.py and _remove_effect_tokens_pass.py (what module() does), torch/fx/graph.py (names).
//
// Weights stay in the file: an attribute looks into the mapping where its entry is stored and aligned. Bools, and what
// is deflated or unaligned, are copied. Attributes of one entry share a Storage, as torch's share one. None of it may
// be written to: a buffer that the model changes is to be cloned first.
//
// Thread: any; the Program is a value.
#pragma once

#include "base/result.h"
#include "io/pickle.h"
#include "ir/graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gb::io {

/// One input that the caller gives, in the order of the placeholders.
struct ModelInput {
    std::string name;   ///< the placeholder's name in the graph
    std::string target; ///< the name that the model's forward gives it; mostly the same
    ir::ValueMeta meta; ///< what the program was exported with
};

/// A symbol among the sizes and the range that it was exported with.
struct SymbolRange {
    std::string symbol;
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
};

struct Program {
    std::string path;
    std::shared_ptr<ir::GraphModule> module;
    std::vector<ModelInput> inputs;

    /// The example inputs that export was called with, flattened (args, then kwargs in the signature's order): one for
    /// each of `inputs`, or none where the file has none.
    std::vector<Leaf> samples;
    /// Why `samples` is empty although the file has some: a pickle with more than tensors in it, for one.
    std::optional<base::Error> samplesProblem;

    std::string torchVersion; ///< "2.14.1+cu130"
    std::int64_t schemaMajor = 0;
    std::int64_t schemaMinor = 0;
    std::string inSpec; ///< pytree specs as the file has them (JSON text)
    std::string outSpec;
    std::vector<SymbolRange> symbols;
    std::vector<std::string> guards;
    std::vector<std::string> notes; ///< what the file has and this program leaves out (custom objects, ...)
};

/// Errors name the file, the archive's entry and the node, what was found and what was expected:
/// unreadable (Io); no zip, broken JSON, names twice, references to nothing (Format, NotFound); another schema, dtype
/// or kind of argument (Unsupported); a weight that does not fit its shape (Shape).
base::Result<Program> loadPt2(const std::string& path);

} // namespace gb::io
