#include "plots/qparams_model.h"
#include "plots/qparams_text.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

ObserverRow rowOf(const std::string& type, ir::QScheme scheme, float min, float max, float scale,
                  std::int64_t zeroPoint)
{
    auto info = std::make_shared<trace::ObserverInfo>();
    info->type = type;
    info->settings.dtype = ir::DType::Int8;
    info->settings.dtypeName = "int8";
    info->settings.qscheme = scheme;
    info->settings.quantMin = -128;
    info->settings.quantMax = 127;
    info->settings.eps = 0.000244140625;
    auto record = std::make_shared<trace::ObserverRecord>();
    record->state.minVal = ir::Tensor::scalar(min);
    record->state.maxVal = ir::Tensor::scalar(max);
    record->state.qparams = quant::QParams{ir::Tensor::fromVector(std::vector<float>{scale}),
                                           ir::Tensor::fromVector(std::vector<std::int64_t>{zeroPoint})};
    record->state.batches = 3;
    ObserverRow row;
    row.instance = 1;
    row.nodes = {7};
    row.names = {QStringLiteral("activation_post_process_0")};
    row.info = info;
    row.record = record;
    return row;
}

QStringList formula(const ObserverRow& row)
{
    return formulaLines(factsOf(row), row.info->settings);
}

QString cards(const QParamsModel& model)
{
    QStringList lines;
    for (int r = 0; r < model.rowCount(); ++r) {
        QStringList cells;
        for (int c = 0; c < model.columnCount(); ++c)
            cells << model.index(r, c).data().toString();
        lines << cells.join(QStringLiteral(" | ")) + (model.differs(r) ? QStringLiteral(" *") : QString());
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class QParamsTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void affineFormulaHasItsNumbers()
    {
        const ObserverRow row = rowOf("MinMaxObserver", ir::QScheme::PerTensorAffine, -1.9F, 5.58F, 0.0293333F, -63);
        QCOMPARE(
            formula(row),
            (QStringList{
                QStringLiteral("scale = (max − min) / (qmax − qmin) = (5.58 − (−1.9)) / (127 − (−128)) = 0.02933"),
                QStringLiteral("zp = qmin − round(min / scale) = −128 − round(−1.9 / 0.02933) = −128 + 65 = −63")}));
    }

    void symmetricFormulaHasItsNumbers()
    {
        const ObserverRow row = rowOf("MinMaxObserver", ir::QScheme::PerTensorSymmetric, -1, 5.1F, 5.1F / 127.5F, 0);
        QCOMPARE(formula(row),
                 (QStringList{QStringLiteral("scale = max(−min, max) / ((qmax − qmin) / 2) = max(1, 5.1) / "
                                             "127.5 = 0.04"),
                              QStringLiteral("zp = 0 (symmetric)")}));
        QCOMPARE(noticeLines(factsOf(row), row.info->settings),
                 QStringList{QStringLiteral("Symmetric around 0: about 102 levels on one side are unused.")});
    }

    void aFlooredScaleSaysSo()
    {
        const ObserverRow row = rowOf("MinMaxObserver", ir::QScheme::PerTensorAffine, 0, 1e-5F, 0.000244140625F, -128);
        QVERIFY(formula(row).front().endsWith(QStringLiteral("3.922e−08 → max(…, eps = 0.0002441) = 0.0002441")));
        QCOMPARE(noticeLines(factsOf(row), row.info->settings),
                 QStringList{QStringLiteral("The scale is floored at eps = 0.0002441.")});
    }

    void observersWithoutFormulaSayWhereQParamsComeFrom()
    {
        ObserverRow row = rowOf("FixedQParamsObserver", ir::QScheme::PerTensorAffine, 0, 0, 1.0F / 256, -128);
        QCOMPARE(formula(row), QStringList{QStringLiteral("Scale and zero point are given, not observed.")});
        row = rowOf("DerivedObserverOrFakeQuantize", ir::QScheme::PerTensorAffine, 0, 0, 1, 0);
        QCOMPARE(formula(row),
                 QStringList{QStringLiteral("Scale and zero point are computed from those of other observers.")});
    }

    void noDataIsSaidInWords()
    {
        ObserverRow row = rowOf("MinMaxObserver", ir::QScheme::PerTensorAffine, 0, 0, 1, 0);
        row.record = nullptr;
        QVERIFY(formula(row).isEmpty());
        QCOMPARE(noticeLines(factsOf(row), row.info->settings),
                 QStringList{QStringLiteral("No data: scale 1 and zero point 0 are defaults.")});
    }

    void cardsMarkWhatDiffers()
    {
        const ObserverRow a = rowOf("MinMaxObserver", ir::QScheme::PerTensorAffine, -1.9F, 5.58F, 0.0293333F, -63);
        const ObserverRow b = rowOf("MinMaxObserver", ir::QScheme::PerTensorAffine, -1.9F, 5.59F, 0.0293725F, -63);
        QParamsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setCards(qparamsEntries(a, factsOf(a)), qparamsEntries(b, factsOf(b)));
        QCOMPARE(cards(model), QStringLiteral("observer | MinMaxObserver | MinMaxObserver\n"
                                              "dtype | int8 | int8\n"
                                              "qscheme | per_tensor_affine | per_tensor_affine\n"
                                              "axis | — | —\n"
                                              "quant_min | −128 | −128\n"
                                              "quant_max | 127 | 127\n"
                                              "eps | 0.0002441 | 0.0002441\n"
                                              "channel | — | —\n"
                                              "observed | −1.9 … 5.58 | −1.9 … 5.59 *\n"
                                              "chosen | −1.9 … 5.58 | −1.9 … 5.59 *\n"
                                              "representable | −1.907 … 5.573 | −1.909 … 5.581 *\n"
                                              "scale | 0.02933 | 0.02937 *\n"
                                              "zero point | −63 | −63\n"
                                              "levels used | 256 / 256 | 256 / 256\n"
                                              "clipped | — | —\n"
                                              "batches | 3 | 3"));
        QCOMPARE(model.index(11, QParamsModel::Selected).data(QParamsModel::FullRole).toString(),
                 QStringLiteral("0.0293333"));
        QVERIFY(model.index(11, 1).data(Qt::FontRole).value<QFont>().bold());
        QVERIFY(model.tsv().contains(QStringLiteral("eps\t0.00024414062\t0.00024414062"))
                || model.tsv().contains(QStringLiteral("eps\t0.00024414063")));
        model.setCards({}, qparamsEntries(b, factsOf(b)));
        QCOMPARE(model.index(11, QParamsModel::Property).data().toString(), QStringLiteral("scale"));
        model.setCards({});
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_MAIN(QParamsTextTest)
#include "tst_qparams_text.moc"
