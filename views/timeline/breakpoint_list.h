// The breakpoints as a list: a line to add one, a box to switch each on and off, Delete to take one away.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "session/session.h"
#include "theme/theme.h"
#include "trace/breakpoints.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;

namespace gb::views {

class BreakpointList final : public QWidget {
    Q_OBJECT

public:
    explicit BreakpointList(Session* session, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

    [[nodiscard]] const std::vector<trace::Breakpoint>& breakpoints() const { return m_breakpoints; }
    /// Adds what is written (trace/breakpoints.h); false where it is no breakpoint, and then message() says why.
    bool add(const QString& text);
    /// Takes the breakpoint on the node away, or adds one.
    void toggleNode(ir::NodeId node);
    [[nodiscard]] QString message() const;
    /// As lines to keep between sessions: "on node:relu", "off scale<0.001"; what is no breakpoint is left out.
    [[nodiscard]] QStringList kept() const;
    void restore(const QStringList& lines);
    /// The events at which enabled breakpoints stop, ascending.
    [[nodiscard]] std::vector<int> stops() const;
    /// True where an enabled breakpoint stops behind the cursor.
    [[nodiscard]] bool canContinue() const;

public Q_SLOTS:
    void continueForward(); ///< to the next event at which an enabled one stops, else to the last event
    void continueBack();
    void removeCurrent();

Q_SIGNALS:
    void changed();

private:
    void show();
    void say(const QString& text, Ink ink);
    [[nodiscard]] int nextStop(bool forward) const;

    Session* m_session;
    const Theme* m_theme = &Theme::of(ThemeKind::Light);
    std::vector<trace::Breakpoint> m_breakpoints;
    QLineEdit* m_line;
    QListWidget* m_list;
    QLabel* m_message;
    bool m_showing = false;
};

} // namespace gb::views
