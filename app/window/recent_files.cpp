#include "window/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace gb::app {
namespace {
QString key()
{
    return QStringLiteral("recent/files");
}
} // namespace

QStringList RecentFiles::files() const
{
    QStringList out;
    for (const QString& path : QSettings().value(key()).toStringList())
        if (QFileInfo::exists(path))
            out << path;
    return out;
}

void RecentFiles::add(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    QStringList all = files();
    all.removeAll(whole);
    all.prepend(whole);
    QSettings().setValue(key(), QStringList(all.mid(0, kMost)));
}

void RecentFiles::clear()
{
    QSettings().remove(key());
}

} // namespace gb::app
