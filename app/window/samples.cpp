#include "window/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace gb::app {

QString samplesFolder()
{
    const QStringList places = {QCoreApplication::applicationDirPath() + QStringLiteral("/../share/greenbox/samples"),
                                QStringLiteral(GREENBOX_SAMPLES_DIR)};
    for (const QString& place : places)
        if (QDir(place + QStringLiteral("/models")).exists())
            return QDir::cleanPath(place);
    return {};
}

namespace {

/// The batches of a model: those of its name, or of the model that it is a variant of ("digits" for "digits_scaled").
QString batchesOf(const QString& name)
{
    for (const QString& owner : {name, name.section(QLatin1Char('_'), 0, -2)}) {
        const QString path = samplesFolder() + QStringLiteral("/inputs/") + owner + QStringLiteral(".npz");
        if (QFileInfo::exists(path))
            return path;
    }
    return {};
}

} // namespace

QList<Sample> samples()
{
    QList<Sample> out;
    const QString folder = samplesFolder();
    const QFileInfoList models =
        QDir(folder + QStringLiteral("/models")).entryInfoList({QStringLiteral("*.pt2")}, QDir::Files, QDir::Name);
    for (const QFileInfo& model : models)
        out.append({model.completeBaseName(), model.filePath(), batchesOf(model.completeBaseName())});
    return out;
}

QStringList sampleRecipes()
{
    QStringList out;
    const QFileInfoList recipes = QDir(samplesFolder() + QStringLiteral("/recipes"))
                                      .entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QFileInfo& recipe : recipes)
        out.append(recipe.filePath());
    return out;
}

QString defaultRecipe()
{
    return samplesFolder() + QStringLiteral("/recipes/xnnpack.json");
}

} // namespace gb::app
