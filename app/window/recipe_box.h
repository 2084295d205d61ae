// The choice of a recipe: those that come with the program, those that were opened, and "open another".
//
// Thread: the UI thread.
#pragma once

#include <QComboBox>

namespace gb::app {

class RecipeBox final : public QComboBox {
    Q_OBJECT

public:
    explicit RecipeBox(QWidget* parent = nullptr);
    /// Path of the chosen recipe.
    [[nodiscard]] QString recipe() const;
    /// Chooses it without a signal; a path that is not in the list is added.
    void setRecipe(const QString& path);

Q_SIGNALS:
    /// The user chose another recipe.
    void recipeChosen(const QString& path);
    void openRequested(); ///< "Open recipe..."

private:
    void add(const QString& path);

    QString m_chosen;
};

} // namespace gb::app
