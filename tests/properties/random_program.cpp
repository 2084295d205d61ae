#include "random_program.h"

#include "../passes/graph_builder.h"

#include <algorithm>

namespace gb::test {
namespace {

using ir::Argument;
using ir::Node;
using ir::Shape;
using ir::Tensor;

/// A node that later ones may read, and its size.
struct Value {
    Node* node = nullptr;
    Shape shape;
};

class Maker {
public:
    explicit Maker(std::uint32_t seed)
        : m_random(seed)
    {
    }

    RandomProgram make()
    {
        const Shape image = {2, pick({3, 4, 8}), pick({6, 8}), 8};
        const int inputs = below(3) == 0 ? 2 : 1;
        for (int i = 0; i < inputs; ++i) {
            m_model.module->inputNames.push_back("x" + std::to_string(i));
            m_values.push_back({placeholder(m_model.module->inputNames.back(), image), image});
        }
        const int count = 4 + below(10);
        for (int i = 0; i < count; ++i)
            addOne();
        m_model.output(loose());
        m_model.module->setListener(nullptr);
        RandomProgram out{m_model.module, {}, m_folds};
        for (int batch = 0; batch < 2; ++batch) {
            engine::Batch values;
            for (int i = 0; i < inputs; ++i)
                values.emplace_back(tensor(image, 1.0F + static_cast<float>(batch)));
            out.batches.push_back(std::move(values));
        }
        return out;
    }

private:
    int below(int count) { return static_cast<int>(m_random() % static_cast<std::uint32_t>(count)); }
    std::int64_t pick(std::initializer_list<std::int64_t> from)
    {
        return from.begin()[below(static_cast<int>(from.size()))];
    }

    Tensor tensor(const Shape& shape, float reach)
    {
        std::int64_t count = 1;
        for (const std::int64_t size : shape)
            count *= size;
        std::vector<float> values(static_cast<std::size_t>(count));
        for (float& v : values)
            v = reach * (static_cast<float>(m_random() % 2001) / 1000.0F - 1.0F);
        return Tensor::fromVector(values, shape);
    }

    Node* placeholder(const std::string& name, const Shape& shape)
    {
        return m_model.graph().append({.op = ir::Op::Placeholder,
                                       .target = name,
                                       .nameHint = name,
                                       .meta = tensorMeta(ir::DType::Float32, shape)});
    }

    Node* parameter(const std::string& name, const Shape& shape, float reach)
    {
        return m_model.attribute(name, tensor(shape, reach));
    }

    /// A value of so many dimensions, the newest ones more often; null where there is none.
    Value* valueOf(std::int64_t rank)
    {
        std::vector<Value*> found;
        for (Value& value : m_values)
            if (static_cast<std::int64_t>(value.shape.size()) == rank)
                found.push_back(&value);
        if (found.empty())
            return nullptr;
        const std::size_t back = below(3) == 0 ? static_cast<std::size_t>(below(static_cast<int>(found.size()))) : 0;
        return found[found.size() - 1 - back];
    }

    Node* call(const std::string& target, std::vector<Argument> args, const Shape& shape)
    {
        Node* node = m_model.call(target, std::move(args), tensorMeta(ir::DType::Float32, shape));
        m_values.push_back({node, shape});
        return node;
    }

    /// Gives a node what a strict export says of its source, which some rules ask for.
    void setSource(Node* node, const std::string& what)
    {
        auto meta = std::make_shared<ir::NodeMeta>(node->meta());
        meta->sourceFnStack = {{node->name(), what}};
        m_model.graph().setMeta(node, std::move(meta));
    }

    void addOne()
    {
        if (Value* flat = valueOf(2); flat && below(2) == 0)
            return addFlat(*flat);
        const Value image = *valueOf(4);
        switch (below(10)) {
        case 0:
        case 1:
        case 2: return addConv(image);
        case 3: return addPool(image);
        case 4: return addJoin(image);
        case 5:
        case 6: return addBinary(image);
        case 7: return addFlatten(image);
        case 8: return addViews(image);
        default: return addActivation(image);
        }
    }

