#include "ir/graph.h"

#include "base/message.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

namespace gb::ir {
namespace {
constexpr std::array kOps = {"placeholder", "get_attr", "call_function", "call_module", "call_method", "output"};
const Argument kNone;

const NodeMetaPtr& noMeta()
{
    static const auto kNoMeta = std::make_shared<const NodeMeta>();
    return kNoMeta;
}
} // namespace

const char* name(Op op)
{
    return kOps[static_cast<std::size_t>(op)];
}

std::optional<Op> opFromName(std::string_view text)
{
    for (std::size_t i = 0; i < kOps.size(); ++i)
        if (text == kOps[i])
            return static_cast<Op>(i);
    return std::nullopt;
}

const Argument& Node::arg(std::size_t index) const
{
    return index < m_args.size() ? m_args[index] : kNone;
}

Graph::Graph(std::shared_ptr<NodeIds> ids, std::string path)
    : m_ids(std::move(ids))
    , m_path(std::move(path))
{
}

Graph::~Graph() = default;

std::vector<Node*> Graph::nodes() const
{
    std::vector<Node*> out;
    out.reserve(m_live);
    for (Node* n = m_first; n; n = n->m_next)
        out.push_back(n);
    return out;
}

Node* Graph::find(NodeId id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

Node* Graph::find(std::string_view name) const
{
    const auto found = m_byName.find(std::string(name));
    return found == m_byName.end() ? nullptr : found->second;
}

std::string Graph::nameOf(NodeId id) const
{
    if (const Node* n = find(id))
        return n->m_name;
    const auto found = m_oldNames.find(id);
    return found == m_oldNames.end() ? std::string() : found->second;
}

Node* Graph::output() const
{
    for (Node* n = m_last; n; n = n->m_previous)
        if (n->m_op == Op::Output)
            return n;
    return nullptr;
}

Node* Graph::makeNode(NodeId id, std::string name, NewNode parts)
{
    auto owned = std::unique_ptr<Node>(new Node);
    Node* n = owned.get();
    n->m_id = id;
    n->m_name = std::move(name);
    n->m_op = parts.op;
    n->m_target = std::move(parts.target);
    n->m_args = std::move(parts.args);
    n->m_kwargs = std::move(parts.kwargs);
    n->m_meta = parts.meta ? std::move(parts.meta) : noMeta();
    n->m_graph = this;
    m_nodes.push_back(std::move(owned));
    m_byId[id] = n;
    m_byName[n->m_name] = n;
    ++m_live;
    return n;
}

void Graph::link(Node* node, Node* before)
{
    node->m_next = before;
    node->m_previous = before ? before->m_previous : m_last;
    (node->m_previous ? node->m_previous->m_next : m_first) = node;
    (before ? before->m_previous : m_last) = node;
}

void Graph::unlink(Node* node)
{
    (node->m_previous ? node->m_previous->m_next : m_first) = node->m_next;
    (node->m_next ? node->m_next->m_previous : m_last) = node->m_previous;
    node->m_previous = node->m_next = nullptr;
}

void Graph::disconnect(Node* node)
{
    for (Node* input : node->m_inputs)
        std::erase(input->m_users, node);
    node->m_inputs.clear();
}

void Graph::connect(Node* node)
{
    const auto add = [&](NodeId id) {
        Node* input = find(id);
        if (input && std::ranges::find(node->m_inputs, input) == node->m_inputs.end()) {
            node->m_inputs.push_back(input);
            input->m_users.push_back(node);
        }
    };
    for (const Argument& a : node->m_args)
        forEachNode(a, add);
    for (const auto& [key, a] : node->m_kwargs)
        forEachNode(a, add);
}

Node* Graph::insertBefore(Node* where, NewNode node)
{
    const std::string hint =
        node.nameHint.empty() ? candidateFromTarget(ir::name(node.op), node.target) : node.nameHint;
    Node* n = makeNode(m_ids->next(), m_names.create(hint), std::move(node));
    link(n, where);
    connect(n);
    if (m_listener)
        m_listener->nodeAdded(*this, *n);
    return n;
}

Node* Graph::insertAfter(Node* where, NewNode node)
{
    return insertBefore(where ? where->m_next : m_first, std::move(node));
}

base::Result<Node*> Graph::restore(Node* before, NodeId id, const std::string& name, NewNode node)
{
    using base::Error;
    using base::ErrorCode;
    if (m_byId.contains(id))
        return Error{ErrorCode::Format, base::say("node number {0} is there twice", id), "node " + name};
    if (find(name))
        return Error{ErrorCode::Format, "two nodes of this name", "node " + name};
    m_ids->reserve(id);
    m_names.reserve(name);
    Node* n = makeNode(id, name, std::move(node));
    link(n, before);
    connect(n);
    if (m_listener)
        m_listener->nodeAdded(*this, *n);
    return n;
}

void Graph::erase(Node* node)
{
    assert(node->m_users.empty());
    if (m_listener)
        m_listener->nodeErased(*this, *node);
    disconnect(node);
    unlink(node);
    m_byId.erase(node->m_id);
    m_byName.erase(node->m_name);
    m_oldNames[node->m_id] = node->m_name;
    --m_live;
}

std::vector<std::size_t> Graph::placesAmongUsers(const Node* node)
{
    std::vector<std::size_t> places;
    places.reserve(node->m_inputs.size());
    for (const Node* input : node->m_inputs)
        places.push_back(static_cast<std::size_t>(std::ranges::find(input->m_users, node) - input->m_users.begin()));
    return places;
}

void Graph::setPlacesAmongUsers(Node* node, const std::vector<std::size_t>& places)
{
    for (std::size_t i = 0; i < std::min(places.size(), node->m_inputs.size()); ++i) {
        std::vector<Node*>& users = node->m_inputs[i]->m_users;
        std::erase(users, node);
        users.insert(users.begin() + static_cast<std::ptrdiff_t>(std::min(places[i], users.size())), node);
    }
}

void Graph::takeBack(Node* node)
{
    for (Node* user : node->m_users)
        std::erase(user->m_inputs, node);
    node->m_users.clear();
    disconnect(node);
    unlink(node);
    m_byId.erase(node->m_id);
    m_byName.erase(node->m_name);
    m_oldNames.erase(node->m_id);
    --m_live;
}

void Graph::freeErased()
{
    if (m_nodes.size() <= 2 * m_live + 64)
        return;
    std::erase_if(m_nodes, [this](const std::unique_ptr<Node>& node) { return find(node->m_id) != node.get(); });
}

void Graph::moveBefore(Node* node, Node* where)
{
    if (node == where || node->m_next == where)
        return;
    unlink(node);
    link(node, where);
    if (m_listener)
        m_listener->nodeMoved(*this, *node);
}

void Graph::setArgs(Node* node, std::vector<Argument> args)
{
    setArgs(node, std::move(args), std::vector(node->m_kwargs));
}

void Graph::setArgs(Node* node, std::vector<Argument> args, std::vector<std::pair<std::string, Argument>> kwargs)
{
    disconnect(node);
    node->m_args = std::move(args);
    node->m_kwargs = std::move(kwargs);
    connect(node);
    if (m_listener)
        m_listener->inputsChanged(*this, *node);
}

void Graph::setArg(Node* node, std::size_t index, Argument argument)
{
    std::vector<Argument> args = node->m_args;
    assert(index < args.size());
    args[index] = std::move(argument);
    setArgs(node, std::move(args));
}

void Graph::setTarget(Node* node, std::string target)
{
    node->m_target = std::move(target);
    if (m_listener)
        m_listener->targetChanged(*this, *node);
}

void Graph::rename(Node* node, std::string name)
{
    assert(!find(name));
    m_byName.erase(node->m_name);
    node->m_name = std::move(name);
    m_byName[node->m_name] = node;
    if (m_listener)
        m_listener->nameChanged(*this, *node);
}

void Graph::replaceInput(Node* user, Node* old, Node* with)
{
    const auto swap = [&](NodeId id) { return Argument::node(id == old->m_id ? with->m_id : id); };
    std::vector<Argument> args;
    args.reserve(user->m_args.size());
    for (const Argument& a : user->m_args)
        args.push_back(mapNodes(a, swap));
    auto kwargs = user->m_kwargs;
    for (auto& [key, a] : kwargs)
        a = mapNodes(a, swap);
    setArgs(user, std::move(args), std::move(kwargs));
}

std::vector<Node*> Graph::replaceAllUses(Node* old, Node* with)
{
    const std::vector<Node*> users = old->m_users;
    for (Node* user : users)
        replaceInput(user, old, with);
    return users;
}

void Graph::setMeta(Node* node, NodeMetaPtr meta)
{
    node->m_meta = std::move(meta);
    if (m_listener)
        m_listener->metaChanged(*this, *node);
}

void Graph::setAnnotation(Node* node, AnnotationPtr annotation)
{
    const AnnotationPtr before = std::exchange(node->m_annotation, std::move(annotation));
    if (m_listener)
        m_listener->annotationChanged(*this, *node, before);
}

Annotation Graph::annotationOf(const Node* node)
{
    return node->m_annotation ? *node->m_annotation : Annotation{};
}

bool Graph::eliminateDeadCode(const std::function<bool(const Node&)>& isImpure)
{
    bool changed = false;
    for (Node* n = m_last; n;) {
        Node* previous = n->m_previous;
        if (n->m_users.empty() && n->m_op != Op::Placeholder && n->m_op != Op::Output && !isImpure(*n)) {
            erase(n);
            changed = true;
        }
        n = previous;
    }
    return changed;
}

std::unique_ptr<Graph> Graph::clone(std::shared_ptr<NodeIds> ids) const
{
    auto out = std::make_unique<Graph>(std::move(ids), m_path);
    out->m_names = m_names;
    out->m_oldNames = m_oldNames;
    out->m_nodes.reserve(m_live);
    out->m_byId.reserve(m_live);
    out->m_byName.reserve(m_live);
    for (const Node* n = m_first; n; n = n->m_next) {
        Node* copy = out->makeNode(n->m_id, n->m_name, {n->m_op, n->m_target, n->m_args, n->m_kwargs, {}, n->m_meta});
        copy->m_annotation = n->m_annotation;
        out->link(copy, nullptr);
    }
    // inputs and users keep the order that they have here
    const auto copyAll = [&out](const std::vector<Node*>& from, std::vector<Node*>& to) {
        to.reserve(from.size());
        for (const Node* n : from)
            to.push_back(out->find(n->m_id));
    };
    Node* copy = out->m_first;
    for (const Node* n = m_first; n; n = n->m_next, copy = copy->m_next) {
        copyAll(n->m_inputs, copy->m_inputs);
        copyAll(n->m_users, copy->m_users);
    }
    return out;
}

GraphModule::GraphModule(std::shared_ptr<NodeIds> ids, std::string path)
    : m_ids(std::move(ids))
    , m_graph(std::make_unique<Graph>(m_ids, std::move(path)))
{
}

const Attribute* GraphModule::attribute(const std::string& name) const
{
    const auto found = m_attributes.find(name);
    return found == m_attributes.end() ? nullptr : &found->second;
}

void GraphModule::setAttribute(const std::string& name, Attribute attribute)
{
    auto& slot = m_attributes[name] = std::move(attribute);
    if (m_listener)
        m_listener->attributeChanged(*this, name, &slot.value);
}

void GraphModule::eraseAttribute(const std::string& name)
{
    if (m_attributes.erase(name) && m_listener)
        m_listener->attributeChanged(*this, name, nullptr);
}

std::shared_ptr<Module> GraphModule::module(const std::string& target) const
{
    const auto found = m_modules.find(target);
    return found == m_modules.end() ? nullptr : found->second;
}

void GraphModule::setModule(const std::string& target, std::shared_ptr<Module> module)
{
    auto& slot = m_modules[target] = std::move(module);
    if (m_listener)
        m_listener->moduleChanged(*this, target, slot.get());
}

void GraphModule::eraseModule(const std::string& target)
{
    if (m_modules.erase(target) && m_listener)
        m_listener->moduleChanged(*this, target, nullptr);
}

std::shared_ptr<GraphModule> GraphModule::subgraph(const std::string& target) const
{
    const auto found = m_subgraphs.find(target);
    return found == m_subgraphs.end() ? nullptr : found->second;
}

void GraphModule::setListener(GraphListener* listener)
{
    m_listener = listener;
    m_graph->setListener(listener);
    for (auto& [target, sub] : m_subgraphs)
        sub->setListener(listener);
}

std::shared_ptr<GraphModule> GraphModule::clone() const
{
    return cloneWith(std::make_shared<NodeIds>(*m_ids));
}

std::shared_ptr<GraphModule> GraphModule::cloneWith(const std::shared_ptr<NodeIds>& ids) const
{
    auto out = std::make_shared<GraphModule>(ids, m_graph->path());
    out->m_graph = m_graph->clone(ids);
    out->m_attributes = m_attributes;
    out->m_modules = m_modules;
    for (const auto& [target, sub] : m_subgraphs)
        out->m_subgraphs[target] = sub->cloneWith(ids);
    out->inputNames = inputNames;
    out->training = training;
    return out;
}

} // namespace gb::ir
