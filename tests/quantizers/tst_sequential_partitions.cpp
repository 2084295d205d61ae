#include "quantizers/sequential_partitions.h"

#include "model_builder.h"

using namespace gb;
using namespace gb::quantizers;
using gb::test::ModelBuilder;

namespace {

const PartitionSource kConv = moduleClass("torch.nn.modules.conv.Conv2d");
const PartitionSource kRelu = moduleClass("torch.nn.modules.activation.ReLU");
const PartitionSource kAdd = function("_operator.add");

struct Model : ModelBuilder {
    ir::Node* conv(ir::Node* in, const std::string& path)
    {
        return call("aten.conv2d.default", {in}, path, kConv.text);
    }
    ir::Node* relu(ir::Node* in, const std::string& path) { return call("aten.relu.default", {in}, path, kRelu.text); }
    ir::Node* add(ir::Node* a, ir::Node* b)
    {
        ir::Node* node = call("aten.add.Tensor", {a, b});
        setSource(node, node->name(), "_operator.add");
        return node;
    }
    /// "a+b c+d": the chains' first nodes.
    std::string chains(const std::vector<PartitionSource>& sequence)
    {
        const auto found = findSequentialPartitions(graph(), sequence);
        if (!found)
            return found.error().text();
        std::string out;
        for (const auto& chain : *found) {
            out += out.empty() ? "" : " ";
            for (std::size_t i = 0; i < chain.size(); ++i)
                out += (i == 0 ? "" : "+") + chain[i].nodes.front()->name();
        }
        return out;
    }

    ir::Node* x = input("x");
};

} // namespace

class TestSequentialPartitions : public QObject {
    Q_OBJECT

private slots:
    void eachUsesTheOneBefore()
    {
        Model m;
        ir::Node* a = m.conv(m.x, "a");
        ir::Node* b = m.conv(m.relu(a, "r"), "b");
        m.relu(b, "s");
        QCOMPARE(m.chains({kConv, kRelu}), std::string("conv2d_default+relu_default conv2d_default_1+relu_default_1"));
        QCOMPARE(m.chains({kRelu, kConv}), std::string("relu_default+conv2d_default_1"));
    }

    void anotherOpBetweenBreaksTheChain()
    {
        Model m;
        m.relu(m.call("aten.neg.default", {m.conv(m.x, "a")}), "r");
        QCOMPARE(m.chains({kConv, kRelu}), std::string());
    }

    void oneProducerWithTwoConsumersGivesTwoChains()
    {
        Model m;
        ir::Node* a = m.conv(m.x, "a");
        m.relu(a, "r");
        m.relu(a, "s");
        QCOMPARE(m.chains({kConv, kRelu}), std::string("conv2d_default+relu_default conv2d_default+relu_default_1"));
    }

    void theLastPlaceVariesFastest()
    {
        Model m;
        ir::Node* a = m.conv(m.x, "a");
        ir::Node* b = m.conv(m.x, "b");
        ir::Node* sum = m.add(a, b);
        m.relu(sum, "r");
        m.relu(sum, "s");
        QCOMPARE(m.chains({kConv, kAdd, kRelu}),
                 std::string("conv2d_default+add_tensor+relu_default conv2d_default+add_tensor+relu_default_1 "
                             "conv2d_default_1+add_tensor+relu_default conv2d_default_1+add_tensor+relu_default_1"));
    }

    void functionsStandForTheirModules_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("found");
        QTest::newRow("functional") << "torch.nn.functional.relu" << true;
        QTest::newRow("in place") << "torch.relu_" << true;
        QTest::newRow("tensor function") << "torch.relu" << false;
        QTest::newRow("tensor method") << "relu" << false;
    }

    void functionsStandForTheirModules()
    {
        QFETCH(QString, what);
        QFETCH(bool, found);
        Model m;
        ir::Node* relu = m.call("aten.relu.default", {m.conv(m.x, "a")});
        m.setSource(relu, "relu", what.toStdString());
        QCOMPARE(!m.chains({kConv, kRelu}).empty(), found);
    }

    void everySpellingOfAddCounts_data()
    {
        QTest::addColumn<QString>("what");
        for (const char* what : {"torch.add", "_operator.add", "_operator.iadd", "add", "add_"})
            QTest::newRow(what) << what;
    }

    void everySpellingOfAddCounts()
    {
        QFETCH(QString, what);
        Model m;
        ir::Node* add = m.call("aten.add.Tensor", {m.conv(m.x, "a"), m.x});
        m.setSource(add, "add", what.toStdString());
        QCOMPARE(m.chains({kConv, kAdd}), std::string("conv2d_default+add_tensor"));
    }

    void aBrokenTorchFnIsItsError()
    {
        Model m;
        ir::Node* add = m.call("aten.add.Tensor", {m.x, m.x});
        auto meta = std::make_shared<ir::NodeMeta>(add->meta());
        meta->torchFn = ir::SourceFunction{"add", "nodot"};
        m.graph().setMeta(add, meta);
        GB_COMPARE_ERROR(findSequentialPartitions(m.graph(), {kConv}), IndexError);
    }
};

QTEST_GUILESS_MAIN(TestSequentialPartitions)
#include "tst_sequential_partitions.moc"
