// The opcodes of Python's pickle, by the names that pickletools gives them.
//
// Thread: pure functions.
#pragma once

#include <string>

namespace gb::io::opcode {

// the ones that are run
constexpr unsigned char kMark = '(', kStop = '.', kNone = 'N', kNewTrue = 0x88, kNewFalse = 0x89;
constexpr unsigned char kBinInt = 'J', kBinInt1 = 'K', kBinInt2 = 'M', kLong1 = 0x8a, kBinFloat = 'G';
constexpr unsigned char kBinString = 'T', kShortBinString = 'U', kBinUnicode = 'X', kShortBinUnicode = 0x8c,
                        kBinUnicode8 = 0x8d;
constexpr unsigned char kEmptyTuple = ')', kTuple = 't', kTuple1 = 0x85, kTuple2 = 0x86, kTuple3 = 0x87;
constexpr unsigned char kEmptyList = ']', kList = 'l', kAppend = 'a', kAppends = 'e';
constexpr unsigned char kEmptyDict = '}', kDict = 'd', kSetItem = 's', kSetItems = 'u';
constexpr unsigned char kBinPut = 'q', kLongBinPut = 'r', kMemoize = 0x94, kBinGet = 'h', kLongBinGet = 'j';
constexpr unsigned char kProto = 0x80, kFrame = 0x95;
constexpr unsigned char kGlobal = 'c', kStackGlobal = 0x93, kReduce = 'R', kBinPersId = 'Q';

/// "BUILD", "INST", ...; "0x07" for a byte that is no opcode.
std::string name(unsigned char op);

} // namespace gb::io::opcode
