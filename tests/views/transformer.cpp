#include "transformer.h"

#include "quant/make_observer.h"
#include "sample_run.h"

namespace gb::test {
namespace {

using ir::Argument;
using trace::Event;
using trace::EventKind;

constexpr int kNodesALayer = 32;

class Maker {
public:
    explicit Maker(const TransformerOptions& options)
        : m_options(options)
        , m_recorder(header())
        , m_module(std::make_shared<ir::NodeIds>(), "")
    {
    }

    trace::RecordingPtr run()
    {
        Event load;
        load.kind = EventKind::Load;
        m_recorder.say(load);
        const int layers = std::max(1, m_options.nodes / kNodesALayer);
        ir::NodeId at = add(ir::Op::Placeholder, "x", {}, "x", {});
        for (int i = 0; i < layers; ++i)
            at = layer(at, i);
        add(ir::Op::Output, "output", {Argument::list({Argument::node(at)})}, "output", {});
        m_recorder.snapshot(m_module);
        m_module.setListener(&m_recorder);
        m_recorder.stage("exported", base::message("loaded"));
        annotate();
        if (m_options.prepared || m_options.stepwise)
            prepare();
        if (m_options.stepwise)
            convert();
        return m_recorder.publish();
    }

private:
    static trace::Header header()
    {
        trace::Header h;
        h.model = "transformer";
        return h;
    }

    using Path = std::vector<std::pair<std::string, const char*>>;

    ir::NodeMetaPtr meta(const Path& path) const
    {
        auto out = std::make_shared<ir::NodeMeta>();
        out->val.kind = ir::ValueMeta::Kind::Tensor;
        for (const std::int64_t size : {1, 128, 512})
            out->val.tensor.shape.push_back({size, {}});
        if (m_options.modules) {
            out->nnModuleStack.push_back({"", "", "Decoder"});
            for (const auto& [name, type] : path)
                out->nnModuleStack.push_back({name, name, type});
        }
        return out;
    }

    ir::NodeId add(ir::Op op, const std::string& target, std::vector<Argument> args, const std::string& name,
                   const Path& path)
    {
        return m_module.graph().append({op, target, std::move(args), {}, name, meta(path)})->id();
    }
    ir::NodeId call(const char* target, const std::vector<ir::NodeId>& inputs, const char* name, const Path& path)
    {
        std::vector<Argument> args;
        for (const ir::NodeId input : inputs)
            args.push_back(Argument::node(input));
        return add(ir::Op::CallFunction, target, std::move(args), name, path);
    }
    ir::NodeId linear(ir::NodeId x, Path path, const char* name)
    {
        const std::string full = path.back().first + "." + name;
        const ir::NodeId weight = add(ir::Op::GetAttr, full + ".weight", {}, "weight", {});
        const ir::NodeId bias = add(ir::Op::GetAttr, full + ".bias", {}, "bias", {});
        path.emplace_back(full, "torch.nn.modules.linear.Linear");
        m_linears.push_back(call("aten.linear.default", {x, weight, bias}, "linear", path));
        return m_linears.back();
    }

    ir::NodeId attention(ir::NodeId x, const Path& path)
    {
        const auto heads = [&](const char* name) {
            const ir::NodeId v = call("aten.view.default", {linear(x, path, name)}, "view", path);
            return call("aten.transpose.int", {v}, "transpose", path);
        };
        const ir::NodeId q = heads("q_proj");
        const ir::NodeId k = heads("k_proj");
        const ir::NodeId v = heads("v_proj");
        const ir::NodeId scores = call("aten.matmul.default", {q, k}, "matmul", path);
        const ir::NodeId scaled = call("aten.div.Tensor", {scores}, "div", path);
        const ir::NodeId soft = call("aten.softmax.int", {scaled}, "softmax", path);
        const ir::NodeId mixed = call("aten.matmul.default", {soft, v}, "matmul", path);
        return linear(call("aten.reshape.default", {mixed}, "reshape", path), path, "out_proj");
    }

