// The catalogue of English: singular and plural of counted things.
//
// Thread: the UI thread, after the application is made and before anything is said.
#pragma once

#include <QCoreApplication>
#include <QTranslator>

namespace gb::app {

/// Installed as long as it lives.
class English final {
public:
    English()
    {
        if (m_catalogue.load(QStringLiteral(":/translations/greenbox_en.qm")))
            QCoreApplication::installTranslator(&m_catalogue);
    }

private:
    QTranslator m_catalogue;
};

} // namespace gb::app
