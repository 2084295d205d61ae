#include "message/selectable_text.h"

#include <QLabel>

namespace gb::views {

void makeSelectableText(QLabel* label)
{
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(1);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

} // namespace gb::views
