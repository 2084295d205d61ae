// Reads the cases that tests/golden/ops_cases.py recorded from torch and runs them through the kernel table.
#pragma once

#include "ops/kernel_table.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gb::ops_test {

/// One recorded call.
struct OpCase {
    std::string target;
    ops::ValueList args;
    ops::NamedValues kwargs;
    ops::ValueList outputs;
    std::string error;      ///< the exception's type where torch refused
    double tolerance = 0.0; ///< relative to the largest output; 0: to the last bit
};

/// The cases of tests/data/ops/FAMILY.json and .bin. Throws where the files are broken.
std::vector<OpCase> readCases(const std::string& family);

/// The argument names of torch's schemas by target, for every op of torch that has a kernel.
std::map<std::string, std::string> readSchemas();

/// "" when the kernel gives what torch gave, else what differs.
std::string check(const OpCase& recorded);

/// The table that all tests use.
const std::shared_ptr<const ops::KernelTable>& table();

/// float32, all 1.
ir::Tensor ones(const ir::Shape& shape);
/// float32: 0, 1, 2, ... in row-major order.
ir::Tensor ramp(const ir::Shape& shape);

/// Runs one op on this thread.
base::Result<ops::Value> evaluate(const std::string& target, ops::ValueList args, ops::NamedValues kwargs = {});

} // namespace gb::ops_test
