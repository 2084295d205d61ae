#include "ops/kernel_table.h"

#include "base/message.h"
#include "ops/checks.h"
#include "ops/kernels/families.h"
#include "ops/promote.h"
#include "ops/strided.h"

#include <cassert>
#include <new>
#include <stdexcept>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

/// Writes the result of an in-place op into its first argument, which is then the result.
Result<Value> writeBack(const Call& call, const Value& result)
{
    GB_ASSIGN(const ir::Tensor self, call.tensor(0));
    const ir::Tensor* out = result.tensor();
    assert(out);
    if (out->shape() != self.shape())
        return runtimeError("result {0} written into {1}, the same shape expected", ir::describe(*out),
                            ir::describe(self));
    if (!canCast(out->dtype(), self.dtype()))
        return runtimeError("result type {0} can't be cast to the desired output type {1}", ir::name(out->dtype()),
                            ir::name(self.dtype()));
    GB_TRY(copyInto(call.context(), self, *out));
    return Value(self);
}

/// An expanded tensor may claim any number of elements without having the memory: no kernel shall make a copy of it.
base::Status checkSizes(const Value& value, int depth = 0)
{
    if (const ir::Tensor* tensor = value.tensor(); tensor && tensor->elementCount() > kMaxElements)
        return Error{ErrorCode::Shape,
                     say("argument {0} has {1} elements, at most {2} expected", ir::describe(*tensor),
                         base::grouped(tensor->elementCount()), base::grouped(kMaxElements)),
                     {}};
    if (const ValueList* items = value.list(); items && depth < 8)
        for (const Value& item : *items)
            GB_TRY(checkSizes(item, depth + 1));
    return {};
}

Result<Value> runRow(const KernelRow& row, const Context& context, ValueList args, NamedValues kwargs)
{
    try {
        for (const Value& value : args)
            GB_TRY(checkSizes(value));
        GB_ASSIGN(const Call call, Call::bind(context, row.target, row.arguments, std::move(args), std::move(kwargs)));
        Result<Value> out = row.run(call);
        if (row.alias != Alias::InPlace || !out.ok())
            return out;
        return writeBack(call, *out);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::RuntimeError, "not enough memory for the result", {}};
    } catch (const std::length_error&) {
        return Error{ErrorCode::RuntimeError, "the result is larger than can be addressed", {}};
    }
}

} // namespace

KernelTable KernelTable::all()
{
    KernelTable table;
    for (const Family& family : kernelFamilies())
        table.add(family.name, family.rows);
    return table;
}

std::shared_ptr<const KernelTable> KernelTable::shared()
{
    static const auto table = std::make_shared<const KernelTable>(all());
    return table;
}

void KernelTable::add(std::string_view family, std::span<const KernelRow> rows)
{
    for (const KernelRow& row : rows) {
        [[maybe_unused]] const bool fresh = m_entries.emplace(row.target, KernelEntry{row, family}).second;
        assert(fresh);
    }
}

const KernelEntry* KernelTable::find(std::string_view target) const
{
    const auto found = m_entries.find(target);
    return found == m_entries.end() ? nullptr : &found->second;
}

Result<Value> KernelTable::evaluate(const Context& context, std::string_view target, ValueList args,
                                    NamedValues kwargs) const
{
    const KernelEntry* entry = find(target);
    if (!entry)
        return Error{ErrorCode::NoKernel, say("no kernel for {0}", std::string(target)), {}};
    Result<Value> out = runRow(entry->row, context, std::move(args), std::move(kwargs));
    if (context.work.cancelled())
        return Error{ErrorCode::Cancelled, "stopped by the user", {}};
    if (!out.ok())
        return out.error().in(std::string(target));
    return out;
}

unsigned mutatedArguments(std::string_view target)
{
    if (target == "aten.batch_norm.default" || target == "aten._native_batch_norm_legit.default"
        || target == "aten.native_batch_norm.default")
        return 0b11000;
    if (target == "aten.instance_norm.default")
        return 0b11000;
    if (!target.starts_with("aten."))
        return 0;
    const std::size_t dot = target.find('.', 5);
    const std::string_view op = target.substr(5, dot == std::string_view::npos ? dot : dot - 5);
    return op.ends_with('_') && !op.ends_with("__") ? 0b1 : 0;
}

} // namespace gb::ops
