#include "passes/insert_observers.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/module_attributes.h"

#include <algorithm>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using base::Status;
using ir::Argument;
using ir::Node;
using ir::Position;
using quant::Observer;
using ObserverPtr = std::shared_ptr<Observer>;

class Inserter {
public:
    Inserter(ir::GraphModule& model, const ObserverMap& observers, trace::Recorder& recorder)
        : m_model(model)
        , m_graph(model.graph())
        , m_observers(observers)
        , m_recorder(recorder)
    {
    }

    /// _maybe_insert_input_and_output_observers_for_node
    Status visit(Node* node)
    {
        if (!node->annotation())
            return {};
        GB_TRY(observeInputs(node));
        if (!m_observers.contains({node->id(), ir::kNoNode}))
            return {};
        if (!node->val()) {
            sayDrop("O5", {node->id()}, {node->id(), ir::kNoNode},
                    message("the output of {0} is not a single tensor, so its label gets no observer", node->name()));
            return {};
        }
        return observeOutput(node);
    }

private:
    /// The observer that a node calls, or null.
    [[nodiscard]] const ir::Module* calledBy(const Node* node) const
    {
        if (node->op() != ir::Op::CallModule)
            return nullptr;
        return dynamic_cast<const Observer*>(m_model.module(node->target()).get());
    }

    /// _maybe_insert_input_observers_for_node
    Status observeInputs(Node* node)
    {
        std::vector<Argument> args;
        for (const Argument& argument : node->args())
            args.push_back(observed(node, argument));
        for (const auto& [key, value] : node->kwargs())
            GB_TRY(refuseTensor(*node, key, value));
        // set even where nothing changed: it moves the node to the end of its inputs' users, as in torchao
        m_graph.setArgs(node, std::move(args));
        return {};
    }

    /// _validate_kwarg
    Status refuseTensor(const Node& node, const std::string& key, const Argument& value)
    {
        if (value.nodeId() != ir::kNoNode) {
            sayDrop("O6", {node.id(), value.nodeId()}, {value.nodeId(), node.id()},
                    message("{0} takes {1} by keyword {2}, which cannot be labelled", node.name(),
                            m_graph.nameOf(value.nodeId()), key));
            return Error{ErrorCode::AssertionError,
                         base::say("keyword argument {0} is a tensor, which is not supported for annotation", key),
                         "node " + node.name()};
        }
        if (const auto* list = value.as<ir::Sequence>())
            for (const Argument& item : list->items)
                GB_TRY(refuseTensor(node, key, item));
        if (const auto* map = value.as<ir::Mapping>())
            for (const auto& [name, item] : map->items)
                GB_TRY(refuseTensor(node, key, item));
        return {};
    }

    /// _maybe_insert_input_observer_for_arg_or_kwarg
    Argument observed(Node* node, const Argument& argument)
    {
        if (const auto* list = argument.as<ir::Sequence>()) {
            std::vector<Argument> items;
            for (const Argument& item : list->items)
                items.push_back(observed(node, item));
            return list->tuple ? Argument::tuple(std::move(items)) : Argument::list(std::move(items));
        }
        Node* arg = m_graph.find(argument.nodeId());
        return arg ? Argument::node(observedNode(node, arg)->id()) : argument;
    }

    Node* observedNode(Node* node, Node* arg)
    {
        const Node* original = arg;
        while (calledBy(original))
            original = m_graph.find(original->arg(0).nodeId());
        const Position edge{original->id(), node->id()};
        if (!m_observers.contains(edge))
            return arg;
        if (isMutableBuffer(*node, original)) {
            sayDrop(
                "O4", {node->id(), original->id()}, edge,
                message("{0} writes to the buffer {1}, so the edge gets no observer", node->name(), original->name()));
            return arg;
        }
        const ObserverPtr observer = m_observers.at(edge);
        if (!observer) {
            sayDrop("O1", {node->id(), original->id()}, edge,
                    message("{0} is labelled \"do not quantize\"", positionText(m_graph, edge)));
            return arg;
        }
        if (m_observers.at({original->id(), ir::kNoNode}) == observer) {
            sayReuse(edge, *arg, *observer, "output",
                     message("{0} takes the observer of the output of {1}", node->name(), original->name()));
            return arg;
        }
        for (Node* user : arg->users())
            if (calledBy(user) == observer.get()) {
                sayReuse(edge, *user, *observer, "other_user",
                         message("{0} takes {1}, which another user of {2} has already", node->name(), user->name(),
                                 original->name()));
                return user;
            }
        return insert(arg, observer, edge);
    }

