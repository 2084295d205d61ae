// What the window shows without a document: samples, recent files, "open a model".
//
// Thread: the UI thread.
#pragma once

#include <QListWidget>
#include <QWidget>

namespace gb::app {

class StartPage final : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);
    /// Fills the list of recent files anew.
    void refresh();

Q_SIGNALS:
    void openRequested();                    ///< "Open a model or recording..."
    void fileRequested(const QString& path); ///< a recent file
    void sampleRequested(const QString& name);

private:
    QListWidget* m_samples;
    QListWidget* m_recent;
};

} // namespace gb::app
