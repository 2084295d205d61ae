#include "ir/purity.h"

#include "base/message.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace gb::ir {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;

// Ops without a trailing underscore whose schema is mutable and that a PyTorch program can hold.
constexpr std::array<std::string_view, 10> kMutable = {
    "aten._batch_norm_with_update.default",
    "aten._cummax_helper.default",
    "aten._cummin_helper.default",
    "aten._fused_moving_avg_obs_fq_helper.default",
    "aten._native_batch_norm_legit.default",
    "aten.fused_moving_avg_obs_fake_quant.default",
    "aten.rrelu_with_noise.default",
    "prims.as_strided.default",
    "prims.copy_to.default",
    "prims.resize.default",
};
// Their first argument is the one that is written.
constexpr std::array<std::string_view, 3> kFirstMutable = {"prims.as_strided.default", "prims.copy_to.default",
                                                           "prims.resize.default"};

// Not mutable, but tagged nondeterministic_seeded or listed as having a side effect; sorted.
constexpr std::array<std::string_view, 92> kSideEffects = {
    "<built-in function _set_grad_enabled>",
    "<built-in function setitem>",
    "aten._assert_async.msg",
    "aten._assert_scalar.default",
    "aten._assert_tensor_metadata.default",
    "aten._cudnn_attention_backward.default",
    "aten._cudnn_attention_forward.default",
    "aten._cudnn_init_dropout_state.default",
    "aten._cudnn_rnn.default",
    "aten._efficient_attention_forward.default",
    "aten._flash_attention_forward.default",
    "aten._flash_attention_forward.quantized",
    "aten._fused_dropout.default",
    "aten._fused_sdp_choice.default",
    "aten._linalg_check_errors.default",
    "aten._lstm_mps.default",
    "aten._nested_tensor_softmax_with_shape.default",
    "aten._print.default",
    "aten._sample_dirichlet.default",
    "aten._scaled_dot_product_attention_math.default",
    "aten._scaled_dot_product_attention_math_for_mps.default",
    "aten._scaled_dot_product_cudnn_attention.default",
    "aten._scaled_dot_product_cudnn_attention_backward.default",
    "aten._scaled_dot_product_efficient_attention.default",
    "aten._scaled_dot_product_efficient_attention_backward.default",
    "aten._scaled_dot_product_flash_attention.default",
    "aten._scaled_dot_product_flash_attention.quantized",
    "aten._scaled_dot_product_flash_attention_for_cpu.default",
    "aten._scaled_dot_product_fused_attention_overrideable.default",
    "aten._standard_gamma.default",
    "aten._triton_scaled_dot_attention.default",
    "aten.alpha_dropout.default",
    "aten.bernoulli.Tensor",
    "aten.bernoulli.default",
    "aten.bernoulli.p",
    "aten.binomial.default",
    "aten.cauchy.default",
    "aten.dropout.default",
    "aten.exponential.default",
    "aten.feature_alpha_dropout.default",
    "aten.feature_dropout.default",
    "aten.geometric.default",
    "aten.gru.data",
    "aten.gru.input",
    "aten.log_normal.default",
    "aten.lstm.data",
    "aten.lstm.input",
    "aten.miopen_rnn.default",
    "aten.multinomial.default",
    "aten.native_dropout.default",
    "aten.normal.Tensor_Tensor",
    "aten.normal.Tensor_float",
    "aten.normal.float_Tensor",
    "aten.normal.float_float",
    "aten.normal_functional.default",
    "aten.poisson.default",
    "aten.rand.default",
    "aten.rand.generator",
    "aten.rand_like.default",
    "aten.rand_like.generator",
    "aten.randint.default",
    "aten.randint.generator",
    "aten.randint.low",
    "aten.randint.low_generator",
    "aten.randint_like.Tensor",
    "aten.randint_like.Tensor_generator",
    "aten.randint_like.default",
    "aten.randint_like.generator",
    "aten.randint_like.low_dtype",
    "aten.randint_like.low_generator_dtype",
    "aten.randn.default",
    "aten.randn.generator",
    "aten.randn_like.default",
    "aten.randn_like.generator",
    "aten.random.default",
    "aten.random.from",
    "aten.random.to",
    "aten.randperm.default",
    "aten.randperm.generator",
    "aten.rnn_relu.data",
    "aten.rnn_relu.input",
    "aten.rnn_tanh.data",
    "aten.rnn_tanh.input",
    "aten.rrelu.default",
    "aten.rrelu_with_noise_functional.default",
    "aten.scaled_dot_product_attention.default",
    "aten.sym_constrain_range.default",
    "aten.sym_constrain_range_for_size.default",
    "aten.uniform.default",
    "inductor.accumulate_grad_.default",
    "inductor.resize_storage_bytes_.default",
    "prims._sink_tokens.default",
};
static_assert(std::ranges::is_sorted(kSideEffects));

