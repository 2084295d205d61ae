#include "inspector/facts_html.h"

#include <QStringList>

namespace gb::views {
namespace {

QString linkHtml(const FactLink& link)
{
    const QString target =
        link.event >= 0 ? QStringLiteral("event:%1").arg(link.event) : QStringLiteral("node:%1").arg(link.node);
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(target, link.text.toHtmlEscaped());
}

QString valueHtml(const Fact& fact)
{
    if (fact.links.empty())
        return fact.text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    QStringList parts;
    for (const FactLink& link : fact.links)
        parts << linkHtml(link);
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString factsHtml(const NodeFacts& facts, const Theme& theme)
{
    QString rows;
    QString section;
    for (const Fact& fact : facts.facts) {
        if (fact.section != section) {
            section = fact.section;
            rows += QStringLiteral("<tr><td colspan=\"2\" style=\"padding-top:8px\"><b>%1</b></td></tr>")
                        .arg(section.toHtmlEscaped());
        }
        rows += QStringLiteral("<tr><td style=\"color:%1; padding-right:10px\">%2</td><td>%3</td></tr>")
                    .arg(theme.ink(Ink::Muted).name(), fact.name.toHtmlEscaped(), valueHtml(fact));
    }
    return QStringLiteral("<style>a { color:%1 }</style><table cellspacing=\"0\" cellpadding=\"1\">%2</table>")
        .arg(theme.ink(Ink::Selection).name(), rows);
}

} // namespace gb::views
