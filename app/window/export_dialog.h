// What of which stages or steps, how large, how it looks, where to: the choices for a diagram, and the export itself.
// The same options as `greenbox export`.
//
// Thread: the dialog in the UI thread; exportTo on any.
#pragma once

#include "export/card.h"
#include "jobs/job_runner.h"
#include "window/document.h"

#include <QDialog>
#include <QListWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gb::app {

class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    enum class What : unsigned char { Graph, Viewport, Histogram, Why };
    /// What of the window can be exported.
    struct Sources {
        QString stage;                         ///< ticked at first; empty: all that the document has
        QString selected;                      ///< name of the selected node; empty for none
        std::optional<views::Folding> folding; ///< of the active pane
        std::string graph;                     ///< path of what it shows
        QRectF viewport;                       ///< what it shows, from its picture's corner
        int step = 1;                          ///< where the cursor is
        int steps = 1;
        bool hulls = false;                   ///< sharing groups are shown
        std::optional<views::Card> histogram; ///< of the selected node
        std::optional<views::Card> why;
    };
    struct Choice {
        std::vector<views::Frame> frames;
        std::optional<views::Card> card; ///< instead of frames
        QString problem;                 ///< why there are no frames
        views::DiagramFormat format = views::DiagramFormat::Svg;
        views::DiagramOptions options;
        QString folder;
        QString fileName;
    };

    ExportDialog(const Document& document, const Sources& sources, QWidget* parent = nullptr);
    [[nodiscard]] Choice choice() const;

private:
    void fillChoices();
    void makeForm();
    void addContentRows(QFormLayout* form);
    void fillWhat();
    void listStages();
    void addFrames(Choice& choice) const;
    void enableRows(const Choice& choice);
    void connectAll();
    void showPreview(const base::Result<std::vector<views::DiagramFile>>& files);
    void updatePreview();
    void chooseFolder();
    void showLess();
    [[nodiscard]] bool canShowLess() const;

    trace::RecordingPtr m_recording;
    QString m_name;
    Sources m_sources;
    QComboBox* m_what;
    QListWidget* m_stages;
    QCheckBox* m_steps;
    QSpinBox* m_firstStep;
    QSpinBox* m_lastStep;
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
    QCheckBox* m_hulls;
    QCheckBox* m_notes;
    QCheckBox* m_constants;
    QCheckBox* m_legend;
    QLabel* m_warning;
    QPushButton* m_less;     ///< beside the warning that texts are too small
    views::JobRunner m_jobs; ///< the preview
    QCheckBox* m_background;
    QCheckBox* m_ghosts;
    QCheckBox* m_caption;
    QLineEdit* m_folder;
    QLabel* m_preview;
    QDialogButtonBox* m_buttons;
};

/// Makes the diagrams and writes them; the paths that were written. A card only in the UI thread.
base::Result<std::vector<QString>> exportTo(const ExportDialog::Choice& choice, trace::RecordingPtr recording,
                                            const base::Work& work);

} // namespace gb::app
