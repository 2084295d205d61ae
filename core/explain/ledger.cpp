#include "explain/ledger.h"

#include "explain/ledger_weights.h"
#include "explain/view.h"
#include "passes/fold_bn.h"

#include <algorithm>
#include <array>
#include <set>

namespace gb::explain {
namespace {

using base::grouped;
using base::message;
using base::say;
using trace::Event;
using trace::EventKind;

/// Float outputs of the exported and the prepared graph may differ by what folding rounds, relative to their size.
constexpr double kRounding = 1e-4;

double numberOf(const Event& e, const char* field)
{
    const ir::Argument* value = e.field(field);
    const auto* real = value ? value->as<double>() : nullptr;
    const auto* integer = value ? value->as<std::int64_t>() : nullptr;
    return real ? *real : integer ? static_cast<double>(*integer) : 0.0;
}

class Books {
public:
    Books(const RunView& run, Ledger& out, Answer& answer)
        : m_run(run)
        , m_out(out)
        , m_answer(answer)
    {
    }

    void fill()
    {
        const auto& events = m_run.recording->events;
        for (std::size_t i = 0; i < events.size(); ++i)
            visit(events[i], static_cast<int>(i));
        addKeptBatchNorms();
        if (m_run.converted)
            addStored();
    }

private:
    LedgerEntry entry(LedgerKind kind, const Event& e, int index, base::Message sentence)
    {
        LedgerEntry out;
        out.kind = kind;
        out.graph = e.graph;
        out.nodes = e.nodes;
        out.sentence = std::move(sentence);
        out.event = index;
        return out;
    }

    void visit(const Event& e, int index)
    {
        if (e.kind == EventKind::Load)
            m_weights.apply(e);
        if (e.kind == EventKind::Rewrite && (e.name == "fuse_conv_bn" || e.name == "fuse_linear_bn")) {
            LedgerEntry folded = entry(LedgerKind::BatchNormFolded, e, index, e.sentence);
            folded.details = m_weights.changes(e);
            m_out.entries.push_back(std::move(folded));
        } else if (e.kind == EventKind::Rewrite && e.name == "scalar_to_attribute") {
            addScalar(e, index);
        } else if (e.kind == EventKind::Rewrite && e.name == "duplicate") {
            m_out.entries.push_back(entry(LedgerKind::Duplicated, e, index, e.sentence));
        } else if (e.kind == EventKind::Fold) {
            LedgerEntry folded = entry(LedgerKind::Folded, e, index, e.sentence);
            folded.bytesBefore = static_cast<std::int64_t>(numberOf(e, "bytes_before"));
            folded.bytesAfter = static_cast<std::int64_t>(numberOf(e, "bytes_after"));
            m_out.entries.push_back(std::move(folded));
        } else if (e.kind == EventKind::Compare) {
            addComparison(e, index);
        }
        if (e.kind != EventKind::Load)
            m_weights.apply(e);
    }

    /// The number becomes a float32 tensor; where the other operand is no float32, the result is another one too.
    void addScalar(const Event& e, int index)
    {
        m_out.entries.push_back(entry(LedgerKind::ScalarToTensor, e, index, e.sentence));
        const ir::Node* node = e.nodes.empty() ? nullptr : m_run.find(e.nodes.front());
        if (!node || !node->val() || node->val()->dtype == ir::DType::Float32)
            return;
        LedgerEntry changed = entry(LedgerKind::DtypeChanged, e, index,
                                    message("{0} gave {1}; with its number as a float32 tensor it gives float32",
                                            node->name(), ir::name(node->val()->dtype)));
        changed.alarm = true;
        m_answer.findings.push_back(
            {"R7", Severity::Warning, node->name(), changed.sentence, index, node->id(), "dtype changed"});
        m_out.entries.push_back(std::move(changed));
    }

    void addComparison(const Event& e, int index)
    {
        LedgerEntry row = entry(LedgerKind::Compared, e, index, e.sentence);
        const bool prepared = e.text("what") == "float and prepared output";
        const double largest = numberOf(e, "largest");
        const double allowed = kRounding * std::max(1.0, numberOf(e, "magnitude"));
        row.alarm = prepared && m_run.recording->header.mode != "qat" && largest > allowed;
        if (row.alarm)
            m_answer.findings.push_back(
                {"",
                 Severity::Error,
                 {},
                 message("the prepared model differs from the float one by {0}, {1} expected: prepare changed the "
                         "program, before anything was quantized",
                         largest, allowed),
                 index,
                 ir::kNoNode,
                 "output changed by prepare"});
        m_out.entries.push_back(std::move(row));
    }

