// Preferences, the palette, presenting, and a node in all stages.
#include "window/command_palette.h"
#include "window/data_dialog.h"
#include "window/document.h"
#include "window/export_dialog.h"
#include "window/focus_ring.h"
#include "window/node_history.h"
#include "window/preferences.h"
#include "window/present_mode.h"
#include "window/shortcuts_dialog.h"
#include "window_set_up.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace gb;
using namespace gb::app;

class ComfortTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { test::keepSettingsIn(m_folder); }

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

    void aKeyIsFoundByWhatItDoes()
    {
        QAction fold(QStringLiteral("Fold &all"));
        fold.setShortcut(QKeySequence(QStringLiteral("Ctrl+U")));
        ShortcutsDialog dialog({&fold});
        const auto* table = dialog.findChild<QTableWidget*>();
        const auto shown = [&] {
            QStringList out;
            for (int row = 0; row < table->rowCount(); ++row)
                if (!table->isRowHidden(row))
                    out << table->item(row, 0)->text();
            return out;
        };
        QVERIFY(shown().size() > 20); // with those of a graph
        dialog.find(QStringLiteral("fold ALL"));
        QCOMPARE(shown(), QStringList{QStringLiteral("Ctrl+U")});
        dialog.find(QStringLiteral("minimap"));
        QCOMPARE(shown(), QStringList{QStringLiteral("M")});
        dialog.find(QString());
        QVERIFY(shown().size() > 20);
    }

    void dialogsFitASmallScreen()
    {
        constexpr QSize kSmall(900, 480); // of 1920 x 1080 at 200 %, without frames
        const Document document = test::convReluDocument();
        const ShortcutsDialog shortcuts({});
        const PreferencesDialog preferences(Preferences{});
        const DataDialog data(document.request);
        const ExportDialog exporting(document, {});
        for (const QDialog* dialog :
             std::initializer_list<const QDialog*>{&shortcuts, &preferences, &data, &exporting}) {
            const QSize least = dialog->minimumSizeHint();
            QVERIFY2(
                least.width() <= kSmall.width() && least.height() <= kSmall.height(),
                qPrintable(
                    QStringLiteral("%1: %2 x %3").arg(dialog->windowTitle()).arg(least.width()).arg(least.height())));
        }
    }

    void thePanelThatTheKeyboardWentToHasARing()
    {
        QMainWindow window;
        auto* inside = new QLineEdit;
        auto* dock = new QDockWidget(QStringLiteral("panel"), &window);
        auto* panel = new QSplitter; // would take a child for one of its own
        panel->addWidget(inside);
        dock->setWidget(panel);
        window.addDockWidget(Qt::BottomDockWidgetArea, dock);
        auto* outside = new QLineEdit;
        window.setCentralWidget(outside);
        FocusRing ring(&window);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        inside->setFocus();
        ring.surround(panel, views::Theme::of(views::ThemeKind::Dark));
        QVERIFY(ring.isVisible());
        QCOMPARE(panel->count(), 1);
        QCOMPARE(QRect(ring.mapToGlobal(QPoint()), ring.size()), QRect(panel->mapToGlobal(QPoint()), panel->size()));
        outside->setFocus();
        QVERIFY(!ring.isVisible());
        QVERIFY(!ring.panel());
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
        const Document document = test::convReluDocument();
        views::Session session;
        session.setRecording(document.recording);
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
