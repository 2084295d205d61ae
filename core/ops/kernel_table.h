// From the text of a target to the kernel that computes it.
//
// One explicit function fills the table, family by family (kernels/families.h). Nothing is registered behind one's
// back: what the table lists is what the interpreter can run, and what the documentation says.
//
// Thread: a table is built once and then only read, from any thread.
#pragma once

#include "base/result.h"
#include "ops/call.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gb::ops {

/// Computes an op. An error has no node in its place yet: the interpreter adds it. May throw bad_alloc only.
using Kernel = base::Result<Value> (*)(const Call& call);

/// Whether a result looks into the memory of the first argument.
enum class Alias : std::uint8_t {
    No,
    Maybe,
    InPlace, ///< run gives the result of the op without "_"; the table writes it into the first argument
};

struct KernelRow {
    std::string_view target; ///< "aten.conv2d.default"
    Kernel run = nullptr;
    std::string_view arguments; ///< the schema's names in order, separated by spaces
    Alias alias = Alias::No;
};

struct KernelEntry {
    KernelRow row;
    std::string_view family; ///< "conv"
};

class KernelTable {
public:
    /// Every kernel of this program.
    static KernelTable all();
    /// The same, made once for all who only read it. Thread: any.
    static std::shared_ptr<const KernelTable> shared();

    /// Precondition: no target is there yet (asserted). The rows' texts outlive the table.
    void add(std::string_view family, std::span<const KernelRow> rows);
    /// Null where there is none.
    [[nodiscard]] const KernelEntry* find(std::string_view target) const;
    /// All entries by target, sorted.
    [[nodiscard]] const std::map<std::string_view, KernelEntry>& entries() const { return m_entries; }

    /// Runs one op. Errors: NoKernel; what the kernel says; Cancelled; RuntimeError when memory does not suffice.
    /// The place is the target.
    [[nodiscard]] base::Result<Value> evaluate(const Context& context, std::string_view target, ValueList args,
                                               NamedValues kwargs = {}) const;

private:
    std::map<std::string_view, KernelEntry> m_entries;
};

/// The arguments (bit i: position i) that a call of this target may write to: in-place ops ("aten.add_.Tensor") their
/// first one, batch_norm its running statistics.
unsigned mutatedArguments(std::string_view target);

} // namespace gb::ops
