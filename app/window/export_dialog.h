// Which stages, which format, which theme, where to: the choices for a diagram, and the export itself.
//
// Thread: the dialog in the UI thread; exportTo on any.
#pragma once

#include "export/export_diagram.h"
#include "window/document.h"

#include <QDialog>
#include <QListWidget>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace gb::app {

class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    struct Choice {
        std::vector<std::string> stages;
        views::DiagramFormat format = views::DiagramFormat::Svg;
        views::DiagramOptions options;
        QString folder;
        QString fileName;
    };

    /// `stage` is the one that is ticked at first; all that the document has are listed.
    ExportDialog(const Document& document, const QString& stage, QWidget* parent = nullptr);
    [[nodiscard]] Choice choice() const;

private:
    void makeForm();
    void updatePreview();
    void chooseFolder();

    trace::RecordingPtr m_recording;
    QString m_name;
    QListWidget* m_stages;
    QComboBox* m_format;
    QComboBox* m_theme;
    QComboBox* m_scale;
    QCheckBox* m_background;
    QCheckBox* m_ghosts;
    QCheckBox* m_caption;
    QLineEdit* m_folder;
    QLabel* m_preview;
    QDialogButtonBox* m_buttons;
};

/// Makes the diagrams and writes them; the paths that were written.
base::Result<std::vector<QString>> exportTo(const ExportDialog::Choice& choice, trace::RecordingPtr recording,
                                            const base::Work& work);

} // namespace gb::app
