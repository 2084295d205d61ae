#include "io/pickle_machine.h"

#include "base/message.h"
#include "io/pickle_opcodes.h"

#include <bit>
#include <cstring>

namespace gb::io {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using Kind = PickleValue::Kind;

namespace {

PickleValue leaf(Leaf value)
{
    PickleValue out;
    out.leaf = std::move(value);
    return out;
}

PickleValue container(Kind kind, std::vector<std::size_t> parts = {})
{
    PickleValue out;
    out.kind = kind;
    out.parts = std::move(parts);
    return out;
}

} // namespace

PickleMachine::PickleMachine(std::string_view program, ZipReader& archive, std::string folder)
    : m_program(program)
    , m_archive(archive)
    , m_folder(std::move(folder))
    , m_place(archive.placeOf(m_folder + "data.pkl"))
{
}

Error PickleMachine::broken(const std::string& sentence, ErrorCode code) const
{
    return {code, say("byte {0}: {1}", m_opStart, sentence), m_place};
}

Result<std::string_view> PickleMachine::take(std::size_t count)
{
    if (count > m_program.size() - m_at)
        return broken(say("{0} bytes left, {1} expected", m_program.size() - m_at, count));
    const std::string_view out = m_program.substr(m_at, count);
    m_at += count;
    return out;
}

Result<std::string_view> PickleMachine::line()
{
    const std::size_t end = m_program.find('\n', m_at);
    if (end == std::string_view::npos)
        return broken("text without an end, a line expected");
    const std::string_view out = m_program.substr(m_at, end - m_at);
    m_at = end + 1;
    return out;
}

Result<std::uint64_t> PickleMachine::unsignedNumber(std::size_t bytes)
{
    GB_ASSIGN(const std::string_view raw, take(bytes));
    std::uint64_t out = 0;
    for (std::size_t i = bytes; i-- > 0;)
        out = out << 8 | static_cast<unsigned char>(raw[i]);
    return out;
}

Result<PickleObject> PickleMachine::run()
{
    using Group = Result<bool> (PickleMachine::*)(unsigned char);
    constexpr Group kGroups[] = {&PickleMachine::pushLeaf, &PickleMachine::pushText, &PickleMachine::build,
                                 &PickleMachine::fill,     &PickleMachine::memo,     &PickleMachine::call};
    while (true) {
        m_opStart = m_at;
        GB_ASSIGN(const std::string_view raw, take(1));
        const auto op = static_cast<unsigned char>(raw[0]);
        if (op == opcode::kStop)
            break;
        bool known = false;
        for (const Group group : kGroups) {
            GB_ASSIGN(known, (this->*group)(op));
            if (known)
                break;
        }
        if (!known)
            return broken(say("opcode {0}, only opcodes that build tensors and containers are run", opcode::name(op)),
                          ErrorCode::Unsupported);
    }
    GB_ASSIGN(m_object.root, pop());
    return std::move(m_object);
}

Result<bool> PickleMachine::pushLeaf(unsigned char op)
{
    switch (op) {
    case opcode::kNone: push({}); return true;
    case opcode::kNewTrue: push(leaf(true)); return true;
    case opcode::kNewFalse: push(leaf(false)); return true;
    case opcode::kBinInt1:
    case opcode::kBinInt2:
    case opcode::kBinInt: {
        const std::size_t bytes = op == opcode::kBinInt1 ? 1 : op == opcode::kBinInt2 ? 2 : 4;
        GB_ASSIGN(const std::uint64_t value, unsignedNumber(bytes));
        push(leaf(op == opcode::kBinInt ? std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(value))}
                                        : static_cast<std::int64_t>(value)));
        return true;
    }
    case opcode::kLong1: {
        GB_TRY(pushLong());
        return true;
    }
    case opcode::kBinFloat: { // big-endian, unlike everything else
        GB_ASSIGN(const std::string_view raw, take(8));
        std::uint64_t bits = 0;
        for (const char c : raw)
            bits = bits << 8 | static_cast<unsigned char>(c);
        push(leaf(std::bit_cast<double>(bits)));
        return true;
    }
    default: return false;
    }
}

Status PickleMachine::pushLong()
{
    GB_ASSIGN(const std::uint64_t length, unsignedNumber(1));
    if (length > 8)
        return broken(say("integer of {0} bytes, at most 8 expected", length));
    GB_ASSIGN(const std::uint64_t bits, unsignedNumber(length));
    const unsigned shift = static_cast<unsigned>(64 - 8 * length);
    push(leaf(length ? static_cast<std::int64_t>(bits << shift) >> shift : std::int64_t{0}));
    return {};
}

Result<bool> PickleMachine::pushText(unsigned char op)
{
    std::size_t lengthBytes = 0;
    switch (op) {
    case opcode::kShortBinUnicode:
    case opcode::kShortBinString: lengthBytes = 1; break;
    case opcode::kBinUnicode:
    case opcode::kBinString: lengthBytes = 4; break;
    case opcode::kBinUnicode8: lengthBytes = 8; break;
    default: return false;
    }
    GB_ASSIGN(const std::uint64_t length, unsignedNumber(lengthBytes));
    GB_ASSIGN(const std::string_view text, take(length));
    push(leaf(std::string(text)));
    return true;
}

