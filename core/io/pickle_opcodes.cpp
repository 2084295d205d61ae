#include "io/pickle_opcodes.h"

#include <array>
#include <cstdio>
#include <utility>

namespace gb::io::opcode {
namespace {

// Those that name() can be asked for: all that this program does not run.
constexpr std::array<std::pair<unsigned char, const char*>, 32> kNames = {{
    {'i', "INST"},       {'o', "OBJ"},         {'b', "BUILD"},         {'P', "PERSID"},
    {0x81, "NEWOBJ"},    {0x92, "NEWOBJ_EX"},  {0x82, "EXT1"},         {0x83, "EXT2"},
    {0x84, "EXT4"},      {'0', "POP"},         {'1', "POP_MARK"},      {'2', "DUP"},
    {'I', "INT"},        {'L', "LONG"},        {0x8b, "LONG4"},        {'F', "FLOAT"},
    {'S', "STRING"},     {'V', "UNICODE"},     {'B', "BINBYTES"},      {'C', "SHORT_BINBYTES"},
    {0x8e, "BINBYTES8"}, {0x96, "BYTEARRAY8"}, {0x97, "NEXT_BUFFER"},  {0x98, "READONLY_BUFFER"},
    {0x8f, "EMPTY_SET"}, {0x90, "ADDITEMS"},   {0x91, "FROZENSET"},    {'p', "PUT"},
    {'g', "GET"},        {'c', "GLOBAL"},      {0x93, "STACK_GLOBAL"}, {'R', "REDUCE"},
}};

} // namespace

std::string name(unsigned char op)
{
    for (const auto& [code, text] : kNames)
        if (code == op)
            return text;
    char hex[8];
    std::snprintf(hex, sizeof hex, "0x%02x", static_cast<unsigned>(op));
    return hex;
}

} // namespace gb::io::opcode
