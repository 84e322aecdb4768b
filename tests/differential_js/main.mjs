// SPDX-License-Identifier: MIT
// main.mjs SCHEMAS TESTEE [COUNT [SEED]]: random messages of the conformance suite's types through
// @bufbuild/protobuf and through cwire (the suite's testee), which have to agree on each: COUNT
// messages between binary and JSON both ways, COUNT changed binaries, COUNT changed JSON texts.
// SCHEMAS is a FileDescriptorSet. The last line is the count; exit code 1: there are differences.
import { readFileSync } from "node:fs";
import {
    createFileRegistry, equals, fromBinary, fromJsonString, toBinary, toJson,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { Canon } from "./canon.mjs";
import * as json from "./json.mjs";
import { isFinite, Maker } from "./messages.mjs";
import { Peer } from "./peer.mjs";
import { Random } from "./random.mjs";
import { isJsonEqual, isKnownDifference } from "./rules.mjs";
import * as wire from "./wire.mjs";

const [schemas, testee, count = "2000", seed = "1"] = process.argv.slice(2);
// None of the schemas imports Empty, but everyone has it for Any.
const registry = createFileRegistry(
    createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(schemas))),
    createFileRegistry(file_google_protobuf_empty.proto, () => undefined),
);
const whole = new Canon(registry, true);
const known = new Canon(registry, false);
const unnamed = new Canon(registry, false, true);

// The messages of the suite's files and the well-known types they use: what the testee has.
const files = [...registry.files].filter((f) => f.name.startsWith("google/protobuf/"));
const types = [...registry].filter(
    (t) => t.kind == "message" && files.includes(t.file) && isFinite(t),
);
const tops = types.filter((t) => t.typeName != "google.protobuf.Empty");
const large = types.filter((t) => t.name.startsWith("TestAllTypes"));

const peer = new Peer(testee, registry);
const checks = [];
const counts = {};
const differences = [];

function attempt(f) {
    try {
        return { value: f() };
    } catch (error) {
        return { error };
    }
}

function shown(payload) {
    return typeof payload == "string" ? payload : Buffer.from(payload).toString("hex");
}

function differ(what, desc, payload, ours, theirs) {
    differences.push({ what, type: desc.typeName, input: shown(payload), ours, theirs });
}

/** The shortest input is the easiest to understand. */
function report(limit) {
    differences.sort((a, b) => a.input.length - b.input.length);
    for (const d of differences.slice(0, limit)) {
        let at = 0;
        while (at < d.ours.length && d.ours[at] === d.theirs[at]) {
            at++;
        }
        const from = (s) => (at > 60 ? `... ${s.slice(at - 60, at + 400)}` : s.slice(0, 400));
        console.log(`-- ${d.what} of ${d.type}\n   input  ${d.input.slice(0, 2000)}\n` +
            `   cwire  ${from(d.ours)}\n   peer   ${from(d.theirs)}`);
    }
}

/**
 * JSON as the peer reads it. Through binary: only there it rounds to float, and notices text that
 * is no Unicode.
 */
function readJson(desc, text, ignoreUnknownFields = false) {
    const message = fromJsonString(desc, text, { registry, ignoreUnknownFields });
    return fromBinary(desc, toBinary(desc, message));
}

/** What our answer says, as canonical text or as an error. */
function ours(desc, answer, canon) {
    switch (answer.case) {
        case "protobufPayload":
            return attempt(() => canon.of(desc, fromBinary(desc, answer.value)));
        case "jsonPayload":
            return attempt(() => canon.of(desc, readJson(desc, answer.value)));
        default:
            return { error: new Error(`${answer.case}: ${answer.value}`) };
    }
}

/**
 * Puts `payload` and remembers to compare the answer with `expected`, { value } or { error }.
 * Either both refuse or the canonical texts are the same; `also` is asked of an answer that is.
 */
