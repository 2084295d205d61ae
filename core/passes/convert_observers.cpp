#include "passes/convert_observers.h"

#include "base/message.h"
#include "ir/purity.h"
#include "passes/module_attributes.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <array>

namespace gb::passes {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::Result;
using base::say;
using base::Status;
using ir::Argument;
using ir::DType;
using ir::Node;
using quant::Observer;

constexpr double kFloat32Eps = 1.1920928955078125e-07; // torch.finfo(torch.float32).eps

/// SUPPORTED_QDTYPES, without torch's quantized dtypes, which no recipe can name
constexpr std::array kSupported = {DType::UInt8, DType::Int8,       DType::UInt16,      DType::Int16,
                                   DType::Int32, DType::Float8E5M2, DType::Float8E4M3FN};

/// What convert reads off an observer or fake quantize.
struct Reading {
    std::optional<DType> dtype;
    bool isDynamic = false;
    std::optional<ir::QScheme> qscheme;
    bool hasQScheme = true;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<std::int64_t> chAxis;
    double eps = kFloat32Eps;
};

Reading read(const Observer& observer)
{
    const quant::ObserverSettings& s = observer.settings();
    Reading out{s.dtype, s.isDynamic.value_or(false), s.qscheme, s.hasQScheme, s.quantMin, s.quantMax, s.chAxis};
    // a FakeQuantize has no attribute eps, so that of float32 stands in its place
    if (s.eps && !observer.inner())
        out.eps = *s.eps;
    return out;
}

Argument numberOrNone(const std::optional<std::int64_t>& value)
{
    return value ? Argument(*value) : Argument();
}

/// Puts the q/dq nodes of one observer node before it.
class Replacement {
public:
    Replacement(ir::GraphModule& model, Node* node, std::string prefix, trace::Recorder& recorder)
        : m_model(model)
        , m_graph(model.graph())
        , m_node(node)
        , m_input(m_graph.find(node->arg(0).nodeId()))
        , m_prefix(std::move(prefix))
        , m_recorder(recorder)
    {
    }

    Status run(const Observer& observer)
    {
        const Reading r = read(observer);
        if (r.dtype && !r.isDynamic && std::ranges::find(kSupported, *r.dtype) != kSupported.end())
            return replaceStatic(observer, r);
        if (r.isDynamic)
            return replaceDynamic(r);
        if (r.dtype == DType::Float16)
            return replaceFloat16();
        return remove(r);
    }

private:
    Status replaceStatic(const Observer& observer, const Reading& r)
    {
        GB_ASSIGN(const quant::QParams qparams, observer.calculateQParams());
        GB_ASSIGN(const auto kwargs, outDTypeOf(m_input));
        if (!r.hasQScheme)
            return Error{ErrorCode::AttributeError, say("{0} has no qscheme", observer.typeName()), place()};
        if (r.qscheme && ir::isPerChannel(*r.qscheme))
            return replacePerChannel(qparams, r, kwargs);
        if (qparams.scale.elementCount() != 1 || qparams.zeroPoint.elementCount() != 1)
            return Error{ErrorCode::RuntimeError,
                         say("{0} scales and {1} zero points found, one expected of a per-tensor observer",
                             qparams.scale.elementCount(), qparams.zeroPoint.elementCount()),
                         place()};
        const double scale = qparams.scale.at(0);
        const auto zeroPoint = static_cast<std::int64_t>(qparams.zeroPoint.at(0));
        announce("replace_observer",
                 message("{0} becomes quantize and dequantize of {1}: scale {2}, zero point {3}, {4}", m_node->name(),
                         m_input->name(), scale, zeroPoint, ir::name(*r.dtype)));
        const std::vector<Argument> tail{Argument(scale), Argument(zeroPoint), numberOrNone(r.quantMin),
                                         numberOrNone(r.quantMax), Argument(*r.dtype)};
        finish(kQuantizePerTensor, kDequantizePerTensor, tail, kwargs);
        return {};
    }

    using Kwargs = std::vector<std::pair<std::string, Argument>>;