    /// Why a batch norm that is still there could not be folded.
    [[nodiscard]] std::string whyKept(const ir::Node& bn) const
    {
        const ir::Node* op = bn.graph().find(bn.arg(0).nodeId());
        if (!op)
            return "its input is no node";
        const bool linear = op->calls("aten.linear.default");
        if (!linear && !passes::isConv(*op) && !passes::isConvTranspose(*op))
            return say("{0} ({1}) before it is no convolution and no linear", op->name(), op->target());
        if (m_run.recording->header.mode == "qat")
            return linear ? "prepare for training does not fold it into a linear"
                          : "prepare for training keeps it until convert";
        const ir::Node* input = op->graph().find(op->arg(0).nodeId());
        if (linear && input && input->val() && input->val()->shape.size() > 2)
            return say("the input of {0} has {1} dimensions, 2 expected", op->name(), input->val()->shape.size());
        return say("it was not folded into {0}", op->name());
    }

    void addKeptBatchNorms()
    {
        for (const GraphView& graph : m_run.graphs)
            for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
                if (n->op() != ir::Op::CallFunction || !passes::isBatchNorm(*n))
                    continue;
                LedgerEntry row;
                row.kind = LedgerKind::BatchNormKept;
                row.graph = graph.path;
                row.nodes = {n->id()};
                row.sentence = message("{0} is kept: {1}", n->name(), whyKept(*n));
                m_out.entries.push_back(std::move(row));
            }
    }

    static std::int64_t bytesOf(const trace::AttributeInfo& attribute)
    {
        std::int64_t count = 1;
        for (const std::int64_t size : attribute.shape)
            count *= size;
        return count * static_cast<std::int64_t>(ir::itemSize(attribute.dtype));
    }

    void addStored()
    {
        trace::Replay replay(m_run.recording);
        if (const auto exported = replay.at(m_run.recording->stageEvent("exported")))
            for (const auto& [path, graph] : (*exported)->graphs)
                for (const auto& [key, attribute] : graph->attributes)
                    m_out.storedBefore += bytesOf(attribute);
        for (const auto& [path, graph] : m_run.converted->graphs) {
            std::set<std::string> read;
            for (const ir::Node* n = graph->graph->first(); n; n = n->next())
                if (n->op() == ir::Op::GetAttr)
                    read.insert(n->target());
            for (const auto& [key, attribute] : graph->attributes) {
                const std::int64_t bytes = bytesOf(attribute);
                m_out.storedAfter += bytes;
                if (read.contains(key))
                    m_out.readAfter += bytes;
                else
                    addUnread(path, key, bytes);
            }
        }
        if (const std::int64_t unread = m_out.storedAfter - m_out.readAfter; unread > 0)
            m_answer.findings.push_back({"",
                                         Severity::Note,
                                         {},
                                         message("{0} of {1} stored bytes are in tensors that no node reads",
                                                 grouped(unread), grouped(m_out.storedAfter)),
                                         -1,
                                         ir::kNoNode,
                                         "stored, not read"});
    }

    void addUnread(const std::string& path, const std::string& key, std::int64_t bytes)
    {
        LedgerEntry row;
        row.kind = LedgerKind::Unread;
        row.graph = path;
        row.sentence = message("{0} ({1} bytes) is stored, but no node reads it", key, grouped(bytes));
        row.bytesBefore = row.bytesAfter = bytes;
        m_out.entries.push_back(std::move(row));
    }

    const RunView& m_run;
    Ledger& m_out;
    Answer& m_answer;
    WeightBook m_weights;
};

} // namespace

const char* name(LedgerKind kind)
{
    static constexpr std::array kNames = {"batch norm folded", "batch norm kept",       "number made a tensor",
                                          "dtype changed",     "dequantize duplicated", "constant folded",
                                          "outputs compared",  "stored, not read"};
    return kNames[static_cast<std::size_t>(kind)];
}

Ledger ledgerOf(const RunView& run, Answer& answer)
{
    Ledger out;
    if (!run.converted)
        out.storedAfter = -1;
    Books(run, out, answer).fill();
    return out;
}

} // namespace gb::explain
