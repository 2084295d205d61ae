// What is shown of measured errors: maps over the graph and sentences about a change.
#include "numbers/what_if.h"

#include <QtTest>

#include <cmath>

using namespace gb;
using namespace gb::numbers;

namespace {

OpError errorOf(ir::NodeId node, const char* name, float gap, bool quantized = true, const char* graph = "")
{
    OpError out;
    out.node = node;
    out.name = name;
    out.graph = graph;
    out.quantized = quantized;
    const ir::Tensor exact = ir::Tensor::fromVector(std::vector<float>{3.0F, 4.0F});
    const ir::Tensor other = ir::Tensor::fromVector(std::vector<float>{3.0F + gap, 4.0F});
    out.local.add(exact, other);
    out.cumulative.add(exact, other);
    return out;
}

ErrorReport sample()
{
    ErrorReport out;
    out.ops = {errorOf(1, "conv", 0.5F), errorOf(2, "view", 0.0F, false), errorOf(3, "inner", 0.05F, true, "body")};
    out.output.add(10, 9);
    out.agreed = 3;
    out.rows = 4;
    return out;
}

} // namespace

class ErrorFiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMapHasWhatCanBeShown()
    {
        const OverlayValues local = overlayOf(sample(), ErrorFigure::LocalSqnr);
        QCOMPARE(local.unit, std::string("dB"));
        QCOMPARE(local.values.size(), std::size_t{2});       // view has no quantization of its own
        QVERIFY(std::abs(local.values.at(1) - 20.0) < 1e-9); // |(3, 4)| = 5 over 0.5
        const OverlayValues largest = overlayOf(sample(), ErrorFigure::LargestGap);
        QCOMPARE(largest.unit, std::string());
        QCOMPARE(largest.values.at(2), 0.0);
        QCOMPARE(largest.values.at(1), 0.5);
        // no error at all is no number on a map
        QVERIFY(!overlayOf(sample(), ErrorFigure::CumulativeSqnr).values.contains(2));
    }

    void theSheetOfAMapIsOfTheTopGraph()
    {
        const Sheet sheet = overlaySheet(sample(), ErrorFigure::LocalSqnr);
        QCOMPARE(sheet.rows.size(), std::size_t{1});
        QCOMPARE(sheet.rows[0].node, ir::NodeId{1});
        QCOMPARE(csvText(sheet).substr(0, 25), std::string("node,local SQNR (dB)\nconv"));
        QVERIFY(csvText(overlaySheet(sample(), ErrorFigure::LargestGap)).starts_with("node,largest difference\n"));
    }

    void aGainIsSaidWithWhatWasChanged()
    {
        ErrorReport after = sample();
        after.output = {};
        after.output.add(10, 9.9);
        after.agreed = 4;
        QStringList said;
        for (const base::Message& note : gainNotes(sample(), after, {{Change::Kind::FloatOp, "conv"}}))
            said << QString::fromStdString(note.text());
        QCOMPARE(said.size(), 3);
        QVERIFY2(said[0].startsWith(QStringLiteral("changed: ")) && said[0].contains(QStringLiteral("conv")),
                 qPrintable(said[0]));
        QVERIFY2(said[1].startsWith(QStringLiteral("output: SQNR 20")), qPrintable(said[1]));
        QVERIFY2(said[1].contains(QStringLiteral(" after")), qPrintable(said[1]));
        QCOMPARE(said[2], QStringLiteral("rows as in float: 3 before, 4 after, of 4"));
        // without rows and without a change there is the output alone
        after.rows = 0;
        QCOMPARE(gainNotes(sample(), after, {}).size(), std::size_t{1});
    }

    void anAbsentNumberIsAnEmptyCell()
    {
        QCOMPARE(cellText(numberCell(std::nullopt)), std::string());
        QCOMPARE(cellText(numberCell(0.25)), std::string("0.25"));
        QCOMPARE(cellText(numberCell(-INFINITY)), std::string("-inf"));
        QCOMPARE(cellText(Cell(false)), std::string("false"));
    }
};

QTEST_GUILESS_MAIN(ErrorFiguresTest)
#include "tst_error_figures.moc"
