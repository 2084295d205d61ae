// The files that were opened last, newest first. Kept in the user's settings.
//
// Thread: the UI thread.
#pragma once

#include <QString>
#include <QStringList>

namespace gb::app {

class RecentFiles {
public:
    static constexpr int kMost = 10;
    /// Those that still exist.
    [[nodiscard]] QStringList files() const;
    void add(const QString& path);
    void clear();
};

} // namespace gb::app
