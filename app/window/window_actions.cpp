#include "window/window_actions.h"

#include "window/icons.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

namespace gb::app {
namespace {

struct Row {
    Command command;
    const char* text;
    const char* shortcuts; ///< separated by "; "; empty for none
    bool checkable = false;
    int icon = -1; ///< IconShape, or none
};

constexpr Row kRows[] = {
    {Command::Open, QT_TRANSLATE_NOOP("actions", "&Open…"), "Ctrl+O", false, static_cast<int>(IconShape::Open)},
    {Command::OpenRecipe, QT_TRANSLATE_NOOP("actions", "Open &recipe…"), "Ctrl+R"},
    {Command::OpenInputs, QT_TRANSLATE_NOOP("actions", "Calibration and check &data…"), "Ctrl+I"},
    {Command::Run, QT_TRANSLATE_NOOP("actions", "&Run"), "F5", false, static_cast<int>(IconShape::Run)},
    {Command::Restart, QT_TRANSLATE_NOOP("actions", "Run &again"), "Ctrl+Shift+F5"},
    {Command::Cancel, QT_TRANSLATE_NOOP("actions", "&Stop"), "Shift+F5", false, static_cast<int>(IconShape::Stop)},
    {Command::Export, QT_TRANSLATE_NOOP("actions", "&Export diagrams…"), "Ctrl+Shift+E"},
    {Command::CopyPicture, QT_TRANSLATE_NOOP("actions", "&Copy picture"), "Ctrl+Shift+C"},
    {Command::SaveRecording, QT_TRANSLATE_NOOP("actions", "Save re&cording…"), "Ctrl+S"},
    {Command::SaveDump, QT_TRANSLATE_NOOP("actions", "Save stage &dump…"), ""},
    {Command::Quit, QT_TRANSLATE_NOOP("actions", "&Quit"), "Ctrl+Q"},
    {Command::First, QT_TRANSLATE_NOOP("actions", "&First step"), "Home", false, static_cast<int>(IconShape::First)},
    {Command::Back, QT_TRANSLATE_NOOP("actions", "Step &back"), "Ctrl+[", false, static_cast<int>(IconShape::Back)},
    {Command::Forward, QT_TRANSLATE_NOOP("actions", "Step &forward"), "Ctrl+]", false,
     static_cast<int>(IconShape::Forward)},
    {Command::Last, QT_TRANSLATE_NOOP("actions", "&Last step"), "End", false, static_cast<int>(IconShape::Last)},
    {Command::StepInto, QT_TRANSLATE_NOOP("actions", "Step &into"), "F11"},
    {Command::StepOver, QT_TRANSLATE_NOOP("actions", "Step &over"), "F10"},
    {Command::StepOut, QT_TRANSLATE_NOOP("actions", "Step o&ut"), "Shift+F11"},
    {Command::PreviousStage, QT_TRANSLATE_NOOP("actions", "&Previous stage"), "PgUp"},
    {Command::NextStage, QT_TRANSLATE_NOOP("actions", "&Next stage"), "PgDown"},
    {Command::StepInert, QT_TRANSLATE_NOOP("actions", "Stop at events &without effect"), "", true},
    {Command::ToggleBreakpoint, QT_TRANSLATE_NOOP("actions", "Toggle &breakpoint on the selected node"), "F9"},
    {Command::ContinueBack, QT_TRANSLATE_NOOP("actions", "Back to the breakpoint &before"), "Ctrl+F5"},
    {Command::RunToCursor, QT_TRANSLATE_NOOP("actions", "To the &next event of the selected node"), "Ctrl+F10"},
    {Command::FitAll, QT_TRANSLATE_NOOP("actions", "&Fit all"), "Ctrl+9"},
    {Command::FrameSelection, QT_TRANSLATE_NOOP("actions", "Fra&me selection"), "Ctrl+8"},
    {Command::ZoomIn, QT_TRANSLATE_NOOP("actions", "Zoom &in"), "Ctrl+=; Ctrl++"},
    {Command::ZoomOut, QT_TRANSLATE_NOOP("actions", "Zoom &out"), "Ctrl+-"},
    {Command::ZoomHundred, QT_TRANSLATE_NOOP("actions", "&100 %"), "Ctrl+0"},
    {Command::LinkCameras, QT_TRANSLATE_NOOP("actions", "&Link cameras"), "Ctrl+L", true},
    {Command::LinkSelection, QT_TRANSLATE_NOOP("actions", "Link s&election"), "", true},
    {Command::LinkFolding, QT_TRANSLATE_NOOP("actions", "Link fol&ding"), "", true},
    {Command::Compact, QT_TRANSLATE_NOOP("actions", "C&ompact: no room for what is not there"), "", true},
    {Command::Constants, QT_TRANSLATE_NOOP("actions", "Weights &beside their user"), "", true},
    {Command::Minimap, QT_TRANSLATE_NOOP("actions", "Minima&p"), "", true},
    {Command::UnfoldAll, QT_TRANSLATE_NOOP("actions", "&Unfold all modules"), "Ctrl+Shift+U"},
    {Command::FoldAll, QT_TRANSLATE_NOOP("actions", "Fold &all modules"), "Ctrl+U"},
    {Command::FoldAsFirst, QT_TRANSLATE_NOOP("actions", "Fold as at fi&rst"), ""},
    {Command::NextChange, QT_TRANSLATE_NOOP("actions", "Ne&xt changed item"), "F7"},
    {Command::PreviousChange, QT_TRANSLATE_NOOP("actions", "Pre&vious changed item"), "Shift+F7"},
    {Command::Ghosts, QT_TRANSLATE_NOOP("actions", "Show &ghosts of what vanished"), "Ctrl+G", true},
    {Command::Hulls, QT_TRANSLATE_NOOP("actions", "Sharing &groups as hulls"), "", true},
    {Command::Panes1, QT_TRANSLATE_NOOP("actions", "&1 pane"), "Ctrl+1", true},
    {Command::Panes2, QT_TRANSLATE_NOOP("actions", "&2 panes"), "Ctrl+2", true},
    {Command::Panes3, QT_TRANSLATE_NOOP("actions", "&3 panes"), "Ctrl+3", true},
    {Command::Panes4, QT_TRANSLATE_NOOP("actions", "&4 panes"), "Ctrl+4", true},
    {Command::ThemeLight, QT_TRANSLATE_NOOP("actions", "&Light"), "", true},
    {Command::ThemeDark, QT_TRANSLATE_NOOP("actions", "&Dark"), "", true},
    {Command::ThemeHighContrast, QT_TRANSLATE_NOOP("actions", "&High contrast"), "", true},
    {Command::ThemePrint, QT_TRANSLATE_NOOP("actions", "&Print"), "", true},
    {Command::OverlayNone, QT_TRANSLATE_NOOP("actions", "&None"), "", true},
    {Command::OverlayScale, QT_TRANSLATE_NOOP("actions", "&Scale"), "", true},
    {Command::OverlayBits, QT_TRANSLATE_NOOP("actions", "&Bits"), "", true},
    {Command::OverlayRange, QT_TRANSLATE_NOOP("actions", "&Range"), "", true},
    {Command::OverlayTime, QT_TRANSLATE_NOOP("actions", "&Time"), "", true},
    {Command::OverlayCsv, QT_TRANSLATE_NOOP("actions", "&Own numbers from a CSV…"), ""},
    {Command::NextOverlay, QT_TRANSLATE_NOOP("actions", "Next o&verlay"), "Ctrl+Shift+V"},
    {Command::LayoutLearn, QT_TRANSLATE_NOOP("actions", "&Learn"), ""},
    {Command::LayoutCompare, QT_TRANSLATE_NOOP("actions", "&Compare"), ""},
    {Command::LayoutCalibrate, QT_TRANSLATE_NOOP("actions", "C&alibrate"), ""},
    {Command::LayoutPresent, QT_TRANSLATE_NOOP("actions", "&Present"), "Alt+Return", true},
    {Command::Find, QT_TRANSLATE_NOOP("actions", "&Find node"), "Ctrl+F; /", false},
    {Command::FindNext, QT_TRANSLATE_NOOP("actions", "Find ne&xt"), "F3"},
    {Command::FindPrevious, QT_TRANSLATE_NOOP("actions", "Find pre&vious"), "Shift+F3"},
    {Command::Labels, QT_TRANSLATE_NOOP("actions", "La&bels"), "", true},
    {Command::Diff, QT_TRANSLATE_NOOP("actions", "&What changed since the stage before"), "", true},
    {Command::Hide, QT_TRANSLATE_NOOP("actions", "&Hide what is selected"), ""},
    {Command::Unhide, QT_TRANSLATE_NOOP("actions", "Show what was h&idden"), ""},
    {Command::UndoView, QT_TRANSLATE_NOOP("actions", "Undo folding and &hiding"), "Ctrl+Z"},
    {Command::RedoView, QT_TRANSLATE_NOOP("actions", "Redo folding and hi&ding"), "Ctrl+Y; Ctrl+Shift+Z"},
    {Command::History, QT_TRANSLATE_NOOP("actions", "The selected node in all &stages…"), ""},
    {Command::Stage1, QT_TRANSLATE_NOOP("actions", "Go to &exported"), "Alt+1"},
    {Command::Stage2, QT_TRANSLATE_NOOP("actions", "Go to BN &folded"), "Alt+2"},
    {Command::Stage3, QT_TRANSLATE_NOOP("actions", "Go to &annotated"), "Alt+3"},
    {Command::Stage4, QT_TRANSLATE_NOOP("actions", "Go to &prepared"), "Alt+4"},
    {Command::Stage5, QT_TRANSLATE_NOOP("actions", "Go to &calibrated"), "Alt+5"},
    {Command::Stage6, QT_TRANSLATE_NOOP("actions", "Go to con&verted"), "Alt+6"},
    {Command::Play, QT_TRANSLATE_NOOP("actions", "Play the ste&ps"), "Ctrl+J", true},
    {Command::Palette, QT_TRANSLATE_NOOP("actions", "&Commands…"), "Ctrl+Shift+P"},
    {Command::Preferences, QT_TRANSLATE_NOOP("actions", "Pre&ferences…"), "Ctrl+,"},
    {Command::NextPane, QT_TRANSLATE_NOOP("actions", "&Next pane"), "F6"},
    {Command::PreviousPane, QT_TRANSLATE_NOOP("actions", "P&revious pane"), "Shift+F6"},
    {Command::Shortcuts, QT_TRANSLATE_NOOP("actions", "&Keyboard shortcuts"), "F1"},
    {Command::About, QT_TRANSLATE_NOOP("actions", "&About Greenbox"), ""},
};

QList<QKeySequence> shortcutsOf(const Row& row)
{
    QList<QKeySequence> out;
    for (const QString& text : QString::fromLatin1(row.shortcuts).split(QStringLiteral("; "), Qt::SkipEmptyParts))
        out << QKeySequence(text);
    return out;
}

void exclusive(QMainWindow* window, const QList<QAction*>& actions)
{
    auto* group = new QActionGroup(window);
    for (QAction* action : actions)
        group->addAction(action);
}

} // namespace

WindowActions::WindowActions(QMainWindow* window)
{
    for (const Row& row : kRows) {
        auto* action = new QAction(QCoreApplication::translate("actions", row.text), window);
        action->setShortcuts(shortcutsOf(row));
        action->setCheckable(row.checkable);
        const QString plain = action->text().remove(QLatin1Char('&'));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? plain : plain + QStringLiteral(" (") + keys + QLatin1Char(')'));
        window->addAction(action); // shortcuts work in full screen, where there is no menu
        m_actions.insert(row.command, action);
        m_ordered << action;
    }
    const WindowActions& a = *this;
    exclusive(window, {a[Command::Panes1], a[Command::Panes2], a[Command::Panes3], a[Command::Panes4]});
    exclusive(window,
              {a[Command::ThemeLight], a[Command::ThemeDark], a[Command::ThemeHighContrast], a[Command::ThemePrint]});
    exclusive(window, {a[Command::OverlayNone], a[Command::OverlayScale], a[Command::OverlayBits],
                       a[Command::OverlayRange], a[Command::OverlayTime]});
    a[Command::OverlayNone]->setChecked(true);
    for (const Command on : {Command::LinkCameras, Command::LinkSelection, Command::LinkFolding, Command::Constants})
        a[on]->setChecked(true);
    a[Command::Ghosts]->setChecked(true);
    a[Command::Labels]->setChecked(true);
    a[Command::Panes2]->setChecked(true);
}

