#include "figures/zoo_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace gb::views {

ZooBar::ZooBar(QWidget* parent)
    : QWidget(parent)
    , m_class(new QComboBox(this))
    , m_symmetry(new QComboBox(this))
    , m_reduce(new QCheckBox(tr("Reduced range"), this))
    , m_constant(new QDoubleSpinBox(this))
    , m_bins(new QSpinBox(this))
    , m_axis(new QSpinBox(this))
    , m_add(new QToolButton(this))
{
    m_class->addItems({QStringLiteral("MinMaxObserver"), QStringLiteral("MovingAverageMinMaxObserver"),
                       QStringLiteral("HistogramObserver"), QStringLiteral("PerChannelMinMaxObserver"),
                       QStringLiteral("MovingAveragePerChannelMinMaxObserver")});
    m_class->setAccessibleName(tr("Class"));
    m_symmetry->addItem(tr("affine"), QStringLiteral("affine"));
    m_symmetry->addItem(tr("symmetric"), QStringLiteral("symmetric"));
    m_symmetry->setAccessibleName(tr("Scheme"));
    m_constant->setRange(0, 1);
    m_constant->setDecimals(3);
    m_constant->setSingleStep(0.05);
    m_constant->setValue(0.01);
    m_constant->setPrefix(QStringLiteral("c = "));
    m_constant->setToolTip(tr("Averaging constant"));
    m_bins->setRange(2, 65536);
    m_bins->setValue(2048);
    m_bins->setSuffix(tr(" bins"));
    m_axis->setRange(0, 7);
    m_axis->setPrefix(tr("axis "));
    m_add->setText(tr("Add"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 0);
    for (QWidget* control : QWidgetList{m_class, m_symmetry, m_reduce, m_constant, m_bins, m_axis, m_add})
        layout->addWidget(control);
    layout->addStretch(1);
    connect(m_class, &QComboBox::currentIndexChanged, this, &ZooBar::updateControls);
    connect(m_add, &QToolButton::clicked, this, &ZooBar::add);
    updateControls();
}

void ZooBar::setObservers(std::vector<ir::ObserverConstructor> observers)
{
    m_observers = std::move(observers);
    updateControls();
}

void ZooBar::updateControls()
{
    const QString name = m_class->currentText();
    m_constant->setVisible(name.startsWith(QStringLiteral("Moving")));
    m_bins->setVisible(name.startsWith(QStringLiteral("Histogram")));
    m_axis->setVisible(name.contains(QStringLiteral("PerChannel")));
    m_add->setEnabled(m_observers.size() < kMost);
}

ir::ObserverConstructor ZooBar::described() const
{
    const bool perChannel = !m_axis->isHidden();
    ir::ObserverConstructor out;
    out.name = m_class->currentText().toStdString();
    const std::string granularity = perChannel ? "per_channel_" : "per_tensor_";
    out.arguments.emplace_back("qscheme", granularity + m_symmetry->currentData().toString().toStdString());
    const auto take = [&](const char* key) {
        if (m_observers.empty())
            return;
        const auto& from = m_observers.front().arguments;
        const auto found = std::ranges::find(from, key, &std::pair<std::string, ir::Argument>::first);
        if (found != from.end())
            out.arguments.push_back(*found);
    };
    take("dtype");
    if (m_reduce->isChecked()) {
        out.arguments.emplace_back("reduce_range", true); // halves the dtype's own range
    } else {
        take("quant_min");
        take("quant_max");
    }
    if (!m_constant->isHidden())
        out.arguments.emplace_back("averaging_constant", m_constant->value());
    if (!m_bins->isHidden())
        out.arguments.emplace_back("bins", static_cast<std::int64_t>(m_bins->value()));
    if (perChannel)
        out.arguments.emplace_back("ch_axis", static_cast<std::int64_t>(m_axis->value()));
    return out;
}

void ZooBar::hideButton()
{
    m_add->hide();
}

void ZooBar::add()
{
    if (m_observers.size() >= kMost)
        return;
    m_observers.push_back(described());
    updateControls();
    Q_EMIT changed();
}

void ZooBar::remove(int observer)
{
    if (m_observers.size() < 2 || observer < 0 || observer >= static_cast<int>(m_observers.size()))
        return;
    m_observers.erase(m_observers.begin() + observer);
    updateControls();
    Q_EMIT changed();
}

} // namespace gb::views
