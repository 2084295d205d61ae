// What if one observer of the run were another: its site, another class or settings, another range, or none.
//
// Thread: the UI thread.
#pragma once

#include "figures/zoo_bar.h"
#include "numbers/observer_sites.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLineEdit;
class QToolButton;

namespace gb::views {

class WhatIfBar final : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfBar(QWidget* parent = nullptr);
    /// `names` gives a node's name, for what stands beside a site.
    void setSites(std::vector<numbers::ObserverSite> sites, const ir::Graph* graph);
    [[nodiscard]] const std::vector<numbers::ObserverSite>& sites() const { return m_sites; }
    /// The site of a node: its output's observer, else one that it takes a value through.
    void choose(ir::NodeId node);
    void chooseSite(const QString& target);
    [[nodiscard]] QString site() const;
    [[nodiscard]] ZooBar& settings() const { return *m_settings; }
    void setRange(double min, double max);

public Q_SLOTS:
    void useObserver();
    void useRange();
    void useFloat();

Q_SIGNALS:
    void wanted(const gb::numbers::Change& change);
    void failed(const QString& sentence);

private:
    void showSite(int index);
    [[nodiscard]] const numbers::ObserverSite* current() const;

    std::vector<numbers::ObserverSite> m_sites;
    QComboBox* m_site;
    QToolButton* m_float;
    QLineEdit* m_min;
    QLineEdit* m_max;
    QToolButton* m_range;
    ZooBar* m_settings;
    QToolButton* m_observer;
};

} // namespace gb::views
