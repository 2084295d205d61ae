// The interpreter on graphs built by hand.
#include "op_cases.h"

#include "ops/interpreter.h"

#include <QTest>

using namespace gb;
using ir::Argument;
using ir::NewNode;
using ir::Op;
using ir::Tensor;

namespace {

std::shared_ptr<ir::GraphModule> makeModule(const std::string& path = {}, std::shared_ptr<ir::NodeIds> ids = {})
{
    return std::make_shared<ir::GraphModule>(ids ? ids : std::make_shared<ir::NodeIds>(), path);
}

ir::Node* placeholder(ir::GraphModule& module, const std::string& name)
{
    return module.graph().append({Op::Placeholder, name, {}, {}, name});
}

ir::Node* getAttr(ir::GraphModule& module, const std::string& target)
{
    return module.graph().append({Op::GetAttr, target, {}, {}, target});
}

ir::Node* call(ir::GraphModule& module, const std::string& target, std::vector<Argument> args)
{
    return module.graph().append({Op::CallFunction, target, std::move(args)});
}

void output(ir::GraphModule& module, std::vector<Argument> values)
{
    module.graph().append({Op::Output, "output", {Argument::tuple(std::move(values))}, {}, "output"});
}

Argument ref(const ir::Node* node)
{
    return Argument::node(node->id());
}

Tensor floats(std::vector<float> values)
{
    return Tensor::fromVector(values);
}

ops::Interpreter interpreterOf(std::shared_ptr<ir::GraphModule> module)
{
    return ops::Interpreter(std::move(module), ops_test::table(), 2);
}

std::vector<double> valuesOf(const base::Result<ops::ValueList>& result, std::size_t index = 0)
{
    if (!result.ok() || index >= result->size() || !(*result)[index].tensor())
        return {};
    return (*result)[index].tensor()->toDoubles();
}

/// Returns its input times two and counts.
class DoublingObserver final : public quant::Observer {
public:
    [[nodiscard]] const char* typeName() const override { return "DoublingObserver"; }
    [[nodiscard]] const quant::ObserverSettings& settings() const override { return m_settings; }
    base::Result<Tensor> run(const Tensor& x, base::Pool*) override
    {
        ++seen;
        if (fail)
            return base::Error{base::ErrorCode::RuntimeError, "cannot observe", {}};
        const auto doubled = ops_test::evaluate("aten.mul.Tensor", {x, 2.0});
        return *doubled->tensor();
    }
    bool forwardAgain() override
    {
        again += knowsAgain;
        return knowsAgain;
    }
    [[nodiscard]] base::Result<quant::QParams> calculateQParams() const override { return quant::QParams{}; }
    [[nodiscard]] quant::ObserverState state() const override { return {}; }
    [[nodiscard]] std::shared_ptr<quant::Observer> copy() const override { return {}; }

    int seen = 0;
    int again = 0;
    bool fail = false;
    bool knowsAgain = false;

private:
    quant::ObserverSettings m_settings;
};

class Log final : public ops::RunListener {
public:
    void nodeStarted(const ir::Node& node) override { text += "<" + node.name(); }
    void nodeFinished(const ir::Node& node, const ops::Value&) override { text += ">" + node.name(); }
    void observerSaw(const ir::Node& node, const quant::Observer& observer) override
    {
        text += "!" + node.target() + "=" + observer.typeName();
    }
    std::string text;
};

} // namespace

