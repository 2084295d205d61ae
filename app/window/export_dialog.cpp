#include "window/export_dialog.h"

#include "export/page.h"
#include "session/session.h"
#include "window/scrolled.h"

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
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>

#include <algorithm>

namespace gb::app {

using views::DiagramFormat;
using views::ThemeKind;

namespace {

struct Named {
    const char* text;
    int value;
};

void fill(QComboBox* box, std::initializer_list<Named> entries)
{
    for (const Named& entry : entries)
        box->addItem(ExportDialog::tr(entry.text), entry.value);
}

constexpr int kAsInWindow = 100; ///< beside the values of FoldChoice

template <class T>
constexpr int number(T value)
{
    return static_cast<int>(value);
}

} // namespace

ExportDialog::ExportDialog(const Document& document, const Sources& sources, QWidget* parent)
    : QDialog(parent)
    , m_recording(document.recording)
    , m_name(QString::fromStdString(document.recording->header.model))
    , m_sources(sources)
    , m_what(new QComboBox(this))
    , m_stages(new QListWidget(this))
    , m_steps(new QCheckBox(tr("Steps instead, from"), this))
    , m_firstStep(new QSpinBox(this))
    , m_lastStep(new QSpinBox(this))
    , m_format(new QComboBox(this))
    , m_theme(new QComboBox(this))
    , m_scale(new QComboBox(this))
    , m_select(new QLineEdit(sources.selected, this))
    , m_radius(new QSpinBox(this))
    , m_fold(new QComboBox(this))
    , m_page(new QComboBox(this))
    , m_detail(new QComboBox(this))
    , m_overlay(new QComboBox(this))
    , m_minText(new QSpinBox(this))
    , m_captionText(new QLineEdit(this))
    , m_panes(new QCheckBox(tr("All stages side by side"), this))
    , m_hulls(new QCheckBox(tr("Sharing groups as hulls"), this))
    , m_notes(new QCheckBox(tr("Speaker notes (Markdown)"), this))
    , m_constants(new QCheckBox(tr("Weights and other constants"), this))
    , m_legend(new QCheckBox(tr("Legend below the graph"), this))
    , m_warning(new QLabel(this))
    , m_less(new QPushButton(tr("Show less"), this))
    , m_background(new QCheckBox(tr("White or dark page behind the graph"), this))
    , m_ghosts(new QCheckBox(tr("Ghosts of what vanished"), this))
    , m_caption(new QCheckBox(tr("Caption"), this))
    , m_folder(new QLineEdit(QFileInfo(document.request.path).absolutePath(), this))
    , m_preview(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Export diagrams"));
    listStages();
    fillWhat();
    fillChoices();
    makeForm();
    connectAll();
    updatePreview();
}

void ExportDialog::listStages()
{
    const QString& stage = m_sources.stage;
    for (const std::string& name : m_recording->stages()) {
        const QString id = QString::fromStdString(name);
        auto* item = new QListWidgetItem(views::stageTitle(id), m_stages);
        item->setData(Qt::UserRole, id);
        // calibrated is the prepared graph with ranges: by default one of the two is enough
        const bool all = stage.isEmpty() && id != QStringLiteral("calibrated");
        item->setCheckState(all || stage == id ? Qt::Checked : Qt::Unchecked);
    }
    m_stages->setMaximumHeight(m_stages->sizeHintForRow(0) * 6 + 8);
    for (QSpinBox* box : {m_firstStep, m_lastStep})
        box->setRange(1, std::max(1, m_sources.steps));
    m_firstStep->setValue(m_sources.step);
    m_lastStep->setValue(m_sources.step);
    m_firstStep->setAccessibleName(tr("First step"));
    m_lastStep->setAccessibleName(tr("Last step"));
}

/// What is there to be exported now.
void ExportDialog::fillWhat()
{
    fill(m_what, {{QT_TR_NOOP("Graph"), number(What::Graph)}});
    if (!m_sources.viewport.isEmpty())
        fill(m_what, {{QT_TR_NOOP("What the window shows of the graph"), number(What::Viewport)}});
    if (m_sources.histogram)
        fill(m_what, {{QT_TR_NOOP("Histogram of the selected observer"), number(What::Histogram)}});
    if (m_sources.why)
        fill(m_what, {{QT_TR_NOOP("Why: what is said of the selected node"), number(What::Why)}});
}

void ExportDialog::fillChoices()
{
    using views::Detail;
    using views::FoldChoice;
    using views::OverlayKind;
    fill(m_format, {{QT_TR_NOOP("SVG (text stays text)"), number(DiagramFormat::Svg)},
                    {QT_TR_NOOP("PDF (a page a frame)"), number(DiagramFormat::Pdf)},
                    {QT_TR_NOOP("PNG"), number(DiagramFormat::Png)},
                    {QT_TR_NOOP("DOT"), number(DiagramFormat::Dot)},
                    {QT_TR_NOOP("JSON for Model Explorer"), number(DiagramFormat::ModelExplorer)}});
    fill(m_theme, {{QT_TR_NOOP("Print"), number(ThemeKind::Print)},
                   {QT_TR_NOOP("Light"), number(ThemeKind::Light)},
                   {QT_TR_NOOP("Dark"), number(ThemeKind::Dark)},
                   {QT_TR_NOOP("High contrast"), number(ThemeKind::HighContrast)}});
    fill(m_fold, {{QT_TR_NOOP("All unfolded"), number(FoldChoice::None)},
                  {QT_TR_NOOP("As the window begins"), number(FoldChoice::First)},
                  {QT_TR_NOOP("All folded"), number(FoldChoice::All)}});
    if (m_sources.folding)
        fill(m_fold, {{QT_TR_NOOP("As in the window now"), kAsInWindow}});
    fill(m_detail, {{QT_TR_NOOP("Full"), number(Detail::Full)},
                    {QT_TR_NOOP("Short labels, larger text"), number(Detail::Brief)},
                    {QT_TR_NOOP("Names only, largest text"), number(Detail::Chips)}});
    fill(m_overlay, {{QT_TR_NOOP("None"), number(OverlayKind::None)},
                     {QT_TR_NOOP("Scale"), number(OverlayKind::Scale)},
                     {QT_TR_NOOP("Bits"), number(OverlayKind::Bits)},
                     {QT_TR_NOOP("Range"), number(OverlayKind::Range)}});
    if (m_sources.folding)
        m_fold->setCurrentIndex(m_fold->findData(kAsInWindow));
    m_page->addItem(tr("As large as the graph"), QString());
    for (const QString& page : views::pageNames())
        m_page->addItem(page, page);
    m_page->setEditable(true);
    m_page->lineEdit()->setPlaceholderText(tr("or millimetres: 254x190"));
    for (int scale = 1; scale <= 4; ++scale)
        m_scale->addItem(tr("%1 times").arg(scale), scale);
    m_scale->setCurrentIndex(1);
    m_select->setPlaceholderText(tr("whole graph, or: relu_3, op:*conv2d*, module:layer1.*"));
    m_radius->setRange(0, 1000);
    m_radius->setValue(1);
    m_minText->setRange(4, 72);
    m_minText->setValue(14);
    m_minText->setSuffix(tr(" pt"));
    m_captionText->setPlaceholderText(tr("model and stage"));
    m_warning->setWordWrap(true);
    for (QCheckBox* box : {m_background, m_ghosts, m_caption, m_constants})
        box->setChecked(true);
    m_hulls->setChecked(m_sources.hulls);
}

void ExportDialog::addContentRows(QFormLayout* form)
{
    auto* around = new QHBoxLayout;
    around->addWidget(m_select, 1);
    around->addWidget(new QLabel(tr("radius"), this));
    around->addWidget(m_radius);
    auto* steps = new QHBoxLayout;
    steps->addWidget(m_steps);
    steps->addWidget(m_firstStep);
    steps->addWidget(new QLabel(tr("to"), this));
    steps->addWidget(m_lastStep, 1);
    form->addRow(tr("What"), m_what);
    form->addRow(tr("Stages"), m_stages);
    form->addRow(QString(), steps);
    form->addRow(tr("Only around"), around);
    form->addRow(tr("Modules"), m_fold);
    form->addRow(tr("Detail"), m_detail);
    form->addRow(tr("Overlay"), m_overlay);
    for (QCheckBox* box : {m_panes, m_constants, m_ghosts, m_hulls})
        form->addRow(QString(), box);
}

void ExportDialog::makeForm()
{
    auto* browse = new QPushButton(tr("Choose…"), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(browse);
    auto* captionRow = new QHBoxLayout;
    captionRow->addWidget(m_caption);
    captionRow->addWidget(m_captionText, 1);
    auto* sizeRow = new QHBoxLayout;
    sizeRow->addWidget(m_page, 1);
    sizeRow->addWidget(new QLabel(tr("text at least"), this));
    sizeRow->addWidget(m_minText);
    auto* fields = new QWidget(this);
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 8, 0);
    addContentRows(form);
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Page"), sizeRow);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("PNG size"), m_scale);
    form->addRow(QString(), captionRow);
    for (QCheckBox* box : {m_legend, m_background, m_notes})
        form->addRow(QString(), box);
    form->addRow(tr("Folder"), folderRow);
    auto* warningRow = new QHBoxLayout;
    warningRow->addWidget(m_warning, 1);
    warningRow->addWidget(m_less);
    m_less->hide();
    form->addRow(QString(), warningRow);
    QScrollArea* area = scrolled(fields, this);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setMinimumWidth(fields->minimumSizeHint().width() + area->verticalScrollBar()->sizeHint().width());
    m_preview->setMinimumSize(240, 240);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setAccessibleName(tr("Preview"));
    auto* row = new QHBoxLayout;
    row->addWidget(area);
    row->addWidget(m_preview, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row, 1);
    column->addWidget(m_buttons);
    resize(area->sizeHint().width() + 460, sizeHint().height());
    fitOnScreen(this);
}

void ExportDialog::connectAll()
{
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_less, &QPushButton::clicked, this, &ExportDialog::showLess);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_stages, &QListWidget::itemChanged, this, &ExportDialog::updatePreview);
    for (QComboBox* box : {m_what, m_format, m_theme, m_scale, m_fold, m_detail, m_overlay})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::updatePreview);
    connect(m_page, &QComboBox::currentTextChanged, this, &ExportDialog::updatePreview);
    for (QLineEdit* line : {m_select, m_captionText})
        connect(line, &QLineEdit::editingFinished, this, &ExportDialog::updatePreview);
    for (QSpinBox* box : {m_radius, m_minText, m_firstStep, m_lastStep})
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::updatePreview);
    for (QCheckBox* box :
         {m_background, m_ghosts, m_caption, m_panes, m_constants, m_legend, m_steps, m_hulls, m_notes})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::updatePreview);
}

