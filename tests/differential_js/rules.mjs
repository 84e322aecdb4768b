// SPDX-License-Identifier: MIT
// rules.mjs: where cwire and the peer may differ on changed input, each rule with the words of the
// specification. [json] is protobuf.dev/programming-guides/json, [suite] the conformance suite,
// which that page names for the "edge cases which define a conformant ProtoJSON parser".

/** Whether two JSON values are the same but for the digits of a float. */
export function isJsonEqual(a, b) {
    if (typeof a == "number" && typeof b == "number") {
        return a === b || Math.fround(a) === Math.fround(b);
    }
    if (a === null || b === null || typeof a != "object" || typeof b != "object") {
        return a === b;
    }
    const keys = Object.keys(a);
    return Array.isArray(a) === Array.isArray(b) && keys.length == Object.keys(b).length &&
        keys.every((key) => Object.hasOwn(b, key) && isJsonEqual(a[key], b[key]));
}

/** The JSON string that our error ("... at LINE:COLUMN", in bytes) points at or into. */
function stringAt(text, error) {
    const [, line, column] = error.match(/ at (\d+):(\d+)$/) ?? [];
    if (line === undefined) {
        return undefined;
    }
    const bytes = Buffer.from(text.split("\n")[line - 1] ?? "");
    // Base64 is pointed into; such a string has neither blanks before it nor quotes in it.
    const start = bytes[column - 1] == 0x22 ? column - 1 : bytes.lastIndexOf(0x22, column - 1);
    const [quoted] = bytes.subarray(start).toString().match(/^"(?:[^"\\]|\\.)*"/) ?? [];
    return quoted === undefined ? undefined : JSON.parse(quoted);
}

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

function isBase64(s) {
    const digits = s.replace(/={1,2}$/, "");
    return /^[A-Za-z0-9+/_-]*$/.test(digits) && digits.length % 4 != 1 &&
        (digits.length == s.length || s.length % 4 == 0);
}

const PATHS = /^(?:[a-z][A-Za-z0-9]*(?:[.,](?=[a-z])|$))*$/;

// Each: our answer and the peer's ("error: ..." or the canonical text), and what else has to hold:
// of the string our error is at, of the input, of the value in the peer's complaint, of both answers.
const rules = [
    {
        // [json] "int64 ...: JSON value will be a decimal string"; numbers in quotes are JSON's
        // numbers, and [suite] has blanks around them refused. The peer takes what JavaScript's
        // Number() and BigInt() take: " 1", "01", "+1", "0x10".
        ours: /expected (an integer|a number) at/,
        theirs: /^{/,
        string: (s) => !JSON_NUMBER.test(s),
    },
    {
        // [json] "Zero fractional portions are accepted. For example 1.0 is valid", "Exponent
        // notation ... is accepted in both quoted and unquoted forms": in the peer for 32 bits only.
        ours: /^{/,
        theirs: /expected bigint \(\w+64\): (\S+) out of range/,
        complaint: (s) => /[.eE]/.test(s) && Number.isSafeInteger(Number(s)),
    },
    {
        // RFC 4648, 3.3: "Implementations MUST reject the encoded data if it contains characters
        // outside the base alphabet", 3.2 "MUST include appropriate pad characters", of which [json]
        // frees ("with/without paddings"), but not to have another number of them.
        ours: /invalid base64 at/,
        theirs: /^{/,
        string: (s) => !isBase64(s),
    },
    {
        // field_mask.proto: "a single string where paths are separated by a comma. Fields name in
        // each path are converted to/from lower-camel". The peer takes what is no name as well.
        ours: /a field mask has lowerCamelCase paths/,
        theirs: /^{/,
        string: (s) => !PATHS.test(s),
    },
    {
        // [json] "followed by the suffix "s"": the peer takes it with anything behind.
        ours: /expected a duration/,
        theirs: /^{/,
        string: (s) => !/^-?\d+(\.\d{1,9})?s$/.test(s),
    },
    {
        // [json] "Uses RFC 3339": "time-hour = 2DIGIT ; 00-23" and "date-mday = 2DIGIT ; 01-28, 01-29,
        // 01-30, 01-31 based on month/year". JavaScript's Date has 24:00 and February 30 as well.
        ours: /expected a time/,
        theirs: /^{/,
        string: (s) => /T24:|-02-30/.test(s),
    },
    {
        // Unknown fields and enum values are ignored: for cwire also a closed enum's unknown number,
        // which without that option both refuse; for the peer only names. Unknown numbers are no
        // values of a closed enum (protobuf.dev/programming-guides/enum), like unknown names.
        ours: /^{/,
        theirs: /expected enum \S+, got -?\d+$/,
        ignore: true,
    },
    {
        // [json] in an Any, the "special representation" is "set as a field with key "value"": there
        // are no other members, which the peer drops.
        ours: /\.\[[^\]]+\]\..*: unknown field at/,
        theirs: /^{.*type_url/,
    },
    {
        // [json] null "is valid for any field and leaves the field unset": a message alone is no
        // field. The peer takes it for a wrapper that is not set.
        ours: /^error: .*: expected .* at \d+:\d+$/,
        theirs: /^{}/,
        input: /^\s*null\s*$/,
    },
    {
        // [json] null: "The field should remain unset, as though it was not present in the input at
        // all". The peer counts it as a member of a oneof...
        ours: /^{/,
        theirs: /oneof set multiple times/,
        input: /null/,
    },
    {
        // ... and sets an extension that is a message, to an empty one.
        ours: /^{/,
        theirs: /^{/,
        input: /null/,
        equal: (s) => s.replace(/\[[a-z_0-9.]+\]:\{\} /g, ""),
    },
    {
        // protobuf.dev/programming-guides/encoding, Groups: "delimited by special tags", so an end
        // without a start is none of a record's payloads. The peer takes it as an unknown field.
        ours: /group end does not match its start/,
        theirs: /^{/,
    },
];

/** Whether a difference is one of those. */
export function isKnownDifference(what, payload, ours, theirs, ignore) {
    return what.startsWith("changed") && rules.some((rule) =>
        rule.ours.test(ours) && rule.theirs.test(theirs) &&
        (!rule.ignore || ignore) &&
        (rule.complaint === undefined || rule.complaint(theirs.match(rule.theirs)[1])) &&
        (rule.equal === undefined || rule.equal(ours) === rule.equal(theirs)) &&
        (rule.input === undefined || rule.input.test(payload)) &&
        (rule.string === undefined || rule.string(stringAt(payload, ours) ?? "")));
}
