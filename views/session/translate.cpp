#include "session/translate.h"

#include <QCoreApplication>

namespace gb::views {

QString translated(const base::Message& message)
{
    const QString pattern = QCoreApplication::translate("core", message.pattern.c_str());
    return QString::fromStdString(base::substitute(pattern.toStdString(), message.arguments));
}

} // namespace gb::views