class TestInterpreter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outputsAreFlattenedInOrder()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* y = placeholder(*module, "y");
        const ir::Node* sum = call(*module, "aten.add.Tensor", {ref(x), ref(y)});
        output(*module, {ref(sum), Argument::list({ref(y), Argument(std::int64_t{7})})});
        auto interpreter = interpreterOf(module);
        const auto out = interpreter.run({floats({1, 2}), floats({10, 20})});
        QVERIFY2(out.ok(), out.ok() ? "" : out.error().text().c_str());
        QCOMPARE(out->size(), std::size_t{3});
        QCOMPARE(valuesOf(out, 0), (std::vector<double>{11, 22}));
        QCOMPARE(valuesOf(out, 1), (std::vector<double>{10, 20}));
        QCOMPARE(*(*out)[2].as<std::int64_t>(), std::int64_t{7});
    }

    void keywordArguments()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        NewNode node{Op::CallFunction, "aten.add.Tensor", {ref(x)}, {{"other", ref(x)}, {"alpha", Argument(3)}}};
        const ir::Node* sum = module->graph().append(std::move(node));
        output(*module, {ref(sum)});
        auto interpreter = interpreterOf(module);
        QCOMPARE(valuesOf(interpreter.run({floats({1, 2})})), (std::vector<double>{4, 8}));
    }

    void observersAreRunAndHeard()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* seen = module->graph().append({Op::CallModule, "obs_0", {ref(x)}, {}, "obs_0"});
        output(*module, {ref(seen)});
        const auto observer = std::make_shared<DoublingObserver>();
        module->setModule("obs_0", observer);
        auto interpreter = interpreterOf(module);
        Log log;
        QCOMPARE(valuesOf(interpreter.run({floats({1, 2})}, {}, &log)), (std::vector<double>{2, 4}));
        QCOMPARE(observer->seen, 1);
        QCOMPARE(log.text, std::string("<x>x<obs_0!obs_0=DoublingObserver>obs_0<output>output"));
    }

    void aConstantIsGoneThroughOnce_data()
    {
        QTest::addColumn<bool>("constant");
        QTest::addColumn<bool>("written");
        QTest::addColumn<int>("again");
        QTest::newRow("a weight") << true << false << 2;
        QTest::newRow("a buffer that the graph writes to") << true << true << 0;
        QTest::newRow("an input") << false << false << 0;
    }

    void aConstantIsGoneThroughOnce()
    {
        QFETCH(bool, constant);
        QFETCH(bool, written);
        QFETCH(int, again);
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* weight = getAttr(*module, "weight");
        module->setAttribute("weight", {floats({3, 4})});
        const ir::Node* seen =
            module->graph().append({Op::CallModule, "obs_0", {ref(constant ? weight : x)}, {}, "obs_0"});
        if (written)
            call(*module, "aten.add_.Tensor", {ref(weight), ref(x)});
        output(*module, {ref(seen)});
        const auto observer = std::make_shared<DoublingObserver>();
        observer->knowsAgain = true;
        module->setModule("obs_0", observer);
        auto interpreter = interpreterOf(module);
        const ops::ValueList inputs = {floats({1, 2})};
        for (int batch = 0; batch < 3; ++batch)
            QVERIFY(interpreter.run(inputs).ok());
        QCOMPARE(observer->again, again);
        QCOMPARE(observer->seen, 3 - again);
    }

    void twoConstantsOfOneObserverAreNotTakenForEachOther()
    {
        auto module = makeModule();
        std::vector<Argument> out;
        for (const char* name : {"first", "second"}) {
            const ir::Node* weight = getAttr(*module, name);
            module->setAttribute(name, {floats({3, 4})});
            out.push_back(ref(module->graph().append({Op::CallModule, "obs_0", {ref(weight)}})));
        }
        output(*module, out);
        const auto observer = std::make_shared<DoublingObserver>();
        observer->knowsAgain = true;
        module->setModule("obs_0", observer);
        auto interpreter = interpreterOf(module);
        QVERIFY(interpreter.run({}).ok());
        QVERIFY(interpreter.run({}).ok());
        QCOMPARE(observer->seen, 4);
    }

    void inputsAreNotChanged()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* flat = call(*module, "aten.view.default", {ref(x), Argument::list({Argument(-1)})});
        const ir::Node* changed = call(*module, "aten.relu_.default", {ref(flat)});
        output(*module, {ref(changed), ref(x)});
        auto interpreter = interpreterOf(module);
        const Tensor input = floats({-1, 2});
        const auto out = interpreter.run({input});
        QCOMPARE(valuesOf(out, 0), (std::vector<double>{0, 2}));
        QCOMPARE(valuesOf(out, 1), (std::vector<double>{0, 2})); // x itself was changed, as in torch
        QCOMPARE(input.toDoubles(), (std::vector<double>{-1, 2}));
    }

    void buffersKeepWhatRunsWrote()
    {
        auto module = makeModule();
        module->setAttribute("count",
                             {Tensor::fromVector(std::vector<std::int64_t>{5}, {}), ir::AttributeKind::Buffer});
        placeholder(*module, "x");
        const ir::Node* count = getAttr(*module, "count");
        const ir::Node* more = call(*module, "aten.add_.Tensor", {ref(count), Argument(1)});
        output(*module, {ref(more)});
        auto interpreter = interpreterOf(module);
        QCOMPARE(valuesOf(interpreter.run({floats({0})})), (std::vector<double>{6}));
        QCOMPARE(valuesOf(interpreter.run({floats({0})})), (std::vector<double>{7}));
        QCOMPARE(interpreter.mutatedAttributes().at("count").toDoubles(), (std::vector<double>{7}));
        QCOMPARE(module->attribute("count")->value.toDoubles(), (std::vector<double>{5}));
        interpreter.reset();
        QVERIFY(interpreter.mutatedAttributes().empty());
        QCOMPARE(valuesOf(interpreter.run({floats({0})})), (std::vector<double>{6}));
    }

    void aSliceOfABufferIsWrittenTo()
    {
        auto module = makeModule();
        module->setAttribute("cache", {floats({1, 2, 3}), ir::AttributeKind::Buffer});
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* cache = getAttr(*module, "cache");
        const ir::Node* part = call(*module, "aten.slice.Tensor", {ref(cache), Argument(0), Argument(1), Argument(2)});
        call(*module, "aten.copy_.default", {ref(part), ref(x)});
        output(*module, {ref(cache)});
        auto interpreter = interpreterOf(module);
        QCOMPARE(valuesOf(interpreter.run({floats({9})})), (std::vector<double>{1, 9, 3}));
        QCOMPARE(module->attribute("cache")->value.toDoubles(), (std::vector<double>{1, 2, 3}));
    }

    void batchNormInTrainingMovesItsStatistics()
    {
        auto module = makeModule();
        module->setAttribute("mean", {floats({0}), ir::AttributeKind::Buffer});
        module->setAttribute("var", {floats({1}), ir::AttributeKind::Buffer});
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* mean = getAttr(*module, "mean");
        const ir::Node* var = getAttr(*module, "var");
        const ir::Node* norm = call(*module, "aten.batch_norm.default",
                                    {ref(x), Argument(), Argument(), ref(mean), ref(var), Argument(true), Argument(0.5),
                                     Argument(0.0), Argument(false)});
        output(*module, {ref(norm)});
        auto interpreter = interpreterOf(module);
        const auto out = interpreter.run({Tensor::fromVector(std::vector<float>{1, 3}, {2, 1})});
        QCOMPARE(valuesOf(out), (std::vector<double>{-1, 1}));
        QCOMPARE(interpreter.mutatedAttributes().at("mean").toDoubles(), (std::vector<double>{1}));
        QCOMPARE(interpreter.mutatedAttributes().at("var").toDoubles(), (std::vector<double>{1.5}));
    }

    void condRunsOneBranch()
    {
        auto module = makeModule();
        const auto branch = [&](const std::string& name, double factor) {
            auto sub = makeModule(name, module->ids());
            const ir::Node* x = placeholder(*sub, "x");
            const ir::Node* product = call(*sub, "aten.mul.Tensor", {ref(x), Argument(factor)});
            output(*sub, {ref(product)});
            module->setSubgraph(name, sub);
        };
        branch("true_graph_0", 2.0);
        branch("false_graph_0", -1.0);
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* sum = call(*module, "aten.sum.default", {ref(x)});
        const ir::Node* positive = call(*module, "aten.gt.Scalar", {ref(sum), Argument(0)});
        const ir::Node* yes = getAttr(*module, "true_graph_0");
        const ir::Node* no = getAttr(*module, "false_graph_0");
        const ir::Node* chosen = call(*module, "cond", {ref(positive), ref(yes), ref(no), Argument::list({ref(x)})});
        const ir::Node* item = call(*module, "<built-in function getitem>", {ref(chosen), Argument(0)});
        output(*module, {ref(item)});
        auto interpreter = interpreterOf(module);
        QCOMPARE(valuesOf(interpreter.run({floats({1, 2})})), (std::vector<double>{2, 4}));
        QCOMPARE(valuesOf(interpreter.run({floats({1, -2})})), (std::vector<double>{-1, 2}));
    }

    void whileLoopThatEnds()
    {
        auto module = loopModule(1);
        auto interpreter = interpreterOf(module);
        const auto out = interpreter.run({Tensor::scalar(std::int64_t{4}), floats({1})});
        QVERIFY2(out.ok(), out.ok() ? "" : out.error().text().c_str());
        QCOMPARE(valuesOf(out), (std::vector<double>{5}));
    }

    void aCancelledLoopStops()
    {
        auto module = loopModule(0); // counts down by nothing: would run for ever
        std::stop_source stop;
        class Stopper final : public ops::RunListener {
        public:
            explicit Stopper(std::stop_source& source)
                : m_source(source)
            {
            }
            void nodeStarted(const ir::Node&) override
            {
                if (++m_count == 1000)
                    m_source.request_stop();
            }

        private:
            std::stop_source& m_source;
            int m_count = 0;
        } stopper(stop);
        auto interpreter = interpreterOf(module);
        const auto out = interpreter.run({Tensor::scalar(std::int64_t{4}), floats({1})}, {stop.get_token()}, &stopper);
        QVERIFY(!out.ok());
        QCOMPARE(out.error().code, base::ErrorCode::Cancelled);
    }

    void progressCountsNodes()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        output(*module, {ref(x)});
        std::vector<std::pair<int, std::string>> heard;
        base::Work work;
        work.progress = [&](int at, const std::string& stage) { heard.emplace_back(at, stage); };
        auto interpreter = interpreterOf(module);
        QVERIFY(interpreter.run({floats({1})}, work).ok());
        QCOMPARE(heard.size(), std::size_t{2});
        QCOMPARE(heard[0].first, 0);
        QCOMPARE(heard[1].first, 500);
        QCOMPARE(heard[1].second, std::string("output"));
    }

    void opWithoutKernelIsNamed()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* odd = call(*module, "aten.no_such_op.default", {ref(x)});
        output(*module, {ref(odd)});
        const auto missing = ops::checkCovered(*module, *ops_test::table());
        QCOMPARE(missing.size(), std::size_t{1});
        QCOMPARE(missing[0].node, odd->name());
        QCOMPARE(missing[0].target, std::string("aten.no_such_op.default"));
        auto interpreter = interpreterOf(module);
        const auto out = interpreter.run({floats({1})});
        QVERIFY(!out.ok());
        QCOMPARE(out.error().code, base::ErrorCode::NoKernel);
        QVERIFY(out.error().text().find(odd->name()) != std::string::npos);
        QVERIFY(out.error().text().find("aten.no_such_op.default") != std::string::npos);
    }

    void shapeMismatchNamesNodeAndOp()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* y = placeholder(*module, "y");
        const ir::Node* sum = call(*module, "aten.add.Tensor", {ref(x), ref(y)});
        output(*module, {ref(sum)});
        auto interpreter = interpreterOf(module);
        const auto out = interpreter.run({floats({1, 2}), floats({1, 2, 3})});
        QVERIFY(!out.ok());
        QCOMPARE(out.error().code, base::ErrorCode::RuntimeError);
        QCOMPARE(out.error().place, "node " + sum->name() + ": aten.add.Tensor");
    }

    void tooFewInputs()
    {
        auto module = makeModule();
        placeholder(*module, "x");
        placeholder(*module, "y");
        output(*module, {});
        auto interpreter = interpreterOf(module);
        QCOMPARE(interpreter.run({floats({1})}).error().code, base::ErrorCode::TypeError);
    }

    void tooManyInputs()
    {
        auto module = makeModule();
        placeholder(*module, "x");
        output(*module, {});
        auto interpreter = interpreterOf(module);
        QCOMPARE(interpreter.run({floats({1}), floats({1})}).error().code, base::ErrorCode::TypeError);
    }

    void missingAttribute()
    {
        auto module = makeModule();
        const ir::Node* weight = getAttr(*module, "weight");
        output(*module, {ref(weight)});
        auto interpreter = interpreterOf(module);
        QCOMPARE(interpreter.run({}).error().code, base::ErrorCode::AttributeError);
    }

    void missingObserver()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* seen = module->graph().append({Op::CallModule, "obs_0", {ref(x)}, {}, "obs_0"});
        output(*module, {ref(seen)});
        auto interpreter = interpreterOf(module);
        QCOMPARE(interpreter.run({floats({1})}).error().code, base::ErrorCode::AttributeError);
    }

    void observerThatFailsIsNamed()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* seen = module->graph().append({Op::CallModule, "obs_0", {ref(x)}, {}, "obs_0"});
        output(*module, {ref(seen)});
        const auto observer = std::make_shared<DoublingObserver>();
        observer->fail = true;
        module->setModule("obs_0", observer);
        auto interpreter = interpreterOf(module);
        QCOMPARE(interpreter.run({floats({1})}).error().place, std::string("node obs_0: obs_0"));
    }

    void graphWithoutOutput()
    {
        auto module = makeModule();
        placeholder(*module, "x");
        auto interpreter = interpreterOf(module);
        QCOMPARE(interpreter.run({floats({1})}).error().code, base::ErrorCode::Format);
    }

    void resultsDoNotDependOnThreads()
    {
        auto module = makeModule();
        const ir::Node* x = placeholder(*module, "x");
        const ir::Node* w = placeholder(*module, "w");
        const ir::Node* conv = call(*module, "aten.conv2d.default",
                                    {ref(x), ref(w), Argument(), Argument::list({Argument(1), Argument(1)}),
                                     Argument::list({Argument(1), Argument(1)})});
        output(*module, {ref(conv)});
        const Tensor input = wave({2, 20, 33, 35});
        const Tensor weight = wave({50, 20, 3, 3});
        ops::Interpreter one(module, ops_test::table(), 1);
        ops::Interpreter four(module, ops_test::table(), 4);
        const auto a = valuesOf(one.run({input, weight}));
        QVERIFY(!a.empty());
        QCOMPARE(valuesOf(four.run({input, weight})), a);
        QCOMPARE(valuesOf(four.run({input, weight})), a);
    }

