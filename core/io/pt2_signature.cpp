// The signature: which placeholders are parameters, buffers and constants, and which outputs are mutations.
#include "base/message.h"
#include "io/pt2_raw.h"

#include <array>

namespace gb::io {

using base::ErrorCode;
using base::Result;
using base::say;

namespace {

/// What a row of the schema is called and where it keeps the attribute's name.
struct KindRow {
    const char* kind;
    const char* targetKey; ///< null: no target
};

constexpr std::array kInputKinds = {
    KindRow{"user_input", nullptr},           KindRow{"parameter", "parameter_name"},
    KindRow{"buffer", "buffer_name"},         KindRow{"tensor_constant", "tensor_constant_name"},
    KindRow{"custom_obj", "custom_obj_name"}, KindRow{"token", nullptr},
    KindRow{"constant_input", nullptr},
};

constexpr std::array kOutputKinds = {
    KindRow{"user_output", nullptr},
    KindRow{"loss_output", nullptr},
    KindRow{"buffer_mutation", "buffer_name"},
    KindRow{"gradient_to_parameter", "parameter_name"},
    KindRow{"gradient_to_user_input", "user_input_name"},
    KindRow{"user_input_mutation", "user_input_name"},
    KindRow{"token", nullptr},
    KindRow{"parameter_mutation", "parameter_name"},
};

/// The name in an Argument of the schema ({"as_tensor": {"name": "x"}}) or in a TensorArgument ({"name": "x"}).
std::string nameIn(const JsonCursor& argument)
{
    if (const auto plain = argument.text("name"))
        return *plain;
    const auto only = argument.only();
    if (!only)
        return {};
    for (const char* key : {"name", "as_name"})
        if (const auto inner = only->second.text(key))
            return *inner;
    return {};
}

template <std::size_t N>
Result<SignatureRow> readRow(const JsonCursor& spec, const std::array<KindRow, N>& kinds)
{
    GB_ASSIGN(const auto only, spec.only());
    const auto& [kind, inner] = only;
    for (const KindRow& row : kinds) {
        if (kind != row.kind)
            continue;
        SignatureRow out;
        out.kind = kind;
        if (kind == "constant_input") {
            GB_ASSIGN(out.name, inner.text("name"));
            return out;
        }
        GB_ASSIGN(const JsonCursor argument, inner.get("arg"));
        out.name = nameIn(argument);
        if (row.targetKey) {
            GB_ASSIGN(out.target, inner.text(row.targetKey));
        }
        if (kind == "buffer") {
            GB_ASSIGN(out.persistent, inner.boolean("persistent"));
        }
        return out;
    }
    return spec.error(say("found \"{0}\", a kind of input or output of schema 8 expected", kind),
                      ErrorCode::Unsupported);
}

} // namespace

Result<Signature> readSignature(const JsonCursor& signature)
{
    Signature out;
    GB_ASSIGN(const JsonCursor inputList, signature.get("input_specs"));
    GB_ASSIGN(const std::vector<JsonCursor> inputs, inputList.items());
    for (const JsonCursor& spec : inputs) {
        GB_ASSIGN(SignatureRow row, readRow(spec, kInputKinds));
        out.inputs.push_back(std::move(row));
    }
    GB_ASSIGN(const JsonCursor outputList, signature.get("output_specs"));
    GB_ASSIGN(const std::vector<JsonCursor> outputs, outputList.items());
    for (const JsonCursor& spec : outputs) {
        GB_ASSIGN(SignatureRow row, readRow(spec, kOutputKinds));
        out.outputs.push_back(std::move(row));
    }
    return out;
}

} // namespace gb::io
