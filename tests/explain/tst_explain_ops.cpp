// Which nodes are compute ops, which targets are spellings of one op, and the table of codes.
#include "explain/codes.h"
#include "explain/ops.h"
#include "ir/graph.h"

#include <QtTest>

using namespace gb;

class TestExplainOps : public QObject {
    Q_OBJECT

private slots:
    void onlyCallsOfTensorOpsAreComputeOps_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<bool>("expected");
        QTest::newRow("op") << QByteArray("aten.relu.default") << true;
        QTest::newRow("library's op") << QByteArray("torchvision.nms.default") << true;
        QTest::newRow("getitem") << QByteArray("<built-in function getitem>") << false;
        QTest::newRow("size") << QByteArray("aten.sym_size.int") << false;
        QTest::newRow("assert") << QByteArray("aten._assert_tensor_metadata.default") << false;
        QTest::newRow("control flow") << QByteArray("while_loop") << false;
        QTest::newRow("no_grad") << QByteArray("wrap_with_set_grad_enabled") << false;
    }
    void onlyCallsOfTensorOpsAreComputeOps()
    {
        QFETCH(QByteArray, target);
        QFETCH(bool, expected);
        ir::Graph graph(std::make_shared<ir::NodeIds>(), "");
        const ir::Node* call = graph.append({ir::Op::CallFunction, target.toStdString()});
        QCOMPARE(explain::isComputeOp(*call), expected);
        const ir::Node* module = graph.append({ir::Op::CallModule, target.toStdString()});
        QVERIFY(!explain::isComputeOp(*module));
    }

    void spellingsOfOneOpAreSiblings()
    {
        QVERIFY(explain::areSiblings("aten.conv2d.default", "aten.conv2d.padding"));
        QVERIFY(explain::areSiblings("aten.relu.default", "aten.relu_.default"));
        QVERIFY(explain::areSiblings("aten.slice.Tensor", "aten.slice_copy.Tensor"));
        QVERIFY(explain::areSiblings("aten.concat.default", "aten.cat.default"));
        QVERIFY(explain::areSiblings("aten.reshape.default", "aten.view_copy.default"));
        QVERIFY(explain::areSiblings("aten.transpose.int", "aten.permute.default"));
        QVERIFY(explain::areSiblings("aten.addmm.default", "aten.linear.default"));
        QVERIFY(explain::areSiblings("aten.convolution.default", "aten.conv2d.default"));
        QVERIFY(explain::areSiblings("aten.conv1d.default", "aten.convolution.default"));
    }

    void otherOpsAreNot()
    {
        QVERIFY(!explain::areSiblings("aten.relu.default", "aten.relu.default"));
        QVERIFY(!explain::areSiblings("aten.conv2d.default", "aten.conv_transpose2d.input"));
        QVERIFY(!explain::areSiblings("aten.relu.default", "mylib.relu.default"));
        QVERIFY(!explain::areSiblings("aten.relu.default", "aten.relu6.default"));
        QVERIFY(!explain::areSiblings("aten.conv1d.default", "aten.conv2d.default"));
        QVERIFY(!explain::areSiblings("aten.convolution.default", "aten.linear.default"));
    }

    void compositesAreKnown()
    {
        QVERIFY(explain::isComposite("aten.gru.input"));
        QVERIFY(explain::isComposite("aten.scaled_dot_product_attention.default"));
        QVERIFY(!explain::isComposite("aten.linear.default"));
    }

    void everyCodeHasItsVerdict()
    {
        for (int i = 1; i <= 18; ++i)
            QVERIFY(*explain::verdictOf("R" + std::to_string(i)));
        for (int i = 1; i <= 6; ++i)
            QVERIFY(*explain::verdictOf("O" + std::to_string(i)));
        for (int i = 1; i <= 4; ++i)
            QVERIFY(*explain::verdictOf("C" + std::to_string(i)));
        QCOMPARE(std::string(explain::verdictOf("R99")), std::string());
        QVERIFY(explain::adviceFor("R5").empty());
        QVERIFY(!explain::adviceFor("R2").empty());
        QVERIFY(explain::rankOf("R7") < explain::rankOf("R5"));
        QVERIFY(explain::rankOf("R1") < explain::rankOf("R99"));
    }
};

QTEST_GUILESS_MAIN(TestExplainOps)
#include "tst_explain_ops.moc"
