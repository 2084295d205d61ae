// All keys: those of a graph first, then those of the window. A line finds one by name or key.
//
// Thread: the UI thread.
#pragma once

#include <QAction>
#include <QDialog>

class QLineEdit;
class QTableWidget;

namespace gb::app {

class ShortcutsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);

    /// Shows the rows that hold `text`, upper and lower case alike.
    void find(const QString& text);

private:
    void addRow(const QString& keys, const QString& what);
    void showMatches(const QString& text);

    QLineEdit* m_line;
    QTableWidget* m_table;
};

} // namespace gb::app
