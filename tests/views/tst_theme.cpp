#include "theme/theme.h"
#include "theme/widget_style.h"

#include <QTabBar>
#include <QTest>
#include <QToolButton>

using namespace gb::views;

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textOnNodesIsReadable_data() { themes(); }
    void textOnNodesIsReadable()
    {
        QFETCH(int, kind);
        const Theme& theme = Theme::of(static_cast<ThemeKind>(kind));
        for (std::size_t i = 0; i < kNodeRoles; ++i) {
            const auto role = static_cast<NodeRole>(i);
            QVERIFY2(contrast(theme.text(role), theme.fill(role)) >= 5.5, qPrintable(QString::number(i)));
            QVERIFY2(contrast(theme.mutedText(role), theme.fill(role)) >= 4.5, qPrintable(QString::number(i)));
        }
    }

    void bordersStandOutFromThePage_data() { themes(); }
    void bordersStandOutFromThePage()
    {
        QFETCH(int, kind);
        const Theme& theme = Theme::of(static_cast<ThemeKind>(kind));
        for (std::size_t i = 0; i < kNodeRoles; ++i)
            QVERIFY2(contrast(theme.border(static_cast<NodeRole>(i)), theme.ink(Ink::Page)) >= 3.0,
                     qPrintable(QString::number(i)));
    }

    void inksOfTextAreReadable_data() { themes(); }
    void inksOfTextAreReadable()
    {
        QFETCH(int, kind);
        const Theme& theme = Theme::of(static_cast<ThemeKind>(kind));
        for (const Ink ink : {Ink::Text, Ink::Muted, Ink::NoneText, Ink::Warning, Ink::Error, Ink::Good})
            for (const Ink back : {Ink::Page, Ink::Panel, Ink::LabelStrip})
                QVERIFY2(contrast(theme.ink(ink), theme.ink(back)) >= 4.5,
                         qPrintable(QStringLiteral("ink %1 on %2").arg(int(ink)).arg(int(back))));
        QVERIFY(contrast(theme.ink(Ink::SelectionText), theme.ink(Ink::Selection)) >= 4.5);
        for (int group = 0; group < 6; ++group)
            QVERIFY(contrast(theme.ink(Ink::Text), theme.groupTint(group)) >= 7);
    }

    void outlinesOfFieldsAreSeen_data() { themes(); }
    void outlinesOfFieldsAreSeen()
    {
        QFETCH(int, kind);
        const QPalette palette = Theme::of(static_cast<ThemeKind>(kind)).palette();
        for (const QPalette::ColorRole back : {QPalette::Window, QPalette::Base, QPalette::Button})
            QVERIFY2(contrast(palette.color(QPalette::Dark), palette.color(back)) >= 3.0,
                     qPrintable(QString::number(contrast(palette.color(QPalette::Dark), palette.color(back)))));
    }

    void aPressedButtonAndAChosenTabStandOut_data() { themes(); }
    void aPressedButtonAndAChosenTabStandOut()
    {
        QFETCH(int, kind);
        WidgetStyle style;
        const QPalette palette = Theme::of(static_cast<ThemeKind>(kind)).palette();
        const QColor accent = palette.color(QPalette::Highlight);
        QToolButton button;
        button.setText(QStringLiteral("Pin"));
        button.setCheckable(true);
        QTabBar tabs;
        tabs.addTab(QStringLiteral("Facts"));
        tabs.addTab(QStringLiteral("Why"));
        for (QWidget* widget : std::initializer_list<QWidget*>{&button, &tabs}) {
            widget->setStyle(&style);
            widget->setPalette(palette);
            widget->resize(widget->sizeHint());
        }
        const auto accented = [&](QWidget& widget) {
            const QImage image = widget.grab().toImage();
            int out = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    out += image.pixelColor(x, y) == accent ? 1 : 0;
            return out;
        };
        const int before = accented(button);
        button.setChecked(true);
        QVERIFY(accented(button) > before + 20);
        QVERIFY(accented(tabs) > 60);
    }

    void namesLeadBack()
    {
        for (const ThemeKind kind : kThemeKinds)
            QCOMPARE(themeKindFromName(name(kind), ThemeKind::Dark), kind);
        QCOMPARE(themeKindFromName(QStringLiteral("no such theme"), ThemeKind::Print), ThemeKind::Print);
    }

    void tintsRepeat()
    {
        const Theme& theme = Theme::of(ThemeKind::Light);
        QCOMPARE(theme.groupTint(1), theme.groupTint(7));
        QVERIFY(theme.groupTint(1) != theme.groupTint(2));
        QVERIFY(theme.groupTint(-1).isValid());
    }

    void fontsHaveAFallback()
    {
        for (const FontRole role : {FontRole::NodeName, FontRole::Label, FontRole::Caption, FontRole::Title}) {
            QVERIFY(Theme::font(role).families().size() > 1);
            QVERIFY(Theme::cssFamilies(role).contains(QStringLiteral("DejaVu")));
        }
    }

private:
    static void themes()
    {
        QTest::addColumn<int>("kind");
        for (const ThemeKind kind : kThemeKinds)
            QTest::newRow(qPrintable(name(kind))) << static_cast<int>(kind);
    }
};

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
