#include "window/export_dialog.h"

#include "session/session.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace gb::app {

using views::DiagramFormat;
using views::ThemeKind;

ExportDialog::ExportDialog(const Document& document, const QString& stage, QWidget* parent)
    : QDialog(parent)
    , m_recording(document.recording)
    , m_name(QString::fromStdString(document.recording->header.model))
    , m_stages(new QListWidget(this))
    , m_format(new QComboBox(this))
    , m_theme(new QComboBox(this))
    , m_scale(new QComboBox(this))
    , m_background(new QCheckBox(tr("White or dark page behind the graph"), this))
    , m_ghosts(new QCheckBox(tr("Ghosts of what vanished"), this))
    , m_caption(new QCheckBox(tr("Caption with model, quantizer and stage"), this))
    , m_folder(new QLineEdit(QFileInfo(document.request.path).absolutePath(), this))
    , m_preview(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Export diagrams"));
    for (const std::string& name : m_recording->stages()) {
        const QString id = QString::fromStdString(name);
        if (id == QStringLiteral("calibrated"))
            continue; // the prepared graph, with ranges: offered by its own name below
        auto* item = new QListWidgetItem(views::stageTitle(id), m_stages);
        item->setData(Qt::UserRole, id);
        item->setCheckState(stage.isEmpty() || stage == id ? Qt::Checked : Qt::Unchecked);
    }
    if (m_recording->stageEvent("calibrated") >= 0) {
        auto* item = new QListWidgetItem(views::stageTitle(QStringLiteral("calibrated")));
        item->setData(Qt::UserRole, QStringLiteral("calibrated"));
        item->setCheckState(stage == QStringLiteral("calibrated") ? Qt::Checked : Qt::Unchecked);
        m_stages->insertItem(m_stages->count() - (m_recording->stageEvent("converted") >= 0 ? 1 : 0), item);
    }
    m_stages->setMaximumHeight(m_stages->sizeHintForRow(0) * 6 + 8);
    m_format->addItem(tr("SVG (text stays text)"), static_cast<int>(DiagramFormat::Svg));
    m_format->addItem(tr("PDF (a page a stage)"), static_cast<int>(DiagramFormat::Pdf));
    m_format->addItem(tr("PNG"), static_cast<int>(DiagramFormat::Png));
    m_format->addItem(tr("DOT"), static_cast<int>(DiagramFormat::Dot));
    m_theme->addItem(tr("Print"), static_cast<int>(ThemeKind::Print));
    m_theme->addItem(tr("Light"), static_cast<int>(ThemeKind::Light));
    m_theme->addItem(tr("Dark"), static_cast<int>(ThemeKind::Dark));
    m_theme->addItem(tr("High contrast"), static_cast<int>(ThemeKind::HighContrast));
    for (int scale = 1; scale <= 4; ++scale)
        m_scale->addItem(tr("%1 times").arg(scale), scale);
    m_scale->setCurrentIndex(1);
    for (QCheckBox* box : {m_background, m_ghosts, m_caption})
        box->setChecked(true);
    makeForm();
    updatePreview();
}

void ExportDialog::makeForm()
{
    auto* browse = new QPushButton(tr("Choose…"), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(browse);
    auto* form = new QFormLayout;
    form->addRow(tr("Stages"), m_stages);
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("PNG size"), m_scale);
    form->addRow(QString(), m_background);
    form->addRow(QString(), m_ghosts);
    form->addRow(QString(), m_caption);
    form->addRow(tr("Folder"), folderRow);
    form->addRow(m_buttons);
    m_preview->setMinimumSize(420, 420);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setAccessibleName(tr("Preview"));
    auto* row = new QHBoxLayout(this);
    row->addLayout(form);
    row->addWidget(m_preview, 1);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_stages, &QListWidget::itemChanged, this, &ExportDialog::updatePreview);
    for (QComboBox* box : {m_format, m_theme, m_scale})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::updatePreview);
    for (QCheckBox* box : {m_background, m_ghosts, m_caption})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::updatePreview);
}

ExportDialog::Choice ExportDialog::choice() const
{
    Choice c;
    for (int i = 0; i < m_stages->count(); ++i)
        if (m_stages->item(i)->checkState() == Qt::Checked)
            c.stages.push_back(m_stages->item(i)->data(Qt::UserRole).toString().toStdString());
    c.format = static_cast<DiagramFormat>(m_format->currentData().toInt());
    c.options.theme = static_cast<ThemeKind>(m_theme->currentData().toInt());
    c.options.scale = m_scale->currentData().toInt();
    c.options.background = m_background->isChecked();
    c.options.ghosts = m_ghosts->isChecked();
    c.options.caption = m_caption->isChecked();
    c.folder = m_folder->text();
    c.fileName = m_name + views::suffix(c.format);
    return c;
}

void ExportDialog::updatePreview()
{
    Choice c = choice();
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(!c.stages.empty());
    m_scale->setEnabled(c.format == DiagramFormat::Png);
    if (c.stages.empty()) {
        m_preview->setText(tr("Choose at least one stage."));
        return;
    }
    c.options.scale = 1;
    const auto files = views::exportDiagram(m_recording, {c.stages.front()}, DiagramFormat::Png,
                                            QStringLiteral("preview.png"), c.options);
    QPixmap picture;
    if (!files.ok() || !picture.loadFromData(files->front().bytes)) {
        m_preview->setText(files.ok() ? QString() : QString::fromStdString(files.error().text()));
        return;
    }
    const qreal ratio = devicePixelRatioF();
    picture = picture.scaled(m_preview->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    m_preview->setPixmap(picture);
}

void ExportDialog::chooseFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the diagrams"), m_folder->text());
    if (!folder.isEmpty())
        m_folder->setText(folder);
}

base::Result<std::vector<QString>> exportTo(const ExportDialog::Choice& choice, trace::RecordingPtr recording,
                                            const base::Work& work)
{
    GB_ASSIGN(const std::vector<views::DiagramFile> files,
              views::exportDiagram(std::move(recording), choice.stages, choice.format, choice.fileName, choice.options,
                                   work));
    return views::writeDiagrams(files, choice.folder);
}

} // namespace gb::app
