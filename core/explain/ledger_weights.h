// The tensors of a run as its events set them, to say what an event made of them.
//
// Internal to explain. Thread: values.
#pragma once

#include "trace/recording.h"

#include <map>
#include <string>
#include <vector>

namespace gb::explain {

class WeightBook {
public:
    /// One line for each tensor that the event sets: "conv.weight: -0.31 to 0.29 before, -0.62 to 0.44 after". A shape
    /// that changes is said too. Ranges only where the recording holds the elements.
    [[nodiscard]] std::vector<std::string> changes(const trace::Event& event) const;
    /// Takes over what the event sets.
    void apply(const trace::Event& event);

private:
    std::map<std::pair<std::string, std::string>, trace::AttributeChanged> m_now; ///< by graph and name
};

} // namespace gb::explain
