#include "inspector/origin_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace gb::views {

QString originText(const QString& json)
{
    constexpr int kDeepest = 16;
    QStringList out;
    QJsonArray level = QJsonDocument::fromJson(json.toUtf8()).array();
    for (int depth = 0; depth < kDeepest && !level.isEmpty(); ++depth) {
        QStringList names;
        QJsonArray next;
        for (const QJsonValue& value : level) {
            const QJsonObject origin = value.toObject();
            const QString name = origin[QLatin1String("name")].toString();
            const QString pass = origin[QLatin1String("pass_name")].toString();
            if (!name.isEmpty())
                names << (pass.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, pass));
            for (const QJsonValue& inner : origin[QLatin1String("from_node")].toArray())
                next.append(inner);
        }
        if (names.isEmpty())
            break;
        out << names.join(QStringLiteral(", "));
        level = next;
    }
    return out.isEmpty() ? json : out.join(QStringLiteral(" ← "));
}

} // namespace gb::views
