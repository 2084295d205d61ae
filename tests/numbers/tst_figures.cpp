// What plots are painted of: the zoo's and the channels' figures of a run.
#include "numbers/figures.h"

#include "case_run.h"

using namespace gb;

class TestFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
    }

    [[nodiscard]] const ir::Node* node(const char* name) const
    {
        return m_material->calibrated->module->graph().find(name);
    }

    /// The run's own observer, in the zoo, comes to the run's own range: it sees the same values.
    void theZooSeesWhatTheRunSaw()
    {
        const auto& model = *m_material->calibrated->module;
        const auto own = std::dynamic_pointer_cast<quant::Observer>(model.module("activation_post_process_0"));
        QVERIFY(own);
        const auto figure = numbers::zooFigure(*m_material, node("x")->id(),
                                               {{"HistogramObserver",
                                                 {{"dtype", ir::DType::Int8},
                                                  {"qscheme", "per_tensor_affine"},
                                                  {"quant_min", -128},
                                                  {"quant_max", 127}}}});
        QVERIFY2(figure.ok(), figure.ok() ? "" : figure.error().text().c_str());
        QCOMPARE(figure->what, std::string("x"));
        QCOMPARE(figure->animals[0].state.qparams->scale.at(0), own->state().qparams->scale.at(0));
        QVERIFY(figure->values.histogram);
        QCOMPARE(numbers::zooFigure(*m_material, 999999, {}).error().code, base::ErrorCode::NotFound);
    }

    void aRecordingHasRangesAlone()
    {
        const ir::Node* observer = node("activation_post_process_1");
        const auto own =
            std::dynamic_pointer_cast<quant::Observer>(m_material->calibrated->module->module(observer->target()));
        const auto figure = numbers::channelsFigure(m_material->calibrated->module->graph(), observer->id(),
                                                    own->settings(), own->state());
        QCOMPARE(figure.what, std::string("conv_weight"));
        QCOMPARE(figure.target, std::string("aten.conv2d.default"));
        QCOMPARE(figure.words.text(), std::string("axis 0, output channels"));
        QCOMPARE(figure.channels.rows.size(), std::size_t(8));
        QVERIFY(figure.counts.counts.empty() && figure.axes.empty());
    }

    /// The weight is counted once, however many batches there were.
    void theModelHasTheValuesToo()
    {
        const ir::Node* observer = node("activation_post_process_1");
        const auto own =
            std::dynamic_pointer_cast<quant::Observer>(m_material->calibrated->module->module(observer->target()));
        auto figure = numbers::channelsFigure(m_material->calibrated->module->graph(), observer->id(), own->settings(),
                                              own->state());
        const auto done = numbers::addValues(figure, *m_material, observer->id());
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
        double sum = 0;
        for (const double count : figure.counts.counts)
            sum += count;
        QCOMPARE(sum, static_cast<double>(figure.values.front().elementCount()));
        QCOMPARE(figure.axes.size(), std::size_t(3));
        QVERIFY(figure.levels.max <= 127.5
                && figure.levels.max > 126); // symmetric: each channel reaches its last level
        QCOMPARE(numbers::addValues(figure, *m_material, node("relu")->id()).error().code, base::ErrorCode::NotFound);
    }

private:
    numbers::MaterialPtr m_material;
};

QTEST_GUILESS_MAIN(TestFigures)
#include "tst_figures.moc"
