// SPDX-License-Identifier: MIT
// messages.mjs: random messages of any type, built through the peer's reflection.
import { create, setExtension, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import * as values from "./random.mjs";

const LEGACY_REQUIRED = 3; // google.protobuf.FeatureSet.FieldPresence

/** Whether a message with all its required fields is finite. */
export function isFinite(desc, above = new Set()) {
    if (above.has(desc)) {
        return false;
    }
    const path = new Set(above).add(desc);
    return desc.fields.every(
        (f) => f.presence != LEGACY_REQUIRED || !f.message || isFinite(f.message, path),
    );
}

/** Makes messages of `types` (for Any), with the extensions of the registry. */
export class Maker {
    constructor(random, registry, types) {
        this.random = random;
        this.registry = registry;
        this.types = types;
    }

    /** A message that takes about `size` fields at most, including those of messages inside. */
    make(desc, size) {
        this.left = size;
        return this.message(desc, 0).message;
    }

    message(desc, depth, strict = false) {
        switch (desc.typeName) {
            case "google.protobuf.Any":
                return this.any(desc, depth);
            case "google.protobuf.Timestamp":
                return this.time(desc, -62135596800, 253402300799, false);
            case "google.protobuf.Duration":
                return this.time(desc, -315576000000, 315576000000, true);
            case "google.protobuf.FieldMask":
                return this.fieldMask(desc);
            case "google.protobuf.Value":
                return this.value(desc, depth, strict);
        }
        const r = reflect(desc);
        // Few fields or most of them.
        const density = this.random.pick([0.02, 0.05, 0.2, 0.9]);
        const few = desc.fields.length <= 8;
        for (const field of desc.fields) {
            const wanted = this.random.chance(few ? 0.7 : density) && this.left > 0;
            if (field.presence == LEGACY_REQUIRED || (wanted && (depth < 6 || !field.message))) {
                this.field(r, field, depth, strict);
            }
        }
        if (depth < 6 && !desc.proto.options?.messageSetWireFormat) {
            this.extensions(r);
            if (this.random.chance(0.1)) {
                this.unknown(r);
            }
        }
        return r;
    }

    field(r, field, depth, strict) {
        this.left--;
        // A Struct in a field is a plain object of JavaScript, which knows no Value without a kind.
        const inside = strict || (field.message?.typeName == "google.protobuf.Struct");
        const count = this.random.pick([0, 1, 2, 3, 5]);
        switch (field.fieldKind) {
            case "list":
                for (let i = 0; i < count; i++) {
                    r.get(field).add(this.single(field, field.listKind, depth, inside));
                }
                break;
            case "map":
                for (let i = 0; i < count; i++) {
                    const key = values.scalar(this.random, field.mapKey);
                    r.get(field).set(key, this.single(field, field.mapKind, depth, inside));
                }
                break;
            default:
                r.set(field, this.single(field, field.fieldKind, depth, inside));
        }
    }

    single(field, kind, depth, strict) {
        switch (kind) {
            case "message":
                return this.message(field.message, depth + 1, strict);
            case "enum":
                return this.enumValue(field.enum);
            default:
                return values.scalar(this.random, field.scalar);
        }
    }

    enumValue(desc) {
        if (desc.open && desc.typeName != "google.protobuf.NullValue" && this.random.chance(0.2)) {
            return values.int32(this.random);
        }
        return this.random.pick(desc.values).number;
    }

    extensions(r) {
        for (const extension of this.registry) {
            if (extension.kind != "extension" || extension.extendee.typeName != r.desc.typeName) {
                continue;
            }
            if (this.random.chance(0.3)) {
                const value = this.single(extension, extension.fieldKind, 5, false);
                const local = extension.fieldKind == "message" ? value.message : value;
                setExtension(r.message, extension, local);
            }
        }
    }

    /** Fields that no schema names, of each wire type. */
    unknown(r) {
        const data = [
            [0, [0x80, 0x01]], [0, varint(-1)], [1, [1, 2, 3, 4, 5, 6, 7, 8]], [2, [0]],
            [2, [3, 0xff, 0, 0x61]], [5, [0xff, 0xff, 0xff, 0x7f]],
            // A group with a field and a group in it, up to its own end.
            [3, [0x08, 0x05, 0x13, 0x14]],
        ];
        const list = r.getUnknown() ?? [];
        for (let i = 1 + this.random.below(4); i > 0; i--) {
            const no = this.random.pick([2001, 9999, 5000]);
            const [wireType, content] = this.random.pick(data);
            const end = wireType == 3 ? varint((no << 3) | 4) : [];
            list.push({ no, wireType, data: Uint8Array.from([...content, ...end]) });
        }
        r.setUnknown(list);
    }

    any(desc, depth) {
        const any = create(AnySchema);
        const style = this.random.below(20);
        if (style > 0) {
            const type = this.random.pick(this.types);
            const prefix = this.random.pick(["type.googleapis.com/", "example.com/a/b/", "/"]);
            any.typeUrl = prefix + type.typeName;
            any.value = toBinary(type, this.message(type, depth + 2).message);
        }
        if (style == 1) {
            any.typeUrl = "type.googleapis.com/no.such.Type";
        }
        return reflect(desc, any);
    }

    time(desc, least, most, signed) {
        const random = this.random;
        const seconds = random.chance(0.05)
            ? random.pick([least - 1, most + 1, -(2 ** 53), 2 ** 53])
            : random.pick([least, most, 0, 1, -1, random.u32(), -random.u32(), -11676096000]);
        let nanos = random.pick([0, 0, 1, 999999999, 5e8, 1e6, 1000, 120000, random.below(1e9)]);
        if (signed && (seconds < 0 || (seconds == 0 && random.chance(0.3)))) {
            nanos = -nanos;
        }
        if (random.chance(0.03)) {
            nanos = random.pick([1e9, -1e9, -1, -nanos]);
        }
        const r = reflect(desc);
        r.set(desc.field.seconds, BigInt(seconds));
        r.set(desc.field.nanos, nanos === 0 ? 0 : nanos);
        return r;
    }

    fieldMask(desc) {
        const good = ["a", "foo_bar", "foo.bar_baz", "a_b_c", "x1", "foo.bar.b_1x"];
        const bad = ["fooBar", "foo__bar", "foo_3_bar", "foo_"];
        const r = reflect(desc);
        for (let i = this.random.below(4); i > 0; i--) {
            r.get(desc.field.paths).add(this.random.pick(this.random.chance(0.03) ? bad : good));
        }
        return r;
    }

    value(desc, depth, strict) {
        const r = reflect(desc);
        if (!strict && this.random.chance(0.02)) {
            return r; // has no JSON form
        }
        const field = depth < 6 ? this.random.pick(desc.fields) : desc.field.boolValue;
        if (field.name == "number_value") {
            let number = values.double(this.random);
            if (!Number.isFinite(number) && (strict || this.random.chance(0.95))) {
                number = 0.25;
            }
            r.set(field, number);
        } else {
            this.field(r, field, depth, strict);
        }
        return r;
    }
}

export function varint(n) {
    let left = BigInt.asUintN(64, BigInt(n));
    const out = [];
    while (left > 127n) {
        out.push(Number(left & 127n) | 128);
        left >>= 7n;
    }
    out.push(Number(left));
    return out;
}