    void addConv(const Value& x)
    {
        const std::int64_t in = x.shape[1];
        const bool depthwise = below(4) == 0;
        const std::int64_t out = depthwise ? in : pick({3, 4, 8});
        const std::int64_t kernel = pick({1, 3});
        const Shape size = {out, depthwise ? 1 : in, kernel, kernel};
        const std::string name = "conv" + std::to_string(m_layers++);
        Node* weight = below(5) == 0 ? sharedWeight(size) : parameter(name + ".weight", size, 0.5F);
        std::vector<Argument> args = {ref(x.node), ref(weight)};
        args.push_back(below(4) == 0 ? Argument() : ref(parameter(name + ".bias", {out}, 0.2F)));
        const std::int64_t pad = kernel / 2;
        args.push_back(Argument::list({1, 1}));
        args.push_back(Argument::list({pad, pad}));
        args.push_back(Argument::list({1, 1}));
        args.push_back(depthwise ? in : std::int64_t{1});
        const Shape shape = {x.shape[0], out, x.shape[2], x.shape[3]};
        const Value conv{call("aten.conv2d.default", std::move(args), shape), shape};
        if (below(3) == 0)
            addBatchNorm(conv);
        if (below(2) == 0)
            addActivation(m_values.back());
    }

    /// One weight for all convs of a size, as tied weights are.
    Node* sharedWeight(const Shape& size)
    {
        std::string name = "shared";
        for (const std::int64_t s : size)
            name += "_" + std::to_string(s);
        if (!m_model.module->attribute(name))
            m_model.module->setAttribute(name, {tensor(size, 0.5F), ir::AttributeKind::Parameter, true});
        return m_model.graph().append(
            {.op = ir::Op::GetAttr, .target = name, .meta = tensorMeta(ir::DType::Float32, size)});
    }

    void addBatchNorm(const Value& x)
    {
        const std::string name = "bn" + std::to_string(m_layers++);
        const Shape size = {x.shape[1]};
        std::vector<Argument> args = {
            ref(x.node),
            ref(parameter(name + ".weight", size, 1.0F)),
            ref(parameter(name + ".bias", size, 0.5F)),
            ref(m_model.attribute(name + ".running_mean", tensor(size, 0.5F), ir::AttributeKind::Buffer)),
            ref(m_model.attribute(name + ".running_var", positive(size), ir::AttributeKind::Buffer)),
            false,
            0.1,
            1e-5,
            true};
        call("aten.batch_norm.default", std::move(args), x.shape);
        m_folds = true;
    }

    Tensor positive(const Shape& shape)
    {
        std::vector<float> values(static_cast<std::size_t>(shape[0]));
        for (float& v : values)
            v = 0.5F + static_cast<float>(m_random() % 1000) / 1000.0F;
        return Tensor::fromVector(values, shape);
    }

    void addActivation(const Value& x)
    {
        switch (below(6)) {
        case 0: call("aten.hardtanh.default", {ref(x.node), 0.0, 6.0}, x.shape); break;
        case 1: call("aten.sigmoid.default", {ref(x.node)}, x.shape); break;
        case 2:
            // in place only where nobody else has read the value, as a module of that kind would
            if (x.node->users().empty() && x.node->op() == ir::Op::CallFunction) {
                call("aten.relu_.default", {ref(x.node)}, x.shape);
                break;
            }
            [[fallthrough]];
        default: call("aten.relu.default", {ref(x.node)}, x.shape); break;
        }
    }

