#include "quantizers/xnnpack/scalars.h"

#include "base/message.h"

#include <algorithm>

namespace gb::quantizers::xnnpack {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;
using ir::Argument;

namespace {

/// hasattr(module, name): a tensor, an observer or a sub-module of this name.
bool hasAttribute(const ir::GraphModule& model, const std::string& name)
{
    const auto isOrLeadsTo = [&](const std::string& key) { return key == name || key.starts_with(name + "."); };
    const auto anyKey = [&](const auto& map) {
        return std::ranges::any_of(map, [&](const auto& entry) { return isOrLeadsTo(entry.first); });
    };
    return anyKey(model.attributes()) || anyKey(model.modules()) || anyKey(model.subgraphs());
}

/// get_new_attr_name_with_prefix("_tensor_constant_")
std::string newAttributeName(const ir::GraphModule& model)
{
    for (int i = 0;; ++i) {
        std::string name = "_tensor_constant_" + std::to_string(i);
        if (!hasAttribute(model, name))
            return name;
    }
}

/// float(argument)
base::Result<double> toFloat(const Argument& argument, const ir::Node& node)
{
    if (const auto* real = argument.as<double>())
        return *real;
    if (const auto* integer = argument.as<std::int64_t>())
        return static_cast<double>(*integer);
    if (const auto* flag = argument.as<bool>())
        return *flag ? 1.0 : 0.0;
    return Error{ErrorCode::TypeError, "an argument that is neither a node nor a number, a number expected",
                 "node " + node.name()};
}

base::Status checkHasFakeTensor(const ir::Node& node)
{
    if (node.val())
        return {};
    const bool missing = node.meta().val.kind == ir::ValueMeta::Kind::Missing;
    return Error{missing ? ErrorCode::KeyError : ErrorCode::AttributeError,
                 missing ? "no tensor metadata (val)" : "its val is no single tensor", "node " + node.name()};
}

base::Result<Argument> makeConstant(ir::GraphModule& model, ir::Node* before, const Argument& scalar)
{
    const std::string name = newAttributeName(model);
    GB_ASSIGN(const double value, toFloat(scalar, *before));
    model.setAttribute(name, {ir::Tensor::scalar(static_cast<float>(value)), ir::AttributeKind::Buffer, true});
    GB_TRY(checkHasFakeTensor(*before));
    auto meta = std::make_shared<ir::NodeMeta>();
    meta->val.kind = ir::ValueMeta::Kind::Tensor;
    meta->val.tensor.dtype = ir::DType::Float32;
    const ir::Node* node = model.graph().insertBefore(before, {ir::Op::GetAttr, name, {}, {}, {}, std::move(meta)});
    return Argument::node(node->id());
}

} // namespace

base::Status convertScalarsToAttributes(ir::GraphModule& model, trace::Recorder& recorder)
{
    ir::Graph& graph = model.graph();
    for (ir::Node* node : graph.nodes()) {
        if (!node->calls("aten.add.Tensor") && !node->calls("aten.mul.Tensor"))
            continue;
        const bool hasScalar = std::ranges::any_of(
            node->args(), [](const Argument& argument) { return argument.nodeId() == ir::kNoNode; });
        trace::Event e;
        e.kind = trace::EventKind::Rewrite;
        e.name = hasScalar ? "scalar_to_attribute" : "arguments_set_again";
        e.graph = graph.path();
        e.nodes = {node->id()};
        e.source = {"_xnnpack_quantizer_utils.py", 1106};
        e.sentence =
            hasScalar
                ? message("the number that {0} takes becomes a constant, so that it can be labelled", node->name())
                : message("{0} has no number to convert; it moves to the end of its inputs' user lists", node->name());
        recorder.say(std::move(e));

        std::vector<Argument> arguments;
        for (const Argument& argument : node->args()) {
            if (argument.nodeId() != ir::kNoNode) {
                arguments.push_back(argument);
                continue;
            }
            GB_ASSIGN(Argument constant, makeConstant(model, node, argument));
            arguments.push_back(std::move(constant));
        }
        // torchao assigns the arguments also where nothing changed, which reorders the inputs' users
        graph.setArgs(node, std::move(arguments));
    }
    return {};
}

} // namespace gb::quantizers::xnnpack
