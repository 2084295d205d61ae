#include "explain/ops.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gb::explain {
namespace {

/// Spellings of one op, by family. Overloads, in-place and copy forms are taken off before.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kFamilies = {{
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"reshape", "view"},
    {"_unsafe_view", "view"},
    {"transpose", "permute"},
    {"t", "permute"},
    {"swapaxes", "permute"},
    {"multiply", "mul"},
    {"subtract", "sub"},
    {"divide", "div"},
    {"clip", "clamp"},
    {"_native_batch_norm_legit_no_training", "batch_norm"},
    // what decompositions make of them
    {"addmm", "linear"},
    {"max_pool2d_with_indices", "max_pool2d"},
    {"_adaptive_avg_pool2d", "adaptive_avg_pool2d"},
}};

constexpr std::array<std::string_view, 8> kComposite = {
    "scaled_dot_product_attention",
    "gru",
    "lstm",
    "rnn_tanh",
    "rnn_relu",
    "_native_multi_head_attention",
    "_transformer_encoder_layer_fwd",
    "multi_head_attention_forward",
};

/// "aten.relu_.default" -> "relu"
std::string_view baseName(std::string_view target)
{
    const std::size_t space = target.find('.');
    if (space == std::string_view::npos)
        return target;
    std::string_view name = target.substr(space + 1);
    name = name.substr(0, name.find('.'));
    if (name.ends_with("_copy"))
        name.remove_suffix(5);
    else if (name.size() > 1 && name.ends_with('_') && !name.ends_with("__"))
        name.remove_suffix(1);
    return name;
}

std::string_view family(std::string_view target)
{
    const std::string_view name = baseName(target);
    const auto found = std::ranges::find(kFamilies, name, [](const auto& pair) { return pair.first; });
    return found == kFamilies.end() ? name : found->second;
}

/// A decomposed conv of any rank: no sibling of its own makes the ranks siblings of each other.
bool isAnyConv(std::string_view a, std::string_view b)
{
    return baseName(a) == "convolution" && baseName(b).starts_with("conv") && baseName(b).ends_with("d");
}

} // namespace

bool isComputeOp(const ir::Node& node)
{
    if (node.op() != ir::Op::CallFunction)
        return false;
    const std::string_view target = node.target();
    // "<built-in function getitem>"; higher-order ops have no namespace: "cond", "wrap_with_set_grad_enabled"
    if (target.starts_with('<') || target.find('.') == std::string_view::npos)
        return false;
    if (target.starts_with("aten.sym_") || target.starts_with("aten._assert") || target.starts_with("_operator."))
        return false;
    return node.meta().val.kind != ir::ValueMeta::Kind::Scalar;
}

bool areSiblings(std::string_view a, std::string_view b)
{
    const auto space = [](std::string_view t) { return t.substr(0, t.find('.')); };
    return a != b && space(a) == space(b) && (family(a) == family(b) || isAnyConv(a, b) || isAnyConv(b, a));
}

bool isComposite(std::string_view target)
{
    return std::ranges::find(kComposite, baseName(target)) != kComposite.end();
}

} // namespace gb::explain
