// rnn: the calls recorded from torch, and what torch's records cannot show.
#include "family_test.h"

using namespace gb;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;

class TestOpsRnn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("rnn")

    void missingWeightsAreRefused()
    {
        GB_REFUSED(evaluate("aten.gru.input", {ones({2, 1, 3}), ones({1, 1, 4}), ops::ValueList{ones({12, 3})}, true, 1,
                                               0.0, false, false, false}),
                   RuntimeError, "1 weights, 4 expected");
    }
    void absurdLayersAreRefused()
    {
        GB_REFUSED(evaluate("aten.gru.input", {ones({2, 1, 3}), ones({1, 1, 4}), ops::ValueList{}, true,
                                               std::int64_t{1} << 60, 0.0, false, false, false}),
                   RuntimeError, "layers");
    }
    void oneStateForAnLstmIsRefused()
    {
        GB_REFUSED(evaluate("aten.lstm.input", {ones({2, 1, 3}), ops::ValueList{ones({1, 1, 4})},
                                                ops::ValueList{ones({16, 3}), ones({16, 4}), ones({16}), ones({16})},
                                                true, 1, 0.0, false, false, false}),
                   RuntimeError, "initial states");
    }
    void dropoutInTrainingIsNotComputed()
    {
        GB_REFUSED(evaluate("aten.gru.input",
                            {ones({2, 1, 3}), ones({2, 1, 4}), ops::ValueList{}, true, 2, 0.5, true, false, false}),
                   NoKernel, "random");
    }
    void twoDimensionsAreRefused()
    {
        GB_REFUSED(evaluate("aten.gru.input",
                            {ones({2, 3}), ones({1, 1, 4}), ops::ValueList{}, true, 1, 0.0, false, false, false}),
                   RuntimeError, "three dimensions");
    }
    void negativeEmbeddingIndexIsAnIndexError()
    {
        GB_REFUSED(
            evaluate("aten.embedding.default", {ones({3, 2}), Tensor::fromVector(std::vector<std::int64_t>{-1})}),
            IndexError, "index -1, 0 to 2");
    }
};

QTEST_GUILESS_MAIN(TestOpsRnn)
#include "tst_ops_rnn.moc"
