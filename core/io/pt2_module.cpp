#include "io/pt2_module.h"

#include "base/message.h"
#include "ir/purity.h"

#include <map>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

bool isLifted(const SignatureRow& row)
{
    return row.kind == "parameter" || row.kind == "buffer" || row.kind == "tensor_constant" || row.kind == "custom_obj";
}

bool isMutation(const SignatureRow& row)
{
    return row.kind == "buffer_mutation" || row.kind == "user_input_mutation" || row.kind == "parameter_mutation";
}

class Builder {
public:
    Builder(const Signature& signature, bool training, std::string place)
        : m_signature(signature)
        , m_training(training)
        , m_place(std::move(place))
        , m_ids(std::make_shared<ir::NodeIds>())
    {
    }

    Result<std::shared_ptr<ir::GraphModule>> run(const RawGraph& raw)
    {
        GB_ASSIGN(const std::shared_ptr<ir::GraphModule> module, copied(raw, "", true));
        if (!m_training)
            GB_TRY(removeDeadCode(*module));
        GB_TRY(liftedToAttributes(*module));
        GB_TRY(mutationsToCopies(*module));
        for (const ir::Node* n = module->graph().first(); n; n = n->next())
            if (n->op() == ir::Op::Placeholder)
                module->inputNames.push_back(n->name());
        return module;
    }

private:
    [[nodiscard]] Error problem(const std::string& sentence, ErrorCode code = ErrorCode::Format) const
    {
        return {code, sentence, m_place};
    }

    /// rename: copy.deepcopy gives every node's name to the new graph's namespace, so an illegal one ("input") changes.
    Result<std::shared_ptr<ir::GraphModule>> copied(const RawGraph& raw, const std::string& path, bool rename)
    {
        auto module = std::make_shared<ir::GraphModule>(m_ids, path);
        ir::Graph& graph = module->graph();
        std::vector<ir::NodeId> ids(raw.nodes.size(), ir::kNoNode);
        const auto mapped = [&](ir::NodeId id) { return ir::Argument::node(ids[id]); };
        for (std::size_t i = 0; i < raw.nodes.size(); ++i) {
            const RawNode& node = raw.nodes[i];
            if (node.erased)
                continue;
            ir::NewNode made{node.op, node.target, {}, {}, node.name, std::make_shared<const ir::NodeMeta>(node.meta)};
            for (const ir::Argument& argument : node.args)
                made.args.push_back(ir::mapNodes(argument, mapped));
            for (const auto& [key, argument] : node.kwargs)
                made.kwargs.emplace_back(key, ir::mapNodes(argument, mapped));
            if (rename) {
                ids[i] = graph.append(std::move(made))->id();
                continue;
            }
            const auto restored = graph.restore(nullptr, m_ids->next(), node.name, std::move(made));
            if (!restored)
                return restored.error().in(m_place);
            ids[i] = (*restored)->id();
        }
        for (const auto& [target, inner] : raw.subgraphs) {
            GB_ASSIGN(const std::shared_ptr<ir::GraphModule> sub,
                      copied(*inner, path.empty() ? target : path + "." + target, false));
            module->setSubgraph(target, sub);
        }
        return module;
    }

    Status removeDeadCode(ir::GraphModule& module)
    {
        for (const ir::Node* n = module.graph().first(); n; n = n->next())
            if (n->calls("with_effects"))
                return problem(say("node {0} carries an effect token, a program without effects expected", n->name()),
                               ErrorCode::Unsupported);
        module.graph().eliminateDeadCode(ir::isImpure);
        for (const auto& [target, inner] : module.subgraphs())
            GB_TRY(removeDeadCode(*inner));
        return {};
    }

    /// _unlift_inputs_as_getattr
    Status liftedToAttributes(ir::GraphModule& module)
    {
        ir::Graph& graph = module.graph();
        std::vector<ir::Node*> placeholders;
        for (ir::Node* n : graph.nodes())
            if (n->op() == ir::Op::Placeholder)
                placeholders.push_back(n);
        if (placeholders.size() != m_signature.inputs.size())
            return problem(say("{0} inputs in the graph, {1} expected by its signature", placeholders.size(),
                               m_signature.inputs.size()));
        for (std::size_t i = 0; i < placeholders.size(); ++i) {
            const SignatureRow& row = m_signature.inputs[i];
            ir::Node* placeholder = placeholders[i];
            if (!isLifted(row)) {
                m_inputs[placeholder->name()] = placeholder;
                m_inputs.emplace(placeholder->target(), placeholder);
                continue;
            }
            ir::Node* attribute =
                graph.insertAfter(placeholder, {ir::Op::GetAttr, row.target, {}, {}, {}, placeholder->metaPtr()});
            graph.replaceAllUses(placeholder, attribute);
            graph.erase(placeholder);
            m_attributes[row.target] = attribute;
        }
        return {};
    }

