#include "numbers/parting.h"

#include "ops/interpreter.h"
#include "passes/quantize_ops.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace gb::numbers {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;
using ir::Node;
using ir::NodeId;
using ir::Tensor;

/// The quantize of a node's output that has a dequantize; null where there is none.
const Node* quantizeOf(const Node& node)
{
    for (const Node* user : node.users())
        if (passes::isQuantize(*user) && !user->users().empty() && user->arg(0).nodeId() == node.id()
            && passes::isDequantize(*user->users().front()))
            return user;
    return nullptr;
}

bool isOp(const Node& node)
{
    return node.op() == ir::Op::Placeholder
           || (node.op() == ir::Op::CallFunction && !passes::isQuantize(node) && !passes::isDequantize(node)
               && !node.target().starts_with("quantized_decomposed"));
}

std::string quantizationText(const Node* quantize)
{
    if (!quantize)
        return {};
    if (!quantize->calls(passes::kQuantizePerTensor))
        return quantize->target();
    const auto* scale = quantize->arg(1).as<double>();
    const auto* zeroPoint = quantize->arg(2).as<std::int64_t>();
    const auto* dtype = quantize->arg(5).as<ir::DType>();
    if (!scale || !zeroPoint || !dtype)
        return quantize->target();
    return say("{0}, scale {1}, zero point {2}", ir::name(*dtype), base::shortNumber(*scale), *zeroPoint);
}

/// Which node holds an op's value, by the op's name.
std::map<std::string, const Node*> opsOf(const ir::GraphModule& model)
{
    std::map<std::string, const Node*> out;
    for (const Node* node = model.graph().first(); node; node = node->next())
        if (isOp(*node))
            out.emplace(node->name(), node);
    return out;
}

const Node* endOf(const Node& op)
{
    const Node* quantize = quantizeOf(op);
    return quantize ? quantize->users().front() : &op;
}

/// Keeps the values of some nodes; `ends` gives the place of each.
class Keeper final : public ops::RunListener {
public:
    explicit Keeper(std::unordered_map<NodeId, std::size_t> ends)
        : m_ends(std::move(ends))
    {
    }
    void nodeFinished(const Node& node, const ops::Value& value) override
    {
        const auto found = m_ends.find(node.id());
        if (found != m_ends.end() && value.tensor())
            values.insert_or_assign(found->second, value.tensor()->clone());
    }
    std::unordered_map<std::size_t, Tensor> values;

private:
    std::unordered_map<NodeId, std::size_t> m_ends;
};

class Comparer final : public ops::RunListener {
public:
    Comparer(std::unordered_map<NodeId, std::size_t> ends, std::unordered_map<std::size_t, Tensor> exact,
             std::vector<PartedOp>& ops)
        : m_ends(std::move(ends))
        , m_exact(std::move(exact))
        , m_ops(ops)
    {
    }
    void nodeFinished(const Node& node, const ops::Value& value) override
    {
        const auto end = m_ends.find(node.id());
        if (end == m_ends.end() || !value.tensor())
            return;
        const auto exact = m_exact.find(end->second);
        if (exact == m_exact.end())
            return;
        m_ops[end->second].gap.add(exact->second, *value.tensor());
        m_exact.erase(exact);
    }

private:
    std::unordered_map<NodeId, std::size_t> m_ends;
    std::unordered_map<std::size_t, Tensor> m_exact;
    std::vector<PartedOp>& m_ops;
};

/// Ops that both have, and the nodes that hold their values.
struct Matched {
    Parting parting;
    std::unordered_map<NodeId, std::size_t> first;
    std::unordered_map<NodeId, std::size_t> second;
};

Matched matched(const ir::GraphModule& first, const ir::GraphModule& second)
{
    Matched out;
    auto others = opsOf(second);
    for (const Node* node = first.graph().first(); node; node = node->next()) {
        if (!isOp(*node))
            continue;
        const auto other = others.find(node->name());
        if (other == others.end() || other->second->target() != node->target()) {
            out.parting.onlyFirst.push_back(node->name());
            continue;
        }
        const std::size_t place = out.parting.ops.size();
        out.first[endOf(*node)->id()] = place;
        out.second[endOf(*other->second)->id()] = place;
        out.parting.ops.push_back({node->name(),
                                   node->target(),
                                   node->id(),
                                   {},
                                   quantizationText(quantizeOf(*node)),
                                   quantizationText(quantizeOf(*other->second))});
        others.erase(other);
    }
    for (const Node* node = second.graph().first(); node; node = node->next())
        if (others.contains(node->name()))
            out.parting.onlySecond.push_back(node->name());
    return out;
}

