// A graph of nodes in order, with torch.fx's names, users and edits; and the module that owns its attributes.
//
// Source: torch/fx/graph.py (Graph, _Namespace), torch/fx/node.py (users' order: an update of a node's arguments
// takes it out of its inputs' user lists and appends it again), torch/fx/graph_module.py.
//
// A graph is edited only through its own functions: each edit is told to the GraphListener, which is how a recording
// comes to hold everything. After a pass, a graph is published as shared_ptr<const ...> and not changed any more.
//
// Thread: one thread edits; a published graph may be read from any.
#pragma once

#include "base/result.h"
#include "ir/namespace.h"
#include "ir/node.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gb::ir {

class GraphModule;
class Module;

/// Gives out node numbers for one program. Shared by all its graphs.
class NodeIds {
public:
    NodeId next() { return m_next++; }
    /// For readers of recordings: numbers from here on are free.
    void reserve(NodeId upTo) { m_next = std::max(m_next, upTo + 1); }

private:
    NodeId m_next = 0;
};

/// What a new node is made of.
struct NewNode {
    Op op = Op::CallFunction;
    std::string target;
    std::vector<Argument> args = {};
    std::vector<std::pair<std::string, Argument>> kwargs = {};
    std::string nameHint = {}; ///< empty: taken from the target
    NodeMetaPtr meta = {};     ///< null: empty
};

/// Is told every edit, after it was made.
class GraphListener {
public:
    virtual ~GraphListener() = default;
    virtual void nodeAdded(const Graph& graph, const Node& node) = 0;
    /// Before the node goes; its arguments are still there.
    virtual void nodeErased(const Graph& graph, const Node& node) = 0;
    /// The node stands elsewhere in the order; nothing else changed.
    virtual void nodeMoved(const Graph& graph, const Node& node) = 0;
    virtual void inputsChanged(const Graph& graph, const Node& node) = 0;
    virtual void targetChanged(const Graph& graph, const Node& node) = 0;
    virtual void metaChanged(const Graph& graph, const Node& node) = 0;
    virtual void nameChanged(const Graph& /*graph*/, const Node& /*node*/) {}
    virtual void annotationChanged(const Graph& graph, const Node& node, const AnnotationPtr& before) = 0;
    /// A tensor attribute was set, or erased (then value is null).
    virtual void attributeChanged(const GraphModule& module, const std::string& name, const Tensor* value) = 0;
    /// A call_module target was given a module (null: it was taken away).
    virtual void moduleChanged(const GraphModule& owner, const std::string& target, const Module* module) = 0;
};

class Graph {
public:
    /// path: "" for the top graph, else the dotted targets of the get_attr nodes that lead to it.
    Graph(std::shared_ptr<NodeIds> ids, std::string path);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::size_t size() const { return m_live; }
    /// First node in order (null when empty); walk with next().
    [[nodiscard]] Node* first() const { return m_first; }
    [[nodiscard]] Node* last() const { return m_last; }
    /// The nodes in order, as they are now: safe to walk while editing (erased nodes: see isErased).
    [[nodiscard]] std::vector<Node*> nodes() const;
    /// The node of a number; null when it is not (or no longer) in this graph.
    [[nodiscard]] Node* find(NodeId id) const;
    /// The node of a name; null when there is none.
    [[nodiscard]] Node* find(std::string_view name) const;
    /// True for a node that was erased. Erased nodes stay allocated until the graph goes.
    [[nodiscard]] bool isErased(const Node* node) const { return m_byId.find(node->id()) == m_byId.end(); }
    /// The name that a number has or had in this graph; empty when it never was here.
    [[nodiscard]] std::string nameOf(NodeId id) const;
    [[nodiscard]] Node* output() const; ///< the output node, or null

    /// Appends, or inserts before/after a node of this graph. The name is made unique (torch.fx create_name).
    Node* append(NewNode node) { return insertBefore(nullptr, std::move(node)); }
    Node* insertBefore(Node* where, NewNode node); ///< where null: at the end
    Node* insertAfter(Node* where, NewNode node);  ///< where null: at the front
    /// For readers: a node that keeps the number and the name that it had. Error when one of them is taken.
    base::Result<Node*> restore(Node* before, NodeId id, const std::string& name, NewNode node);
    /// Precondition: no users.
    void erase(Node* node);
    /// Moves a node so that it stands before another.
    void moveBefore(Node* node, Node* where);

    void setArgs(Node* node, std::vector<Argument> args);
    void setArgs(Node* node, std::vector<Argument> args, std::vector<std::pair<std::string, Argument>> kwargs);
    void setArg(Node* node, std::size_t index, Argument argument);
    void setTarget(Node* node, std::string target);
    /// `node.name = name`: as torch.fx, without asking the namespace. Precondition: no living node has this name.
    void rename(Node* node, std::string name);
    /// Node.replace_input_with: every occurrence in args and kwargs.
    void replaceInput(Node* user, Node* old, Node* with);
    /// Node.replace_all_uses_with; returns the changed users.
    std::vector<Node*> replaceAllUses(Node* old, Node* with);
    void setMeta(Node* node, NodeMetaPtr meta);
    void setAnnotation(Node* node, AnnotationPtr annotation); ///< null takes it away
    /// A copy of the annotation to edit, or a fresh one where there is none.
    [[nodiscard]] static Annotation annotationOf(const Node* node);

