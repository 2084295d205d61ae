#include "window/data_dialog.h"

#include "cli/flow.h"
#include "figures/sheet_view.h"
#include "io/pt2.h"
#include "message/selectable_text.h"
#include "numbers/batch_rows.h"
#include "window/data_source_box.h"
#include "window/image_reader.h"
#include "window/scrolled.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::app {
namespace {

constexpr int kPause = 300; ///< ms after the last change

QLabel* stateLabel(QWidget* parent)
{
    auto* out = new QLabel(parent);
    views::makeSelectableText(out);
    return out;
}

/// "0.485, 0.456, 0.406"; the text that is no number, or empty.
QString badNumber(const QString& text)
{
    for (const QString& piece : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool good = false;
        piece.trimmed().toDouble(&good);
        if (!good)
            return piece.trimmed();
    }
    return {};
}

std::vector<double> numbersOf(const QString& text)
{
    std::vector<double> out;
    for (const QString& piece : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        out.push_back(piece.trimmed().toDouble());
    return out;
}

QString textOf(const std::vector<double>& numbers)
{
    QStringList out;
    for (const double number : numbers)
        out << QString::number(number, 'g', 12);
    return out.join(QStringLiteral(", "));
}

} // namespace

/// What a job found.
struct DataDialog::Read {
    numbers::Sheet sheet;
    QString calibration; ///< a sentence
    QString check;
    bool good = false;
};

DataDialog::DataDialog(const Request& request, QWidget* parent)
    : QDialog(parent)
    , m_request(request)
    , m_calibration(new DataSourceBox(tr("Calibration batches"), tr("Sample inputs in the model"), this))
    , m_check(new DataSourceBox(tr("Check batches"), tr("The calibration batches"), this))
    , m_chosen(new QLineEdit(request.calibrate, this))
    , m_batches(new views::SheetView(&m_selection, tr("No batches."), this))
    , m_height(new QSpinBox(this))
    , m_width(new QSpinBox(this))
    , m_mean(new QLineEdit(textOf(request.imageMean), this))
    , m_deviation(new QLineEdit(textOf(request.imageDeviation), this))
    , m_calibrationState(stateLabel(this))
    , m_checkState(stateLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Calibration and check data"));
    m_calibration->setText(request.inputs);
    m_check->setText(request.check);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Run"));
    auto* groups = new QWidget(this);
    auto* inner = new QVBoxLayout(groups);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->addWidget(makeCalibration(), 1);
    inner->addWidget(makeCheck());
    inner->addWidget(makeImages());
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(scrolled(groups, this), 1);
    layout->addWidget(m_buttons);
    setImageSize(request.imageHeight, request.imageWidth);
    resize(760, 620);
    fitOnScreen(this);
    m_wait.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, this, &DataDialog::read);
    for (DataSourceBox* box : {m_calibration, m_check})
        connect(box, &DataSourceBox::changed, this, &DataDialog::schedule);
    for (QLineEdit* edit : {m_chosen, m_mean, m_deviation})
        connect(edit, &QLineEdit::textChanged, this, &DataDialog::schedule);
    for (QSpinBox* box : {m_height, m_width})
        connect(box, &QSpinBox::valueChanged, this, &DataDialog::schedule);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    schedule();
}

QWidget* DataDialog::makeCalibration()
{
    auto* group = new QGroupBox(tr("Calibration"), this);
    m_chosen->setPlaceholderText(tr("all, in order; or positions, each as often as wanted: 0, 2, 2"));
    m_chosen->setAccessibleName(tr("Batches that are run"));
    m_chosen->setClearButtonEnabled(true);
    m_batches->table().view().setSelectionMode(QAbstractItemView::ExtendedSelection);
    const auto button = [this](const QString& text, const QString& tip, void (DataDialog::*slot)()) {
        auto* out = new QToolButton(this);
        out->setText(text);
        out->setToolTip(tip);
        connect(out, &QToolButton::clicked, this, slot);
        return out;
    };
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_chosen, 1);
    choice->addWidget(
        button(tr("Only selected"), tr("Run the batches of the selected rows"), &DataDialog::useSelected));
    choice->addWidget(button(tr("Add selected"), tr("Run them once more, at the end"), &DataDialog::addSelected));
    choice->addWidget(button(tr("All"), tr("Run every batch once"), &DataDialog::useAll));
    auto* form = new QFormLayout;
    form->addRow(tr("From"), m_calibration);
    form->addRow(tr("Run"), choice);
    auto* layout = new QVBoxLayout(group);
    layout->addLayout(form);
    layout->addWidget(m_batches, 1);
    layout->addWidget(m_calibrationState);
    return group;
}

QWidget* DataDialog::makeCheck()
{
    auto* group = new QGroupBox(tr("Check: errors are measured on it"), this);
    auto* form = new QFormLayout(group);
    form->addRow(tr("From"), m_check);
    form->addRow(m_checkState);
    return group;
}