void WindowActions::setTheme(const views::Theme& theme)
{
    for (const Row& row : kRows)
        if (row.icon >= 0)
            m_actions.value(row.command)->setIcon(makeIcon(static_cast<IconShape>(row.icon), theme));
}

QList<QAction*> WindowActions::withShortcuts() const
{
    QList<QAction*> out;
    for (QAction* action : m_ordered)
        if (!action->shortcut().isEmpty())
            out << action;
    return out;
}

void WindowActions::fillMenus(QMenuBar* bar, QMenu* recent, QMenu* panels) const
{
    const auto add = [this](QMenu* menu, std::initializer_list<Command> commands) {
        for (const Command c : commands)
            menu->addAction(m_actions.value(c));
    };
    const auto menu = [bar](const char* title) { return bar->addMenu(QCoreApplication::translate("actions", title)); };
    QMenu* file = menu(QT_TRANSLATE_NOOP("actions", "&File"));
    add(file, {Command::Open});
    file->addMenu(recent);
    add(file, {Command::OpenRecipe, Command::OpenInputs});
    file->addSeparator();
    add(file, {Command::SaveRecording, Command::SaveDump, Command::Export, Command::CopyPicture});
    file->addSeparator();
    add(file, {Command::Preferences});
    file->addSeparator();
    add(file, {Command::Quit});
    QMenu* run = menu(QT_TRANSLATE_NOOP("actions", "&Run"));
    add(run, {Command::Run, Command::Restart, Command::Cancel});
    run->addSeparator();
    add(run, {Command::StepInto, Command::StepOver, Command::StepOut, Command::Forward, Command::Back});
    run->addSeparator();
    add(run, {Command::First, Command::PreviousStage, Command::NextStage, Command::Last, Command::Play});
    QMenu* stage = run->addMenu(QCoreApplication::translate("actions", QT_TRANSLATE_NOOP("actions", "&Stage")));
    add(stage, {Command::Stage1, Command::Stage2, Command::Stage3, Command::Stage4, Command::Stage5, Command::Stage6});
    run->addSeparator();
    add(run, {Command::ToggleBreakpoint, Command::ContinueBack, Command::RunToCursor});
    run->addSeparator();
    add(run, {Command::StepInert});
    QMenu* view = menu(QT_TRANSLATE_NOOP("actions", "&View"));
    add(view, {Command::Find, Command::FindNext, Command::FindPrevious});
    view->addSeparator();
    add(view, {Command::FitAll, Command::FrameSelection, Command::ZoomIn, Command::ZoomOut, Command::ZoomHundred});
    view->addSeparator();
    add(view, {Command::FoldAll, Command::UnfoldAll, Command::FoldAsFirst, Command::Constants, Command::Compact,
               Command::Ghosts, Command::Labels, Command::Hulls, Command::Minimap});
    view->addSeparator();
    add(view, {Command::Hide, Command::Unhide, Command::UndoView, Command::RedoView});
    view->addSeparator();
    add(view, {Command::Diff, Command::NextChange, Command::PreviousChange, Command::History});
    view->addSeparator();
    add(view, {Command::Panes1, Command::Panes2, Command::Panes3, Command::Panes4, Command::LinkCameras,
               Command::LinkSelection, Command::LinkFolding});
    view->addSeparator();
    QMenu* theme = view->addMenu(QCoreApplication::translate("actions", QT_TRANSLATE_NOOP("actions", "&Theme")));
    add(theme, {Command::ThemeLight, Command::ThemeDark, Command::ThemeHighContrast, Command::ThemePrint});
    QMenu* overlay = view->addMenu(QCoreApplication::translate("actions", QT_TRANSLATE_NOOP("actions", "&Overlay")));
    add(overlay, {Command::OverlayNone, Command::OverlayScale, Command::OverlayBits, Command::OverlayRange,
                  Command::OverlayTime, Command::OverlayCsv, Command::NextOverlay});
    QMenu* window = menu(QT_TRANSLATE_NOOP("actions", "&Window"));
    add(window, {Command::LayoutLearn, Command::LayoutCompare, Command::LayoutCalibrate, Command::LayoutPresent});
    window->addSeparator();
    window->addMenu(panels);
    add(window, {Command::NextPane, Command::PreviousPane});
    QMenu* help = menu(QT_TRANSLATE_NOOP("actions", "&Help"));
    add(help, {Command::Palette, Command::Shortcuts, Command::About});
}

} // namespace gb::app
