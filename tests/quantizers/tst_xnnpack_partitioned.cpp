// adaptive_avg_pool2d, cat and gru_io_only, which go by source metadata; and propagate_annotation.
#include "model_builder.h"

using namespace gb;
using gb::test::ModelBuilder;
using gb::test::xnnpack;

namespace {

constexpr const char* kPool = "aten.adaptive_avg_pool2d.default";
constexpr const char* kPoolModule = "torch.nn.modules.pooling.AdaptiveAvgPool2d";
constexpr const char* kGru = "torch.nn.modules.rnn.GRU";

struct Model : ModelBuilder {
    ir::Node* cat(const std::vector<ir::Node*>& nodes, const std::string& target = "aten.cat.default")
    {
        ir::Node* node = callWith(target, {ir::Argument::list(refs(nodes))});
        setSource(node, "cat", "torch.cat");
        return node;
    }

    /// gru(in..., weight) with `outputs` getitem nodes.
    std::vector<ir::Node*> gru(std::vector<ir::Node*> in, int outputs)
    {
        in.push_back(parameter("gru.weight"));
        ir::Node* node = call("aten.gru.input", in, "gru", kGru);
        std::vector<ir::Node*> out;
        for (int i = 0; i < outputs; ++i)
            out.push_back(callWith("<built-in function getitem>", {ir::Argument::node(node->id()), ir::Argument(i)},
                                   "gru", kGru));
        output(out);
        return out;
    }
};

} // namespace

