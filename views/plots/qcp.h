// QCustomPlot's header, which needs the keywords that the rest of the program is built without.
#pragma once

#ifdef QT_NO_KEYWORDS
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#endif
#include <qcustomplot.h>
#ifdef QT_NO_KEYWORDS
#undef signals
#undef slots
#undef emit
#undef foreach
#endif
