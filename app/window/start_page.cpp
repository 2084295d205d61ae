#include "window/start_page.h"

#include "window/recent_files.h"
#include "window/samples.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace gb::app {
namespace {

/// What a sample is good for, by its name.
QString describeSample(const QString& name)
{
    static const std::pair<const char*, const char*> kWords[] = {
        {"addmul", QT_TRANSLATE_NOOP("samples", "add, mul and a scalar: every elementwise rule")},
        {"cat", QT_TRANSLATE_NOOP("samples", "two branches joined: shared specs")},
        {"conv_relu", QT_TRANSLATE_NOOP("samples", "conv2d and relu: the smallest fusion")},
        {"digits", QT_TRANSLATE_NOOP("samples", "a trained classifier of handwritten digits")},
        {"digits_scaled", QT_TRANSLATE_NOOP("samples", "digits with one channel 100 times as loud: find the layer")},
        {"gate", QT_TRANSLATE_NOOP("samples", "a sigmoid, whose output range is known before any batch")},
        {"linear", QT_TRANSLATE_NOOP("samples", "three linear layers, one without bias")},
        {"residual", QT_TRANSLATE_NOOP("samples", "a residual add: one tensor, two consumers")},
        {"tiny", QT_TRANSLATE_NOOP("samples", "a small network with batch norm: folding")},
    };
    for (const auto& [key, words] : kWords)
        if (name == QLatin1String(key))
            return QCoreApplication::translate("samples", words);
    return {};
}

QListWidget* makeList(const QString& name, QWidget* parent)
{
    auto* list = new QListWidget(parent);
    list->setAccessibleName(name);
    list->setAlternatingRowColors(true);
    list->setMinimumWidth(320);
    list->setWordWrap(true);
    list->setResizeMode(QListView::Adjust);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return list;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_samples(makeList(tr("Samples"), this))
    , m_recent(makeList(tr("Recent files"), this))
{
    auto* title = new QLabel(tr("Greenbox"), this);
    QFont big = title->font();
    big.setPointSizeF(big.pointSizeF() * 2);
    title->setFont(big);
    auto* what = new QLabel(
        tr("See what a Quantizer wrote on a graph, what prepare_pt2e and convert_pt2e made of it, and why."), this);
    what->setWordWrap(true);
    auto* open = new QPushButton(tr("Open a model or recording…"), this);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    for (const Sample& s : samples()) {
        const QString words = describeSample(s.name);
        auto* item = new QListWidgetItem(words.isEmpty() ? s.name : s.name + QStringLiteral(" — ") + words, m_samples);
        item->setData(Qt::UserRole, s.name);
    }
    connect(m_samples, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { Q_EMIT sampleRequested(item->data(Qt::UserRole).toString()); });
    connect(m_samples, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { Q_EMIT sampleRequested(item->data(Qt::UserRole).toString()); });
    connect(m_recent, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { Q_EMIT fileRequested(item->data(Qt::UserRole).toString()); });
    auto* grid = new QGridLayout;
    grid->addWidget(title, 0, 0, 1, 2);
    grid->addWidget(what, 1, 0, 1, 2);
    grid->addWidget(new QLabel(tr("Samples"), this), 2, 0);
    grid->addWidget(new QLabel(tr("Recent files"), this), 2, 1);
    grid->addWidget(m_samples, 3, 0);
    grid->addWidget(m_recent, 3, 1);
    grid->addWidget(open, 4, 0, 1, 2, Qt::AlignLeft);
    grid->setRowStretch(3, 1);
    auto* centred = new QGridLayout(this);
    centred->addLayout(grid, 1, 1);
    centred->setColumnStretch(0, 1);
    centred->setColumnStretch(1, 4);
    centred->setColumnStretch(2, 1);
    centred->setRowStretch(0, 1);
    centred->setRowStretch(1, 6);
    centred->setRowStretch(2, 1);
    refresh();
}

void StartPage::refresh()
{
    m_recent->clear();
    for (const QString& path : RecentFiles().files()) {
        auto* item = new QListWidgetItem(QFileInfo(path).fileName(), m_recent);
        item->setToolTip(path);
        item->setData(Qt::UserRole, path);
    }
}

} // namespace gb::app