struct OpName {
    std::string_view name;     ///< "add_"
    std::string_view overload; ///< "Tensor"
};

/// Empty for a target that is no OpOverload ("scan", "<built-in function getitem>").
OpName split(std::string_view target)
{
    const std::size_t first = target.find('.');
    const std::size_t last = target.rfind('.');
    if (first == std::string_view::npos || first == last)
        return {};
    return {target.substr(first + 1, last - first - 1), target.substr(last + 1)};
}

bool isInPlace(const OpName& op)
{
    // "__iand__" writes, "__and__" does not
    if (op.name.ends_with("__"))
        return op.name.starts_with("__i") && op.name != "__invert__";
    return op.name.ends_with('_');
}

} // namespace

bool writesFirstArgument(std::string_view target)
{
    return isInPlace(split(target)) || std::ranges::find(kFirstMutable, target) != kFirstMutable.end();
}

bool isImpure(const Node& node)
{
    if (node.op() == Op::Placeholder || node.op() == Op::Output)
        return true;
    if (node.op() != Op::CallFunction)
        return false;
    const OpName op = split(node.target());
    return isInPlace(op) || op.overload == "out" || op.overload.ends_with("_out")
           || std::ranges::find(kMutable, node.target()) != kMutable.end()
           || std::ranges::binary_search(kSideEffects, std::string_view(node.target()));
}

base::Status lint(const GraphModule& model)
{
    std::unordered_set<const Node*> seen;
    std::unordered_set<std::string_view> names;
    seen.reserve(model.graph().size());
    names.reserve(model.graph().size());
    for (const Node* n = model.graph().first(); n; n = n->next()) {
        for (const Node* input : n->inputs())
            if (!seen.contains(input))
                return Error{
                    ErrorCode::RuntimeError,
                    say("argument {0} of node {1} was used before it has been defined", input->name(), n->name()),
                    "node " + n->name()};
        seen.insert(n);
        if (!names.insert(n->name()).second)
            return Error{ErrorCode::RuntimeError, say("node redefined name {0}", n->name()), "node " + n->name()};
        const bool missing = (n->op() == Op::GetAttr && !model.attribute(n->target()) && !model.subgraph(n->target()))
                             || (n->op() == Op::CallModule && !model.module(n->target()));
        if (missing)
            return Error{ErrorCode::RuntimeError,
                         say("node {0} target {1} references nonexistent attribute", n->name(), n->target()),
                         "node " + n->name()};
    }
    return {};
}

base::Status eliminateDeadCode(GraphModule& model)
{
    GB_TRY(lint(model));
    model.graph().eliminateDeadCode(isImpure);
    if (model.subgraphs().empty())
        return {};
    std::unordered_set<std::string> named;
    for (const Node* n = model.graph().first(); n; n = n->next())
        if (n->op() == Op::GetAttr)
            named.insert(n->target());
    for (const auto& [target, sub] : model.subgraphs())
        if (named.contains(target) && target.find('.') == std::string::npos)
            GB_TRY(eliminateDeadCode(*sub));
    return {};
}

void eraseUnused(Graph& graph, std::vector<NodeId> candidates)
{
    while (!candidates.empty()) {
        Node* node = graph.find(candidates.back());
        candidates.pop_back();
        if (!node || !node->users().empty() || isImpure(*node))
            continue;
        for (const Node* input : node->inputs())
            candidates.push_back(input->id());
        graph.erase(node);
    }
}

} // namespace gb::ir