ExportDialog::Choice ExportDialog::choice() const
{
    Choice c;
    addFrames(c);
    const auto what = static_cast<What>(m_what->currentData().toInt());
    if (what == What::Histogram)
        c.card = m_sources.histogram;
    else if (what == What::Why)
        c.card = m_sources.why;
    c.format = static_cast<DiagramFormat>(m_format->currentData().toInt());
    c.options.theme = static_cast<ThemeKind>(m_theme->currentData().toInt());
    c.options.scale = m_scale->currentData().toInt();
    c.options.background = m_background->isChecked();
    c.options.ghosts = m_ghosts->isChecked();
    c.options.caption = m_caption->isChecked();
    c.options.captionText = m_captionText->text();
    c.options.legend = m_legend->isChecked();
    c.options.minText = m_minText->value();
    c.options.detail = static_cast<views::Detail>(m_detail->currentData().toInt());
    if (m_fold->currentData().toInt() == kAsInWindow || what == What::Viewport)
        c.options.folding = m_sources.folding;
    else
        c.options.fold = static_cast<views::FoldChoice>(m_fold->currentData().toInt());
    if (what == What::Viewport)
        c.options.viewport = m_sources.viewport;
    c.options.overlay = static_cast<views::OverlayKind>(m_overlay->currentData().toInt());
    c.options.constants = m_constants->isChecked();
    c.options.graph = m_sources.graph;
    c.options.hulls = m_hulls->isChecked();
    c.options.notes = m_notes->isChecked();
    c.options.sideBySide = m_panes->isChecked();
    c.options.radius = m_radius->value();
    const bool selects = what == What::Graph; // what the window shows has its own places
    for (const QString& pattern : (selects ? m_select->text() : QString()).split(QLatin1Char(','), Qt::SkipEmptyParts))
        c.options.select.push_back(pattern.trimmed().toStdString());
    if (const auto page = views::pageSize(m_page->currentText()); page && m_page->currentIndex() != 0)
        c.options.page = *page;
    c.folder = m_folder->text();
    c.fileName = m_name + views::suffix(c.format);
    return c;
}

