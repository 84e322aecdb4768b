// SPDX-License-Identifier: MIT
// wire.mjs: other spellings of a message's bytes, and broken ones. The bytes are taken apart along
// the schema, so that a change keeps each field's wire type and each length within its message: the
// peer's reader does not look at them once it knows the field, and reads such bytes as something
// else (the specification's parser treats a field of another wire type as unknown).
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { ScalarType } from "@bufbuild/protobuf";
import { varint } from "./messages.mjs";

/** The descriptor of what is in a record: of a message, "entry" of a map, or undefined. */
function inside(field, wireType) {
    if (field?.fieldKind == "map") {
        return { entry: field };
    }
    const isMessage = field?.message && (wireType == 2 || wireType == 3);
    return isMessage ? { message: field.message } : undefined;
}

function fieldOf(scope, no) {
    if (scope.message) {
        return scope.message.fields.find((f) => f.number == no);
    }
    const map = scope.entry;
    return no == 2 && map.mapKind == "message"
        ? { message: map.message, fieldKind: "message" }
        : undefined;
}

function isPacked(field, wireType) {
    return wireType == 2 && field?.fieldKind == "list" && field.listKind != "message" &&
        field.scalar != ScalarType.STRING && field.scalar != ScalarType.BYTES;
}

/**
 * Elements of closed enums are not changed: "all unknown values will be placed in the unknown field
 * set", and maps "place entire entries" there (protobuf.dev/programming-guides/enum, Implications of
 * Closed Enums). The peer does so with singular fields only, and keeps the others where they are.
 */
function isClosed(scope, no, field) {
    const map = scope.entry;
    return map
        ? no == 2 && map.enum?.open === false
        : field?.fieldKind == "list" && field.enum?.open === false;
}

/** Bytes to records { no, wireType, data | records, packed }; data is without a length. */
export function takeApart(scope, bytes) {
    const reader = new BinaryReader(bytes);
    const out = [];
    while (reader.pos < reader.len) {
        const [no, wireType] = reader.tag();
        const field = fieldOf(scope, no);
        const skipped = reader.skip(wireType, no);
        let data = skipped;
        if (wireType == WireType.LengthDelimited) {
            data = new BinaryReader(skipped).bytes();
        } else if (wireType == WireType.StartGroup) {
            data = skipped.subarray(0, skipped.length - varint((no << 3) | 4).length);
        }
        const record = { no, wireType, data };
        const content = inside(field, wireType);
        if (content) {
            record.records = takeApart(content, data);
        }
        record.packed = isPacked(field, wireType) ? field : undefined;
        record.closed = isClosed(scope, no, field);
        record.text = field?.scalar == ScalarType.STRING && !record.packed;
        out.push(record);
    }
    return out;
}

/** The same number in more bytes than it takes. */
function overlong(n, extra) {
    const out = varint(n);
    for (let i = 0; i < extra && out.length < 10; i++) {
        out[out.length - 1] |= 0x80;
        out.push(0);
    }
    return out;
}

export function putTogether(records) {
    const out = [];
    for (const record of records) {
        const content = record.records ? putTogether(record.records) : record.data;
        out.push(...overlong(record.no * 8 + record.wireType, record.longTag ?? 0));
        if (record.wireType == WireType.LengthDelimited) {
            out.push(...overlong(content.length, record.longLength ?? 0));
        }
        for (const byte of content) {
            out.push(byte);
        }
        if (record.wireType == WireType.StartGroup) {
            out.push(...varint(((record.end ?? record.no) << 3) | 4));
        }
    }
    return Uint8Array.from(out);
}

/** All records, at any depth, with the list each is in. */
function all(records, out = []) {
    records.forEach((record) => {
        out.push([records, record]);
        if (record.records) {
            all(record.records, out);
        }
    });
    return out;
}

/** The elements of packed data, each as its bytes. */
function elements(record) {
    const wide = { [ScalarType.DOUBLE]: 8, [ScalarType.FIXED64]: 8, [ScalarType.SFIXED64]: 8 };
    const narrow = { [ScalarType.FLOAT]: 4, [ScalarType.FIXED32]: 4, [ScalarType.SFIXED32]: 4 };
    const width = wide[record.packed.scalar] ?? narrow[record.packed.scalar] ?? 0;
    const out = [];
    for (let at = 0; at < record.data.length; ) {
        let end = at + width;
        while (width == 0 && record.data[end] & 0x80) {
            end++;
        }
        end += width == 0 ? 1 : 0;
        out.push(record.data.subarray(at, end));
        at = end;
    }
    return [out, { 0: 0, 4: 5, 8: 1 }[width]];
}

/**
 * Packed to unpacked or to two pieces: parsers take repeated fields "compiled as packed as if they
 * were not packed, and vice versa", and "payloads should be concatenated" (protobuf.dev/
 * programming-guides/encoding, Packed Repeated Fields).
 */
function repack(random, list, record) {
    const at = list.indexOf(record);
    const [parts, wireType] = elements(record);
    const { no, closed } = record;
    if (random.chance(0.5)) {
        list.splice(at, 1, ...parts.map((data) => ({ no, closed, wireType, data })));
    } else {
        const half = random.below(parts.length + 1);
        const pieces = [parts.slice(0, half), parts.slice(half)];
        list.splice(at, 1, ...pieces.map((p) => ({ ...record, data: Buffer.concat(p) })));
    }
}

function change(random, records) {
    const [list, record] = random.pick(all(records));
    const at = list.indexOf(record);
    switch (random.below(10)) {
        case 0: // again: last one wins, messages are merged, repeated fields grow
            list.splice(random.below(list.length + 1), 0, record);
            break;
        case 1: // elsewhere
            list.splice(at, 1);
            list.splice(random.below(list.length + 1), 0, record);
            break;
        case 2: // in an entry of a map: no key or no value
            list.splice(at, 1);
            break;
        case 3:
            record.longTag = 1 + random.below(3);
            break;
        case 4:
            record.longLength = 1 + random.below(3);
            break;
        case 5: // any 64 bits, for whatever type: 32-bit ones are cut, bool is not 0
            if (record.wireType == 0 && !record.closed) {
                const n = random.u64() >> BigInt(random.below(64));
                record.data = overlong(n, random.below(2));
            }
            break;
        case 6: // text that is none, or other text
            if (record.text && record.data.length > 0) {
                record.data = Uint8Array.from(record.data);
                record.data[random.below(record.data.length)] = random.below(256);
            }
            break;
        case 7:
            if (record.packed) {
                repack(random, list, record);
            }
            break;
        case 8: // unknown fields in the middle; in entries of maps they are dropped
            list.splice(at, 0, { no: 2000 + random.below(9), wireType: 2, data: [1, 2, 3] });
            break;
        default:
            if (record.wireType == 3 && random.chance(0.3)) {
                record.end = record.no + 1;
            }
    }
}

export function mutate(random, desc, bytes) {
    const records = takeApart({ message: desc }, bytes);
    for (let i = 1 + random.below(4); i > 0 && records.length > 0; i--) {
        change(random, records);
    }
    const out = putTogether(records);
    const style = random.below(20);
    if (style < 3 && out.length > 0) {
        return out.subarray(0, random.below(out.length));
    }
    if (style == 3) { // number 0, wire types 6 and 7, the end of no group
        return Uint8Array.from([...out, random.pick([0x00, 0x05, 0x0e, 0x0f, 0x0c]), 0]);
    }
    return out;
}