    /// _maybe_insert_output_observer_for_node, and the users that go over to it
    Status observeOutput(Node* node)
    {
        const Position output{node->id(), ir::kNoNode};
        const ObserverPtr observer = m_observers.at(output);
        if (!observer)
            return Error{ErrorCode::AttributeError,
                         base::say("the output of {0} shares with an edge that is not quantized", node->name()),
                         "node " + node->name()};
        Node* added = insert(node, observer, output);
        if (!node->meta().fromNodes.empty()) {
            auto meta = std::make_shared<ir::NodeMeta>();
            meta->fromNodes = node->meta().fromNodes;
            m_graph.setMeta(added, std::move(meta));
        }
        for (Node* user : std::vector<Node*>(node->users()))
            if (user != added)
                m_graph.replaceInput(user, node, added);
        return {};
    }

    /// _insert_obs_or_fq
    Node* insert(Node* observedNode, const ObserverPtr& observer, Position position)
    {
        const std::string name = newAttributeName(m_model, "activation_post_process_", m_nextObserver);
        const std::int64_t instance = m_recorder.instanceOf(observer.get());
        trace::Event e;
        e.kind = trace::EventKind::Insert;
        e.graph = m_graph.path();
        e.sentence = message("{0} ({1} number {2}) goes behind {3}, as the label of {4} asks", name,
                             observer->typeName(), instance, observedNode->name(), positionText(m_graph, position));
        e.fields = {{"observer", Argument(instance)}, {"position", positionField(position)}};
        const int index = m_recorder.say(std::move(e));
        m_model.setModule(name, observer);
        Node* added = m_graph.insertAfter(
            observedNode,
            {.op = ir::Op::CallModule, .target = name, .args = {Argument::node(observedNode->id())}, .nameHint = name});
        m_recorder.at(index).nodes = {added->id(), observedNode->id()};
        return added;
    }

    /// _is_mutable_buffer_arg
    [[nodiscard]] bool isMutableBuffer(const Node& node, const Node* arg) const
    {
        if (node.op() != ir::Op::CallFunction || node.arg(0).nodeId() != arg->id()
            || !ir::writesFirstArgument(node.target()))
            return false;
        const auto producers = producersOf(m_graph, arg);
        return producers && std::ranges::any_of(*producers, [this](const Node* n) {
                   const ir::Attribute* a = n->op() == ir::Op::GetAttr ? m_model.attribute(n->target()) : nullptr;
                   return a && a->kind == ir::AttributeKind::Buffer;
               });
    }

    void sayReuse(Position edge, const Node& observerNode, const Observer& observer, const char* why,
                  base::Message sentence)
    {
        trace::Event e;
        e.kind = trace::EventKind::Reuse;
        e.graph = m_graph.path();
        e.nodes = {edge.consumer, observerNode.id()};
        e.sentence = std::move(sentence);
        e.fields = {{"observer", Argument(m_recorder.instanceOf(&observer))},
                    {"why", Argument(why)},
                    {"position", positionField(edge)}};
        m_recorder.say(std::move(e));
    }

    void sayDrop(const char* code, std::vector<ir::NodeId> nodes, Position position, base::Message sentence)
    {
        trace::Event e;
        e.kind = trace::EventKind::Drop;
        e.graph = m_graph.path();
        e.nodes = std::move(nodes);
        e.sentence = std::move(sentence);
        e.fields = {{"code", Argument(code)}, {"position", positionField(position)}};
        m_recorder.say(std::move(e));
    }

    ir::GraphModule& m_model;
    ir::Graph& m_graph;
    const ObserverMap& m_observers;
    trace::Recorder& m_recorder;
    long long m_nextObserver = 0; ///< numbers below it are taken
};

} // namespace

std::optional<std::vector<const Node*>> producersOf(const ir::Graph& graph, const Node* node)
{
    // Only arguments that are nodes themselves count, not those in lists, as in torchao. A node is followed once: the
    // answer is the same, and a chain of diamonds does not take exponential time.
    std::vector<const Node*> out{node};
    std::vector<const Node*> open{node};
    const auto follow = [&](const Argument& argument) {
        const Node* input = graph.find(argument.nodeId());
        if (input && std::ranges::find(out, input) == out.end()) {
            out.push_back(input);
            open.push_back(input);
        }
        return !input || input->op() != ir::Op::Placeholder;
    };
    while (!open.empty()) {
        const Node* next = open.back();
        open.pop_back();
        for (const Argument& argument : next->args())
            if (!follow(argument))
                return std::nullopt;
        for (const auto& [key, argument] : next->kwargs())
            if (!follow(argument))
                return std::nullopt;
    }
    return out;
}

Status insertObservers(ir::GraphModule& model, const ObserverMap& observers, trace::Recorder& recorder)
{
    Inserter inserter(model, observers, recorder);
    for (Node* node : model.graph().nodes())
        GB_TRY(inserter.visit(node));
    return {};
}

} // namespace gb::passes