void ExportDialog::addFrames(Choice& choice) const
{
    std::vector<std::string> stages;
    for (int i = 0; i < m_stages->count(); ++i)
        if (m_stages->item(i)->checkState() == Qt::Checked)
            stages.push_back(m_stages->item(i)->data(Qt::UserRole).toString().toStdString());
    if (stages.empty() && !m_steps->isChecked()) {
        choice.problem = tr("Choose at least one stage.");
        return;
    }
    auto frames = m_steps->isChecked() ? views::framesOfSteps(*m_recording, m_firstStep->value(), m_lastStep->value())
                                       : views::framesOfStages(*m_recording, stages);
    if (frames)
        choice.frames = std::move(*frames);
    else
        choice.problem = QString::fromStdString(frames.error().text());
}

/// What makes no difference now is grey.
void ExportDialog::enableRows(const Choice& choice)
{
    const bool graph = !choice.card;
    const bool whole = graph && choice.options.viewport.isEmpty();
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(!graph || !choice.frames.empty());
    m_scale->setEnabled(choice.format == DiagramFormat::Png);
    m_minText->setEnabled(!choice.options.page.isEmpty());
    m_stages->setEnabled(graph && !m_steps->isChecked());
    m_steps->setEnabled(graph);
    for (QSpinBox* box : {m_firstStep, m_lastStep})
        box->setEnabled(graph && m_steps->isChecked());
    for (QWidget* widget : std::initializer_list<QWidget*>{m_select, m_radius, m_fold})
        widget->setEnabled(whole);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_detail, m_overlay, m_panes, m_constants, m_ghosts, m_legend, m_hulls})
        widget->setEnabled(graph);
    m_notes->setEnabled(graph && choice.format != DiagramFormat::ModelExplorer);
}

