#include "window/recipe_box.h"

#include "window/samples.h"

#include <QFileInfo>

namespace gb::app {
namespace {
const QString kOpen = QStringLiteral("\x01open");
} // namespace

RecipeBox::RecipeBox(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Recipe"));
    setToolTip(tr("Recipe: which quantizer, with which settings"));
    setSizeAdjustPolicy(AdjustToContents);
    for (const QString& path : sampleRecipes())
        addItem(QFileInfo(path).completeBaseName(), path);
    insertSeparator(count());
    addItem(tr("Open recipe…"), kOpen);
    setRecipe(defaultRecipe());
    connect(this, &QComboBox::activated, this, [this](int index) {
        const QString path = itemData(index).toString();
        if (path == kOpen) {
            setRecipe(m_chosen); // the box keeps showing what is in force
            Q_EMIT openRequested();
        } else if (path != m_chosen) {
            m_chosen = path;
            Q_EMIT recipeChosen(path);
        }
    });
}

QString RecipeBox::recipe() const
{
    return m_chosen;
}

void RecipeBox::add(const QString& path)
{
    insertItem(count() - 2, QFileInfo(path).fileName(), path); // above the separator
    setItemData(count() - 3, path, Qt::ToolTipRole);
}

void RecipeBox::setRecipe(const QString& path)
{
    if (!path.isEmpty() && findData(path) < 0)
        add(path);
    m_chosen = path;
    setCurrentIndex(findData(path));
}

} // namespace gb::app
