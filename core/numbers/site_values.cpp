#include "numbers/site_values.h"

#include "base/message.h"
#include "ops/interpreter.h"

namespace gb::numbers {
namespace {

class Keeper final : public ops::RunListener {
public:
    Keeper(ir::NodeId wanted, std::vector<ir::Tensor>& values)
        : m_wanted(wanted)
        , m_values(values)
    {
    }
    void nodeFinished(const ir::Node& node, const ops::Value& value) override
    {
        if (node.id() == m_wanted && value.tensor())
            m_values.push_back(value.tensor()->clone());
    }

private:
    ir::NodeId m_wanted;
    std::vector<ir::Tensor>& m_values;
};

} // namespace

base::Result<std::vector<ir::Tensor>> valuesOf(const Material& material, const ir::GraphModule& floats, ir::NodeId node,
                                               const std::vector<engine::Batch>& batches, const base::Work& work)
{
    std::vector<ir::Tensor> out;
    const ir::Node* wanted = floats.graph().find(node);
    if (!wanted)
        return base::Error{base::ErrorCode::NotFound, base::say("no node of number {0} in the float model", node), {}};
    if (wanted->op() == ir::Op::GetAttr) {
        if (const ir::Attribute* attribute = floats.attribute(wanted->target()))
            out.assign(batches.size(), attribute->value);
    } else {
        const auto kernels = ops::KernelTable::shared();
        ops::Interpreter interpreter(floats.clone(), kernels, material.threads);
        Keeper keeper(node, out);
        for (std::size_t i = 0; i < batches.size(); ++i) {
            work.report(static_cast<int>(i * 1000 / batches.size()), base::say("run batch {0}", i));
            GB_TRY(interpreter.run(batches[i], base::Work{work.stop, {}}, &keeper));
        }
    }
    if (out.size() != batches.size())
        return base::Error{
            base::ErrorCode::NotFound, base::say("{0} gives no tensor, one expected", wanted->name()), {}};
    return out;
}

} // namespace gb::numbers
