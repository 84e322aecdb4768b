// SPDX-License-Identifier: MIT
// json.mjs: JSON text in many spellings, and values where they do not belong.

const NONE = { numbers: false, blanks: false, escapes: false, order: false };

/** A number's spellings; JSON.stringify() loses the sign of -0. */
function number(random, n, style) {
    const plain = Object.is(n, -0) ? "-0" : JSON.stringify(n);
    if (!style.numbers || !random.chance(0.3)) {
        return plain;
    }
    const [digits, exponent] = plain.split("e");
    if (exponent !== undefined) {
        return `${digits}E${exponent}`;
    }
    const longer = plain.includes(".") ? `${plain}0` : `${plain}.0`;
    return random.pick([`${plain}e0`, `${plain}E+00`, longer]);
}

function string(random, s, style) {
    const plain = JSON.stringify(s);
    if (!style.escapes || !random.chance(0.3)) {
        return plain;
    }
    return `"${Array.from({ length: s.length }, (_, i) =>
        `\\u${s.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`;
}

function shuffled(random, list, style) {
    if (style.order) {
        for (let i = list.length - 1; i > 0; i--) {
            const j = random.below(i + 1);
            [list[i], list[j]] = [list[j], list[i]];
        }
    }
    return list;
}

/** The text of a JSON value. */
export function spell(random, value, style = NONE) {
    const blank = style.blanks ? () => random.pick(["", "", " ", "\n\t", "\r\n  "]) : () => "";
    const walk = (v) => {
        if (typeof v == "number") {
            return number(random, v, style);
        }
        if (typeof v == "string") {
            return string(random, v, style);
        }
        if (Array.isArray(v)) {
            return `[${v.map((item) => blank() + walk(item) + blank()).join()}]`;
        }
        if (v !== null && typeof v == "object") {
            const members = Object.entries(v).map(([key, item]) =>
                [blank(), string(random, key, style), blank(), ":", blank(), walk(item), blank()]
                    .join(""));
            return `{${shuffled(random, members, style).join()}}`;
        }
        return String(v);
    };
    return blank() + walk(value) + blank();
}

export function randomStyle(random) {
    return {
        numbers: random.chance(0.5),
        blanks: random.chance(0.5),
        escapes: random.chance(0.3),
        order: random.chance(0.5),
    };
}

const odd = [
    null, true, false, 0, 1, -1, 1.5, 0.1, 2147483647, 2147483648, -2147483648, -2147483649,
    4294967295, 4294967296, 1e3, 1e10, 1e-3, 3.5e38, 1e39, -1e39, 1e308, "", "0", "-0", "1", "-1",
    "1.0", "1.5", "1e3", "01", "+1", " 1", "1 ", "0x10", "NaN", "Infinity", "-Infinity", "nan",
    "inf", "1e400", "true", "false", "2147483648", "18446744073709551615", "18446744073709551616",
    "-9223372036854775808", "-9223372036854775809", "FOO", "BAZ", "foo", "NEG", "FOREIGN_BAR",
    "NULL_VALUE", "AAAA", "AA==", "AA", "-_8", "+/8=", "A", "A===", "a.fooBar", "foo_bar",
    "fooBar,b", "1s", "-1.5s", "1.0000000001s", "1 s", ".5s", "315576000001s",
    "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.1+01:00", "1970-01-01t00:00:00z",
    "1970-02-30T00:00:00Z", "1970-01-01T24:00:00Z", "0001-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
    "1970-01-01T00:00:00.1234567890Z", "1970-01-01T00:00:00", "1970-01-01T23:59:60Z", [], {},
    [null], [1], ["FOO", 1, "BAR"], { a: 1 }, { a: null }, { "": 1 }, { 1: 1 }, { true: true },
    { "@type": "a" }, { "@type": "type.googleapis.com/google.protobuf.Duration", value: "1s" },
    { "@type": "type.googleapis.com/google.protobuf.Empty" }, { value: 1 }, { c: 1 },
    { a: 1, corecursive: {} },
];

function isObject(v) {
    return v !== null && typeof v == "object" && !Array.isArray(v);
}

/** Every place that holds a value, as [holder, key]. */
function places(value, out = []) {
    if (value !== null && typeof value == "object") {
        for (const key of Object.keys(value)) {
            out.push([value, key]);
            places(value[key], out);
        }
    }
    return out;
}

/** Text cut, or with a character more or less or another one: JSON no more, mostly. */
function damage(random, text) {
    const at = random.below(text.length + 1);
    const put = random.pick([
        "", "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "-", ".", "e", "n", " ", "\t", "\u00a0",
    ]);
    // Not inside of a surrogate pair: halves cannot be sent as UTF-8.
    const out = text.slice(0, at) + put + text.slice(at + random.below(2));
    return Buffer.from(out).toString() == out ? out : `${text}${put}`;
}

/** JSON of the message of another shape, as text. */
export function mutate(random, desc, value) {
    const root = { value: structuredClone(value) };
    for (let i = random.pick([1, 1, 1, 2]); i > 0; i--) {
        const [holder, key] = random.pick(places(root));
        const v = holder[key];
        const style = random.below(8);
        if (style < 4) {
            // Half of them of the same JSON type, or nearly all are refused at once.
            const same = odd.filter(
                (o) => typeof o == typeof v && Array.isArray(o) == Array.isArray(v),
            );
            holder[key] = structuredClone(random.pick(random.chance(0.5) ? same : odd));
        } else if (style == 4 && (typeof v == "number" || typeof v == "boolean")) {
            holder[key] = spell(random, v);
        } else if (style == 5 && isObject(v)) {
            v[random.pick(["unknown", "[no.such]", "@type", "value"])] = random.pick(odd);
        } else if (style == 6 && isObject(root.value) && desc.fields.length > 0) {
            const field = random.pick(desc.fields);
            root.value[random.pick([field.jsonName, field.name])] = random.pick(odd);
        } else if (style == 7 && typeof v == "string") {
            holder[key] = v + random.pick(["0", " ", "=", "Z", "\u0000"]);
        }
    }
    const text = spell(random, root.value, randomStyle(random));
    return random.chance(0.15) ? damage(random, text) : text;
}