class TestXnnpackPartitioned : public QObject {
    Q_OBJECT

private slots:
    void poolSharesItsOutputWithItsInputEdge()
    {
        Model m;
        ir::Node* pool = m.call(kPool, {m.input("x")}, "pool", kPoolModule);
        m.output({pool});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(pool),
                 std::string("in x:HistogramObserver out shared(x->adaptive_avg_pool2d_default) marked"));
    }

    void poolSharesWithALabelledProducer()
    {
        Model m;
        ir::Node* conv = m.weighted("aten.conv2d.default", m.input("x"), "c");
        ir::Node* pool = m.call(kPool, {conv}, "pool", kPoolModule);
        m.output({pool});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(pool), std::string("in conv2d_default:shared(conv2d_default) out "
                                            "shared(conv2d_default->adaptive_avg_pool2d_default) marked"));
    }

    void poolIsRefusedWithoutSourceMetadata()
    {
        Model m;
        ir::Node* pool = m.call(kPool, {m.input("x")});
        m.output({pool});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt("adaptive_avg_pool2d", pool);
        GB_COMPARE_REFUSAL(attempt, "source_partition", "R3");
        QCOMPARE(attempt->text("found"), std::string("no source_fn_stack, module (top) (models.Top)"));
    }

    void poolIsFoundByItsFunctionInAStrictProgram()
    {
        Model m;
        ir::Node* pool = m.call(kPool, {m.input("x")});
        m.setSource(pool, "adaptive_avg_pool2d", "torch.nn.functional.adaptive_avg_pool2d");
        m.output({pool});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.matches("adaptive_avg_pool2d"), pool->name());
    }

    void anotherOpInAPoolModuleIsAValueError()
    {
        Model m;
        m.output({m.call("aten.mean.dim", {m.input("x")}, "pool", kPoolModule)});
        GB_COMPARE_ERROR(m.run(xnnpack()), ValueError);
    }

    void anUnusedPoolIsAnIndexError()
    {
        Model m;
        ir::Node* x = m.input("x");
        m.call(kPool, {x}, "pool", kPoolModule);
        m.output({x});
        GB_COMPARE_ERROR(m.run(xnnpack()), IndexError);
    }

    void catSharesWithItsFirstInput()
    {
        Model m;
        ir::Node* cat = m.cat({m.input("x"), m.input("y"), m.input("z")});
        m.output({cat});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(cat),
                 std::string("in x:HistogramObserver y:shared(x->cat_default) z:shared(x->cat_default) out "
                             "shared(x->cat_default) marked"));
        // one spec object for all that share
        QCOMPARE(cat->annotation()->inputs[1].second, cat->annotation()->output);
    }

    void catOfOneTensorTwiceKeepsTheFirstEntry()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* cat = m.cat({x, x});
        m.output({cat});
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(cat), std::string("in x:HistogramObserver out shared(x->cat_default) marked"));
    }

    void catIsRefusedWithoutSourceMetadata()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* cat = m.callWith("aten.cat.default", {ir::Argument::list(ModelBuilder::refs({x, x}))});
        m.output({cat});
        GB_VERIFY_OK(m.run(xnnpack()));
        GB_COMPARE_REFUSAL(m.attempt("cat", cat), "source_partition", "R3");
    }

    void aCatThatIsNoAtenCatIsABareException()
    {
        Model m;
        m.output({m.cat({m.input("x")}, "aten.concat.default")});
        GB_COMPARE_ERROR(m.run(xnnpack()), Exception);
    }

    void aCatOfNothingIsAnIndexError()
    {
        Model m;
        m.output({m.cat({})});
        GB_COMPARE_ERROR(m.run(xnnpack()), IndexError);
    }

    void gruLabelsTheEdgesIntoItAndItsOutputs()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* h = m.input("h");
        const auto out = m.gru({x, h}, 2);
        GB_VERIFY_OK(m.run(xnnpack()));
        // both edges end at the same node: the second label replaces the first
        QCOMPARE(m.label(m.graph().find("gru_input")), std::string("in h:HistogramObserver out none marked"));
        QCOMPARE(m.label(out[0]), std::string("in out HistogramObserver marked"));
        QCOMPARE(m.label(out[1]), std::string("in out HistogramObserver marked"));
    }

    void gruLabelsTheFirstUserWhereverItIs()
    {
        Model m;
        ir::Node* x = m.input("x");
        ir::Node* h = m.input("h");
        ir::Node* tanh = m.call("aten.tanh.default", {x});
        m.gru({x, h}, 2);
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(tanh), std::string("in x:HistogramObserver out none marked"));
    }

    void aGruWithoutHiddenStateIsAnIndexError()
    {
        Model m;
        m.gru({m.input("x")}, 2);
        GB_COMPARE_ERROR(m.run(xnnpack()), IndexError);
    }

    void aGruWithOneUsedOutputIsAnAssertionError()
    {
        Model m;
        m.gru({m.input("x"), m.input("h")}, 1);
        GB_COMPARE_ERROR(m.run(xnnpack()), AssertionError);
    }

    void propagateSharesWithALabelledProducer_data()
    {
        QTest::addColumn<QString>("target");
        for (const char* target :
             {"aten.relu.default", "aten.hardtanh.default", "aten.hardtanh_.default", "aten.max_pool2d.default",
              "aten.mean.default", "aten.mean.dim", "aten.permute.default", "aten.permute_copy.default",
              "aten.squeeze.dim", "aten.squeeze_copy.dim", "aten.adaptive_avg_pool2d.default", "aten.view_copy.default",
              "aten.view.default", "aten.slice_copy.Tensor", "aten.flatten.using_ints"})
            QTest::newRow(target) << target;
    }

    void propagateSharesWithALabelledProducer()
    {
        QFETCH(QString, target);
        Model m;
        ir::Node* add = m.call("aten.add.Tensor", {m.input("x"), m.input("y")});
        ir::Node* first = m.call(target.toStdString(), {add});
        ir::Node* second = m.call("aten.view.default", {first});
        m.output({second, add}); // add's second user keeps relu from fusing
        GB_VERIFY_OK(m.run(xnnpack()));
        QCOMPARE(m.label(first), std::string("in add_tensor:shared(add_tensor) out shared(add_tensor) marked"));
        QCOMPARE(m.label(second),
                 "in " + first->name() + ":shared(" + first->name() + ") out shared(" + first->name() + ") marked");
    }

    void propagateIsRefusedBehindAnUnlabelledNode()
    {
        Model m;
        ir::Node* view = m.call("aten.view.default", {m.input("x")});
        m.output({view});
        GB_VERIFY_OK(m.run(xnnpack()));
        const trace::Event* attempt = m.attempt("propagate", view);
        GB_COMPARE_REFUSAL(attempt, "producer_output_spec", "R9");
        QCOMPARE(attempt->text("found"), std::string("x: no label"));
    }

    void propagateIsRefusedBehindALabelWithoutOutput()
    {
        Model m;
        ir::Node* linear = m.weighted("aten.linear.default", m.input("x"), "fc");
        ir::Node* view = m.call("aten.view.default", {linear});
        m.output({view});
        GB_VERIFY_OK(m.run(xnnpack({"is_dynamic"})));
        const trace::Event* attempt = m.attempt("propagate", view);
        GB_COMPARE_REFUSAL(attempt, "producer_output_spec", "R9");
        QCOMPARE(attempt->text("found"), std::string("linear_default: no output spec"));
    }

    void propagateSkipsAnArgumentThatIsNoNode()
    {
        Model m;
        ir::Node* view = m.callWith("aten.view.default", {ir::Argument(1)});
        m.output({view});
        GB_VERIFY_OK(m.run(xnnpack()));
        GB_COMPARE_REFUSAL(m.attempt("propagate", view), "producer_output_spec", "R9");
    }
};

QTEST_GUILESS_MAIN(TestXnnpackPartitioned)
#include "tst_xnnpack_partitioned.moc"
