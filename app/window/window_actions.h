// Every action of the window: text, shortcut, tooltip, in one table; and the menus and the toolbar made from them.
//
// Single letters act only while a graph has the focus (the canvas takes them itself) and are not in this table.
//
// Thread: the UI thread.
#pragma once

#include "theme/theme.h"

#include <QAction>
#include <QHash>
#include <QMainWindow>

namespace gb::app {

enum class Command {
    Open,
    OpenRecipe,
    OpenInputs,
    Run,
    Restart,
    Cancel,
    Export,
    CopyPicture,
    SaveRecording,
    SaveDump,
    Quit,
    First,
    Back,
    Forward,
    StepInto,
    Last,
    StepOver,
    StepOut,
    PreviousStage,
    NextStage,
    StepInert,
    ToggleBreakpoint,
    ContinueBack,
    RunToCursor,
    FitAll,
    FrameSelection,
    ZoomIn,
    ZoomOut,
    ZoomHundred,
    LinkCameras,
    LinkSelection,
    LinkFolding,
    Ghosts,
    Hulls,
    Compact,
    Constants,
    Minimap,
    UnfoldAll,
    FoldAll,
    FoldAsFirst,
    NextChange,
    PreviousChange,
    Panes1,
    Panes2,
    Panes3,
    Panes4,
    ThemeLight,
    ThemeDark,
    ThemeHighContrast,
    ThemePrint,
    OverlayNone,
    OverlayScale,
    OverlayBits,
    OverlayRange,
    OverlayTime,
    OverlayCsv,
    NextOverlay,
    LayoutLearn,
    LayoutCompare,
    LayoutCalibrate,
    LayoutPresent,
    Find,
    FindNext,
    FindPrevious,
    Labels,
    Diff,
    Hide,
    Unhide,
    UndoView,
    RedoView,
    History,
    Stage1,
    Stage2,
    Stage3,
    Stage4,
    Stage5,
    Stage6,
    Play,
    Palette,
    Preferences,
    NextPane,
    PreviousPane,
    Shortcuts,
    About,
};

class WindowActions {
public:
    explicit WindowActions(QMainWindow* window);

    /// Draws the icons anew in the theme's ink.
    void setTheme(const views::Theme& theme);
    [[nodiscard]] QAction* operator[](Command command) const { return m_actions.value(command); }
    /// All with a shortcut, in the order of the table, for the list of shortcuts.
    [[nodiscard]] QList<QAction*> withShortcuts() const;
    [[nodiscard]] const QList<QAction*>& all() const { return m_ordered; }
    /// File, Run, View, Window, Help. `recent` and `panels` are put in where they belong.
    void fillMenus(QMenuBar* bar, QMenu* recent, QMenu* panels) const;

private:
    QHash<Command, QAction*> m_actions;
    QList<QAction*> m_ordered;
};

} // namespace gb::app