    /// _insert_copy_for_mutations
    Status mutationsToCopies(ir::GraphModule& module)
    {
        ir::Graph& graph = module.graph();
        ir::Node* output = graph.output();
        if (!output)
            return problem("no output node, one expected");
        std::vector<ir::Argument> outputs;
        flatten(output->arg(0), outputs);
        if (outputs.size() != m_signature.outputs.size())
            return problem(say("{0} outputs in the graph, {1} expected by its signature", outputs.size(),
                               m_signature.outputs.size()));
        std::vector<ir::Argument> returned;
        std::map<ir::NodeId, ir::NodeId> copies;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const SignatureRow& row = m_signature.outputs[i];
            if (!isMutation(row)) {
                returned.push_back(outputs[i]);
                continue;
            }
            const auto attribute = m_attributes.find(row.target);
            const auto input = m_inputs.find(row.target);
            if (attribute == m_attributes.end() && input == m_inputs.end())
                return problem(
                    say("output {0} changes \"{1}\", which is no buffer or input; one expected", i, row.target),
                    ErrorCode::NotFound);
            const ir::Node* changed = attribute != m_attributes.end() ? attribute->second : input->second;
            const ir::Node* copy = graph.insertBefore(
                output, {ir::Op::CallFunction, "aten.copy_.default", {ir::Argument::node(changed->id()), outputs[i]}});
            if (outputs[i].nodeId() != ir::kNoNode)
                copies[outputs[i].nodeId()] = copy->id();
        }
        for (ir::Argument& value : returned)
            if (const auto copy = copies.find(value.nodeId()); copy != copies.end())
                value = ir::Argument::node(copy->second);
        return replaceOutput(graph, output, std::move(returned));
    }

    /// A new output node takes the old one's name, after the namespace has given it another.
    Status replaceOutput(ir::Graph& graph, ir::Node* old, std::vector<ir::Argument> returned)
    {
        const std::string name = old->name();
        const ir::NodeMetaPtr meta = old->metaPtr();
        graph.erase(old);
        graph.names().create("output");
        const auto made =
            graph.restore(nullptr, m_ids->next(), name,
                          {ir::Op::Output, "output", {ir::Argument::tuple(std::move(returned))}, {}, {}, meta});
        return made ? Status() : Status(made.error().in(m_place));
    }

    static void flatten(const ir::Argument& argument, std::vector<ir::Argument>& out)
    {
        if (const auto* sequence = argument.as<ir::Sequence>())
            for (const ir::Argument& item : sequence->items)
                flatten(item, out);
        else
            out.push_back(argument);
    }

    const Signature& m_signature;
    bool m_training;
    std::string m_place;
    std::shared_ptr<ir::NodeIds> m_ids;
    std::map<std::string, ir::Node*> m_attributes; ///< by attribute name
    std::map<std::string, ir::Node*> m_inputs;     ///< by placeholder name
};

/// _register_attrs_to_new_gm
Status setAttributes(ir::GraphModule& module, const Signature& signature, const Payload& weights,
                     const Payload& constants, const std::string& place)
{
    for (const SignatureRow& row : signature.inputs) {
        if (!isLifted(row) || row.kind == "custom_obj")
            continue;
        const bool constant = row.kind == "tensor_constant" || !row.persistent;
        const auto& table = constant ? constants.tensors : weights.tensors;
        const auto found = table.find(row.target);
        if (found == table.end())
            return Error{ErrorCode::NotFound,
                         say("{0} \"{1}\" has no tensor among the {2} {3} of the archive, one expected", row.kind,
                             row.target, table.size(), constant ? "constants" : "weights"),
                         place};
        const ir::AttributeKind kind = row.kind == "parameter" ? ir::AttributeKind::Parameter
                                       : row.kind == "buffer"  ? ir::AttributeKind::Buffer
                                                               : ir::AttributeKind::Constant;
        module.setAttribute(row.target, {found->second, kind, row.persistent});
    }
    // constants that the graph does not take in are attributes all the same
    for (const auto& [name, tensor] : constants.tensors)
        if (!module.attribute(name))
            module.setAttribute(name, {tensor, ir::AttributeKind::Constant, true});
    return {};
}

} // namespace

Result<std::shared_ptr<ir::GraphModule>> makeModule(const RawGraph& raw, const Signature& signature,
                                                    const Payload& weights, const Payload& constants, bool training,
                                                    const std::string& place)
{
    GB_ASSIGN(std::shared_ptr<ir::GraphModule> module, Builder(signature, training, place).run(raw));
    GB_TRY(setAttributes(*module, signature, weights, constants, place));
    return module;
}

} // namespace gb::io
