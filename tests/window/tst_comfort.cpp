// Preferences, the palette, presenting, and a node in all stages.
#include "window/command_palette.h"
#include "window/document.h"
#include "window/node_history.h"
#include "window/preferences.h"
#include "window/present_mode.h"
#include "window/samples.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace gb;
using namespace gb::app;

class ComfortTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("greenbox-test"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
    }

    void preferencesAreKept()
    {
        QCOMPARE(loadPreferences(), Preferences());
        const Preferences chosen{views::ThemeKind::HighContrast, 150, true, true, false};
        savePreferences(chosen);
        QCOMPARE(loadPreferences(), chosen);
        QSettings(QStringLiteral("greenbox-test"), QCoreApplication::applicationName())
            .setValue(QStringLiteral("window/scale"), 900);
        QCOMPARE(loadPreferences().scale, 100);
        const PreferencesDialog dialog(chosen);
        QCOMPARE(dialog.preferences(), chosen);
        QVERIFY(!chosen.canvas().animate && chosen.canvas().wheelZooms && !chosen.canvas().letters);
    }

    void thePaletteFindsByLetters()
    {
        QVERIFY(paletteScore(QStringLiteral("unf"), QStringLiteral("Unfold all modules")) == 4);
        QVERIFY(paletteScore(QStringLiteral("mod"), QStringLiteral("Unfold all modules")) == 3);
        QVERIFY(paletteScore(QStringLiteral("ufam"), QStringLiteral("Unfold all modules")) == 1);
        QVERIFY(paletteScore(QStringLiteral("xyz"), QStringLiteral("Unfold all modules")) == 0);
        QAction fold(QStringLiteral("Fold &all"));
        QAction unfold(QStringLiteral("&Unfold all"));
        QAction off(QStringLiteral("Unfold off"));
        off.setEnabled(false);
        CommandPalette palette({&fold, &unfold, &off});
        palette.type(QStringLiteral("unfold"));
        const auto* list = palette.findChild<QListWidget*>();
        QCOMPARE(list->count(), 1);
        QTest::keyClick(palette.findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(palette.chosen(), &unfold);
    }

    void presentingHasItsOwnKeys()
    {
        QMainWindow window;
        window.resize(300, 200);
        window.show();
        PresentMode mode(&window);
        QSignalSpy next(&mode, &PresentMode::next);
        QSignalSpy previous(&mode, &PresentMode::previous);
        QSignalSpy left(&mode, &PresentMode::left);
        QTest::keyClick(&window, Qt::Key_Space);
        QCOMPARE(next.size(), 0);
        mode.begin();
        QTest::keyClick(&window, Qt::Key_Space);
        QTest::keyClick(&window, Qt::Key_PageDown);
        QTest::keyClick(&window, Qt::Key_PageUp);
        QCOMPARE(next.size(), 2);
        QCOMPARE(previous.size(), 1);
        QTest::keyClick(&window, Qt::Key_B);
        QVERIFY(mode.blanked());
        QTest::keyClick(&window, Qt::Key_B);
        QVERIFY(!mode.blanked());
        QTest::keyClick(&window, Qt::Key_Escape);
        QCOMPARE(left.size(), 1);
        mode.end();
        QTest::keyClick(&window, Qt::Key_Escape);
        QCOMPARE(left.size(), 1);
    }

    void aNodeHasALineAStage()
    {
        auto document = openDocument(
            {QStringLiteral(GREENBOX_SOURCE_DIR "/samples/models/conv_relu.pt2"), defaultRecipe(), {}, false}, {});
        QVERIFY(document.ok());
        views::Session session;
        session.setRecording(document->recording);
        const ir::NodeId conv = session.momentOfStage(QStringLiteral("exported"))->top().graph->find("conv2d")->id();
        const QStringList lines = historyOf(session, conv);
        QCOMPARE(lines.size(), 6);
        QVERIFY(lines[0].startsWith(views::stageTitle(QStringLiteral("exported"))));
        QVERIFY(lines[2] != lines[0]); // it got labels
        NodeHistory history(session, conv);
        QSignalSpy chosen(&history, &NodeHistory::stageChosen);
        auto* list = history.findChild<QListWidget*>();
        Q_EMIT list->itemActivated(list->item(3));
        QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("prepared"));
    }
};

QTEST_MAIN(ComfortTest)
#include "tst_comfort.moc"