    Status replacePerChannel(const quant::QParams& qparams, const Reading& r, const Kwargs& kwargs)
    {
        if (!r.chAxis)
            return Error{ErrorCode::TypeError, "no channel axis found, an integer expected", place()};
        announce("replace_observer",
                 message("{0} becomes quantize and dequantize of {1}: {2} scales on axis {3}, {4}", m_node->name(),
                         m_input->name(), qparams.scale.elementCount(), *r.chAxis, ir::name(*r.dtype)));
        const Node* scale = addBuffer("_scale_", qparams.scale);
        const Node* zeroPoint = addBuffer("_zero_point_", qparams.zeroPoint);
        const std::vector<Argument> tail{Argument::node(scale->id()), Argument::node(zeroPoint->id()),
                                         Argument(*r.chAxis),         numberOrNone(r.quantMin),
                                         numberOrNone(r.quantMax),    Argument(*r.dtype)};
        finish(kQuantizePerChannel, kDequantizePerChannel, tail, kwargs);
        return {};
    }

    Status replaceDynamic(const Reading& r)
    {
        if (r.dtype != DType::UInt8 && r.dtype != DType::Int8)
            return Error{ErrorCode::AssertionError,
                         say("dynamic {0} found, uint8 or int8 expected", r.dtype ? ir::name(*r.dtype) : "dtype None"),
                         place()};
        const ir::QScheme qscheme = r.hasQScheme && r.qscheme ? *r.qscheme : ir::QScheme::PerTensorAffine;
        if ((r.hasQScheme && !r.qscheme) || ir::isPerChannel(qscheme))
            return Error{
                ErrorCode::KeyError,
                say("dynamic qscheme {0} found, a per-tensor one expected", r.qscheme ? ir::name(*r.qscheme) : "None"),
                place()};
        GB_ASSIGN(const auto kwargs, outDTypeOf(m_input));
        announce("replace_observer",
                 message("{0} becomes choose_qparams, quantize and dequantize of {1}: {2}, computed "
                         "from each input",
                         m_node->name(), m_input->name(), ir::name(*r.dtype)));
        const Argument low = numberOrNone(r.quantMin);
        const Argument high = numberOrNone(r.quantMax);
        const bool symmetric = qscheme == ir::QScheme::PerTensorSymmetric;
        const Node* chosen = add(symmetric ? kChooseQParamsSymmetric : kChooseQParams,
                                 {Argument::node(m_input->id()), low, high, Argument(r.eps), Argument(*r.dtype)});
        const Node* scale = add(kGetItem, {Argument::node(chosen->id()), Argument(0)});
        const Node* zeroPoint = add(kGetItem, {Argument::node(chosen->id()), Argument(1)});
        const std::vector<Argument> tail{Argument::node(scale->id()), Argument::node(zeroPoint->id()), low, high,
                                         Argument(*r.dtype)};
        finish(kQuantizePerTensorTensor, kDequantizePerTensorTensor, tail, kwargs);
        return {};
    }

    Status replaceFloat16()
    {
        announce("replace_observer",
                 message("{0} becomes a conversion of {1} to float16 and back", m_node->name(), m_input->name()));
        const Node* half = add(kConvertElementType, {Argument::node(m_input->id()), Argument(DType::Float16)});
        Node* back = add(kConvertElementType, {Argument::node(half->id()), Argument(DType::Float32)});
        m_graph.replaceAllUses(m_node, back);
        m_graph.erase(m_node);
        return {};
    }

    Status remove(const Reading& r)
    {
        const int index =
            announce("remove_observer", message("{0} is taken out: {1} cannot be converted", m_node->name(),
                                                r.dtype ? ir::name(*r.dtype) : "a dtype of None"));
        m_recorder.at(index).fields = {{"code", Argument("C1")}};
        m_graph.replaceAllUses(m_node, m_input);
        m_graph.erase(m_node);
        return {};
    }

