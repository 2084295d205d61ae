#include "passes/fold_conv_bn_qat.h"

#include "graph_builder.h"

#include <QtTest>

using namespace gb;
using namespace gb::test;
using base::ErrorCode;

namespace {

/// A training batch norm behind an input, with its batch counter.
struct Trained {
    Model m;
    ir::Node* counter = nullptr;
    ir::Node* add = nullptr;
    ir::Node* bn = nullptr;

    explicit Trained(const std::string& type = "torch.nn.modules.batchnorm.BatchNorm2d")
    {
        counter = m.attribute("bn.num_batches_tracked", ir::Tensor::fromVector(std::vector<std::int64_t>{0}),
                              ir::AttributeKind::Buffer);
        ir::Node* x = m.input("x");
        auto meta = std::make_shared<ir::NodeMeta>();
        meta->nnModuleStack = {{"root", "", "Net"}, {"bn", "bn", type}};
        add = m.call("aten.add_.Tensor", {ref(counter), ir::Argument(1)}, meta);
        bn = m.call("aten.batch_norm.default", {ref(x)});
        m.output({bn});
    }
    base::Status run()
    {
        passes::PassContext context = m.context();
        return passes::foldConvBnQat(*m.module, context);
    }
};

} // namespace

class TestFoldConvBnQat : public QObject {
    Q_OBJECT

private slots:
    void aBatchCounterGoes()
    {
        Trained t;
        QVERIFY(t.run().ok());
        QCOMPARE(t.m.lines(), QStringList({"x", "batch_norm(x)", "output(batch_norm)"}));
    }

    /// torchao asks for BatchNorm2d alone.
    void theCounterOfAnotherBatchNormStays()
    {
        Trained t("torch.nn.modules.batchnorm.BatchNorm1d");
        QVERIFY(t.run().ok());
        QVERIFY(t.m.graph().find("add_"));
    }

    void aGraphWithoutBatchNormIsLeftAsItIs()
    {
        Trained t;
        t.m.graph().setTarget(t.bn, "aten.relu.default");
        QVERIFY(t.run().ok());
        QVERIFY(t.m.graph().find("add_"));
    }

    void aCounterThatSomebodyUsesIsARuntimeError()
    {
        Trained t;
        t.m.graph().setArgs(t.m.graph().find("output"), {ir::Argument::tuple({ref(t.bn), ref(t.add)})});
        QCOMPARE(t.run().error().code, ErrorCode::RuntimeError);
    }
};

QTEST_GUILESS_MAIN(TestFoldConvBnQat)
#include "tst_fold_conv_bn_qat.moc"
