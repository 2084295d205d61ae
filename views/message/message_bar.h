// A message over the content: selectable text, Copy, Close. Nothing is lost while it stands there.
//
// Thread: the UI thread.
#pragma once

#include "theme/theme.h"

#include <QFrame>
#include <QLabel>

namespace gb::views {

class MessageBar final : public QFrame {
    Q_OBJECT

public:
    enum class Level { Note, Error };

    explicit MessageBar(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void showMessage(Level level, const QString& title, const QString& sentence);
    /// What is shown, title and sentence; empty when hidden.
    [[nodiscard]] QString text() const;

public Q_SLOTS:
    void copy() const; ///< the text to the clipboard

private:
    void applyColours();

    const Theme* m_theme;
    Level m_level = Level::Note;
    QLabel* m_title;
    QLabel* m_sentence;
};

} // namespace gb::views
