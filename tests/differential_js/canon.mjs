// SPDX-License-Identifier: MIT
// canon.mjs: a text for each message, the same for two messages exactly when they are equal.
//
// What the specification leaves open does not show in it:
// - the order of map entries: "Wire format ordering and map iteration ordering of map values are
//   undefined" (protobuf.dev/programming-guides/proto3, Maps Features), so entries are sorted;
// - the order of fields on the wire: "there is no guaranteed order for how its known or unknown
//   fields will be written" (protobuf.dev/programming-guides/encoding, Field Order), so unknown
//   fields are sorted by number, but "the order of records for the same field with respect to each
//   other is preserved" (same page), and those of one number keep theirs;
// - the bytes of an Any, which are a message and follow from the same rules: it is unpacked;
// - the payload of a NaN: JSON has one "NaN" for all (protobuf.dev/programming-guides/json).
// Everything else shows, also -0 against 0.
import { getExtension } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { anyUnpack } from "@bufbuild/protobuf/wkt";

function scalar(value) {
    if (value instanceof Uint8Array) {
        return `x${Buffer.from(value).toString("hex")}`;
    }
    if (typeof value == "string") {
        return JSON.stringify(value);
    }
    return Object.is(value, -0) ? "-0" : String(value);
}

export class Canon {
    /**
     * Without `unknown`: what JSON can carry ("ProtoJSON format does not support unknown fields",
     * same page). With `anyPrefix`: the URL of an Any is only its type's name, since the peer puts
     * type.googleapis.com before each name that it reads from JSON; the specification has the URL
     * "that was set on the Any" there. Ours is compared in full as JSON text, and where JSON was
     * made into binary.
     */
    constructor(registry, unknown, anyPrefix = false) {
        this.anyPrefix = anyPrefix;
        this.registry = registry;
        this.unknown = unknown;
    }

    of(desc, message) {
        return this.message(reflect(desc, message));
    }

    message(r) {
        if (r.desc.typeName == "google.protobuf.Any") {
            const inside = this.unpack(r.message);
            if (inside !== undefined) {
                const url = r.message.typeUrl;
                const shown = this.anyPrefix ? url.slice(url.lastIndexOf("/") + 1) : url;
                return `{type_url:${scalar(shown)} ${inside}${this.unknownOf(r)}}`;
            }
        }
        let s = "{";
        for (const field of r.sortedFields) {
            if (r.isSet(field)) {
                s += `${field.name}:${this.field(field, r.get(field))} `;
            }
        }
        return `${s}${this.unknownOf(r)}}`;
    }

    unpack(any) {
        try {
            const message = anyUnpack(any, this.registry);
            return message && this.of(this.registry.getMessage(message.$typeName), message);
        } catch {
            return undefined; // not the bytes of such a message
        }
    }

    field(field, value) {
        switch (field.fieldKind) {
            case "list":
                return `[${Array.from(value, (v) => this.single(field.listKind, v)).join()}]`;
            case "map":
                return `<${Array.from(
                    value,
                    ([k, v]) => `${scalar(k)}=${this.single(field.mapKind, v)}`,
                )
                    .sort()
                    .join()}>`;
            default:
                return this.single(field.fieldKind, value);
        }
    }

    single(kind, value) {
        return kind == "message" ? this.message(value) : scalar(value);
    }

    unknownOf(r) {
        const list = [...(r.getUnknown() ?? [])].sort((a, b) => a.no - b.no);
        let s = "";
        let last = 0;
        for (const { no, wireType, data } of list) {
            const extension = this.registry.getExtensionFor(r.desc, no);
            if (extension !== undefined) {
                s += no == last ? "" : `[${extension.typeName}]:${this.extension(r, extension)} `;
            } else if (this.unknown) {
                s += `${no}/${wireType}:${scalar(data)} `;
            }
            last = no;
        }
        return s;
    }

    extension(r, extension) {
        const value = getExtension(r.message, extension);
        return extension.fieldKind == "message"
            ? this.of(extension.message, value)
            : this.field(extension, value);
    }
}
