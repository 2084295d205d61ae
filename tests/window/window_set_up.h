// What the window's tests begin with: the sample that they open, and settings of their own.
#pragma once

#include "window/document.h"
#include "window/samples.h"

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace gb::test {

inline QString sample(const char* what)
{
    return QStringLiteral(GREENBOX_SOURCE_DIR "/samples/") + QLatin1String(what);
}

inline app::Request convRelu()
{
    return {sample("models/conv_relu.pt2"), sample("recipes/xnnpack.json"), sample("inputs/conv_relu.npz"), false};
}

/// Run on the sample inputs in the model.
inline app::Document convReluDocument()
{
    auto document = app::openDocument({sample("models/conv_relu.pt2"), app::defaultRecipe(), {}, false}, {});
    if (!document.ok())
        qFatal("%s", document.error().text().c_str());
    return std::move(document).value();
}

/// Leaves the user's settings alone.
inline void keepSettingsIn(const QTemporaryDir& folder)
{
    QCoreApplication::setOrganizationName(QStringLiteral("greenbox-test"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
}

} // namespace gb::test
