// The search language.
//
//     op:conv*  module:layer1  not reason:R5        all three (juxtaposition is "and")
//     name:relu or name:"relu_1"                    one of two; "and" binds tighter than "or"
//     (dtype:int8 or dtype:uint8) obs:Histogram*    parentheses group
//     scale>0.1  batches=0                          numbers of an observer; any channel counts
//     conv                                          a plain word: part of a name, an op or a module's path
//
// Fields: op (also without namespace and overload: conv2d), name, module (path or type of any enclosing module, or the
// begin of a path up to a dot), dtype, obs (class), reason (R5, O2, C1), label (yes or no), kind (call_function,
// observer, ...). Text is compared without regard to case; * stands for any characters and ? for one.
// Numbers: scale zp min max batches, with > >= < <= =.
//
// Thread: values; pure functions.
#pragma once

#include "base/result.h"
#include "explain/search_index.h"

#include <memory>
#include <string_view>
#include <vector>

namespace gb::explain {

class Query {
public:
    /// Errors (Usage): the place is "column 7" (counted from 1), the sentence says what was found and what is expected.
    static base::Result<Query> parse(std::string_view text);

    [[nodiscard]] bool matches(const SearchRow& row) const;
    /// The nodes that match, in the index's order. An empty query matches none.
    [[nodiscard]] std::vector<ir::NodeId> run(const SearchIndex& index) const;

    struct Term;

private:
    std::shared_ptr<const Term> m_root; ///< null for an empty query
};

} // namespace gb::explain