function check(what, desc, payload, to, expected, canon, also = () => undefined, ignore = false) {
    const number = peer.ask(desc.typeName, payload, to, ignore);
    checks.push((answers) => {
        const got = ours(desc, answers[number], canon);
        const theirs = expected.error ? `error: ${expected.error.message}` : expected.value;
        const mine = got.error ? `error: ${got.error.message}` : got.value;
        counts[what] ??= { agree: 0, refuse: 0, explained: 0 };
        if (got.error && expected.error) {
            counts[what].refuse++;
        } else if (got.error || expected.error || got.value !== expected.value) {
            const explained = isKnownDifference(what, payload, mine, theirs, ignore);
            counts[what].explained += explained ? 1 : 0;
            if (!explained) {
                differ(what, desc, payload, mine, theirs);
            }
        } else {
            const complaint = also(answers[number].value);
            counts[what].agree++;
            if (complaint !== undefined) {
                differ(what, desc, payload, shown(answers[number].value), complaint);
            }
        }
    });
}

/** A message without maps: "serialization order" of it is by number, for both (see canon.mjs). */
function sameBytes(desc, message, bytes) {
    const text = whole.of(desc, message);
    const isFree = text.includes(":<") || /\d\/\d:x|NaN|\]:/.test(text);
    counts["byte for byte"] ??= { agree: 0, refuse: 0, explained: 0 };
    return (mine) => {
        if (!isFree && Buffer.compare(mine, bytes) !== 0) {
            return `other bytes: ${shown(bytes)}`;
        }
        counts["byte for byte"].agree += isFree ? 0 : 1;
        return undefined;
    };
}

function good(random, desc, message) {
    const bytes = toBinary(desc, message);
    const again = fromBinary(desc, bytes);
    check("binary to binary", desc, bytes, "binary", { value: whole.of(desc, message) }, whole,
        (mine) => equals(desc, fromBinary(desc, mine), again) || /NaN/.test(whole.of(desc, again))
            ? sameBytes(desc, message, bytes)(mine)
            : "not equal by equals()");
    const value = attempt(() => toJson(desc, message, { registry }));
    if (value.error) {
        check("binary to JSON", desc, bytes, "json", value, known);
        return;
    }
    const read = { value: unnamed.of(desc, message) };
    check("binary to JSON", desc, bytes, "json", read, unnamed, (mine) =>
        isJsonEqual(JSON.parse(mine), value.value)
            ? undefined
            : json.spell(random, value.value));
    const spelled = json.spell(random, value.value, json.randomStyle(random));
    check("JSON to binary", desc, spelled, "binary", { value: known.of(desc, message) }, known);
    const options = {
        registry,
        useProtoFieldName: true,
        enumAsInteger: random.chance(0.5),
    };
    const named = json.spell(random, toJson(desc, message, options));
    check("JSON to JSON", desc, named, "json", read, unnamed);
}

function changedBinary(random, desc, message) {
    const bytes = wire.mutate(random, desc, toBinary(desc, message));
    const read = attempt(() => {
        const m = fromBinary(desc, bytes);
        toBinary(desc, m); // only there the peer misses required fields
        return whole.of(desc, m);
    });
    check("changed binary", desc, bytes, "binary", read, whole);
}

function changedJson(random, desc, message) {
    const value = attempt(() => toJson(desc, message, { registry }));
    if (value.error) {
        return;
    }
    const text = json.mutate(random, desc, value.value);
    const ignore = random.chance(0.3);
    const read = attempt(() => unnamed.of(desc, readJson(desc, text, ignore)));
    check("changed JSON", desc, text, "binary", read, unnamed, undefined, ignore);
}

const start = Date.now();
for (let i = 0; i < Number(count); i++) {
    const random = new Random(Number(seed) * 1000003 + i);
    const maker = new Maker(random, registry, types);
    const desc = random.pick(random.chance(0.7) ? large : tops);
    const size = random.pick([3, 10, 40, 120]);
    good(random, desc, maker.make(desc, size));
    changedBinary(random, desc, maker.make(desc, random.pick([3, 10, 30])));
    changedJson(random, desc, maker.make(desc, random.pick([3, 10, 30])));
}
const answers = peer.answers();
checks.forEach((f) => f(answers));
report(10);
for (const [what, n] of Object.entries(counts)) {
    console.log(`${what}: ${n.agree} equal, ${n.refuse} refused by both` +
        (n.explained > 0 ? `, ${n.explained} explained by the rules` : ""));
}
console.log(`differential: ${count} messages of ${types.length} types, seed ${seed}, ` +
    `${checks.length} comparisons, ${differences.length} differences, ` +
    `${(Date.now() - start) / 1000} s`);
process.exitCode = differences.length > 0 || checks.length === 0 ? 1 : 0;
