#include "numbers/probe.h"

#include "case_run.h"

#include <algorithm>
#include <set>

using namespace gb;
using numbers::OpProbes;
using numbers::Probe;

namespace {

struct Built {
    std::shared_ptr<ir::GraphModule> floats;
    std::shared_ptr<ir::GraphModule> converted;
    Probe probe;

    [[nodiscard]] const OpProbes* of(const char* name) const
    {
        const ir::Node* node = floats->graph().find(name);
        const auto found = std::ranges::find(probe.ops, node ? node->id() : ir::kNoNode, &OpProbes::op);
        return found == probe.ops.end() ? nullptr : &*found;
    }
    [[nodiscard]] const ir::Node* node(ir::NodeId id) const { return probe.module->graph().find(id); }
};

Built build(const std::string& name)
{
    Built out;
    const auto material = test::materialOfCase(name);
    const auto converted = material ? numbers::convertedCopy(*material->calibrated)
                                    : base::Result<std::shared_ptr<ir::GraphModule>>(base::Error{});
    if (!converted)
        return out;
    out.floats = numbers::withoutObservers(*material->calibrated->module);
    out.converted = *converted;
    out.probe = numbers::makeProbe(*out.floats, *out.converted);
    return out;
}

/// Each node stands behind what it takes.
bool isOrdered(const ir::Graph& graph)
{
    std::set<ir::NodeId> seen;
    for (const ir::Node* node = graph.first(); node; node = node->next()) {
        for (const ir::Node* input : node->inputs())
            if (!seen.contains(input->id()))
                return false;
        seen.insert(node->id());
    }
    return true;
}

} // namespace

class TestProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aConvHasAProbeForEachCause()
    {
        const Built built = build("conv_relu.xnnpack");
        QVERIFY(built.probe.module);
        QCOMPARE(built.probe.ops.size(), std::size_t(3));
        const OpProbes* conv = built.of("conv2d");
        QVERIFY(conv);
        QVERIFY(conv->inputsOnly != ir::kNoNode && conv->weightsOnly != ir::kNoNode);
        QCOMPARE(conv->quantize, ir::kNoNode); // its relu's output is quantized, not its own
        QCOMPARE(conv->local, conv->weightsOnly);
        // weights alone: the exact input, the dequantized weight
        const ir::Node* weights = built.node(conv->weightsOnly);
        QCOMPARE(weights->inputs()[0]->name(), std::string("x"));
        QVERIFY(weights->inputs()[1]->target().find("dequantize_per_channel") != std::string::npos);
        // inputs alone: the dequantized input, the float weight
        const ir::Node* inputs = built.node(conv->inputsOnly);
        QVERIFY(inputs->inputs()[0]->target().find("dequantize_per_tensor") != std::string::npos);
        QCOMPARE(inputs->inputs()[1]->name(), std::string("conv_weight"));
    }

    void anOutputIsQuantizedFromTheExactValue()
    {
        const Built built = build("conv_relu.xnnpack");
        const OpProbes* relu = built.of("relu");
        QVERIFY(relu && relu->quantize != ir::kNoNode);
        QCOMPARE(relu->local, relu->outputOnly);
        const ir::Node* dequantize = built.node(relu->outputOnly);
        QCOMPARE(dequantize->inputs()[0]->inputs()[0]->id(), relu->op);
        QVERIFY(built.node(relu->cumulative)->inputs()[0]->inputs()[0]->id() != relu->op);
    }

    void aQuantizedInputIsARowOfItsOwn()
    {
        const Built built = build("conv_relu.xnnpack");
        const OpProbes* x = built.of("x");
        QVERIFY(x);
        QCOMPARE(x->weightsOnly, ir::kNoNode);
        QVERIFY(x->outputOnly != ir::kNoNode);
    }

    void theProbeIsAGraphThatCanBeRun_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tiny.xnnpack", "residual.xnnpack", "cat.xnnpack", "inplace.xnnpack", "attention.x86",
                                 "linear.xnnpack_dynamic", "share_ops.xnnpack", "gru.xnnpack", "own.tied"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void theProbeIsAGraphThatCanBeRun()
    {
        QFETCH(const QString, name);
        const Built built = build(name.toStdString());
        QVERIFY(built.probe.module);
        QVERIFY(isOrdered(built.probe.module->graph()));
        for (const OpProbes& op : built.probe.ops) {
            QVERIFY(built.floats->graph().find(op.op) && built.converted->graph().find(op.op));
            for (const ir::NodeId id : {op.cumulative, op.local, op.inputsOnly, op.weightsOnly, op.outputOnly})
                QVERIFY(id == ir::kNoNode || built.node(id));
        }
        // the float and the converted model are as they were
        QVERIFY(built.floats->graph().size() < built.probe.module->graph().size());
        for (const auto& [target, attribute] : built.floats->attributes())
            QVERIFY(target.find("converted.") != 0);
    }

    /// The values that an op is measured against are not written over by the op behind it.
    void inPlaceOpsBecomePlain()
    {
        const Built built = build("inplace.xnnpack");
        QVERIFY(built.probe.module);
        int before = 0;
        int after = 0;
        for (const ir::Node* node = built.floats->graph().first(); node; node = node->next())
            before += node->target().find("_.") != std::string::npos ? 1 : 0;
        for (const ir::Node* node = built.probe.module->graph().first(); node; node = node->next())
            after += node->target().find("_.") != std::string::npos ? 1 : 0;
        QVERIFY(before > 0);
        QCOMPARE(after, 0);
    }

    void whatIsNotQuantizedHasNoProbesOfItsOwn()
    {
        const Built built = build("nothing.xnnpack");
        QVERIFY(built.probe.module);
        for (const OpProbes& op : built.probe.ops)
            QCOMPARE(op.local, ir::kNoNode);
    }
};

QTEST_GUILESS_MAIN(TestProbe)
#include "tst_probe.moc"
