#include "figures/parting_view.h"

#include "io/recipe.h"
#include "io/recording.h"
#include "numbers/parting.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <mutex>

namespace gb::views {
namespace {

bool isRecipe(const QString& path)
{
    return path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
}

base::Result<numbers::Sheet> sheetFor(const std::string& path, bool recipe, const numbers::MaterialPtr& material,
                                      const trace::RecordingPtr& recording, const base::Work& work)
{
    if (!recipe) {
        GB_ASSIGN(const io::ReadRecording other, io::readRecording(path));
        return numbers::recordingsSheet(recording, other.recording);
    }
    GB_ASSIGN(const quantizers::Recipe other, io::readRecipe(path));
    const std::lock_guard turn(*material->turn);
    GB_ASSIGN(const numbers::MaterialPtr run, numbers::runWith(*material, other, work));
    GB_ASSIGN(const numbers::Parting parting, numbers::partingOf(*material, *run, work));
    return numbers::partingSheet(parting);
}

} // namespace

PartingView::PartingView(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_recipe(new QToolButton(this))
    , m_recording(new QToolButton(this))
    , m_against(new QLabel(this))
    , m_sheet(new SheetView(selection, QString(), this))
{
    m_recipe->setText(tr("Against another recipe…"));
    m_recipe->setToolTip(tr("Run the same model on the same batches with another recipe, and compare op by op"));
    m_recording->setText(tr("Against a recording…"));
    m_recording->setToolTip(tr("Compare the observers with those of another recording, of Greenbox or of torchao"));
    m_against->setTextFormat(Qt::PlainText);
    m_against->setMinimumWidth(1);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 6, 0);
    bar->addWidget(m_recipe);
    bar->addWidget(m_recording);
    bar->addWidget(m_against, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_sheet, 1);
    connect(m_recipe, &QToolButton::clicked, this, [this] { ask(tr("Another recipe"), tr("Recipes (*.json)")); });
    connect(m_recording, &QToolButton::clicked, this,
            [this] { ask(tr("Another recording"), tr("Recordings (*.gbx *.jsonl);;All files (*)")); });
    connect(m_session, &Session::recordingChanged, this, [this] { setMaterial(nullptr); });
    clear();
}

void PartingView::setTheme(const Theme& theme)
{
    m_sheet->setTheme(theme);
    QPalette colours = m_against->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Text));
    m_against->setPalette(colours);
}

void PartingView::setMaterial(numbers::MaterialPtr material)
{
    m_material = std::move(material);
    clear();
}

void PartingView::clear()
{
    m_jobs.cancel();
    m_recipe->setEnabled(m_material != nullptr);
    m_recording->setEnabled(m_session->recording() != nullptr);
    m_against->clear();
    m_sheet->setMessage(tr("Choose a recipe or a recording that this run is held against."));
}

void PartingView::ask(const QString& title, const QString& filter)
{
    const QString path = QFileDialog::getOpenFileName(this, title, QString(), filter);
    if (!path.isEmpty())
        compareWith(path);
}

void PartingView::compareWith(const QString& path)
{
    if (!m_session->recording())
        return;
    m_against->setText(tr("against %1").arg(QFileInfo(path).fileName()));
    if (isRecipe(path) && !m_material) {
        m_sheet->setMessage(tr("A recording has no weights and no batches: it can be held against a recording only."));
        return;
    }
    m_sheet->setMessage(tr("Comparing…"));
    m_jobs.start(tr("Two runs"),
                 [this, path, material = m_material,
                  recording = m_session->recording()](const base::Work& work) -> JobRunner::Delivery {
                     auto made = std::make_shared<base::Result<numbers::Sheet>>(
                         sheetFor(path.toStdString(), isRecipe(path), material, recording, work));
                     return [this, made] {
                         if (*made)
                             m_sheet->setSheet(std::move(**made));
                         else
                             m_sheet->setMessage(QString::fromStdString(made->error().text()));
                     };
                 });
}

} // namespace gb::views