Result<bool> PickleMachine::build(unsigned char op)
{
    switch (op) {
    case opcode::kMark: m_marks.push_back(m_stack.size()); return true;
    case opcode::kEmptyTuple: push(container(Kind::Tuple)); return true;
    case opcode::kEmptyList: push(container(Kind::List)); return true;
    case opcode::kEmptyDict: push(container(Kind::Dict)); return true;
    case opcode::kTuple1:
    case opcode::kTuple2:
    case opcode::kTuple3: GB_TRY(pushPopped(Kind::Tuple, op - opcode::kTuple1 + 1u)); return true;
    case opcode::kTuple:
    case opcode::kList:
    case opcode::kDict: {
        GB_ASSIGN(std::vector<std::size_t> parts, popToMark());
        const Kind kind = op == opcode::kTuple ? Kind::Tuple : op == opcode::kList ? Kind::List : Kind::Dict;
        if (kind == Kind::Dict && parts.size() % 2)
            return broken("a key without a value, pairs expected");
        push(container(kind, std::move(parts)));
        return true;
    }
    default: return false;
    }
}

Result<bool> PickleMachine::fill(unsigned char op)
{
    std::vector<std::size_t> parts;
    Kind into = Kind::List;
    switch (op) {
    case opcode::kAppend: {
        GB_ASSIGN(const std::size_t item, pop());
        parts = {item};
        break;
    }
    case opcode::kSetItem: {
        GB_ASSIGN(const std::size_t value, pop());
        GB_ASSIGN(const std::size_t key, pop());
        parts = {key, value};
        into = Kind::Dict;
        break;
    }
    case opcode::kAppends:
    case opcode::kSetItems: {
        GB_ASSIGN(parts, popToMark());
        into = op == opcode::kAppends ? Kind::List : Kind::Dict;
        break;
    }
    default: return false;
    }
    if (into == Kind::Dict && parts.size() % 2)
        return broken("a key without a value, pairs expected");
    GB_ASSIGN(PickleValue * target, top(into));
    target->parts.insert(target->parts.end(), parts.begin(), parts.end());
    return true;
}

Result<bool> PickleMachine::memo(unsigned char op)
{
    switch (op) {
    case opcode::kProto:
    case opcode::kFrame: { // a version, a length: nothing hangs on them
        GB_TRY(take(op == opcode::kProto ? 1 : 8));
        return true;
    }
    case opcode::kBinPut:
    case opcode::kLongBinPut:
    case opcode::kMemoize: {
        std::uint64_t key = m_memo.size();
        if (op != opcode::kMemoize) {
            GB_ASSIGN(key, unsignedNumber(op == opcode::kBinPut ? 1 : 4));
        }
        if (m_stack.empty())
            return broken("the stack is empty, a value expected");
        m_memo[key] = m_stack.back();
        return true;
    }
    case opcode::kBinGet:
    case opcode::kLongBinGet: {
        GB_ASSIGN(const std::uint64_t key, unsignedNumber(op == opcode::kBinGet ? 1 : 4));
        const auto found = m_memo.find(key);
        if (found == m_memo.end())
            return broken(say("memo {0} was never set, a set one expected", key));
        m_stack.push_back(found->second);
        return true;
    }
    default: return false;
    }
}

Result<bool> PickleMachine::call(unsigned char op)
{
    switch (op) {
    case opcode::kGlobal: {
        GB_ASSIGN(const std::string_view module, line());
        GB_ASSIGN(const std::string_view name, line());
        GB_TRY(pushGlobal(std::string(module), std::string(name)));
        return true;
    }
    case opcode::kStackGlobal: {
        GB_ASSIGN(const std::size_t name, pop());
        GB_ASSIGN(const std::size_t module, pop());
        const auto* moduleText = std::get_if<std::string>(&m_object.at(module).leaf);
        const auto* nameText = std::get_if<std::string>(&m_object.at(name).leaf);
        if (!moduleText || !nameText)
            return broken("a global whose name is no text, text expected");
        GB_TRY(pushGlobal(std::string(*moduleText), std::string(*nameText)));
        return true;
    }
    case opcode::kBinPersId: GB_TRY(pushStorage()); return true;
    case opcode::kReduce: {
        GB_ASSIGN(const std::size_t arguments, pop());
        GB_ASSIGN(const std::size_t function, pop());
        if (m_object.at(function).kind != Kind::Global || m_object.at(arguments).kind != Kind::Tuple)
            return broken("a call of something that is no function, a known function expected");
        const std::string name = m_object.at(function).text;
        const std::vector<std::size_t> parts = m_object.at(arguments).parts;
        GB_ASSIGN(PickleValue value, reduce(name, parts));
        push(std::move(value));
        return true;
    }
    default: return false;
    }
}

void PickleMachine::push(PickleValue value)
{
    m_stack.push_back(m_object.values.size());
    m_object.values.push_back(std::move(value));
}

Result<std::size_t> PickleMachine::pop()
{
    if (m_stack.empty() || (!m_marks.empty() && m_stack.size() <= m_marks.back()))
        return broken("the stack is empty, a value expected");
    const std::size_t out = m_stack.back();
    m_stack.pop_back();
    return out;
}

Result<std::vector<std::size_t>> PickleMachine::popToMark()
{
    if (m_marks.empty())
        return broken("no mark on the stack, one expected");
    const auto from = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    m_marks.pop_back();
    std::vector<std::size_t> out(from, m_stack.end());
    m_stack.erase(from, m_stack.end());
    return out;
}

Status PickleMachine::pushPopped(Kind kind, std::size_t count)
{
    std::vector<std::size_t> parts(count);
    for (std::size_t i = count; i-- > 0;) {
        GB_ASSIGN(parts[i], pop());
    }
    push(container(kind, std::move(parts)));
    return {};
}

Result<PickleValue*> PickleMachine::top(Kind kind)
{
    if (m_stack.empty() || m_object.at(m_stack.back()).kind != kind)
        return broken(say("no {0} on the stack, one expected", kind == Kind::Dict ? "dict" : "list"));
    return &m_object.values[m_stack.back()];
}

} // namespace gb::io
