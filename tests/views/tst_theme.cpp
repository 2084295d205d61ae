#include "theme/theme.h"

#include <QTest>

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
