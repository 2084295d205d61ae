#include "picture/box_metrics.h"

#include "picture/shapes.h"
#include "picture/slot.h"
#include "sample_run.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

NodeText plain(const QString& name)
{
    NodeText text;
    text.lines.push_back(
        {{{Glyph::None, name}}, {FontRole::NodeName, 1, false}, Tone::Normal, Detail::Full, Detail::Full});
    return text;
}

NodeItem filled(const NodeText& text)
{
    const BoxSize size = measure(text);
    NodeItem item;
    item.box = QRectF(QPointF(0, 0), QSizeF(std::max(size.box.width(), size.stripWidth), size.box.height()));
    fill(item, text);
    return item;
}

std::vector<SlotMember> members(const ir::Graph& graph, std::initializer_list<ir::NodeId> ids)
{
    std::vector<SlotMember> out;
    for (const ir::NodeId id : ids)
        out.push_back({graph.find(id), QSizeF(100, 40), {}});
    return out;
}

} // namespace

class BoxesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBoxHoldsItsText()
    {
        const NodeItem item = filled(plain(QStringLiteral("convolution")));
        QCOMPARE(item.texts.size(), std::size_t(1));
        QVERIFY(item.texts[0].whole.isEmpty());
        QVERIFY(item.box.contains(item.texts[0].rect));
        QVERIFY(item.strip.isEmpty());
    }

    void aVeryLongNameIsCutAndKept()
    {
        const QString name = QString(300, QLatin1Char('n'));
        const NodeItem item = filled(plain(name));
        QVERIFY(item.box.width() <= 430);
        QCOMPARE(item.texts[0].whole, name);
        QVERIFY(plainText(item.texts[0].runs).size() < name.size());
    }

    void labelsStandInTwoColumnsBelow()
    {
        NodeText text = plain(QStringLiteral("op"));
        for (const char* slot : {"x", "weight_of_the_layer"})
            text.labels.push_back(
                {{1, 2}, QString::fromLatin1(slot), labelText(ir::makeSpec(test::activationSpec()), {}), {}, {}});
        const NodeItem item = filled(text);
        QCOMPARE(item.strip.top(), item.box.bottom());
        QCOMPARE(item.labels.size(), std::size_t(2));
        QVERIFY(item.labels[0].rect.bottom() <= item.labels[1].rect.top());
        QCOMPARE(item.labels[0].texts[1].rect.left(), item.labels[1].texts[1].rect.left());
        QVERIFY(item.labels[1].texts[0].rect.right() <= item.labels[1].texts[1].rect.left());
    }

    void aNameThatFitsIsNotCut()
    {
        for (int i = 0; i < 200; ++i) { // wherever the box stands
            NodeText text = plain(QStringLiteral("op"));
            LabelLine label;
            label.slot = QStringLiteral("layer_norm");
            label.text.full = label.text.brief = {{Glyph::None, QStringLiteral("—")}};
            text.labels = {label};
            const BoxSize size = measure(text);
            NodeItem item;
            item.box =
                QRectF(QPointF(i * 1.37, 0), QSizeF(std::max(size.box.width(), size.stripWidth), size.box.height()));
            fill(item, text);
            for (const TextItem& shown : item.labels[0].texts) // the short line has larger text
                QVERIFY2(shown.whole.isEmpty() && !plainText(shown.runs).contains(QChar(0x2026)),
                         qPrintable(QString::number(i) + plainText(shown.runs)));
        }
    }

    void aLongSlotTakesTheRoomThatTheBoxHas()
    {
        NodeText text = plain(QString(45, QLatin1Char('n')));
        LabelLine label;
        label.slot = QStringLiteral("features_1_1_attn_lifted_tensor");
        label.text.full = {{Glyph::None, QStringLiteral("—")}};
        text.labels = {label};
        const NodeItem wide = filled(text);
        QVERIFY(wide.labels[0].texts[0].whole.isEmpty());
        QVERIFY(wide.labels[0].texts[0].rect.right() <= wide.labels[0].texts[1].rect.left());
        text.lines = plain(QStringLiteral("n")).lines;
        QVERIFY(!filled(text).labels[0].texts[0].whole.isEmpty()); // it does not make a box wider
    }

    void theBadgeLeavesTheNameRoom()
    {
        NodeText text = plain(QStringLiteral("a_rather_long_name"));
        text.badge = QStringLiteral("why?");
        const NodeItem item = filled(text);
        const double width = textWidth(QStringLiteral("a_rather_long_name"), {FontRole::NodeName, 1, false});
        const double right =
            item.texts[0].centred ? item.texts[0].rect.center().x() + width / 2 : item.texts[0].rect.x() + width;
        QVERIFY(right <= item.badgeRect.left());
        QVERIFY(item.box.contains(item.badgeRect));
        // the larger name that stands for all lines from further away has room beside the badge, too
        text.lines.push_back(
            {text.lines.front().runs, {FontRole::NodeName, 1.6, false}, Tone::Normal, Detail::Brief, Detail::Brief});
        text.lines.push_back(
            {text.lines.front().runs, {FontRole::NodeName, 1.2, false}, Tone::Normal, Detail::Chips, Detail::Chips});
        const NodeItem both = filled(text);
        QVERIFY(both.texts.back().centred && both.texts.back().whole.isEmpty()); // without a badge there
        const TextItem& name = both.texts[1];
        QVERIFY(name.whole.isEmpty());
        const double wide = runsWidth(name.runs, {name.font, name.scale, name.italic});
        const double end = name.centred ? name.rect.center().x() + wide / 2 : name.rect.left() + wide;
        QVERIFY(end <= both.badgeRect.left() || name.rect.top() >= both.badgeRect.bottom());
    }

    void aSlotHoldsAnObserver()
    {
        const auto run = test::makeSampleRun();
        const auto moment = test::momentAt(run.recording, "prepared");
        auto slot = members(*moment->top().graph, {run.xObserver});
        QCOMPARE(arrangeSlot(slot), QSizeF(100, 40));
        arrangeSlot(slot, QSizeF(300, 200));
        QCOMPARE(slot[0].rect.center(), QPointF(150, 100));
    }

    void aSlotHoldsQuantizeAboveDequantize()
    {
        const auto run = test::makeSampleRun();
        const auto moment = test::momentAt(run.recording, "converted");
        auto slot = members(*moment->top().graph, {run.xQuantize, run.xDequantize});
        const QSizeF need = arrangeSlot(slot);
        QCOMPARE(need.width(), 100.0);
        QVERIFY(slot[0].rect.bottom() < slot[1].rect.top());
        QCOMPARE(slot[0].rect.center().x(), slot[1].rect.center().x());
    }

    void scalesStandAtTheLeft()
    {
        const auto run = test::makeSampleRun();
        const auto moment = test::momentAt(run.recording, "converted");
        auto slot = members(*moment->top().graph, {run.weightScale, run.weightDequantize});
        arrangeSlot(slot, QSizeF(400, 200));
        QVERIFY(slot[0].rect.right() < slot[1].rect.left());
        QCOMPARE(slot[0].rect.center().y(), slot[1].rect.center().y());
    }

    void formsStayInTheirBox()
    {
        const QRectF box(5, 5, 120, 60);
        for (const Form form : {Form::Box, Form::Stadium, Form::Narrowing, Form::Widening, Form::Folded})
            QCOMPARE(outline(form, box).boundingRect(), box);
        QVERIFY(!outline(Form::Narrowing, box).contains(QPointF(7, 63)));
        QVERIFY(!outline(Form::Widening, box).contains(QPointF(7, 7)));
        QVERIFY(!outline(Form::Folded, box).contains(QPointF(123, 7)));
        QVERIFY(box.contains(hatch(box).boundingRect()));
        QVERIFY(!hatch(box).isEmpty());
        QVERIFY(curvePath({}).isEmpty());
    }

    void widthsScale()
    {
        const QString text = QStringLiteral("i8 aff·T Hist");
        const double one = textWidth(text, {FontRole::Label, 1, false});
        QVERIFY(std::abs(textWidth(text, {FontRole::Label, 2, false}) - 2 * one) < 0.01);
        QCOMPARE(fontOf({FontRole::Label, 2, true}).pixelSize(), 2 * fontOf({FontRole::Label, 1, false}).pixelSize());
        QVERIFY(fontOf({FontRole::Label, 1, true}).italic());
        QVERIFY(runsWidth({{Glyph::Chain, {}}, {Glyph::None, text}}, {FontRole::Label, 1, false}) > one);
        QCOMPARE(runsWidth({}, {}), 0.0);
    }
};

QTEST_MAIN(BoxesTest)
#include "tst_boxes.moc"