    ir::NodeId layer(ir::NodeId x, int index)
    {
        const std::string name = "layers." + std::to_string(index);
        const Path path{{"layers", "torch.nn.modules.container.ModuleList"}, {name, "DecoderLayer"}};
        Path self = path;
        self.emplace_back(name + ".attn", "Attention");
        Path mlp = path;
        mlp.emplace_back(name + ".mlp", "Mlp");
        const ir::NodeId normed = call("aten.rms_norm.default", {x}, "rms_norm", path);
        ir::NodeId sum = call("aten.add.Tensor", {x, attention(normed, self)}, "add", path);
        if (index == m_options.oddLayer)
            sum = call("aten.relu.default", {sum}, "relu", path);
        const ir::NodeId again = call("aten.rms_norm.default", {sum}, "rms_norm", path);
        const ir::NodeId gate = call("aten.silu.default", {linear(again, mlp, "gate")}, "silu", mlp);
        const ir::NodeId product = call("aten.mul.Tensor", {gate, linear(again, mlp, "up")}, "mul", mlp);
        return call("aten.add.Tensor", {sum, linear(product, mlp, "down")}, "add", path);
    }

    /// Announces an edit, where each has an event of its own.
    void say(EventKind kind, const char* name, std::vector<ir::NodeId> nodes)
    {
        if (!m_options.stepwise)
            return;
        Event event;
        event.kind = kind;
        event.name = name;
        event.nodes = std::move(nodes);
        m_recorder.say(std::move(event));
    }

    void annotate()
    {
        Event pass;
        pass.kind = EventKind::Pass;
        pass.name = "annotate";
        {
            const auto scope = m_recorder.open(pass);
            for (const ir::NodeId id : m_linears) {
                ir::Node* node = m_module.graph().find(id);
                ir::Annotation label;
                label.inputs = {{node->inputs()[0]->id(), ir::makeSpec(activationSpec())},
                                {node->inputs()[1]->id(), ir::makeSpec(weightSpec())}};
                label.annotated = true;
                say(EventKind::Annotate, "linear", {id});
                m_module.graph().setAnnotation(node, std::make_shared<const ir::Annotation>(std::move(label)));
            }
        }
        m_recorder.stage("annotated", base::message("annotated"));
    }

    void prepare()
    {
        int number = 0;
        for (const ir::NodeId id : m_linears) {
            ir::Node* node = m_module.graph().find(id);
            for (const std::size_t input : {0U, 1U}) {
                ir::Node* from = node->inputs()[input];
                const std::string name = "activation_post_process_" + std::to_string(number++);
                say(EventKind::Insert, "", {id, from->id()});
                m_module.setModule(name, quant::makeObserver(input == 0 ? activationSpec() : weightSpec()).value());
                ir::Node* observer = m_module.graph().insertBefore(
                    node, {ir::Op::CallModule, name, {Argument::node(from->id())}, {}, name, {}});
                m_module.graph().replaceInput(node, from, observer);
            }
        }
        m_recorder.stage("prepared", base::message("prepared"));
    }

    /// Each observer becomes a pair of quantize and dequantize.
    void convert()
    {
        ir::Graph& graph = m_module.graph();
        for (ir::Node* node : graph.nodes()) {
            if (node->op() != ir::Op::CallModule)
                continue;
            say(EventKind::Rewrite, "replace_observer", {node->id()});
            ir::Node* from = node->inputs()[0];
            ir::Node* q = graph.insertBefore(node, {ir::Op::CallFunction,
                                                    "quantized_decomposed.quantize_per_tensor.default",
                                                    {Argument::node(from->id())}});
            ir::Node* dq = graph.insertBefore(node, {ir::Op::CallFunction,
                                                     "quantized_decomposed.dequantize_per_tensor.default",
                                                     {Argument::node(q->id())}});
            graph.replaceAllUses(node, dq);
            m_module.eraseModule(node->target());
            graph.erase(node);
        }
        m_recorder.stage("converted", base::message("converted"));
    }

    TransformerOptions m_options;
    trace::Recorder m_recorder;
    ir::GraphModule m_module;
    std::vector<ir::NodeId> m_linears;
};

} // namespace

trace::RecordingPtr makeTransformer(const TransformerOptions& options)
{
    return Maker(options).run();
}

} // namespace gb::test
