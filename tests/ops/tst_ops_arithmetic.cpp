// arithmetic: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

#include <limits>

using namespace gb;
using ir::DType;
using ir::Tensor;
using ops::Value;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsArithmetic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("arithmetic")

    void noneForATensorIsARuntimeError()
    {
        GB_REFUSED(evaluate("aten.div.Tensor", {Value(), ones({2})}), RuntimeError, "argument 'self': None");
        GB_REFUSED(evaluate("aten.add.Tensor", {ones({2}), Value()}), RuntimeError, "argument 'other': None");
        GB_REFUSED(evaluate("aten.relu.default", {Value()}), RuntimeError, "tensor expected");
    }

    void integerDivisionByZeroDoesNotTrap()
    {
        const Tensor a = Tensor::fromVector(std::vector<std::int64_t>{7, std::numeric_limits<std::int64_t>::min()});
        const Tensor b = Tensor::fromVector(std::vector<std::int64_t>{0, -1});
        for (const char* op : {"aten.floor_divide.default", "aten.remainder.Tensor", "aten.fmod.Tensor"})
            QVERIFY(evaluate(op, {a, b}).ok());
    }
    void integersWrapAround()
    {
        const Tensor a = Tensor::fromVector(std::vector<std::int8_t>{127, -128});
        const auto out = evaluate("aten.add.Tensor", {a, a});
        QCOMPARE(out->tensor()->toDoubles(), (std::vector<double>{-2, 0}));
    }
    void unknownRoundingModeIsRefused()
    {
        GB_REFUSED(evaluate("aten.div.Tensor_mode", {ones({2}), ones({2})}, {{"rounding_mode", "ceil"}}), RuntimeError,
                   "'trunc' or 'floor'");
    }
    void textAsOperandIsATypeError()
    {
        GB_REFUSED(evaluate("aten.add.Tensor", {ones({2}), "x"}), TypeError, "argument 'other'");
    }
    void broadcastThatWouldBeAbsurdIsRefused()
    {
        const Tensor a = ones({1, 1}).asStrided({1 << 20, 1}, {0, 1});
        const Tensor b = ones({1, 1}).asStrided({1, 1 << 20}, {1, 0});
        GB_REFUSED(evaluate("aten.add.Tensor", {a, b}), Shape, "elements");
    }
    void inPlaceOnAnExpandedOperandReadsItFirst()
    {
        const Tensor x = Tensor::fromVector(std::vector<float>{1, 2, 3, 4}, {2, 2});
        const Tensor transposed = x.asStrided({2, 2}, {1, 2});
        QVERIFY(evaluate("aten.add_.Tensor", {x, transposed}).ok());
        QCOMPARE(x.toDoubles(), (std::vector<double>{2, 5, 5, 8}));
    }
    void readOnlyMemoryIsRefused()
    {
        class Fixed final : public ir::Storage {
        public:
            [[nodiscard]] const std::byte* bytes() const override
            {
                return reinterpret_cast<const std::byte*>(m_values);
            }
            [[nodiscard]] std::size_t size() const override { return sizeof(m_values); }

        private:
            float m_values[2] = {1, 2};
        };
        const auto x = Tensor::view(std::make_shared<Fixed>(), DType::Float32, {2}, {1}, 0);
        GB_REFUSED(evaluate("aten.add_.Tensor", {*x, 1}), RuntimeError, "read-only");
    }
    void longTensorsAreCutForTheThreads()
    {
        const Tensor x = ramp({300, 1001});
        base::Pool pool(3);
        ops::Context context;
        context.pool = &pool;
        const auto shared = ops_test::table()->evaluate(context, "aten.mul.Tensor", {x, x});
        const auto alone = evaluate("aten.mul.Tensor", {x, x});
        QCOMPARE(shared->tensor()->toDoubles(), alone->tensor()->toDoubles());
    }
    void cancelledWorkGivesNoResult()
    {
        std::stop_source stop;
        stop.request_stop();
        ops::Context context;
        context.work.stop = stop.get_token();
        GB_REFUSED(ops_test::table()->evaluate(context, "aten.add.Tensor", {ones({2}), 1}), Cancelled, "stopped");
    }
};

QTEST_GUILESS_MAIN(TestOpsArithmetic)
#include "tst_ops_arithmetic.moc"