    /// Takes away nodes without users that have no effect (torch.fx eliminate_dead_code): from the end, call_function,
    /// call_module and get_attr nodes whose `isImpure` is false. Returns true when something went.
    bool eliminateDeadCode(const std::function<bool(const Node&)>& isImpure);

    // For who takes edits back (trace/applier.h). The listener is not told.
    /// Where a node stands among the users of each of its inputs.
    [[nodiscard]] static std::vector<std::size_t> placesAmongUsers(const Node* node);
    /// Puts it there again. `places`: as placesAmongUsers gave them for the same inputs.
    static void setPlacesAmongUsers(Node* node, const std::vector<std::size_t>& places);
    /// As if the node had never been added; who names it in its arguments is no user of it any more.
    void takeBack(Node* node);
    /// Frees the erased nodes once they are more than the living. Precondition: nobody looks at them any more.
    void freeErased();

    /// The same nodes, numbers, names, order and users in a new graph; the listener is not taken over.
    [[nodiscard]] std::unique_ptr<Graph> clone() const { return clone(m_ids); }
    /// The same, taking its new numbers elsewhere.
    [[nodiscard]] std::unique_ptr<Graph> clone(std::shared_ptr<NodeIds> ids) const;

    void setListener(GraphListener* listener) { m_listener = listener; }
    [[nodiscard]] GraphListener* listener() const { return m_listener; }
    [[nodiscard]] Namespace& names() { return m_names; }

private:
    Node* makeNode(NodeId id, std::string name, NewNode parts);
    void link(Node* node, Node* before);
    void unlink(Node* node);
    void connect(Node* node);
    void disconnect(Node* node);

    std::shared_ptr<NodeIds> m_ids;
    std::string m_path;
    Namespace m_names;
    std::vector<std::unique_ptr<Node>> m_nodes; ///< all that ever were, in order of creation
    std::unordered_map<NodeId, Node*> m_byId;   ///< the living
    std::unordered_map<std::string, Node*> m_byName;
    std::unordered_map<NodeId, std::string> m_oldNames;
    Node* m_first = nullptr;
    Node* m_last = nullptr;
    std::size_t m_live = 0;
    GraphListener* m_listener = nullptr;
};

/// A module that a call_module node calls (an observer or fake quantize). See quant/observer.h.
class Module {
public:
    virtual ~Module() = default;
};

enum class AttributeKind : std::uint8_t { Parameter, Buffer, Constant };

struct Attribute {
    Tensor value;
    AttributeKind kind = AttributeKind::Parameter;
    bool persistent = true;
};

/// torch.fx.GraphModule: a graph and what its get_attr and call_module nodes refer to.
class GraphModule {
public:
    GraphModule(std::shared_ptr<NodeIds> ids, std::string path);

    [[nodiscard]] Graph& graph() { return *m_graph; }
    [[nodiscard]] const Graph& graph() const { return *m_graph; }
    [[nodiscard]] const std::shared_ptr<NodeIds>& ids() const { return m_ids; }

    /// Parameters, buffers and constants by dotted name, sorted.
    [[nodiscard]] const std::map<std::string, Attribute>& attributes() const { return m_attributes; }
    [[nodiscard]] const Attribute* attribute(const std::string& name) const;
    void setAttribute(const std::string& name, Attribute attribute);
    void eraseAttribute(const std::string& name);

    /// Observers by call_module target. Two names may hold the same observer (sharing).
    [[nodiscard]] const std::map<std::string, std::shared_ptr<Module>>& modules() const { return m_modules; }
    [[nodiscard]] std::shared_ptr<Module> module(const std::string& target) const;
    void setModule(const std::string& target, std::shared_ptr<Module> module);
    void eraseModule(const std::string& target);

    /// Sub-graphs by get_attr target (control flow bodies, the no_grad wrapper), sorted.
    [[nodiscard]] const std::map<std::string, std::shared_ptr<GraphModule>>& subgraphs() const { return m_subgraphs; }
    [[nodiscard]] std::shared_ptr<GraphModule> subgraph(const std::string& target) const;
    void setSubgraph(const std::string& target, std::shared_ptr<GraphModule> sub)
    {
        m_subgraphs[target] = std::move(sub);
    }

    /// Sets the listener on this graph, its attributes and all sub-graphs.
    void setListener(GraphListener* listener);
    /// Names of the model's inputs in order (the placeholders), for messages and .npz names.
    std::vector<std::string> inputNames;
    bool training = false;
    /// A deep copy of the graphs; tensors are shared, observers are the same objects. Without listener. New
    /// nodes get the numbers that they would get here: two copies are edited apart, and alike.
    [[nodiscard]] std::shared_ptr<GraphModule> clone() const;

private:
    [[nodiscard]] std::shared_ptr<GraphModule> cloneWith(const std::shared_ptr<NodeIds>& ids) const;

    std::shared_ptr<NodeIds> m_ids;
    std::unique_ptr<Graph> m_graph;
    std::map<std::string, Attribute> m_attributes;
    std::map<std::string, std::shared_ptr<Module>> m_modules;
    std::map<std::string, std::shared_ptr<GraphModule>> m_subgraphs;
    GraphListener* m_listener = nullptr;
};

} // namespace gb::ir
