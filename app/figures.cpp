#include "figures.h"

#include "figures/figure_page.h"
#include "window/english.h"

#include <QApplication>

#include <clocale>

namespace gb::app {

base::Status paintFigure(const cli::FigureRequest& request)
{
    // plots are widgets; they need an application, but no screen
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "greenbox";
    char* argv[] = {name, nullptr};
    const QApplication application(argc, argv);
    const English english;
    std::setlocale(LC_NUMERIC, "C"); // QApplication takes the user's
    views::PictureOptions options;
    options.theme = views::themeKindFromName(QString::fromStdString(request.theme), views::ThemeKind::Print);
    options.scale = request.scale;
    return views::writeFigure(request.figure, QString::fromStdString(request.title),
                              QString::fromStdString(request.out), options);
}

} // namespace gb::app
