// What the user chose for all sessions: theme, scale, motion, wheel and letters; and the dialog for it.
//
// Thread: the UI thread.
#pragma once

#include "canvas/canvas_settings.h"
#include "theme/theme.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;

namespace gb::app {

struct Preferences {
    views::ThemeKind theme = views::ThemeKind::Light;
    int scale = 100; ///< percent, 80 to 200; of texts and panels, on top of the screen's own; from the next start on
    bool reducedMotion = false;
    bool wheelZooms = false;
    bool letters = true;
    friend bool operator==(const Preferences&, const Preferences&) = default;

    [[nodiscard]] views::CanvasSettings canvas() const { return {wheelZooms, letters, !reducedMotion}; }
};

/// Values out of range are taken as their default. Works before there is an application, given its names.
Preferences loadPreferences();
void savePreferences(const Preferences& preferences);

class PreferencesDialog final : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(const Preferences& preferences, QWidget* parent = nullptr);
    [[nodiscard]] Preferences preferences() const;

private:
    void sayAboutScale();

    Preferences m_before;
    QComboBox* m_theme;
    QComboBox* m_scale;
    QLabel* m_scaleNote;
    QCheckBox* m_reducedMotion;
    QCheckBox* m_wheelZooms;
    QCheckBox* m_letters;
};

} // namespace gb::app
