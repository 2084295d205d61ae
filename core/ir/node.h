// One node of a graph, as torch.fx.Node.
//
// Thread: belongs to its Graph.
#pragma once

#include "ir/argument.h"
#include "ir/spec.h"
#include "ir/tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gb::ir {

enum class Op : std::uint8_t { Placeholder, GetAttr, CallFunction, CallModule, CallMethod, Output };
/// "call_function"
const char* name(Op op);
std::optional<Op> opFromName(std::string_view text);

/// A size: a number, or a symbolic expression as torch prints it ("s77", "2*s0").
struct Dim {
    std::int64_t size = -1; ///< -1 where symbolic
    std::string symbol;     ///< empty where a number
    friend bool operator==(const Dim&, const Dim&) = default;
};

/// What a FakeTensor in node.meta["val"] says.
struct TensorMeta {
    DType dtype = DType::Float32;
    std::vector<Dim> shape;
    std::vector<Dim> strides; ///< may be empty where not known
    bool requiresGrad = false;
    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

/// node.meta["val"]: nothing known, one tensor, a symbolic or plain number, or several values (a tuple).
struct ValueMeta {
    enum class Kind : std::uint8_t { Missing, Tensor, Scalar, Several };
    Kind kind = Kind::Missing;
    TensorMeta tensor;            ///< Kind::Tensor
    std::string scalar;           ///< Kind::Scalar: its expression or value as text
    std::vector<ValueMeta> parts; ///< Kind::Several
    /// The tensor, or null.
    [[nodiscard]] const TensorMeta* asTensor() const { return kind == Kind::Tensor ? &tensor : nullptr; }
};

/// One entry of nn_module_stack: key -> (path, type). Outermost first.
struct ModuleFrame {
    std::string key;  ///< "L__self___conv"
    std::string path; ///< "conv" (what torch.export.load gives), or "L['self'].conv"
    std::string type; ///< "torch.nn.modules.conv.Conv2d"
};

/// (name, what) pairs of source_fn_stack and torch_fn. `what` is torch's text of the function or class
/// ("torch.nn.modules.linear.Linear", "builtin_function_or_method.conv2d").
struct SourceFunction {
    std::string name;
    std::string what;
    friend bool operator==(const SourceFunction&, const SourceFunction&) = default;
};

/// node.meta without the annotation. Immutable and shared: a change makes a new one.
struct NodeMeta {
    ValueMeta val;
    std::vector<ModuleFrame> nnModuleStack;
    std::vector<SourceFunction> sourceFnStack; ///< absent where empty
    std::optional<SourceFunction> torchFn;
    std::string stackTrace;
    /// Where the node comes from: the numbers of the nodes that it replaces or continues (from_node), oldest first.
    std::vector<NodeId> fromNodes;
    /// Other keys, as text: "partitioner_tag", "quantization_tag", "custom", ...
    std::vector<std::pair<std::string, std::string>> other;
};
using NodeMetaPtr = std::shared_ptr<const NodeMeta>;

class Graph;

class Node {
public:
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    [[nodiscard]] NodeId id() const { return m_id; }
    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] Op op() const { return m_op; }
    /// torch's text of the target: "aten.conv2d.default", "<built-in function getitem>", "conv.weight".
    [[nodiscard]] const std::string& target() const { return m_target; }
    [[nodiscard]] bool calls(std::string_view target) const { return m_op == Op::CallFunction && m_target == target; }
    [[nodiscard]] const std::vector<Argument>& args() const { return m_args; }
    [[nodiscard]] const std::vector<std::pair<std::string, Argument>>& kwargs() const { return m_kwargs; }
    /// The argument at a position, or None beyond the end.
    [[nodiscard]] const Argument& arg(std::size_t index) const;
    [[nodiscard]] Graph& graph() const { return *m_graph; }

    /// all_input_nodes: every node in args then kwargs, each once, in order.
    [[nodiscard]] const std::vector<Node*>& inputs() const { return m_inputs; }
    /// Users in torch.fx's order (a user whose arguments are set anew moves to the end).
    [[nodiscard]] const std::vector<Node*>& users() const { return m_users; }

    [[nodiscard]] const NodeMeta& meta() const { return *m_meta; }
    [[nodiscard]] const NodeMetaPtr& metaPtr() const { return m_meta; }
    [[nodiscard]] const TensorMeta* val() const { return m_meta->val.asTensor(); }
    /// Null where the node has no annotation.
    [[nodiscard]] const AnnotationPtr& annotation() const { return m_annotation; }
    [[nodiscard]] bool isAnnotated() const { return m_annotation && m_annotation->annotated; }

    [[nodiscard]] Node* next() const { return m_next; }
    [[nodiscard]] Node* previous() const { return m_previous; }

private:
    friend class Graph;
    Node() = default;

    NodeId m_id = kNoNode;
    std::string m_name;
    Op m_op = Op::CallFunction;
    std::string m_target;
    std::vector<Argument> m_args;
    std::vector<std::pair<std::string, Argument>> m_kwargs;
    std::vector<Node*> m_inputs;
    std::vector<Node*> m_users;
    NodeMetaPtr m_meta; ///< never null: Graph sees to it
    AnnotationPtr m_annotation;
    Graph* m_graph = nullptr;
    Node* m_previous = nullptr;
    Node* m_next = nullptr;
};

} // namespace gb::ir
