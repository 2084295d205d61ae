#include "window/data_source_box.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace gb::app {
namespace {
const QString kRandom = QStringLiteral("random:");
}

DataSourceBox::DataSourceBox(const QString& name, const QString& none, QWidget* parent)
    : QWidget(parent)
    , m_kind(new QComboBox(this))
    , m_path(new QLineEdit(this))
    , m_browse(new QToolButton(this))
    , m_seedName(new QLabel(tr("seed"), this))
    , m_seed(new QSpinBox(this))
    , m_countName(new QLabel(tr("batches"), this))
    , m_count(new QSpinBox(this))
{
    m_kind->addItems({none, tr("File (.npz, .npy)"), tr("Folder of images"), tr("Seeded random values")});
    m_kind->setAccessibleName(name);
    m_path->setAccessibleName(tr("%1, path").arg(name));
    m_path->setPlaceholderText(tr("path"));
    m_path->setClearButtonEnabled(true);
    m_browse->setText(tr("Browse…"));
    m_seed->setRange(0, 2147483647);
    m_seed->setAccessibleName(tr("%1, seed").arg(name));
    m_count->setRange(1, 10000);
    m_count->setAccessibleName(tr("%1, number of batches").arg(name));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_kind);
    layout->addWidget(m_path, 1);
    for (QWidget* widget : QWidgetList{m_browse, m_seedName, m_seed, m_countName, m_count})
        layout->addWidget(widget);
    layout->addStretch(0);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        Q_EMIT changed();
    });
    connect(m_path, &QLineEdit::textChanged, this, &DataSourceBox::changed);
    connect(m_seed, &QSpinBox::valueChanged, this, &DataSourceBox::changed);
    connect(m_count, &QSpinBox::valueChanged, this, &DataSourceBox::changed);
    connect(m_browse, &QToolButton::clicked, this, &DataSourceBox::browse);
    showKind();
}

DataSourceBox::Kind DataSourceBox::kind() const
{
    return static_cast<Kind>(m_kind->currentIndex());
}

bool DataSourceBox::isFolder() const
{
    return kind() == Folder;
}

void DataSourceBox::showKind()
{
    const bool path = kind() == File || kind() == Folder;
    m_path->setVisible(path);
    m_browse->setVisible(path);
    for (QWidget* widget : QWidgetList{m_seedName, m_seed, m_countName, m_count})
        widget->setVisible(kind() == Random);
}

QString DataSourceBox::text() const
{
    switch (kind()) {
    case None: return {};
    case File:
    case Folder: return m_path->text();
    case Random: break;
    }
    return QStringLiteral("%1%2:%3").arg(kRandom).arg(m_seed->value()).arg(m_count->value());
}

void DataSourceBox::setText(const QString& text)
{
    const QSignalBlocker quiet(this);
    if (text.startsWith(kRandom)) {
        const QStringList parts = text.mid(kRandom.size()).split(QLatin1Char(':'));
        m_seed->setValue(parts.value(0).toInt());
        m_count->setValue(std::max(1, parts.value(1).toInt()));
        m_kind->setCurrentIndex(Random);
    } else if (text.isEmpty()) {
        m_kind->setCurrentIndex(None);
    } else {
        m_path->setText(text);
        m_kind->setCurrentIndex(QFileInfo(text).isDir() ? Folder : File);
    }
    showKind();
}

void DataSourceBox::browse()
{
    const QString before = QFileInfo(m_path->text()).path();
    const QString path = kind() == Folder
                             ? QFileDialog::getExistingDirectory(this, tr("Folder of images"), m_path->text())
                             : QFileDialog::getOpenFileName(this, tr("Batches"), before, tr("Batches (*.npz *.npy)"));
    if (!path.isEmpty())
        m_path->setText(path);
}

} // namespace gb::app