std::string joined(const std::vector<std::string>& names)
{
    constexpr std::size_t kMost = 8;
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        out += (i ? ", " : "") + names[i];
    return names.size() > kMost ? out + ", ..." : out;
}

} // namespace

base::Result<Parting> partingOf(const ir::GraphModule& first, const ir::GraphModule& second,
                                const std::vector<engine::Batch>& batches, unsigned threads, const base::Work& work)
{
    if (batches.empty())
        return Error{ErrorCode::Usage, "no batches found, at least one expected to compare two runs on", {}};
    const auto kernels = ops::KernelTable::shared();
    ops::Interpreter one(first.clone(), kernels, threads);
    ops::Interpreter two(second.clone(), kernels, threads);
    Matched m = matched(first, second);
    for (std::size_t i = 0; i < batches.size(); ++i) {
        work.report(static_cast<int>(i * 1000 / batches.size()), say("compare batch {0}", i));
        const base::Work quiet{work.stop, {}};
        Keeper keeper(m.first);
        GB_ASSIGN(const ops::ValueList mine, one.run(batches[i], quiet, &keeper));
        Comparer comparer(m.second, std::move(keeper.values), m.parting.ops);
        GB_ASSIGN(const ops::ValueList theirs, two.run(batches[i], quiet, &comparer));
        for (std::size_t o = 0; o < std::min(mine.size(), theirs.size()); ++o) {
            const Tensor* x = mine[o].tensor();
            const Tensor* y = theirs[o].tensor();
            if (x && y && ir::isFloatingPoint(x->dtype()))
                m.parting.output.add(gapBetween(*x, *y));
        }
    }
    const auto different = std::ranges::find_if(
        m.parting.ops, [](const PartedOp& op) { return op.gap.all().count > 0 && !op.gap.all().equal(); });
    if (different != m.parting.ops.end())
        m.parting.firstDifferent = different->name;
    return std::move(m.parting);
}

base::Result<MaterialPtr> runWith(const Material& material, const quantizers::Recipe& recipe, const base::Work& work)
{
    const trace::Header& header = material.recording->header;
    engine::RunOptions options;
    options.keepCalibrated = true;
    options.isQat = material.calibrated->isQat;
    options.foldQuantize = material.calibrated->foldQuantize;
    options.producerVersion = header.producerVersion;
    options.threads = material.threads;
    const engine::RunResult result =
        engine::run({header.model, material.program, header.torchVersion}, recipe, options, material.calibration, work);
    if (result.error)
        return *result.error;
    auto out = std::make_shared<Material>(material);
    out->calibrated = result.calibrated;
    out->recording = result.recording;
    out->turn = std::make_shared<std::mutex>();
    return MaterialPtr(std::move(out));
}

base::Result<Parting> partingOf(const Material& first, const Material& second, const base::Work& work)
{
    GB_ASSIGN(const auto one, convertedCopy(*first.calibrated, work));
    GB_ASSIGN(const auto two, convertedCopy(*second.calibrated, work));
    return partingOf(*one, *two, first.checkBatches(), first.threads, work);
}

Sheet partingSheet(const Parting& parting)
{
    Sheet sheet;
    sheet.what = "parting";
    sheet.columns = {{"op", message("op")},
                     {"target", message("target")},
                     {"sqnr_db", message("SQNR (dB)")},
                     {"typical_sqnr_db", message("typical channel (dB)")},
                     {"largest", message("largest difference")},
                     {"cosine", message("cosine")},
                     {"first", message("output in the first run")},
                     {"second", message("in the second")}};
    for (const PartedOp& op : parting.ops) {
        const Gap& gap = op.gap.all();
        sheet.rows.push_back({{op.name, op.target, numberCell(gap.sqnr()), numberCell(op.gap.typicalSqnr()),
                               gap.largest, numberCell(gap.cosine()), op.first, op.second},
                              op.node});
    }
    if (parting.firstDifferent.empty())
        sheet.notes.push_back(message("no op differs: the runs do not part"));
    else
        sheet.notes.push_back(message("the first op at which the runs part: {0}", parting.firstDifferent));
    if (const auto sqnr = parting.output.sqnr())
        sheet.notes.push_back(message("output: SQNR {0} dB, largest difference {1}", *sqnr, parting.output.largest));
    if (!parting.onlyFirst.empty())
        sheet.notes.push_back(message("in the first run only: {0}", joined(parting.onlyFirst)));
    if (!parting.onlySecond.empty())
        sheet.notes.push_back(message("in the second run only: {0}", joined(parting.onlySecond)));
    return sheet;
}

} // namespace gb::numbers
