// What a Dump holds. Internal to io.
#pragma once

#include "io/json.h"

namespace gb::io {

struct DumpDocument {
    Json json;
};

} // namespace gb::io