    /// q and dq with the same tail of arguments; the observer's users go over to dq.
    void finish(std::string_view quantize, std::string_view dequantize, const std::vector<Argument>& tail,
                const Kwargs& kwargs)
    {
        auto meta = std::make_shared<ir::NodeMeta>();
        meta->fromNodes = m_node->meta().fromNodes;
        meta->fromNodes.push_back(m_node->id());
        const auto withTail = [&tail](const Node* first) {
            std::vector<Argument> args{Argument::node(first->id())};
            args.insert(args.end(), tail.begin(), tail.end());
            return args;
        };
        const Node* q = m_graph.insertBefore(
            m_node,
            {.op = ir::Op::CallFunction, .target = std::string(quantize), .args = withTail(m_input), .meta = meta});
        Node* dq = m_graph.insertBefore(m_node, {.op = ir::Op::CallFunction,
                                                 .target = std::string(dequantize),
                                                 .args = withTail(q),
                                                 .kwargs = kwargs,
                                                 .meta = meta});
        m_recorder.at(m_event).nodes.insert(m_recorder.at(m_event).nodes.end(), {q->id(), dq->id()});
        m_graph.replaceAllUses(m_node, dq);
        m_graph.erase(m_node);
    }

    Node* add(std::string_view target, std::vector<Argument> args)
    {
        return m_graph.insertBefore(
            m_node, {.op = ir::Op::CallFunction, .target = std::string(target), .args = std::move(args)});
    }

    /// create_getattr_from_value
    const Node* addBuffer(const char* key, const ir::Tensor& value)
    {
        const std::string name = newAttributeName(m_model, m_prefix + key);
        m_model.setAttribute(name, {value.clone(), ir::AttributeKind::Buffer, true});
        return m_graph.insertBefore(m_node, {.op = ir::Op::GetAttr, .target = name});
    }

    /// add_dequantize_op_kwargs: out_dtype where the observed tensor is known and not float32
    Result<Kwargs> outDTypeOf(const Node* input) const
    {
        if (input->meta().val.kind == ir::ValueMeta::Kind::Missing)
            return Kwargs{};
        if (!input->val())
            return Error{ErrorCode::AttributeError, "its input is not a single tensor and has no dtype", place()};
        if (input->val()->dtype == DType::Float32)
            return Kwargs{};
        return Kwargs{{"out_dtype", Argument(input->val()->dtype)}};
    }

    int announce(const char* name, base::Message sentence)
    {
        trace::Event e;
        e.kind = trace::EventKind::Rewrite;
        e.name = name;
        e.graph = m_graph.path();
        e.nodes = {m_node->id(), m_input->id()};
        e.sentence = std::move(sentence);
        return m_event = m_recorder.say(std::move(e));
    }

    [[nodiscard]] std::string place() const { return "node " + m_node->name(); }

    ir::GraphModule& m_model;
    ir::Graph& m_graph;
    Node* m_node;
    Node* m_input;
    std::string m_prefix;
    trace::Recorder& m_recorder;
    int m_event = -1;
};

/// _get_module_path_and_prefix: without qconfigs the prefix is empty and the path that of the observed node
std::string modulePath(const std::map<std::string, std::string>& scopes, const Node* observed)
{
    const auto found = observed ? scopes.find(observed->name()) : scopes.end();
    return found == scopes.end() ? std::string() : found->second;
}

} // namespace

Status convertObservers(ir::GraphModule& model, const std::map<std::string, std::string>& scopes, PassContext& context)
{
    trace::Event e;
    e.kind = trace::EventKind::Pass;
    e.name = "convert";
    e.graph = model.graph().path();
    e.sentence = message("replace every observer by quantize and dequantize");
    const trace::Scope scope = context.recorder.open(std::move(e));
    for (Node* node : model.graph().nodes()) {
        if (context.work.cancelled())
            return Error{ErrorCode::Cancelled, "stopped by the user", {}};
        const auto observer = node->op() == ir::Op::CallModule
                                  ? std::dynamic_pointer_cast<Observer>(model.module(node->target()))
                                  : nullptr;
        const Node* observed = model.graph().find(node->arg(0).nodeId());
        if (!observer || !observed)
            continue;
        Replacement replacement(model, node, modulePath(scopes, observed), context.recorder);
        if (Status s = replacement.run(*observer); !s)
            return s.error().place.empty() ? s.error().in("node " + node->name()) : s.error();
    }
    GB_TRY(eliminateDeadCode(model));
    dropUnreferenced(model);
    return {};
}

} // namespace gb::passes
