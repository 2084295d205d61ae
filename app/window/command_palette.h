// Every action of the window by name: type a few letters of it, Enter does it.
//
// Letters may stand anywhere in the name as long as their order is kept ("ufa" finds "Unfold all modules"); words that
// begin with them come first.
//
// Thread: the UI thread.
#pragma once

#include <QAction>
#include <QDialog>

class QLineEdit;
class QListWidget;

namespace gb::app {

/// How well typed letters fit a name: 0 not at all, more is better.
int paletteScore(const QString& typed, const QString& name);

class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(const QList<QAction*>& actions, QWidget* parent = nullptr);
    /// The action that was chosen, or null.
    [[nodiscard]] QAction* chosen() const { return m_chosen; }
    void type(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void choose();

    QList<QAction*> m_actions;
    QLineEdit* m_line;
    QListWidget* m_list;
    QAction* m_chosen = nullptr;
};

} // namespace gb::app
