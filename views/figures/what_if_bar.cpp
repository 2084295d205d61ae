#include "figures/what_if_bar.h"

#include <QComboBox>
#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {

using numbers::Change;
using numbers::ObserverSite;

WhatIfBar::WhatIfBar(QWidget* parent)
    : QWidget(parent)
    , m_site(new QComboBox(this))
    , m_float(new QToolButton(this))
    , m_min(new QLineEdit(this))
    , m_max(new QLineEdit(this))
    , m_range(new QToolButton(this))
    , m_settings(new ZooBar(this))
    , m_observer(new QToolButton(this))
{
    m_site->setAccessibleName(tr("Observer"));
    m_site->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_site->setMinimumContentsLength(34);
    m_min->setAccessibleName(tr("Range from"));
    m_max->setAccessibleName(tr("Range to"));
    for (QLineEdit* edit : {m_min, m_max}) {
        auto* validator = new QDoubleValidator(edit);
        validator->setLocale(QLocale::c());
        edit->setValidator(validator);
        edit->setMaximumWidth(110);
        connect(edit, &QLineEdit::returnPressed, this, &WhatIfBar::useRange);
    }
    m_float->setText(tr("Not quantized"));
    m_float->setToolTip(tr("What if nobody quantized here"));
    m_range->setText(tr("Use range"));
    m_range->setToolTip(tr("What if the observer had this range"));
    m_observer->setText(tr("Use observer"));
    m_observer->setToolTip(tr("What if this class, with these settings, had seen the same values"));
    m_settings->hideButton();
    auto* first = new QHBoxLayout;
    first->setContentsMargins(6, 0, 6, 0);
    for (QWidget* widget : QWidgetList{new QLabel(tr("At"), this), m_site, m_float, new QLabel(tr("from"), this), m_min,
                                       new QLabel(tr("to"), this), m_max, m_range})
        first->addWidget(widget);
    first->addStretch(1);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(0, 0, 6, 0);
    second->addWidget(m_settings);
    second->addWidget(m_observer);
    second->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(first);
    layout->addLayout(second);
    connect(m_site, &QComboBox::currentIndexChanged, this, &WhatIfBar::showSite);
    connect(m_float, &QToolButton::clicked, this, &WhatIfBar::useFloat);
    connect(m_range, &QToolButton::clicked, this, &WhatIfBar::useRange);
    connect(m_observer, &QToolButton::clicked, this, &WhatIfBar::useObserver);
    showSite(-1);
}

void WhatIfBar::setSites(std::vector<ObserverSite> sites, const ir::Graph* graph)
{
    const QString before = site();
    m_sites = std::move(sites);
    {
        const QSignalBlocker quiet(m_site);
        m_site->clear();
        for (const ObserverSite& s : m_sites) {
            QStringList names;
            for (const ir::NodeId node : s.observed)
                if (graph && graph->find(node))
                    names << QString::fromStdString(graph->nameOf(node));
            m_site->addItem(tr("%1 · %2").arg(QString::fromStdString(s.target), names.join(QStringLiteral(", "))));
        }
    }
    m_site->setCurrentIndex(-1);
    if (!before.isEmpty())
        chooseSite(before);
    if (m_site->currentIndex() < 0)
        m_site->setCurrentIndex(m_sites.empty() ? -1 : 0);
    showSite(m_site->currentIndex());
}

void WhatIfBar::choose(ir::NodeId node)
{
    if (const int at = numbers::siteOf(m_sites, node); at >= 0)
        m_site->setCurrentIndex(at);
}

void WhatIfBar::chooseSite(const QString& target)
{
    const auto found = std::ranges::find(m_sites, target.toStdString(), &ObserverSite::target);
    if (found != m_sites.end())
        m_site->setCurrentIndex(static_cast<int>(found - m_sites.begin()));
}

const ObserverSite* WhatIfBar::current() const
{
    const int at = m_site->currentIndex();
    return at < 0 || at >= static_cast<int>(m_sites.size()) ? nullptr : &m_sites[static_cast<std::size_t>(at)];
}

QString WhatIfBar::site() const
{
    const ObserverSite* at = current();
    return at ? QString::fromStdString(at->target) : QString();
}

void WhatIfBar::setRange(double min, double max)
{
    m_min->setText(QString::number(min, 'g', 6));
    m_max->setText(QString::number(max, 'g', 6));
}

void WhatIfBar::showSite(int)
{
    const ObserverSite* at = current();
    const bool makes = at && !at->observer.name.empty();
    m_float->setEnabled(at != nullptr);
    m_observer->setEnabled(makes);
    m_settings->setEnabled(makes);
    for (QWidget* widget : QWidgetList{m_min, m_max, m_range})
        widget->setEnabled(at && at->perTensor);
    m_min->clear();
    m_max->clear();
    if (at && at->range)
        setRange(at->range->min, at->range->max);
    if (makes)
        m_settings->setObservers({at->observer});
}

void WhatIfBar::useObserver()
{
    if (const ObserverSite* at = current())
        Q_EMIT wanted({Change::Kind::Observer, at->target, numbers::completed(m_settings->described(), at->observer)});
}

void WhatIfBar::useRange()
{
    const ObserverSite* at = current();
    bool low = false;
    bool high = false;
    const double min = m_min->text().toDouble(&low);
    const double max = m_max->text().toDouble(&high);
    if (!at || !at->perTensor)
        return;
    if (!low || !high || min > max)
        Q_EMIT failed(tr("The range runs from %1 to %2, two numbers expected, the smaller one first")
                          .arg(m_min->text(), m_max->text()));
    else
        Q_EMIT wanted({Change::Kind::Range, at->target, {}, min, max});
}

void WhatIfBar::useFloat()
{
    if (const ObserverSite* at = current())
        Q_EMIT wanted({Change::Kind::FloatObserver, at->target});
}

} // namespace gb::views
