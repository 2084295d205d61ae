// The search language: what matches, what binds tighter, and errors with their column.
#include "explain/query.h"
#include "explained.h"
#include "recipes.h"

using namespace gb;
using namespace gb::test;
using explain::Query;
using explain::SearchRow;

namespace {

SearchRow conv()
{
    SearchRow row;
    row.id = 1;
    row.name = "conv2d";
    row.target = "aten.conv2d.default";
    row.op = "call_function";
    row.module = "layer1.0";
    row.modules = {"layer1", "torch.nn.Sequential", "layer1.0", "torch.nn.modules.conv.Conv2d"};
    row.dtypes = {"float32", "int8"};
    row.observers = {"HistogramObserver"};
    row.codes = {"O1"};
    row.labelled = true;
    return row;
}

SearchRow observer()
{
    SearchRow row;
    row.id = 2;
    row.name = "activation_post_process_0";
    row.target = "activation_post_process_0";
    row.op = "call_module";
    row.observers = {"MinMaxObserver"};
    row.isObserver = true;
    row.scale = {0.5, 0.001};
    row.zeroPoint = {-3};
    row.batches = 0;
    return row;
}

/// "1", "2", "1 2" or "": which of the two rows match.
QByteArray found(const QByteArray& text)
{
    const auto query = Query::parse(text.toStdString());
    if (!query)
        return QByteArray::fromStdString(query.error().text());
    QByteArray out;
    for (const ir::NodeId id : query->run({{conv(), observer()}}))
        out += (out.isEmpty() ? "" : " ") + QByteArray::number(id);
    return out;
}

} // namespace

class TestQuery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finds_data()
    {
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* text, const char* expected) { QTest::newRow(text) << QByteArray(expected); };
        row("conv", "1");
        row("POST", "2");
        row("layer1", "1");
        row("conv*", "1");
        row("op:conv2d", "1");
        row("op:aten.conv2d.default", "1");
        row("op:conv", "");
        row("name:conv2d", "1");
        row("name:conv", "");
        row("module:layer1", "1");
        row("module:layer", "");
        row("module:*Conv2d", "1");
        row("dtype:int8", "1");
        row("obs:*Observer", "1 2");
        row("reason:O1", "1");
        row("label:yes", "1");
        row("label:no", "2");
        row("kind:observer", "2");
        row("scale<0.01", "2");
        row("scale>=0.5", "2");
        row("scale>1", "");
        row("zp=-3", "2");
        row("batches=0", "2");
        row("not conv", "2");
        row("conv or scale<1", "1 2");
        row("obs:*Observer not label:yes", "2");
        row("obs:*Observer and label:yes", "1");
        row("dtype:int8 scale<1 or conv", "1"); // and binds tighter
        row("conv (scale<1 or dtype:int8)", "1");
        row("not (conv or post)", "");
        row("\"conv2d\"", "1");
        row("name:\"conv2d\"", "1");
        row("", "");
        row("   ", "");
    }
    void finds()
    {
        QFETCH(QByteArray, expected);
        QCOMPARE(found(QTest::currentDataTag()), expected);
    }

    void errorsSayTheColumn_data()
    {
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* text, const char* expected) { QTest::newRow(text) << QByteArray(expected); };
        row("conv opp:x", "column 6: no field \"opp\", op, name, module, dtype, obs, reason, label or kind expected");
        row("op:", "column 4: nothing found behind op:, a text expected");
        row("scale:1", "column 1: \"scale:\" found, scale followed by >, <, >=, <= or = expected");
        row("op<1", "column 1: \"op<\" found, op: expected");
        row("foo>1", "column 1: no number \"foo\", scale, zp, min, max or batches expected");
        row("scale>x", "column 7: \"x\" found behind scale>, a number expected");
        row("(conv", "column 6: the end found, a closing parenthesis expected");
        row("conv)", "column 5: \")\" found, the end or another condition expected");
        row("or conv", "column 1: \"or\" found, a condition expected");
        row("conv or", "column 8: the end found, a condition expected");
        row("name:\"x", "column 6: an opening quote found, a closing one expected");
    }
    void errorsSayTheColumn()
    {
        QFETCH(QByteArray, expected);
        QCOMPARE(found(QTest::currentDataTag()), expected);
    }

    void depthIsLimited()
    {
        QVERIFY(found(QByteArray(1000, '(')).contains("more than 200"));
        QVERIFY(found(QByteArray("not ").repeated(1000) + "x").contains("more than 200"));
    }

    void theIndexHoldsWhatARunKnows()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.output({m.call("aten.relu.default", {ref(x)}), m.call("aten.cos.default", {ref(x)})});
        const Explained run = explained(m.module, kRelu, {}, oneBatch());
        const auto index = explain::searchIndex(run.recording, run.answer);
        QVERIFY(index.ok());
        const auto names = [&](const char* text) {
            std::string out;
            const auto query = Query::parse(text);
            for (const ir::NodeId id : query->run(*index))
                for (const SearchRow& row : index->rows)
                    if (row.id == id)
                        out += (out.empty() ? "" : " ") + row.name;
            return out;
        };
        QCOMPARE(names("label:yes"), std::string("relu"));
        QCOMPARE(names("reason:R1"), std::string("cos"));
        QCOMPARE(names("kind:observer scale>0"), std::string("activation_post_process_0"));
        QCOMPARE(names("op:*quantize* dtype:int8"), std::string());
        QCOMPARE(names("op:quantize_per_tensor"), std::string("quantize_per_tensor_default"));
    }
};

QTEST_GUILESS_MAIN(TestQuery)
#include "tst_query.moc"