    void addPool(const Value& x)
    {
        const Shape half = {x.shape[0], x.shape[1], x.shape[2] / 2, x.shape[3] / 2};
        const Argument two = Argument::list({2, 2});
        switch (half[2] >= 1 && half[3] >= 1 ? below(3) : 2) {
        case 0:
            setSource(call("aten.max_pool2d.default", {ref(x.node), two, two}, half),
                      "torch.nn.modules.pooling.MaxPool2d");
            break;
        case 1: call("aten.avg_pool2d.default", {ref(x.node), two, two}, half); break;
        default:
            call("aten.adaptive_avg_pool2d.default", {ref(x.node), Argument::list({1, 1})},
                 {x.shape[0], x.shape[1], 1, 1});
        }
    }

    /// Another value of the same size, or the value itself.
    Value likeness(const Value& x)
    {
        std::vector<Value> found;
        for (const Value& value : m_values)
            if (value.shape == x.shape)
                found.push_back(value);
        return found[static_cast<std::size_t>(below(static_cast<int>(found.size())))];
    }

    void addJoin(const Value& x)
    {
        const Value other = likeness(x);
        Shape shape = x.shape;
        shape[1] *= 2;
        if (shape[1] > 32)
            return addActivation(x);
        Node* cat = call("aten.cat.default", {Argument::list({ref(x.node), ref(other.node)}), 1}, shape);
        if (below(2) == 0)
            setSource(cat, "builtin_function_or_method.cat");
    }

    void addBinary(const Value& x)
    {
        const Value other = likeness(x);
        switch (below(4)) {
        case 0: call("aten.mul.Tensor", {ref(x.node), ref(other.node)}, x.shape); break;
        case 1: call("aten.add.Tensor", {ref(x.node), 0.5}, x.shape); break;
        default: call("aten.add.Tensor", {ref(x.node), ref(other.node)}, x.shape); break;
        }
        if (below(3) == 0)
            call("aten.relu.default", {ref(m_values.back().node)}, x.shape);
    }

    void addViews(const Value& x)
    {
        switch (below(3)) {
        case 0:
            call("aten.permute.default", {ref(x.node), Argument::list({0, 1, 3, 2})},
                 {x.shape[0], x.shape[1], x.shape[3], x.shape[2]});
            break;
        case 1:
            call("aten.slice.Tensor", {ref(x.node), 1, 0, (x.shape[1] + 1) / 2},
                 {x.shape[0], (x.shape[1] + 1) / 2, x.shape[2], x.shape[3]});
            break;
        default: call("aten.dropout.default", {ref(x.node), 0.5, false}, x.shape); break;
        }
    }

    void addFlatten(const Value& x)
    {
        call("aten.flatten.using_ints", {ref(x.node), 1}, {x.shape[0], x.shape[1] * x.shape[2] * x.shape[3]});
    }

    void addFlat(const Value& x)
    {
        if (below(3) != 0) {
            const std::int64_t out = pick({5, 7});
            const std::string name = "fc" + std::to_string(m_layers++);
            Node* weight = parameter(name + ".weight", {out, x.shape[1]}, 0.3F);
            Node* bias = parameter(name + ".bias", {out}, 0.2F);
            call("aten.linear.default", {ref(x.node), ref(weight), ref(bias)}, {x.shape[0], out});
            return;
        }
        const Value value = x;
        if (below(2) == 0)
            call("aten.softmax.int", {ref(value.node), -1}, value.shape);
        else
            addBinary(value);
    }

    /// The values that nothing reads: together they are the program's outputs, so that nothing is dead.
    std::vector<const Node*> loose() const
    {
        std::vector<const Node*> out;
        for (const Value& value : m_values)
            if (value.node->users().empty() && value.node->op() == ir::Op::CallFunction)
                out.push_back(value.node);
        return out;
    }

    std::mt19937 m_random;
    Model m_model;
    std::vector<Value> m_values;
    int m_layers = 0;
    bool m_folds = false;
};

} // namespace

RandomProgram randomProgram(std::uint32_t seed)
{
    return Maker(seed).make();
}

} // namespace gb::test
