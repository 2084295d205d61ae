// The words of a search.
//
// Internal to explain. Thread: pure functions.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gb::explain {

struct QueryToken {
    enum class Kind : unsigned char { Word, Field, Number, Open, Close, End };
    Kind kind = Kind::End;
    int column = 1;         ///< of its first character, counted from 1
    std::string field;      ///< Field, Number: "op", "scale"
    std::string text;       ///< Word, Field: what is looked for
    std::string comparison; ///< Number
    double number = 0.0;
};

/// Ends with an End token. Errors (Usage): an unknown field, a missing value or number, an open quote; place: the
/// column.
base::Result<std::vector<QueryToken>> queryTokens(std::string_view text);

} // namespace gb::explain
