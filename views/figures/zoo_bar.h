// The bar above the zoo: what observers take part, with which settings.
//
// Thread: the UI thread.
#pragma once

#include "ir/spec.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace gb::views {

class ZooBar final : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 8;

    explicit ZooBar(QWidget* parent = nullptr);
    /// The observers to begin with, and what an added one takes over from their first: dtype and range.
    void setObservers(std::vector<ir::ObserverConstructor> observers);
    [[nodiscard]] const std::vector<ir::ObserverConstructor>& observers() const { return m_observers; }
    /// The observer that the controls describe.
    [[nodiscard]] ir::ObserverConstructor described() const;

    /// Hides the button that adds, for who asks for described() alone.
    void hideButton();

public Q_SLOTS:
    void add();
    void remove(int observer);

Q_SIGNALS:
    void changed(); ///< by the user

private:
    void updateControls();

    std::vector<ir::ObserverConstructor> m_observers;
    QComboBox* m_class;
    QComboBox* m_symmetry;
    QCheckBox* m_reduce;
    QDoubleSpinBox* m_constant;
    QSpinBox* m_bins;
    QSpinBox* m_axis;
    QToolButton* m_add;
};

} // namespace gb::views