QWidget* DataDialog::makeImages()
{
    m_images = new QGroupBox(tr("Images: scaled to the size, then (value − mean) / deviation"), this);
    for (QSpinBox* box : {m_height, m_width}) {
        box->setRange(0, 16384);
        box->setSpecialValueText(tr("the model's"));
    }
    m_height->setAccessibleName(tr("Height"));
    m_width->setAccessibleName(tr("Width"));
    m_mean->setPlaceholderText(tr("0; one number, or one a channel, for values from 0 to 1"));
    m_deviation->setPlaceholderText(tr("1"));
    auto* imageNet = new QToolButton(this);
    imageNet->setText(QStringLiteral("ImageNet"));
    imageNet->setToolTip(tr("The mean and deviation that torchvision's models expect"));
    connect(imageNet, &QToolButton::clicked, this,
            [this] { setNormalisation(QStringLiteral("0.485, 0.456, 0.406"), QStringLiteral("0.229, 0.224, 0.225")); });
    auto* size = new QHBoxLayout;
    size->addWidget(m_height);
    size->addWidget(new QLabel(QStringLiteral("×"), this));
    size->addWidget(m_width);
    size->addStretch(1);
    size->addWidget(imageNet);
    auto* form = new QFormLayout(m_images);
    form->addRow(tr("Height × width"), size);
    form->addRow(tr("Mean"), m_mean);
    form->addRow(tr("Deviation"), m_deviation);
    return m_images;
}

Request DataDialog::request() const
{
    Request out = m_request;
    out.inputs = m_calibration->text();
    out.check = m_check->text();
    out.calibrate = m_chosen->text().trimmed();
    out.imageHeight = m_height->value();
    out.imageWidth = m_width->value();
    out.imageMean = numbersOf(m_mean->text());
    out.imageDeviation = numbersOf(m_deviation->text());
    return out;
}

QString DataDialog::sentence() const
{
    return m_calibrationState->text() + QLatin1Char('\n') + m_checkState->text();
}

bool DataDialog::canRun() const
{
    return m_buttons->button(QDialogButtonBox::Ok)->isEnabled();
}

void DataDialog::setChosen(const QString& positions)
{
    m_chosen->setText(positions);
}

void DataDialog::setImageSize(int height, int width)
{
    m_height->setValue(height);
    m_width->setValue(width);
}

void DataDialog::setNormalisation(const QString& mean, const QString& deviation)
{
    m_mean->setText(mean);
    m_deviation->setText(deviation);
}

QStringList DataDialog::selectedPositions() const
{
    std::vector<int> positions;
    const QTableView& view = m_batches->table().view();
    for (const QModelIndex& index : view.selectionModel()->selectedRows())
        positions.push_back(index.siblingAtColumn(0).data(views::SheetModel::FullRole).toInt());
    std::ranges::sort(positions);
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    QStringList out;
    for (const int position : positions)
        out << QString::number(position);
    return out;
}

void DataDialog::useSelected()
{
    if (const QStringList positions = selectedPositions(); !positions.isEmpty())
        setChosen(positions.join(QStringLiteral(", ")));
}

void DataDialog::addSelected()
{
    QStringList now = m_chosen->text().split(QLatin1Char(','), Qt::SkipEmptyParts);
    if (now.isEmpty()) { // all
        int count = 0;
        for (const numbers::SheetRow& row : m_batches->model().sheet().rows)
            count = std::max(count, QString::fromStdString(numbers::cellText(row.cells[0])).toInt() + 1);
        for (int i = 0; i < count; ++i)
            now << QString::number(i);
    }
    for (QString& piece : now)
        piece = piece.trimmed();
    setChosen((now + selectedPositions()).join(QStringLiteral(", ")));
}

void DataDialog::useAll()
{
    setChosen({});
}

void DataDialog::schedule()
{
    m_images->setVisible(m_calibration->isFolder() || m_check->isFolder());
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    m_calibrationState->setText(tr("Reading…"));
    m_wait.start(kPause);
}

void DataDialog::read()
{
    for (const auto& [edit, name] : {std::pair{m_mean, tr("mean")}, {m_deviation, tr("deviation")}})
        if (const QString bad = badNumber(edit->text()); !bad.isEmpty()) {
            m_calibrationState->setText(tr("found \"%1\", numbers expected for the %2").arg(bad, name));
            return;
        }
    m_jobs.start(tr("Reading the batches"),
                 [this, wanted = request()](const base::Work&) -> views::JobRunner::Delivery {
                     auto out = std::make_shared<Read>();
                     const auto program = io::loadPt2(wanted.path.toStdString());
                     if (!program) {
                         out->calibration = QString::fromStdString(program.error().text());
                         return [this, out] { showRead(*out); };
                     }
                     const cli::FlowOptions options = flowOptions(wanted);
                     const auto text = [](const std::string& words) { return QString::fromStdString(words); };
                     auto set = cli::readDataSet(options.inputs, options, *program);
                     auto check = cli::readDataSet(options.check, options, *program);
                     bool good = set.ok() && (options.check.empty() || check.ok());
                     out->calibration = text(set ? set->sentence : set.error().text());
                     out->check = options.check.empty() ? tr("Errors are measured on the calibration batches.")
                                                        : text(check ? check->sentence : check.error().text());
                     if (set) {
                         numbers::BatchList list{std::move(set->batches), {}, {}};
                         for (const io::ModelInput& input : program->inputs)
                             list.inputs.push_back(input.name);
                         const auto chosen =
                             numbers::positionsFrom(options.calibrate, static_cast<std::int64_t>(list.batches.size()));
                         good = good && chosen.ok() && !list.batches.empty();
                         if (chosen)
                             list.chosen = *chosen;
                         else
                             out->calibration = text(chosen.error().text());
                         out->sheet = numbers::batchSheet(list);
                     }
                     out->good = good;
                     return [this, out] { showRead(*out); };
                 });
}

void DataDialog::showRead(const Read& read)
{
    m_batches->setSheet(read.sheet);
    m_calibrationState->setText(read.calibration);
    m_checkState->setText(read.check);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(read.good);
}

} // namespace gb::app