private:
    static Tensor wave(const ir::Shape& shape)
    {
        Tensor out = Tensor::empty(ir::DType::Float32, shape);
        for (std::int64_t i = 0; i < out.elementCount(); ++i)
            out.mutableData<float>()[i] = static_cast<float>((i * 7919) % 1013) / 1013.0F - 0.5F;
        return out;
    }

    /// while n > 0: n -= step; x += 1
    static std::shared_ptr<ir::GraphModule> loopModule(int step)
    {
        auto module = makeModule();
        auto condition = makeModule("cond_graph", module->ids());
        const ir::Node* n = placeholder(*condition, "n");
        placeholder(*condition, "x");
        const ir::Node* positive = call(*condition, "aten.gt.Scalar", {ref(n), Argument(0)});
        output(*condition, {ref(positive)});
        auto body = makeModule("body_graph", module->ids());
        n = placeholder(*body, "n");
        const ir::Node* x = placeholder(*body, "x");
        const ir::Node* less = call(*body, "aten.sub.Tensor", {ref(n), Argument(step)});
        const ir::Node* more = call(*body, "aten.add.Tensor", {ref(x), Argument(1)});
        output(*body, {ref(less), ref(more)});
        module->setSubgraph("cond_graph", condition);
        module->setSubgraph("body_graph", body);
        n = placeholder(*module, "n");
        x = placeholder(*module, "x");
        const ir::Node* conditionGraph = getAttr(*module, "cond_graph");
        const ir::Node* bodyGraph = getAttr(*module, "body_graph");
        const ir::Node* loop =
            call(*module, "while_loop",
                 {ref(conditionGraph), ref(bodyGraph), Argument::list({ref(n), ref(x)}), Argument::list({})});
        const ir::Node* item = call(*module, "<built-in function getitem>", {ref(loop), Argument(1)});
        output(*module, {ref(item)});
        return module;
    }
};

QTEST_GUILESS_MAIN(TestInterpreter)
#include "tst_interpreter.moc"
