// What of which stages, how large, how it looks, where to: the choices for a diagram, and the export itself. The same
// options as `greenbox export`.
//
// Thread: the dialog in the UI thread; exportTo on any.
#pragma once

#include "export/export_diagram.h"
#include "jobs/job_runner.h"
#include "window/document.h"

#include <QDialog>
#include <QListWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;
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
    /// `selected` is the name of the selected node; empty for none.
    ExportDialog(const Document& document, const QString& stage, const QString& selected = {},
                 QWidget* parent = nullptr);
    [[nodiscard]] Choice choice() const;

private:
    void fillChoices();
    void makeForm();
    void addContentRows(QFormLayout* form);
    void connectAll();
    void showPreview(const base::Result<std::vector<views::DiagramFile>>& files);
    void updatePreview();
    void chooseFolder();

    trace::RecordingPtr m_recording;
    QString m_name;
    QListWidget* m_stages;
    QComboBox* m_format;
    QComboBox* m_theme;
    QComboBox* m_scale;
    QLineEdit* m_select;
    QSpinBox* m_radius;
    QComboBox* m_fold;
    QComboBox* m_page;
    QComboBox* m_detail;
    QComboBox* m_overlay;
    QSpinBox* m_minText;
    QLineEdit* m_captionText;
    QCheckBox* m_panes;
    QCheckBox* m_constants;
    QCheckBox* m_legend;
    QLabel* m_warning;
    views::JobRunner m_jobs; ///< the preview
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
