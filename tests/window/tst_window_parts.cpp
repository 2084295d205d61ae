#include "window/export_dialog.h"
#include "window/icons.h"
#include "window/recent_files.h"
#include "window/recipe_box.h"
#include "window/samples.h"
#include "window/window_actions.h"
#include "window_set_up.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace gb;
using namespace gb::app;

class WindowPartsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { test::keepSettingsIn(m_folder); }

    void noTwoActionsHaveTheSameKey()
    {
        QMainWindow window;
        const WindowActions actions(&window);
        QHash<QString, QString> seen;
        for (const QAction* action : actions.withShortcuts())
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!seen.contains(key.toString()),
                         qPrintable(key.toString() + QLatin1Char(' ') + action->text()));
                seen.insert(key.toString(), action->text());
            }
        QVERIFY(seen.size() > 20);
    }

    void everyActionIsInAMenu()
    {
        QMainWindow window;
        const WindowActions actions(&window);
        actions.fillMenus(window.menuBar(), new QMenu(&window), new QMenu(&window));
        QSet<const QAction*> inMenus;
        for (const QMenu* menu : window.findChildren<QMenu*>())
            for (const QAction* action : menu->actions())
                inMenus.insert(action);
        for (const QAction* action : window.actions())
            QVERIFY2(inMenus.contains(action), qPrintable(action->text()));
    }

    void iconsAreSeenInEveryTheme()
    {
        for (const views::ThemeKind kind : {views::ThemeKind::Light, views::ThemeKind::Dark}) {
            const views::Theme& theme = views::Theme::of(kind);
            for (const IconShape shape : {IconShape::Open, IconShape::Run, IconShape::Stop, IconShape::First,
                                          IconShape::Back, IconShape::Forward, IconShape::Last}) {
                const QImage image = makeIcon(shape, theme).pixmap(32, 32).toImage();
                int inked = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        inked += image.pixelColor(x, y) == theme.ink(views::Ink::Text) ? 1 : 0;
                QVERIFY2(inked > 40, qPrintable(QString::number(static_cast<int>(shape))));
            }
        }
    }

    void recentFilesAreNewestFirstAndOnce()
    {
        RecentFiles recent;
        recent.clear();
        QStringList paths;
        for (int i = 0; i < RecentFiles::kMost + 3; ++i) {
            QFile file(m_folder.filePath(QString::number(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            paths << file.fileName();
            recent.add(file.fileName());
        }
        QCOMPARE(recent.files().size(), RecentFiles::kMost);
        QCOMPARE(recent.files().front(), paths.back());
        recent.add(paths[5]);
        QCOMPARE(recent.files().front(), paths[5]);
        QCOMPARE(recent.files().count(paths[5]), 1);
        QVERIFY(QFile::remove(paths[5])); // what is gone is not offered
        QVERIFY(!recent.files().contains(paths[5]));
    }

    void theRecipesThatComeAlongAreOffered()
    {
        RecipeBox box;
        QVERIFY(sampleRecipes().contains(defaultRecipe()));
        QCOMPARE(box.recipe(), defaultRecipe());
        QCOMPARE(box.count(), sampleRecipes().size() + 2);
        QSignalSpy chosen(&box, &RecipeBox::recipeChosen);
        QSignalSpy open(&box, &RecipeBox::openRequested);
        box.setRecipe(QStringLiteral("/elsewhere/own.json"));
        QCOMPARE(box.recipe(), QStringLiteral("/elsewhere/own.json"));
        QCOMPARE(box.currentText(), QStringLiteral("own.json"));
        QCOMPARE(chosen.count(), 0);
        Q_EMIT box.activated(box.count() - 1);
        QCOMPARE(open.count(), 1);
        QCOMPARE(box.recipe(), QStringLiteral("/elsewhere/own.json"));
        Q_EMIT box.activated(0);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(box.recipe(), sampleRecipes().front());
    }

    void everySampleHasItsBatches()
    {
        QVERIFY(samples().size() >= 6);
        for (const Sample& s : samples())
            QVERIFY2(!s.inputs.isEmpty(), qPrintable(s.name));
    }

    void modelsAreKnownByTheirEnding()
    {
        QVERIFY(isModel(QStringLiteral("a/b.pt2")) && isModel(QStringLiteral("B.PT2")));
        QVERIFY(!isModel(QStringLiteral("a.gbx")) && !isModel(QStringLiteral("pt2")));
    }

    void exportDialogOffersTheStagesThatAreThere()
    {
        const Document document = test::convReluDocument();
        ExportDialog::Sources sources;
        sources.stage = QStringLiteral("prepared");
        const ExportDialog dialog(document, sources);
        const ExportDialog::Choice choice = dialog.choice();
        QCOMPARE(choice.frames.size(), std::size_t(1));
        QCOMPARE(choice.frames[0].stage, "prepared");
        QCOMPARE(choice.fileName, QStringLiteral("conv_relu.svg"));
        const auto* list = dialog.findChild<QListWidget*>();
        QCOMPARE(list->count(), 6);
    }

    void exportNeedsAStage()
    {
        const Document document = test::convReluDocument();
        ExportDialog::Sources sources;
        sources.stage = QStringLiteral("prepared");
        ExportDialog dialog(document, sources);
        auto* list = dialog.findChild<QListWidget*>();
        for (int i = 0; i < list->count(); ++i)
            list->item(i)->setCheckState(Qt::Unchecked);
        const auto* buttons = dialog.findChild<QDialogButtonBox*>();
        QVERIFY(!buttons->button(QDialogButtonBox::Save)->isEnabled());
        list->item(0)->setCheckState(Qt::Checked);
        QVERIFY(buttons->button(QDialogButtonBox::Save)->isEnabled());
    }

    void exportWritesWhatWasChosen()
    {
        const Document document = test::convReluDocument();
        ExportDialog::Choice choice;
        choice.frames = views::framesOfStages(*document.recording, {"annotated", "prepared"}).value();
        choice.folder = m_folder.path();
        choice.fileName = QStringLiteral("out.svg");
        const auto written = exportTo(choice, document.recording, {});
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
        QCOMPARE(written->size(), std::size_t{2});
        for (const QString& path : *written)
            QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(path));
        choice.folder = m_folder.filePath(QStringLiteral("no/such/folder"));
        QVERIFY(!exportTo(choice, document.recording, {}).ok());
    }
};

QTEST_MAIN(WindowPartsTest)
#include "tst_window_parts.moc"