void ExportDialog::updatePreview()
{
    Choice c = choice();
    enableRows(c);
    c.options.scale = 1;
    c.options.notes = false;
    if (c.card) {
        m_jobs.cancel();
        auto file = views::exportCard(*c.card, DiagramFormat::Png, QStringLiteral("preview.png"), c.options);
        if (!file)
            showPreview(file.error());
        else
            showPreview(std::vector<views::DiagramFile>{std::move(*file)});
        return;
    }
    if (c.frames.empty()) {
        m_jobs.cancel();
        m_preview->setText(c.problem);
        return;
    }
    if (!c.options.sideBySide)
        c.frames.resize(1);
    m_jobs.start(tr("Preview"), [this, c, recording = m_recording](const base::Work& work) {
        auto files = std::make_shared<base::Result<std::vector<views::DiagramFile>>>(views::exportFrames(
            recording, c.frames, DiagramFormat::Png, QStringLiteral("preview.png"), c.options, work));
        return views::JobRunner::Delivery([this, files] { showPreview(*files); });
    });
}

void ExportDialog::showPreview(const base::Result<std::vector<views::DiagramFile>>& files)
{
    QPixmap picture;
    m_warning->setText(files.ok() ? files->front().note : QString());
    m_less->setVisible(!m_warning->text().isEmpty() && canShowLess());
    if (!files.ok() || !picture.loadFromData(files->front().bytes)) {
        m_preview->setText(files.ok() ? QString() : QString::fromStdString(files.error().text()));
        return;
    }
    const qreal ratio = devicePixelRatioF();
    picture = picture.scaled(m_preview->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    m_preview->setPixmap(picture);
}

bool ExportDialog::canShowLess() const
{
    const bool folds =
        m_fold->isEnabled() && m_fold->currentIndex() != m_fold->findData(number(views::FoldChoice::All));
    return m_detail->isEnabled() && (m_detail->currentIndex() + 1 < m_detail->count() || folds);
}

/// A step towards larger text: shorter labels, then names only, then folded modules.
void ExportDialog::showLess()
{
    if (m_detail->currentIndex() + 1 < m_detail->count())
        m_detail->setCurrentIndex(m_detail->currentIndex() + 1);
    else
        m_fold->setCurrentIndex(m_fold->findData(number(views::FoldChoice::All)));
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
    if (choice.card) {
        GB_ASSIGN(views::DiagramFile file,
                  views::exportCard(*choice.card, choice.format, choice.fileName, choice.options));
        return views::writeDiagrams({std::move(file)}, choice.folder);
    }
    GB_ASSIGN(
        const std::vector<views::DiagramFile> files,
        views::exportFrames(std::move(recording), choice.frames, choice.format, choice.fileName, choice.options, work));
    return views::writeDiagrams(files, choice.folder);
}

} // namespace gb::app
