// The places where something can be tried out, and changes in words.
#include "numbers/observer_sites.h"

#include "case_run.h"

using namespace gb;
using numbers::Change;
using numbers::ObserverSite;

class TestObserverSites : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyObserverIsASite()
    {
        const auto material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(material);
        const auto sites = numbers::observerSites(*material);
        QCOMPARE(sites.size(), std::size_t(3));
        const ir::Graph& graph = material->calibrated->module->graph();
        const auto siteOf = [&](const char* node) {
            const int at = numbers::siteOf(sites, graph.find(node)->id());
            return at < 0 ? ObserverSite() : sites[static_cast<std::size_t>(at)];
        };
        const ObserverSite input = siteOf("x");
        QCOMPARE(input.type, std::string("HistogramObserver"));
        QVERIFY(input.perTensor && input.range && input.range->min < input.range->max);
        const ObserverSite weight = siteOf("conv_weight");
        QVERIFY(!weight.perTensor && !weight.range); // per channel
        QCOMPARE(siteOf("relu").target, std::string("activation_post_process_2"));
        QCOMPARE(siteOf("conv2d").users.size(), std::size_t(1)); // has no output observer: one of its inputs'
        QCOMPARE(numbers::siteOf(sites, ir::kNoNode), -1);
    }

    /// One observer behind several nodes is one site.
    void sharedObserversAreOneSite()
    {
        const auto material = test::materialOfCase("cat.shared");
        QVERIFY(material);
        const auto sites = numbers::observerSites(*material);
        const auto most = std::ranges::max_element(sites, {}, [](const ObserverSite& s) { return s.observed.size(); });
        QVERIFY(most != sites.end() && most->observed.size() > 1);
    }

    void changesHaveWords()
    {
        QCOMPARE(numbers::changeWords({Change::Kind::FloatOp, "conv2d"}).text(), std::string("conv2d in float"));
        QCOMPARE(numbers::changeWords({Change::Kind::FloatObserver, "o"}).text(), std::string("o: not quantized"));
        QCOMPARE(numbers::changeWords({Change::Kind::Range, "o", {}, -1, 2.5}).text(),
                 std::string("o: range -1 to 2.5"));
        const ir::ObserverConstructor old{"HistogramObserver", {{"dtype", ir::DType::Int8}, {"bins", 2048}}};
        const Change change{Change::Kind::Observer,
                            "o",
                            {"HistogramObserver", {{"dtype", ir::DType::Int8}, {"bins", 64}, {"reduce_range", true}}}};
        QCOMPARE(numbers::changeWords(change, old).text(),
                 std::string("o: HistogramObserver(bins=64, reduce_range=True)"));
        QCOMPARE(
            numbers::changeWords({Change::Kind::Observer, "o", {"MinMaxObserver", {{"dtype", ir::DType::Int8}}}}, old)
                .text(),
            std::string("o: MinMaxObserver"));
    }

    void whatIsLeftOutIsTakenOver()
    {
        const ir::ObserverConstructor old{"HistogramObserver",
                                          {{"dtype", ir::DType::Int8},
                                           {"qscheme", "torch.per_tensor_symmetric"},
                                           {"quant_min", -127},
                                           {"quant_max", 127},
                                           {"eps", 0.5},
                                           {"bins", 64}}};
        const auto plain = numbers::completed({"MinMaxObserver", {}}, old);
        QCOMPARE(plain.arguments.size(), std::size_t(5)); // bins is the histogram's own
        QCOMPARE(*plain.arguments[1].second.as<std::string>(), std::string("per_tensor_symmetric"));
        const auto reduced = numbers::completed({"MinMaxObserver", {{"reduce_range", true}}}, old);
        for (const auto& [key, value] : reduced.arguments)
            QVERIFY(key != "quant_min" && key != "quant_max");
        const auto wide = numbers::completed({"MinMaxObserver", {{"dtype", "uint8"}}}, old);
        for (const auto& [key, value] : wide.arguments)
            QVERIFY(key != "quant_min");
        const auto channels = numbers::completed({"PerChannelMinMaxObserver", {{"ch_axis", 1}}}, old);
        QCOMPARE(*channels.arguments[2].second.as<std::string>(), std::string("per_channel_symmetric"));
    }
};

QTEST_GUILESS_MAIN(TestObserverSites)
#include "tst_observer_sites.moc"
